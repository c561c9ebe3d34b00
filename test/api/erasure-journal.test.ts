/** A service whose store was set back serves nothing before it has erased again what its journal tells. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/core/config.ts';
import { createLog } from '../../src/core/observe/log.ts';
import { resources, shapes } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { restoreBackup } from '../../src/services/backup/restore.ts';
import { JournalUnusable } from '../../src/services/erasures/journal-lines.ts';
import { openLoading } from '../../src/store/open.ts';
import { backUp, inChunks } from '../support/backups.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import { startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { until } from '../support/until.ts';

it('serves again once everybody is erased who was', async () => {
  const { folder } = await sqliteGround();
  const secret_key_file = secretKeyFile();
  const erasures_to = join(folder, 'elsewhere');
  const settings = { secret_key_file, erasures_to };
  const ground = await serviceGround();
  const service = await startService({ ground, settings });
  const { key } = service;
  const officer = (await service.newKey({ permissions: ['read'], allow: ['erase'] })).secret;
  const event = await service.event(await service.location());
  const path = '/v1/event_check_in_records';
  const visit = async (name: string, relation = 'friend'): Promise<string> => {
    const more = { visitor_full_name: name, visitor_relationship_to_deceased: relation };
    const sent = visitorBody(event, name, more);
    return (await service.json(`${path}/upsert`, sent)).body.unique_identifier;
  };
  const ida = await visit('Ida');
  await visit('Leo', 'card 4111');
  const leo = await visit('Leo');
  const noa = await visit('Noa Rumpelstilzchen');
  const { account } = service;
  const begin = (records: readonly string[], more = {}) => {
    const sent = { account: account.unique_identifier, records, ...more };
    return service.json('/v1/erasures', sent, { key: officer });
  };
  const before: string = (await begin([noa], { reference: 'letter 7' })).body.unique_identifier;
  const parts = partsOf(resources);
  const { bytes } = await backUp(service.app.store, parts);

  const { unique_identifier } = (await begin([ida, leo])).body;
  const one = `/v1/erasures/${unique_identifier}`;
  const ran = await service.json(`${one}/run`, { records: [ida] }, { key: officer });
  // The folder is not there yet: the record is, but the erasure waits, and the request did not.
  assert.deepEqual([ran.status, ran.body.status, ran.body.erased], [200, 'running', 1]);
  assert.equal((await service.get(`${path}/${ida}`)).status, 410);
  mkdirSync(erasures_to);
  await service.json(`${one}/run`, { records: [leo], keep: 'current' }, { key: officer });
  const status = async () => (await service.get(one, { key: officer })).body.status;
  await until(async () => (await status()) === 'done', 60_000);
  const journal = join(erasures_to, 'erasures.ndjson');
  await service.json(`/v1/erasures/${before}/run`, { records: [noa] }, { key: officer });
  await until(() => readFileSync(journal, 'utf8').split('\n').length === 4, 60_000);
  await service.stop();

  const { remove, ...where } = await serviceGround();
  const loading = () => openLoading({ ...where, shapes });
  const restored = { parts, begin: loading, now: Date.now, suspendKeys: false };
  await restoreBackup({ ...restored, bytes: inChunks(bytes) });
  const log = createLog('silent');
  const store = { database_url: where.url, database_distribution: where.distribution ?? '' };
  const restoredSettings = readSettings({ ...store, port: '0', ...settings }, {});
  const whole = readFileSync(journal, 'utf8');
  writeFileSync(journal, whole.replace(ida, leo));
  await assert.rejects(createApp(restoredSettings, { log }), (error: Error) => {
    assert.ok(error instanceof JournalUnusable);
    assert.match(`${error}`, /line 1 is not as it was written/);
    return true;
  });
  writeFileSync(journal, whole);

  const app = await createApp(restoredSettings, { log });
  const get = (url: string, by = key) => {
    const authorization = `Basic ${Buffer.from(`${by}:`).toString('base64')}`;
    return app.inject({ method: 'GET', url, headers: { authorization } });
  };
  const ask = async (url: string): Promise<readonly unknown[]> => {
    const answer = await get(url);
    const body = answer.json();
    return [answer.statusCode, body.error?.code ?? body.status ?? body.visitor_full_name];
  };
  try {
    assert.deepEqual(await ask('/readyz'), [503, 'set_back']);
    assert.deepEqual(await ask('/healthz'), [200, 'ok']);
    assert.deepEqual(await ask(`${path}/${ida}`), [503, 'store_set_back']);
    await app.start();
    assert.deepEqual(await ask('/readyz'), [200, 'ready']);
    assert.deepEqual(await ask(`${path}/${ida}`), [410, 'record_erased']);
    assert.deepEqual(await ask(`${path}/${leo}`), [200, 'Leo']);
    const history = await get(`${path}/${leo}/history`);
    assert.equal(history.json().data.length, 2);
    assert.doesNotMatch(history.body, /4111/);
    assert.equal(readFileSync(journal, 'utf8'), whole);

    // Every place was read again.
    const shown = async (path: string) => (await get(path, officer)).json();
    for (const [path, reference, records] of [
      [one, null, [ida]],
      [`/v1/erasures/${before}`, 'letter 7', [noa]],
    ] as const) {
      await until(async () => (await shown(path)).status === 'done', 60_000);
      const again = await shown(path);
      assert.deepEqual([again.reference, again.records, again.erased], [reference, records, 1]);
      const read = again.places.map((place: { found: number }) => place.found);
      assert.deepEqual(read, [0, 0, 0, 0, 0, 0]);
    }
  } finally {
    await app.close();
  }
  // A disk that is away stops no service.
  rmSync(erasures_to, { recursive: true });
  const alone = await createApp(restoredSettings, { log });
  await alone.close();
});
