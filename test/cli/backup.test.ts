/** `backup`, `restore` and what they promise, by the real binary, on both stores. */
// needs: program, long
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL, withAll } from '../support/all.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { finish, ownFolder, programIn, run, start } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount } from '../support/cli-setup.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

/** Each command is in the audit, so no two backups are alike in that. */
function unaudited({ audit: _, ...digests }: BackupJson['digests']): BackupJson['digests'] {
  return digests;
}

interface BackupJson {
  readonly file: string;
  readonly bytes: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly digests: Readonly<Record<string, string>>;
  readonly taken_at: string;
  readonly removed: readonly string[];
}

/** Settings that name a store which is not there yet, or is empty. */
type FindStore = () => Promise<Readonly<Record<string, string>>>;

const LOCATIONS = '/v1/locations/upsert';
/** Between the writes of one writer. */
const REST_MS = ALL ? 0 : 25;

function promises(name: string, findStore: FindStore, ring = {}): void {
  it(
    `a backup holds all that was answered before it began, under load, on ${name}`,
    ring,
    async () => {
      const env = await findStore();
      const { cwd, account, secret, service } = await servedAccount(env);
      /** The last version that was answered, by external identifier; those sent, whether answered or not. */
      const answered = new Map<string, { id: string; name: string }>();
      const sent = new Map<string, number>();
      let stop = false;
      const writer = async (who: number): Promise<void> => {
        for (let count = 0; !stop; count++) {
          const external_identifier = `w${who}-${count % 40}`;
          const nth = (sent.get(external_identifier) ?? 0) + 1;
          sent.set(external_identifier, nth);
          const location_name = `Chapel ${nth}`;
          const { status, text } = await call(service.url, secret, LOCATIONS, {
            ...{ account_unique_identifier: account, external_identifier, location_name },
          });
          assert.equal(status, 200, text);
          const { unique_identifier: id } = JSON.parse(text);
          answered.set(external_identifier, { id, name: location_name });
          await pause(REST_MS);
        }
      };
      const writers = [1, 2, 3, 4].map(writer);
      await until(() => answered.size >= 30);
      const before = new Map(answered);
      const file = join(cwd, 'store.backup');
      const backup = await programIn(cwd, env).json<BackupJson>('backup', file);
      stop = true;
      await Promise.all(writers);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.ok((backup.rows.locations ?? 0) >= before.size && before.size > 20, `${before.size}`);

      const other = ownFolder();
      await programIn(other).json('restore', file);
      const restored = await serveHere({ cwd: other });
      for (const [external_identifier, { id, name }] of before) {
        const { status, text } = await call(restored.url, secret, `/v1/locations/${id}`);
        assert.equal(status, 200, text);
        const found = JSON.parse(text);
        assert.equal(found.external_identifier, external_identifier);
        const nth = (told: string) => Number(told.slice('Chapel '.length));
        assert.ok(nth(found.location_name) >= nth(name), `${found.location_name} < ${name}`);
        assert.ok(nth(found.location_name) <= (sent.get(external_identifier) ?? 0));
      }
      // It goes on as any store.
      await makeLocation(restored.url, secret, account, 'new');
    },
  );

  it(
    `a restore that is killed leaves nothing, and the same command brings all of it, on ${name}`,
    ring,
    async () => {
      const { cwd, secret, account, service } = await servedAccount();
      const rows = Array.from({ length: 9_000 }, (_, at) =>
        JSON.stringify({
          ...{ account_unique_identifier: account, external_identifier: `l${at}` },
          location_name: `Chapel ${at} `.repeat(3),
        }),
      );
      const response = await fetch(`${service.url}/v1/locations/upsert_many`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/x-ndjson' },
        body: rows.join('\n'),
        signal: AbortSignal.timeout(30_000),
      });
      assert.equal(response.status, 200);
      await response.text();
      await service.stop();
      const file = join(cwd, 'b');
      const { digests } = await programIn(cwd).json<BackupJson>('backup', file);
      const began = performance.now();
      await programIn(ownFolder()).json('restore', file, '--check');
      const whole = performance.now() - began;

      const other = ownFolder();
      const env = await findStore();
      for (let at = 1; at <= 6; at += ALL ? 1 : 2) {
        const restoring = start(['restore', file], { cwd: other, env }, { stdio: 'ignore' });
        await Promise.race([pause((whole * at) / 8), once(restoring, 'exit')]);
        restoring.kill('SIGKILL');
        if (restoring.exitCode === null && restoring.signalCode === null)
          await once(restoring, 'exit');
        if (restoring.exitCode === 0) break;
        const { stdout } = await run(['accounts', 'list'], { cwd: other, env });
        if (stdout.includes(account)) break;
      }
      const last = await run(['restore', file], { cwd: other, env });
      assert.ok(last.code === 0 || /is not empty/.test(last.stderr), last.stderr);
      const again = await programIn(other, env).json<BackupJson>('backup', join(other, 'again'));
      assert.deepEqual(unaudited(again.digests), unaudited(digests));
    },
  );
}

