/** BACKUP_TO: a service keeps a folder up with its store by itself, and no disk can hinder it. */
// needs: --all, program
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readFollowed } from '../../src/services/backup/folder/chain.ts';
import { foldersOf } from '../../src/services/moments/lags.ts';
import { EMPTY, type FolderContent } from '../../src/store/books/backups.ts';
import { withAll } from '../support/all.ts';
import { ask } from '../support/ask.ts';
import { emptyDatabase, type FindStore, onEachStore } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation, withAccount } from '../support/cli-setup.ts';
import { childrenOf } from '../support/process-tree.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

/** Which sessions asked last for the lease of the folder, and when. */
const LEASE_ASKED = `SELECT pid, query_start::text AS at FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE 'INSERT INTO followed_backup %'`;

function count(folder: string): number {
  try {
    return readFollowed(folder).length;
  } catch {
    return 0;
  }
}

/** How many locations the folder brings back as it is now: what was written last may be in what is written next. */
async function restored(folder: string): Promise<number> {
  if (count(folder) === 0) return 0;
  const there = programIn(ownFolder());
  const { rows } = await there.json<{ rows: { locations?: number } }>('restore', folder);
  return rows.locations ?? 0;
}

/** By folder, what the metrics say of backups. */
async function shownBy(printed: string, what: string): Promise<ReadonlyMap<string, number>> {
  const [, url = ''] = /"address":"([^"]+\/metrics)"/.exec(printed) ?? [];
  const text = await (await fetch(url)).text();
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, name, folder = '', value] =
        /^ledgerstone_backup_(\w+)_seconds\{folder="([^"]+)"\} (\S+)$/.exec(line) ?? [];
      return name === what ? [[folder, Number(value)]] : [];
    }),
  );
}

function promises(findStore: FindStore): void {
  it('a service writes what changes to BACKUP_TO, also when that process is killed', async () => {
    const cwd = ownFolder();
    const folder = join(cwd, 'moments');
    const store = await findStore();
    const env = { ...store, BACKUP_TO: 'moments', BACKUP_EVERY: '1s', METRICS_PORT: '0' };
    const { account, secret } = await makeAccount(cwd, store);
    const service = await startProcess({ cwd, env });
    await until(() => count(folder) > 0);
    await makeLocation(service.url, secret, account);
    await until(() => count(folder) > 1);

    const stderr = await programIn(cwd, store).fails('backup', '--follow', folder);
    assert.match(stderr, /Another process keeps .*moments up with a store, by BACKUP_TO/);

    const printed = await service.printed(/"address":"[^"]+\/metrics"/);
    const lag = (await shownBy(printed, 'lag')).get(folder) ?? Number.POSITIVE_INFINITY;
    assert.ok(lag < 30, String(lag));
    const whole = (await shownBy(printed, 'whole_timestamp')).get(folder) ?? 0;
    assert.ok(Math.abs(Date.now() / 1_000 - whole) < 60, String(whole));
    const stdout = (await programIn(cwd, env).run('doctor')).stdout;
    const holds = /^good\s+moments: .*moments on \S+ holds everything up to \d+ seconds ago/m;
    assert.match(stdout, holds);
    const isFile = Object.keys(store).length === 0;
    assert.equal(/moments is on the same disk as the store/.test(stdout), isFile);

    const [child] = childrenOf(service.process.pid ?? 0);
    assert.ok(child !== undefined);
    process.kill(child, 'SIGKILL');
    await call(service.url, secret, '/v1/locations/upsert', {
      ...{ account_unique_identifier: account, external_identifier: 'later' },
      location_name: 'Later',
    });
    await until(async () => (await restored(folder)) === 2);
    const [next] = childrenOf(service.process.pid ?? 0);
    await service.stop();
    await until(() => !existsSync(`/proc/${next}`));

    assert.equal(await restored(folder), 2);
    const { moments, ok } = await programIn(ownFolder()).json<{ ok: boolean; moments: object[] }>(
      ...['verify', folder],
    );
    assert.deepEqual([ok, moments.length], [true, 1]);
  });
}

/** A new folder and one that is gone: neither is taken for what was written before. */
function followsOnlyWhatIsThere(findStore: FindStore): void {
  it('a folder that is gone is not made anew, and another one inherits nothing', async () => {
    const cwd = ownFolder();
    const folder = join(cwd, 'moments');
    const store = await findStore();
    const env = { ...store, BACKUP_TO: folder, BACKUP_EVERY: '1s', METRICS_PORT: '0' };
    await makeAccount(cwd, store);
    const first = await startProcess({ cwd, env });
    const { run } = programIn(cwd, env);
    await until(async () => /moments on \S+ holds everything/.test((await run('doctor')).stdout));
    await first.stop();

    // As where its disk is not mounted.
    renameSync(folder, `${folder} elsewhere`);
    const second = await startProcess({ cwd, env });
    await second.printed(
      /The folder .*moments is gone, and backups were written to it before: mount its disk/,
    );
    assert.equal(existsSync(folder), false);
    const gone = (await run('doctor')).stdout;
    assert.match(gone, /^warning\s+moments: .*moments on \S+ is gone, and backups were written/m);
    assert.match(gone, /^good\s+backup folder: .* can be written to; .*moments is not there/m);
    assert.doesNotMatch(gone, /A new one is being written/);
    renameSync(`${folder} elsewhere`, folder);
    await second.printed(/the folder of BACKUP_TO is up to date again/);
    await second.stop();
    assert.equal(readFollowed(folder).filter(({ whole }) => whole).length, 1);

    writeFileSync(join(cwd, 'disk'), 'no folder');
    const other = { ...env, BACKUP_TO: join(cwd, 'disk/moments') };
    const before = (await programIn(cwd, other).run('doctor')).stdout;
    assert.match(before, /^warning\s+moments: BACKUP_TO is .*, but no service writes there yet/m);
    const third = await startProcess({ cwd, env: other });
    await third.printed(/nothing is written to the folder of BACKUP_TO/);
    const stdout = (await programIn(cwd, other).run('doctor')).stdout;
    assert.match(stdout, /^warning\s+moments: Nothing has been written to .*disk\/moments/m);
    assert.doesNotMatch(stdout, /holds everything/);
    const printed = await third.printed(/"address":"[^"]+\/metrics"/);
    assert.deepEqual([...(await shownBy(printed, 'whole_timestamp'))], [[other.BACKUP_TO, 0]]);
  });
}

