/** `doctor` says what is wrong with what the service stands on, and what to do; it changes nothing. */
// needs: program
import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { serveHere } from '../support/cli-service.ts';
import { makeAccount, withAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { pluck } from '../support/pluck.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';

/** So that nothing is said of backups. */
async function withBackup() {
  const made = await withAccount();
  await made.json('backup', 'store.backup');
  await made.json('restore', 'store.backup', '--check');
  return made;
}

describe('doctor', () => {
  it('finds nothing wrong with a store in use, and says what it looked at', async () => {
    const { cwd, ...program } = await withBackup();
    await serveHere({ cwd });
    const { ok, findings, wrong } = await examine(cwd);
    assert.deepEqual([ok, wrong], [true, []]);
    assert.deepEqual(pluck(findings, 'check'), [
      ...['runtime', 'settings', 'schema', 'integrity', 'file system', 'room', 'log', 'modes'],
      ...['commit', 'clock', 'keys', 'backup', 'erasures'],
    ]);
    const stdout = (await program.run('doctor')).stdout;
    assert.match(stdout, /^good {5}integrity: SQLite finds the file whole\.$/m);
  });

  it('makes no store where there is none', async () => {
    const cwd = ownFolder();
    const { wrong, stderr } = await examine(cwd);
    assert.deepEqual(pluck(wrong, 'check', 'state'), [['store', 'bad']]);
    assert.match(wrong[0]?.says ?? '', /^There is no Ledgerstone store at /);
    assert.match(stderr, /^ledgerstone: 1 of \d+ checks failed\.\n$/);
    assert.ok(!existsSync(join(cwd, 'data')));
  });

  it('finds a damaged file, an old schema and files that others may read', async () => {
    const { cwd, run, ok } = await withBackup();
    const path = join(cwd, 'data/ledgerstone.db');
    chmodSync(path, 0o644);
    const open = await examine(cwd);
    assert.deepEqual([open.ok, open.wrong.length], [true, 1]);
    const saying = open.wrong[0]?.says ?? '';
    assert.match(saying, /^Users other than the owner can use .*: run this: chmod go= [^"]+$/);
    chmodSync(path, 0o600);

    const database = new DatabaseSync(path);
    const indexes = "type = 'index' AND sql IS NOT NULL ORDER BY name";
    const index = database.prepare(`SELECT name FROM sqlite_schema WHERE ${indexes}`).get();
    database.exec(`DROP INDEX "${index?.name}"`);
    database.close();
    const old = await examine(cwd);
    assert.deepEqual(pluck(old.wrong, 'check', 'state'), [['schema', 'warning']]);
    assert.match(old.wrong[0]?.says ?? '', /run "ledgerstone migrate"/);
    assert.match(await ok('migrate', 'status'), /To be done/, 'doctor did not do it');
    await run('migrate');

    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(8_192, 0x5a), 0, 8_192, 3 * 4_096);
    closeSync(file);
    const damaged = await examine(cwd);
    assert.equal(damaged.ok, false);
    assert.match(
      damaged.wrong.map(({ says }) => says).join(' '),
      /damaged|malformed|not a Ledgerstone store|cannot be opened/,
    );
  });

  const skip = !existsSync('/dev/shm') && 'this system has no /dev/shm';
  it('finds a store that is in memory', { skip }, async () => {
    const cwd = mkdtempSync('/dev/shm/ledgerstone-');
    whenOver(() => rmSync(cwd, { recursive: true }));
    await makeAccount(cwd);
    const { ok, wrong } = await examine(cwd);
    assert.equal(ok, false);
    const saying = wrong[0]?.says ?? '';
    assert.match(saying, /^The store is in memory \(tmpfs\) .*: move it to a disk\.$/);
  });

  it('finds certificates and keys that end, plain HTTP and wrong settings', async () => {
    const { cwd, account, newKey } = await withBackup();
    await newKey(account, '--expires', '5d', '--name', 'Tablet');
    const first = await examine(cwd, {}, '--host', '0.0.0.0');
    assert.deepEqual(pluck(first.wrong, 'check', 'state'), [
      ['certificate', 'warning'],
      ['keys', 'warning'],
    ]);
    assert.match(first.wrong[1]?.says ?? '', /^Keys expire soon: key_\w+ \(Tablet\) on \d{4}-/);

    const words = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
    for (const [days, state] of [
      [60, 'good'],
      [10, 'warning'],
      [-1, 'bad'],
    ] as const) {
      writeCertificate(cwd, makeCertificate('localhost', days));
      const { findings } = await examine(cwd, {}, ...words);
      assert.equal(findings.find(({ check }) => check === 'certificate')?.state, state);
    }
    chmodSync(join(cwd, 'key.pem'), 0o644);
    const { wrong } = await examine(cwd, {}, ...words);
    assert.ok(wrong.some(({ says }) => /: chmod o= key\.pem$/.test(says)));

    const settings = await examine(cwd, { PORT: 'many', LOG_LEVEL: 'loud' });
    const bad = settings.wrong.filter(({ state }) => state === 'bad');
    assert.deepEqual(pluck(bad, 'check'), ['settings', 'settings']);
  });
});

await onOwnPostgres((server) => {
  describe('doctor on PostgreSQL', () => {
    it('looks at the settings of the server', async () => {
      const cwd = ownFolder();
      const { env } = await emptyDatabase(server.url);
      const nothing = await examine(cwd, env);
      assert.match(nothing.wrong[0]?.says ?? '', /^There is no Ledgerstone store at /);
      await makeAccount(cwd, env);
      const set = async (value: 'on' | 'off'): Promise<void> => {
        const names = ['full_page_writes', 'autovacuum', 'synchronous_commit'];
        await ask(
          server.url,
          ...names.map((name) => `ALTER SYSTEM SET ${name} = ${value}`),
          "ALTER SYSTEM SET max_wal_size = '8GB'",
          `ALTER SYSTEM SET log_min_duration_statement = ${value === 'off' ? '250' : '-1'}`,
          'SELECT pg_reload_conf(), pg_sleep(0.5)',
        );
      };
      await set('on');
      const { json } = programIn(cwd, env);
      await json('backup', 'store.backup');
      await json('restore', 'store.backup', '--check');
      const { ok, wrong, findings } = await examine(cwd, env);
      assert.deepEqual([ok, wrong], [true, []]);
      assert.match(findings.find(({ check }) => check === 'server')?.says ?? '', /^PostgreSQL 1\d/);
      await set('off');
      const off = await examine(cwd, env);
      assert.deepEqual(pluck(off.wrong, 'check', 'state'), [
        ['full_page_writes', 'bad'],
        // Behind a pooler the database itself says it, as the guide wants.
        ...(process.env.TEST_POOLER === undefined ? [['synchronous_commit', 'warning']] : []),
        ['autovacuum', 'bad'],
        ['server_log', 'warning'],
      ]);
      assert.match(off.wrong.at(-1)?.says ?? '', /log_min_duration_statement is 250\. Set log_p/);
      await set('on');
      await server.halt();
      const gone = await examine(cwd, env);
      assert.deepEqual(pluck(gone.wrong, 'check', 'state'), [['store', 'bad']]);
      await server.start();
    });
  });
});
