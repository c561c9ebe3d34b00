/** A stretch of the log of changes that is lost is told, and never passed over: whoever has read it is ahead of the store. */

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, write } from '../support/store-world.ts';

function open(url: string): Promise<Store> {
  return openStore({ url, shapes, create: true, serve: true });
}

/** `copy` keeps the state of a closed store, and gives the address of that state when it is called for. */
async function provesThatItIsTold(
  url: string,
  copy: () => Promise<() => Promise<string>>,
): Promise<void> {
  const store = await open(url);
  const account = await newAccount(store);
  await write(store, placeDraft(account, 'a', {}));
  const known = await store.log.last(account);
  await store.close();
  const older = await copy();

  const later = await open(url);
  for (const name of ['b', 'c']) await write(later, placeDraft(account, name, {}));
  const lost = await later.log.last(account);
  await later.close();

  const back = await open(await older());
  const read = (after: typeof lost) => back.log.read({ account, after, limit: 10, bytes: 1_000 });
  try {
    assert.equal(await read(lost), 'rewound', 'ahead of all that there is');
    for (const name of ['d', 'e', 'f']) await write(back, placeDraft(account, name, {}));
    assert.equal(await read(lost), 'rewound', 'the position is there again, and is another commit');
    const page = await read(known);
    assert.ok(typeof page !== 'string');
    assert.equal(page.changes.length, 3, 'what was read before the copy is good');
  } finally {
    await back.close();
  }
}

describe('A follower is told that what it has read is lost', () => {
  it('where an older SQLite file was put in the place of the store', async () => {
    const { url, path, folder } = await sqliteGround();
    await provesThatItIsTold(url, async () => {
      await copyFile(path, `${folder}/older`);
      return async () => {
        await copyFile(`${folder}/older`, path);
        return url;
      };
    });
  });
});

await onPostgres(({ name, url: server, ground }) => {
  describe(`A follower is told that what it has read is lost, on ${name}`, () => {
    it('where an older state of the database is served', async (test) => {
      const { url, distribution, remove } = await ground();
      if (distribution !== undefined) {
        await remove();
        return test.skip('a database on several servers cannot be copied by a statement');
      }
      const database = new URL(url).pathname.slice(1);
      const older = `${database}_older`;
      const admin = (statement: string) => ask(server, statement);
      whenOver(async () => {
        await admin(`DROP DATABASE IF EXISTS "${older}" WITH (FORCE)`);
      });
      await provesThatItIsTold(url, async () => {
        // A pooler keeps sessions of stores that are closed, and a database in use cannot be copied.
        await admin(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
        );
        await admin(`CREATE DATABASE "${older}" TEMPLATE "${database}"`);
        return async () => Object.assign(new URL(url), { pathname: `/${older}` }).href;
      });
    });
  });
});
