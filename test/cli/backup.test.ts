/** `backup`, `restore` and what they promise, by the real binary, on both stores. */
// needs: program, long
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileName } from '../../src/services/backup/file.ts';
import { ALL } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { restamped } from '../support/backups.ts';
import { type FindStore, onEachStore } from '../support/cli-postgres.ts';
import { finish, ownFolder, programIn, run, start } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeLocation, servedAccount, withAccount } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';
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

const LOCATIONS = '/v1/locations/upsert';

function promises(findStore: FindStore): void {
  it('a backup holds all that was answered before it began, under load', async () => {
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
    assert.ok(Number(backup.rows.locations) >= before.size && before.size > 20, `${before.size}`);

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
  });

  it('a restore that is killed leaves nothing, and the same command brings all of it', async () => {
    const { cwd, secret, account, service } = await servedAccount();
    const rows = Array.from({ length: 9_000 }, (_, at) =>
      JSON.stringify({
        ...{ account_unique_identifier: account, external_identifier: `l${at}` },
        location_name: `Chapel ${at} `.repeat(3),
      }),
    );
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const path = '/v1/locations/upsert_many';
    const { status } = await call(service.url, secret, path, rows.join('\n'), { headers });
    assert.equal(status, 200);
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
  });
}

it('no store is made where a restore was killed, until it is restored', async () => {
  const { cwd, json } = await withAccount();
  const backup = join(cwd, 'b');
  await json('backup', backup);
  const other = ownFolder();
  const restored = programIn(other);
  const restoring = start(['restore', '-'], { cwd: other }, { stdio: 'pipe' });
  // It waits for the rest of the backup.
  restoring.stdin?.write(readFileSync(backup).subarray(0, 100));
  const data = join(other, 'data');
  await until(() => existsSync(join(data, 'ledgerstone.db.restoring')));
  restoring.kill('SIGKILL');
  await once(restoring, 'exit');
  const unfinished =
    /A restore to .* was ended before it was done, or goes on: run the same "ledgerstone restore" again/;
  await restored.mistakes('', [
    ['serve --port 0', unfinished],
    ['migrate', unfinished],
    ['accounts create --name New', unfinished],
  ]);
  await restored.json('restore', backup);
  await (await serveHere({ cwd: other })).stop();
  assert.ok(!existsSync(join(data, 'ledgerstone.db.restoring')));
});

it('a second restore to the same place leaves the first one alone', async () => {
  const { cwd, account, json } = await withAccount();
  const backup = join(cwd, 'b');
  await json('backup', backup);
  const other = ownFolder();
  const restored = programIn(other);
  const restoring = start(['restore', '-'], { cwd: other }, { stdio: 'pipe' });
  whenOver(() => restoring.kill('SIGKILL'));
  const bytes = readFileSync(backup);
  restoring.stdin?.write(bytes.subarray(0, 100));
  const beside = join(other, 'data', 'ledgerstone.db.restoring');
  // It is there before the place is taken, and empty until then.
  await until(() => existsSync(beside) && statSync(beside).size > 0);
  await restored.mistakes('', [[['restore', backup], /by another process/]]);
  assert.ok(existsSync(beside));
  const ended = once(restoring, 'exit');
  restoring.stdin?.end(bytes.subarray(100));
  assert.deepEqual(await ended, [0, null]);
  assert.match(await restored.ok('accounts', 'list'), new RegExp(account));
});

/** Whose a checked backup is. */
function countsItsOwn(findStore: FindStore): void {
  it('a checked backup counts only for the store that it is of', async () => {
    const env = await findStore();
    const { cwd: own, run, ok, json } = await withAccount(env);
    const foreign = await withAccount();
    await foreign.json('backup', 'foreign.backup');
    const stdout = await ok('restore', join(foreign.cwd, 'foreign.backup'), '--check');
    assert.match(stdout, /^The backup is whole/m);
    assert.match(stdout, /It is a backup of another store than the one that the settings name/);
    const lastChecked = async () => (await run('doctor')).stdout;
    assert.match(await lastChecked(), /^warning\s+backup: No backup has been checked yet/m);
    const isNoted = async (file: string) =>
      (await json<{ noted: boolean }>('restore', file, '--check')).noted;
    // What the store was before counts, whatever was done since.
    await json('backup', 'own.backup');
    await run('accounts', 'create', '--name', 'Later');
    assert.equal(await isNoted('own.backup'), true);
    assert.match(
      await lastChecked(),
      /^good\s+backup: The last checked backup is \d+ minutes? old/m,
    );
    // A copy that has gone its own way is another store.
    const copy = programIn(ownFolder());
    await copy.json('restore', join(own, 'own.backup'));
    await copy.run('accounts', 'create', '--name', 'Of the copy');
    await copy.json('backup', join(own, 'copy.backup'));
    assert.equal(await isNoted('copy.backup'), false);
  });
}

await onEachStore((findStore) => {
  promises(findStore);
  countsItsOwn(findStore);
});