it('no store is made where a restore was killed, until it is restored', async () => {
  const cwd = ownFolder();
  await makeAccount(cwd);
  const backup = join(cwd, 'b');
  await programIn(cwd).json('backup', backup);
  const other = ownFolder();
  const restoring = start(
    ['restore', '-'],
    { cwd: other },
    { stdio: ['pipe', 'ignore', 'ignore'] },
  );
  // It waits for the rest of the backup.
  restoring.stdin?.write(readFileSync(backup).subarray(0, 100));
  const data = join(other, 'data');
  await until(() => existsSync(join(data, 'ledgerstone.db.restoring')));
  restoring.kill('SIGKILL');
  await once(restoring, 'exit');
  for (const words of [
    ['serve', '--port', '0'],
    ['migrate'],
    ['accounts', 'create', '--name', 'New'],
  ]) {
    assert.match(
      await programIn(other).fails(...words),
      /A restore to .* was ended before it was done, or goes on: run the same "ledgerstone restore" again/,
    );
  }
  await programIn(other).json('restore', backup);
  await (await serveHere({ cwd: other })).stop();
  assert.ok(!existsSync(join(data, 'ledgerstone.db.restoring')));
});

/** Whose a checked backup is. */
function countsItsOwn(name: string, findStore: FindStore, ring = {}): void {
  it(`a checked backup counts only for the store that it is of, on ${name}`, ring, async () => {
    const [own, other] = [ownFolder(), ownFolder()];
    const env = await findStore();
    await makeAccount(own, env);
    await makeAccount(other);
    await programIn(other).json('backup', 'foreign.backup');
    const { stdout } = await programIn(own, env).run(
      ...['restore', join(other, 'foreign.backup'), '--check'],
    );
    assert.match(stdout, /^The backup is whole/m);
    assert.match(stdout, /It is a backup of another store than the one that the settings name/);
    const lastChecked = async () => (await programIn(own, env).run('doctor')).stdout;
    assert.match(await lastChecked(), /^warning\s+backup: No backup has been checked yet/m);
    // What the store was before counts, whatever was done since.
    await programIn(own, env).json('backup', 'own.backup');
    await programIn(own, env).run('accounts', 'create', '--name', 'Later');
    const checked = await programIn(own, env).json<{ noted: boolean }>(
      ...['restore', 'own.backup', '--check'],
    );
    assert.equal(checked.noted, true);
    assert.match(
      await lastChecked(),
      /^good\s+backup: The last checked backup is \d+ minutes? old/m,
    );
    // A copy that has gone its own way is another store.
    const copy = programIn(ownFolder());
    await copy.json('restore', join(own, 'own.backup'));
    await copy.run('accounts', 'create', '--name', 'Of the copy');
    await copy.json('backup', join(own, 'copy.backup'));
    const { noted } = await programIn(own, env).json<{ noted: boolean }>(
      ...['restore', 'copy.backup', '--check'],
    );
    assert.equal(noted, false);
  });
}

promises('SQLite', async () => ({}));
countsItsOwn('SQLite', async () => ({}));
await onPostgres(({ name, url }) => {
  promises(name, async () => (await emptyDatabase(url)).env, withAll);
  countsItsOwn(name, async () => (await emptyDatabase(url)).env, withAll);
});

it('a backup goes to a folder, a file or a pipe, and over no other file', async () => {
  const cwd = ownFolder();
  await makeAccount(cwd);
  const { json } = programIn(cwd);
  const inFolder = await json<BackupJson>('backup', '.');
  assert.match(inFolder.file, /^ledgerstone-\d{8}T\d{6}Z\.ndjson\.zst$/);
  assert.equal(inFolder.bytes, statSync(join(cwd, inFolder.file)).size);
  const fast = await json<BackupJson>('backup', '--fast', 'fast.backup');
  assert.deepEqual(unaudited(fast.digests), unaudited(inFolder.digests));
  const over = await run(['backup', inFolder.file], { cwd });
  assert.equal(over.code, 1);
  assert.match(over.stderr, /already exists and is not overwritten/);
  const nowhere = await run(['backup', 'no/such/folder/file'], { cwd });
  assert.match(nowhere.stderr, /cannot be written to .*: its folder is not there/);
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.endsWith('.partial')),
    [],
  );

  const piped = start(['backup', '-'], { cwd }, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  piped.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(piped, 'close');
  assert.equal(piped.exitCode, 0);
  const bytes = Buffer.concat(chunks);
  const other = ownFolder();
  const restoring = start(['restore', '-', '--json'], { cwd: other }, { stdio: 'pipe' });
  const restored = finish(restoring);
  restoring.stdin?.end(bytes);
  const { code, stdout, stderr } = await restored;
  assert.equal(code, 0, stderr);
  assert.deepEqual(unaudited(JSON.parse(stdout).digests), unaudited(inFolder.digests));
  assert.match(
    (await run(['backup', '-', '--json'], { cwd })).stderr,
    /cannot both go to standard output/,
  );
});

