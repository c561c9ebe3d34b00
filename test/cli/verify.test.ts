/** `verify` finds what is wrong with a store, and `doctor` knows of the last backup that was checked. */
// needs: program, long
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { withAll } from '../support/all.ts';
import { ask, spoilChange } from '../support/ask.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn, run } from '../support/cli-program.ts';
import { call, serveHere, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount } from '../support/cli-setup.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

interface VerifyJson {
  readonly ok: boolean;
  readonly digests: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** What records are found by that were changed since some time. */
  readonly column: string;
}

function promises(name: string, find: () => Promise<Place>, ring = {}): void {
  it(`verify finds records that do not hold together, on ${name}`, async () => {
    const cwd = ownFolder();
    const { env, column } = await find();
    const { account, secret } = await makeAccount(cwd, env);
    const service = await serveHere({ cwd, env });
    const location = await makeLocation(service.url, secret, account);
    const ids: string[] = [];
    for (const nth of [1, 2, 3, 4]) {
      const { status, text } = await call(service.url, secret, '/v1/events/upsert', {
        location_unique_identifier: location,
        external_identifier: `e${nth}`,
        event_name: `Service ${nth}`,
        event_datetime: '2026-01-01T10:00:00Z',
      });
      assert.equal(status, 200, text);
      ids.push(JSON.parse(text).unique_identifier);
    }
    writeFileSync(
      join(cwd, 'locations.csv'),
      'external_identifier,location_name\nimported,Imported\n',
    );
    const imported = await run(['import', 'locations.csv'], { cwd, env });
    assert.equal(imported.code, 0, imported.stderr);
    // It notes when keys are used, which is part of the digest of the keys.
    await service.stop();
    const { json } = programIn(cwd, env);
    const good = await json<VerifyJson>('verify');
    assert.deepEqual([good.ok, good.faults], [true, []]);
    // The digests are those of a backup of the same moment.
    const { digests } = await json<VerifyJson>('backup', 'b');
    assert.deepEqual((await json<VerifyJson>('verify')).digests, digests);
    assert.deepEqual((await json<VerifyJson>('verify', 'b')).digests, digests);

    const at = (nth: number) => `WHERE unique_identifier = '${ids[nth - 1]}'`;
    await ask(storeAt(cwd, env), `UPDATE event SET document = '{"name":"X","moods":[]}' ${at(1)}`);
    await ask(storeAt(cwd, env), `UPDATE event SET ${column} = 5 ${at(2)}`);
    await ask(storeAt(cwd, env), `UPDATE event SET key_event_datetime = '1999' ${at(3)}`);
    const bad = await run(['verify', '--json'], { cwd, env });
    assert.equal(bad.code, 1);
    const report = JSON.parse(bad.stdout) as VerifyJson;
    assert.equal(report.ok, false);
    const told = (nth: number) => report.faults.filter((one) => one.includes(`${ids[nth - 1]}: `));
    assert.match(told(1).join(), /its document cannot be read as one of its shape/);
    assert.match(told(2).join(), /what it is found by is not the time of its last update/);
    assert.match(told(3).join(), /its key event_datetime is not that of its document/);
    assert.deepEqual(told(4), []);
    await ask(storeAt(cwd, env), `DELETE FROM location WHERE unique_identifier = '${location}'`);
    const orphans = await run(['verify'], { cwd, env });
    assert.match(orphans.stdout, new RegExp(`events ${ids[3]}: what it belongs to is not there`));
    assert.match(orphans.stderr, /^ledgerstone: Found \d+ faults\.$/m);
  });

  it(
    `verify reads the log of changes, and a backup leaves out what is damaged there, on ${name}`,
    ring,
    async () => {
      const { env } = await find();
      const { cwd, account, secret, service } = await servedAccount(env);
      await makeLocation(service.url, secret, account);
      for (const location_name of ['Two', 'Three', 'Four', 'Five']) {
        const sent = { account_unique_identifier: account, external_identifier: 'main-street' };
        const path = '/v1/locations/upsert';
        const { status } = await call(service.url, secret, path, { ...sent, location_name });
        assert.equal(status, 200);
      }
      const page = await call(service.url, secret, '/v1/changes');
      const ids: string[] = JSON.parse(page.text).data.map(
        ({ unique_identifier }: { unique_identifier: string }) => unique_identifier,
      );
      const { record } = JSON.parse(page.text).data.at(-1);
      await service.stop();
      assert.deepEqual((await programIn(cwd, env).json<VerifyJson>('verify')).faults, []);

      await spoilChange(storeAt(cwd, env), record, 3);
      const report = await run(['verify', '--json'], { cwd, env });
      assert.equal(report.code, 1);
      const { faults } = JSON.parse(report.stdout) as VerifyJson;
      const damaged = ids.at(-3);
      assert.deepEqual(faults, [`change ${damaged} of ${account}: it is damaged`]);
      const backup = await run(['backup', 'b'], { cwd, env });
      assert.deepEqual([backup.code, backup.signal], [2, null], backup.stderr);
      assert.match(backup.stderr, /1 change in the log of the store is damaged and is not in/);
      assert.equal((await run(['restore', 'b', '--check'], { cwd, env })).code, 0);
      const followed = await run(['changes', 'list', '--follow', '--account', account], {
        cwd,
        env,
      });
      assert.equal(followed.code, 1);
      assert.match(followed.stderr, new RegExp(`Send --starting-after=${damaged} to continue`));

      const moments = { ...env, BACKUP_TO: 'moments', BACKUP_EVERY: '1s' };
      const keeping = await startProcess({ cwd, env: moments });
      await keeping.printed(/"left_out":1,"msg":"whole backup without changes that are damaged/);
      await until(async () => {
        const { stdout } = await run(['doctor'], { cwd, env: moments });
        return /lacks 1 change that the store has, but cannot read/.test(stdout);
      });
      await keeping.stop();

      await ask(
        storeAt(cwd, env),
        `UPDATE location SET version = 4 WHERE unique_identifier = '${record}'`,
      );
      const more = JSON.parse((await run(['verify', '--json'], { cwd, env })).stdout) as VerifyJson;
      assert.match(more.faults.join('\n'), /its version is not that of its last change/);
    },
  );

  it(
    `doctor and the metrics tell how old the last backup is that was proved, on ${name}`,
    ring,
    async () => {
      const cwd = ownFolder();
      const { env } = await find();
      await makeAccount(cwd, env);
      const { json } = programIn(cwd, env);
      const finding = async () => {
        const { stdout } = await run(['doctor', '--json'], { cwd, env });
        const { findings } = JSON.parse(stdout) as {
          findings: readonly { check: string; state: string; says: string }[];
        };
        return findings.find(({ check }) => check === 'backup');
      };
      assert.match((await finding())?.says ?? '', /No backup has been checked yet/);
      const { taken_at } = await json<{ taken_at: string }>('backup', 'b');
      assert.equal((await json<{ noted: boolean }>('restore', 'b', '--check')).noted, true);
      const found = await finding();
      assert.equal(found?.state, 'good');
      assert.match(found.says, /The last checked backup is \d+ minutes? old/);
      const service = await startProcess({ cwd, env: { ...env, METRICS_PORT: '0' } });
      const printed = await service.printed(/"msg":"metrics"/);
      const [, metrics = ''] = /"address":"([^"]+\/metrics)"/.exec(printed) ?? [];
      const text = await (await fetch(metrics)).text();
      const [, value] = /^ledgerstone_backup_checked_timestamp_seconds (\S+)$/m.exec(text) ?? [];
      assert.equal(Number(value), Date.parse(taken_at) / 1000);
    },
  );
}

function storeAt(cwd: string, { DATABASE_URL }: Readonly<Record<string, string>>): string {
  return DATABASE_URL ?? `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`;
}

promises('SQLite', async () => ({
  env: {},
  column: 'changed_minute',
}));

await onPostgres(({ name, url }) => {
  promises(
    name,
    async () => {
      const { env } = await emptyDatabase(url);
      return {
        env,
        column: 'updated_hour',
      };
    },
    withAll,
  );
});