await onEachStore((findStore) => {
  promises(findStore);
  followsOnlyWhatIsThere(findStore);
});
await onPostgres(({ name, url }) => {
  it(
    `of several processes one writes, and another goes on where it is killed, on ${name}`,
    withAll,
    async () => {
      const { env } = await emptyDatabase(url);
      const { cwd, account, secret } = await withAccount(env);
      const folders = ['one', 'two'].map((each) => join(cwd, each));
      const services = [];
      for (const folder of folders) {
        const settings = { ...env, BACKUP_TO: folder, BACKUP_EVERY: '1s' };
        services.push(await startProcess({ cwd, env: settings }));
      }
      await until(() => folders.some((folder) => count(folder) > 0));
      // Whoever lacks the lease asks for it each second, and whoever has it each ten.
      const asked = new Map<number, Set<string>>();
      await until(async () => {
        const database = env.DATABASE_URL ?? '';
        for (const { pid, at } of await ask(database, LEASE_ASKED)) {
          if (!asked.has(pid)) asked.set(pid, new Set());
          asked.get(pid)?.add(at);
        }
        return [...asked.values()].some(({ size }) => size >= 4);
      });
      const busy = folders.findIndex((folder) => count(folder) > 0);
      assert.equal(folders.filter((folder) => count(folder) > 0).length, 1);
      services[busy]?.process.kill('SIGKILL');
      const other = 1 - busy;
      await makeLocation(services[other]?.url ?? '', secret, account);
      await until(async () => (await restored(folders[other] ?? '')) === 1);
    },
  );
});

it('the lag of a folder whose whole backup is lost counts from what it showed last', async () => {
  const day = 86_400_000;
  const now = 100 * day;
  const row = { name: 'service', host: 'here', since: day, whole_at: null, left_out: null };
  const lagOf = async (holds: FolderContent) => {
    const followed = async () => [{ ...row, folder: '/moments', holds }];
    return (await foldersOf({ followed }, undefined, now)).get('/moments')?.lag;
  };
  assert.equal(await lagOf({ state: 'complete', until: now - 5_000 }), 5_000);
  assert.equal(await lagOf({ state: 'unusable', until: now - 5_000 }), 5_000);
  assert.equal(await lagOf({ state: 'unusable', until: undefined }), 99 * day);
  assert.equal(await lagOf(EMPTY), 99 * day);
});

it('a folder that cannot be made is told at once, and leaves no process behind', async () => {
  const { cwd, fails } = await withAccount();
  const service = await startProcess({ cwd, env: { BACKUP_TO: '/proc/moments' } });
  await service.printed(/cannot be written to \/proc\/moments: its folder is not there/);
  const [child] = childrenOf(service.process.pid ?? 0);
  assert.ok(child !== undefined);
  service.process.kill('SIGKILL');
  await until(() => !existsSync(`/proc/${child}`));
  const stderr = await fails('backup', '--follow', '/proc/moments');
  assert.match(stderr, /The folder \/proc\/moments does not exist and cannot be created/);
});

it('a folder that cannot be written to costs no request anything, is told, and is caught up with', async () => {
  const { cwd, account, secret } = await withAccount();
  const disk = join(cwd, 'disk');
  writeFileSync(disk, 'no folder');
  const folder = join(disk, 'moments');
  const env = { BACKUP_TO: folder, BACKUP_EVERY: '1s', METRICS_PORT: '0' };
  const service = await startProcess({ cwd, env });
  const printed = await service.printed(/nothing is written to the folder of BACKUP_TO/);
  assert.match(printed, /cannot be written to .*moments: its folder is not there/);
  await makeLocation(service.url, secret, account);
  const { status } = await fetch(`${service.url}/readyz`);
  assert.equal(status, 200);
  const shown = await service.printed(/"address":"[^"]+\/metrics"/);
  assert.deepEqual([...(await shownBy(shown, 'lag')).keys()], [folder]);
  const stdout = (await programIn(cwd, env).run('doctor')).stdout;
  assert.match(stdout, /^warning\s+moments: Nothing has been written to .*/m);
  rmSync(disk);
  mkdirSync(disk);
  await until(() => count(folder) > 0);
  await service.printed(/the folder of BACKUP_TO is up to date again/);
});