it('old backups go, and the newest of each day, week and month stay', async () => {
  const cwd = ownFolder();
  await makeAccount(cwd);
  const names = ['20200105T000000Z', '20200106T000000Z', '20200106T120000Z', '20190101T000000Z'];
  for (const name of names) writeFileSync(join(cwd, `ledgerstone-${name}.ndjson.zst`), '');
  writeFileSync(join(cwd, 'mine.txt'), '');
  const { removed, file } = await programIn(cwd).json<BackupJson>('backup', '.', '--keep', '2d,3m');
  // Of January 2020 one stays for its day and its month, and of 2019 one for its month.
  assert.deepEqual(removed.toSorted(), [
    'ledgerstone-20200105T000000Z.ndjson.zst',
    'ledgerstone-20200106T000000Z.ndjson.zst',
  ]);
  assert.ok(existsSync(join(cwd, 'mine.txt')) && existsSync(join(cwd, file)));
  const wrong = await run(['backup', '.', '--keep', '7'], { cwd });
  assert.match(
    wrong.stderr,
    /--keep must be counts of days, weeks, months or years such as 7d,4w,12m/,
  );
  const noFolder = await run(['backup', 'file', '--keep', '7d'], { cwd });
  assert.match(noFolder.stderr, /--keep works only with a folder that exists/);
});

it('restore tells which keys work again, and can suspend them', async () => {
  const cwd = ownFolder();
  const { key, secret } = await makeAccount(cwd);
  await programIn(cwd).json('backup', 'b');
  await run(['keys', 'revoke', key, '--yes'], { cwd });
  const file = join(cwd, 'b');
  const other = ownFolder();
  const { code, stdout } = await run(['restore', file], { cwd: other });
  assert.equal(code, 0);
  assert.match(stdout, /Restored in .* rows, as they stood at 20/);
  assert.match(stdout, /Revoke any that you have revoked since/);
  assert.match(stdout, new RegExp(`${key} +…${secret.slice(-4)}`));
  const third = ownFolder();
  const restored = await programIn(third).json<{ keys: readonly { suspended: boolean }[] }>(
    ...['restore', file, '--suspend-keys'],
  );
  assert.deepEqual(
    restored.keys.map(({ suspended }) => suspended),
    [true],
  );
});

it('a damaged backup exits with 1, says so, and touches nothing', async () => {
  const cwd = ownFolder();
  await makeAccount(cwd);
  await programIn(cwd).json('backup', 'b');
  const bytes = readFileSync(join(cwd, 'b'));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 4;
  const other = ownFolder();
  writeFileSync(join(other, 'b'), bytes);
  mkdirSync(join(other, 'backups'));
  const newest = 'backups/ledgerstone-20270131T013000Z.ndjson.zst';
  writeFileSync(join(other, newest), bytes);
  const { code, stderr } = await run(['restore', 'backups'], { cwd: other });
  assert.equal(code, 1);
  assert.ok(stderr.startsWith(`ledgerstone: ${newest}: The backup is damaged: `), stderr);
  for (const words of [
    ['restore', 'b'],
    ['restore', 'b', '--check'],
  ]) {
    assert.match(
      await programIn(other).fails(...words),
      /^ledgerstone: The backup is damaged: .*\. Use another one\.\n$/,
    );
  }
  assert.ok(!existsSync(join(other, 'data', 'ledgerstone.db')));
  assert.match(
    (await run(['restore', 'nothing'], { cwd: other })).stderr,
    /The file nothing does not exist/,
  );
});

it('nothing is restored over a store that is there, served or not', async () => {
  const cwd = ownFolder();
  await makeAccount(cwd);
  const { digests } = await programIn(cwd).json<BackupJson>('backup', 'b');
  const full = await run(['restore', 'b'], { cwd });
  assert.equal(full.code, 1);
  assert.match(full.stderr, /is not empty, and a restore never overwrites a store/);
  const service = await serveHere({ cwd });
  const served = await run(['restore', 'b'], { cwd });
  assert.equal(served.code, 1);
  assert.match(served.stderr, /is being served by another process/);
  await service.stop();
  const other = ownFolder();
  const empty = await serveHere({ cwd: other });
  const emptyServed = await run(['restore', join(cwd, 'b')], { cwd: other });
  assert.match(emptyServed.stderr, /is being served by another process/);
  await empty.stop();
  await programIn(other).json('restore', join(cwd, 'b'));
  const again = await programIn(other).json<BackupJson>('backup', 'b');
  assert.deepEqual(unaudited(again.digests), unaudited(digests));
});