it('a backup goes to a folder, a file or a pipe, and over no other file', async () => {
  const { cwd, json, mistakes } = await withAccount();
  const inFolder = await json<BackupJson>('backup', '.');
  assert.match(inFolder.file, /^ledgerstone-\d{8}T\d{6}Z\.ndjson\.zst$/);
  assert.equal(inFolder.bytes, statSync(join(cwd, inFolder.file)).size);
  const fast = await json<BackupJson>('backup', '--fast', 'fast.backup');
  assert.deepEqual(unaudited(fast.digests), unaudited(inFolder.digests));
  await mistakes('backup', [
    [inFolder.file, /already exists and is not overwritten/],
    ['no/such/folder/file', /cannot be written to .*: its folder is not there/],
    ['- --json', /cannot both go to standard output/],
  ]);
  const partial = readdirSync(cwd).filter((name) => name.endsWith('.partial'));
  assert.deepEqual(partial, []);

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
});

it('old backups go, and the newest of each day, week and month stay', async () => {
  const { cwd, json, mistakes } = await withAccount();
  await json('backup', 'b');
  const times = ['2020-01-05T00:00', '2020-01-06T00:00', '2020-01-06T12:00', '2019-01-01T00:00'];
  for (const time of times) {
    // As 1.0.0 wrote them.
    const old = { taken_at: `${time}:00.000Z`, of: undefined };
    const bytes = await restamped(readFileSync(join(cwd, 'b')), old);
    writeFileSync(join(cwd, fileName(Date.parse(old.taken_at))), bytes);
  }
  writeFileSync(join(cwd, 'mine.txt'), '');
  writeFileSync(join(cwd, 'ledgerstone-20200106T130000Z.ndjson.zst'), 'whose is it?');
  const { removed, file } = await json<BackupJson>('backup', '.', '--keep', '2d,3m');
  // Two days of 2020 stay, since the clock may be wrong that says how much later the newest is; of 2019 one for its month.
  assert.deepEqual(removed, ['ledgerstone-20200106T000000Z.ndjson.zst']);
  assert.ok(existsSync(join(cwd, 'mine.txt')) && existsSync(join(cwd, file)));
  await mistakes('backup', [
    ['. --keep 7', /--keep must be counts of days, weeks, months or years such as 7d,4w,12m/],
    ['file --keep 7d', /--keep works only with a folder that exists/],
  ]);
});

it('restore tells which keys work again, and can suspend them', async () => {
  const { cwd, key, secret, json, run } = await withAccount();
  await json('backup', 'b');
  await run('keys', 'revoke', key, '--yes');
  const file = join(cwd, 'b');
  const stdout = await programIn(ownFolder()).ok('restore', file);
  assert.match(stdout, /Restored in .* rows, as they stood at 20/);
  assert.match(stdout, /Revoke any that you have revoked since/);
  assert.match(stdout, new RegExp(`${key} +…${secret.slice(-4)}`));
  const restored = await programIn(ownFolder()).json<{ keys: readonly { suspended: boolean }[] }>(
    ...['restore', file, '--suspend-keys'],
  );
  assert.deepEqual(pluck(restored.keys, 'suspended'), [true]);
});

it('a damaged backup exits with 1, says so, and touches nothing', async () => {
  const { cwd, json } = await withAccount();
  await json('backup', 'b');
  const bytes = readFileSync(join(cwd, 'b'));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 4;
  const other = ownFolder();
  writeFileSync(join(other, 'b'), bytes);
  mkdirSync(join(other, 'backups'));
  const newest = 'backups/ledgerstone-20270131T013000Z.ndjson.zst';
  writeFileSync(join(other, newest), bytes);
  const { fails, mistakes } = programIn(other);
  const stderr = await fails('restore', 'backups');
  assert.ok(stderr.startsWith(`ledgerstone: ${newest}: The backup is damaged: `), stderr);
  const damaged = /^ledgerstone: The backup is damaged: .*\. Use another one\.\n$/;
  await mistakes('restore', [
    ['b', damaged],
    ['b --check', damaged],
    ['nothing', /The file nothing does not exist/],
  ]);
  assert.ok(!existsSync(join(other, 'data', 'ledgerstone.db')));
});

it('nothing is restored over a store that is there, served or not', async () => {
  const { cwd, json, fails } = await withAccount();
  const { digests } = await json<BackupJson>('backup', 'b');
  const full = await fails('restore', 'b');
  assert.match(full, /is not empty, and a restore never overwrites a store/);
  const service = await serveHere({ cwd });
  assert.match(await fails('restore', 'b'), /is being served by another process/);
  await service.stop();
  const other = ownFolder();
  const there = programIn(other);
  const empty = await serveHere({ cwd: other });
  assert.match(await there.fails('restore', join(cwd, 'b')), /is being served by another process/);
  await empty.stop();
  await there.json('restore', join(cwd, 'b'));
  const again = await there.json<BackupJson>('backup', 'b');
  assert.deepEqual(unaudited(again.digests), unaudited(digests));
});
