/** What a removal does to a SQLite file: the rows below, and what they were answered as, go from it in the same commit. */

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { opened } from '../support/opened.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  newAccount,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  write,
} from '../support/store-world.ts';

const CHILDREN = 1_000;

it('a removal from a SQLite store leaves no row of what was below', async () => {
  const ground = await sqliteGround();
  const store = await opened({ ...ground, shapes, create: true, serve: true });
  const account = await newAccount(store, 'A', true);
  const home = await write(store, placeDraft(account, 'home', {}));
  const made = await write(store, thingDraft(home, 'a', {}));
  const receipt = { owner: 'key_one', accounts: [account], fingerprint: new Uint8Array(32) };
  const expires_at = Date.now() + 3_600_000;
  await store.commit(
    Array.from({ length: CHILDREN }, (_, i) => ({
      ...visitDraft(made, `${i}`, { person: { name: 'Ida', phone: '1' } }),
      receipt: { ...receipt, idempotency_key: `${i}`, expires_at },
    })),
  );
  const rows = (): readonly unknown[] => {
    const file = new DatabaseSync(ground.path, { readOnly: true });
    const count = (table: string) =>
      Number(file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
    const found = [count('"visit ""order"""'), count('answered')];
    file.close();
    return found;
  };
  assert.deepEqual(rows(), [CHILDREN, CHILDREN]);
  assert.equal((await remove(store, made)).below, CHILDREN);
  assert.deepEqual(rows(), [0, 0]);
});
