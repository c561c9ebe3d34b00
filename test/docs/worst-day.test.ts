/** The guides on backups: every command on them is run, in their order, by a shell, on a store that has something to lose. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { readFollowed } from '../../src/services/backup/folder/chain.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { LAUNCHER, ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { pages } from '../support/doc-pages.ts';
import { nextSecond } from '../support/next-second.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

function blocksOf(file: string): readonly string[] {
  return pages()
    .filter(({ path }) => path === file)
    .flatMap((page) => page.blocks.filter(({ language }) => language === 'sh'))
    .map(({ text }) => text);
}

interface Desk {
  readonly cwd: string;
  readonly account: string;
  readonly key: string;
  readonly secret: string;
  readonly digests: () => Promise<Readonly<Record<string, string>>>;
  /** Runs the next block of the page, as it stands there. */
  readonly next: (env?: Readonly<Record<string, string>>) => string;
}

/** A store with an account, a key and a location, beside which the page is followed. */
async function desk(file: string): Promise<Desk> {
  const cwd = ownFolder();
  const { account, secret, key } = await makeAccount(cwd);
  const service = await startProcess({ cwd });
  await makeLocation(service.url, secret, account);
  await service.stop();
  const program = join(cwd, 'ledgerstone');
  writeFileSync(program, `#!/bin/sh\nexec "${LAUNCHER}" "$@"\n`);
  chmodSync(program, 0o700);
  const blocks = blocksOf(file);
  let at = 0;
  const { json } = programIn(cwd);
  return {
    ...{ cwd, account, key, secret },
    digests: async () => {
      const { digests } = await json<{ digests: Record<string, string> }>('verify');
      // Each command is in the audit.
      const { audit: _, ...alike } = digests;
      return alike;
    },
    next(env = {}) {
      const text = blocks[at++];
      assert.ok(text !== undefined, 'the page has no further block');
      const all = { PATH: `${cwd}:${process.env.PATH}`, KEY: key, ...env };
      return execFileSync('sh', ['-euc', text], {
        cwd,
        env: all,
        encoding: 'utf8',
        timeout: 300_000,
      });
    },
  };
}

it('the worst day, step by step', async () => {
  const { cwd, account, key, secret, digests, next } = await desk('docs/worst-day.md');
  const data = join(cwd, 'data');
  const before = await digests();
  mkdirSync(join(cwd, 'backups'));
  await programIn(cwd).json('backup', 'backups');

  // The disk is lost.
  rmSync(data, { recursive: true });
  assert.match(next(), /no faults.*Restored in .*no faults/s);
  assert.deepEqual(await digests(), before);

  // A program changes what it should not have, while the service keeps every moment.
  const moments = join(cwd, 'backups/moments');
  const env = { BACKUP_TO: 'backups/moments', BACKUP_EVERY: '1s' };
  const service = await startProcess({ cwd, env });
  const followed = (): number => (existsSync(moments) ? readFollowed(moments).length : 0);
  const isFollowed = (atLeast: number) => until(() => followed() >= atLeast);
  await isFollowed(1);
  await nextSecond();
  await makeLocation(service.url, secret, account, 'wrong');
  await isFollowed(2);
  const ACCOUNT = account;
  const told = next({ ACCOUNT })
    .split('\n')
    .filter((line) => line.includes(key));
  const { occurred_at: BEFORE } = JSON.parse(told.at(-1) ?? '');
  await service.stop();
  assert.match(next({ BEFORE }), /Moments from .*no faults.*Restored in .* as they stood at/s);
  const { keys: _, ...undone } = await digests();
  const { keys: _keys, ...right } = before;
  assert.deepEqual(undone, right);
  assert.match(await programIn(cwd).ok('keys', 'list'), /suspended/);

  // The file is damaged, and a log lies beside it.
  const file = join(data, 'ledgerstone.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, 8_192, 20_000);
  writeFileSync(file, bytes);
  writeFileSync(`${file}-wal`, 'what a killed process left');
  next();
  assert.deepEqual(await digests(), before);
  assert.ok(readdirSync(join(cwd, 'damaged')).includes('ledgerstone.db-wal'));

  // The wrong backup was restored, and records were written since.
  next();
  assert.deepEqual(await digests(), before);
  const [written = ''] = readFileSync(join(cwd, 'written-since/locations.ndjson'), 'utf8').split(
    '\n',
  );
  assert.equal(JSON.parse(written).external_identifier, 'main-street');

  // A deploy went wrong: the new version has something to migrate, and copies the store first.
  const database = new DatabaseSync(file);
  database.exec('DROP INDEX location_parent');
  database.close();
  const stdout = await programIn(cwd).ok('migrate');
  const [, copy = ''] = /^Copied the store to (.*) first\.$/m.exec(stdout) ?? [];
  assert.match(copy, /ledgerstone\.db\.before-\d{8}T\d{6}Z$/);
  assert.match(next({ COPY: copy }), /from the copy\./);
  const restored = new DatabaseSync(file, { readOnly: true });
  const index = restored
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'location_parent'")
    .get();
  restored.close();
  assert.equal(index, undefined, 'the schema is that of the old version');
  assert.deepEqual(await digests(), before);

  // A key has leaked.
  next();
  assert.match(await programIn(cwd).ok('keys', 'list'), /suspended/);
});

await onPostgres(({ name, url }) => {
  it(`the guide on backups, with a move to ${name}`, async (test) => {
    const { env } = await emptyDatabase(url);
    if ('DATABASE_DISTRIBUTION' in env) return test.skip('a cluster is named by one more setting');
    const { cwd, digests, next } = await desk('docs/backup.md');
    const before = await digests();
    next();
    assert.match(next(), /The backup is whole/);
    next();
    next({ OTHER: env.DATABASE_URL ?? '' });
    assert.match(next(), /no faults/);
    const moved = await programIn(cwd, env).json<{ digests: { audit: string } }>('verify');
    const { audit: _, ...alike } = moved.digests;
    assert.deepEqual(alike, before);
  });
});
