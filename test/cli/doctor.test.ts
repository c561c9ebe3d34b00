/** `doctor` says what is wrong with what the service stands on, and what to do; it changes nothing, and fails when something is bad. */
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
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { serveHere } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { pluck } from '../support/pluck.ts';

/** So that nothing is said of backups. */
async function proveBackup(cwd: string): Promise<void> {
  const { json } = programIn(cwd);
  await json('backup', 'store.backup');
  await json('restore', 'store.backup', '--check');
}

describe('doctor', () => {
  it('finds nothing wrong with a store in use, and says what it looked at', async () => {
    const cwd = ownFolder();
    await makeAccount(cwd);
    await proveBackup(cwd);
    await serveHere({ cwd });
    const { ok, findings, wrong } = await examine(cwd);
    assert.deepEqual([ok, wrong], [true, []]);
    assert.deepEqual(pluck(findings, 'check'), [
      ...['runtime', 'settings', 'schema', 'integrity', 'file system', 'room', 'log', 'modes'],
      ...['commit', 'clock', 'keys', 'backup', 'erasures'],
    ]);
    const { stdout } = await programIn(cwd).run('doctor');
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
    const cwd = ownFolder();
    const { run } = programIn(cwd);
    const path = join(cwd, 'data/ledgerstone.db');
    await makeAccount(cwd);
    await proveBackup(cwd);
    chmodSync(path, 0o644);
    const open = await examine(cwd);
    assert.deepEqual([open.ok, open.wrong.length], [true, 1]);
    assert.match(
      open.wrong[0]?.says ?? '',
      /^Users other than the owner can use .*: run this: chmod go= [^"]+$/,
    );
    chmodSync(path, 0o600);

    const database = new DatabaseSync(path);
    const [index] = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
      )
      .all();
    database.exec(`DROP INDEX "${index?.name}"`);
    database.close();
    const old = await examine(cwd);
    assert.deepEqual(pluck(old.wrong, 'check', 'state'), [['schema', 'warning']]);
    assert.match(old.wrong[0]?.says ?? '', /run "ledgerstone migrate"/);
    assert.match((await run('migrate', 'status')).stdout, /To be done/, 'doctor did not do it');
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

  it('finds a store that is in memory', {
    skip: !existsSync('/dev/shm') && 'this system has no /dev/shm',
  }, async () => {
    const cwd = mkdtempSync('/dev/shm/ledgerstone-');
    whenOver(() => rmSync(cwd, { recursive: true }));
    await makeAccount(cwd);
    const { ok, wrong } = await examine(cwd);
    assert.equal(ok, false);
    assert.match(
      wrong[0]?.says ?? '',
      /^The store is in memory \(tmpfs\) .*: move it to a disk\.$/,
    );
  });

  it('finds certificates and keys that end, plain HTTP and wrong settings', async () => {
    const cwd = ownFolder();
    const { account } = await makeAccount(cwd);
    await proveBackup(cwd);
    await programIn(cwd).run(
      ...['keys', 'create', '--account', account, '--expires', '5d', '--name', 'Tablet'],
    );
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
    assert.deepEqual(
      pluck(
        settings.wrong.filter(({ state }) => state === 'bad'),
        'check',
      ),
      ['settings', 'settings'],
    );
  });
});
