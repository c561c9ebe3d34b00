/** An erasure is done when every place was read again, and outranks a store that was set back. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/core/config.ts';
import { createLog } from '../../src/core/observe/log.ts';
import { resources, shapes } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { restoreBackup } from '../../src/services/backup/restore.ts';
import { JournalUnusable } from '../../src/services/erasures/journal-lines.ts';
import { compactStore, openLoading } from '../../src/store/open.ts';
import { backUp, inChunks } from '../support/backups.ts';
import { keyed, secretKeyFile } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import { type Body, startService } from '../support/service.ts';
import { folderGround, serviceGround } from '../support/service-ground.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { until } from '../support/until.ts';
import { world } from '../support/world.ts';

const MARK = 'Rumpelstilzchen';
const VISITORS = '/v1/event_check_in_records';
const isFile = process.env.TEST_STORE !== 'postgres';

describe('The proof of an erasure', () => {
  const on = world({ store: folderGround, settings: keyed() });
  const { service, visit, erase, erasure: find } = on;
  const certified = (id: string): Promise<Body> => on.read(`/v1/erasures/${id}/certificate`);
  /** Each with what was read again and what was found. */
  const placesOf = ({ places }: Body) =>
    Object.fromEntries(places.map((one: Body) => [one.place, [one.checked, one.found]]));

  it('counts what it read again in each place, and nothing is left there', async () => {
    const name = `${MARK} One`;
    const { unique_identifier: one } = await visit(name, {}, { 'Idempotency-Key': `${MARK}-1` });
    await visit(name, { visitor_relationship_to_deceased: `${MARK} a` });
    await visit(name, { visitor_relationship_to_deceased: 'friend of the family' });
    const { unique_identifier: removed } = await visit(`${MARK} Two`);
    await service.send('DELETE', `${VISITORS}/${removed}`);
    const neighbour = await visit('Neighbour of the family');
    await visit('Neighbour of the family', { visitor_relationship_to_deceased: 'aunt' });
    await service.app.store.imports.put({
      ...{ unique_identifier: 'imp_1', fingerprint: 'f', by: null, status: 'finished', files: [] },
      ...{ accounts: [on.account], began: {}, chunk: 64 },
      ...{ inserted_at: Date.now(), updated_at: Date.now() },
      position: { file: 0, rows: 0, rejected: [] },
      counts: { created: 0, updated: 0, unchanged: 0, failed: 2 },
    });
    const rows = ['name,phone,error', `"${name}, Jr.",(415) 555-0100,bad`, 'Mia friend,2,bad', ''];
    await service.app.store.imports.keepRejected('imp_1', rows.join('\n'));
    while (await service.app.store.search.feed());

    const done = await erase(one, removed);
    assert.equal(done.status, 'done');
    assert.deepEqual(placesOf(done), {
      // Created, updated twice, deleted and erased; created, deleted and erased.
      log: [8, 0],
      ...{ records: [2, 0], removed_records: [2, 0], notes: [2, 0], search: [2, 0] },
      refused_rows: [1, 0],
    });
    const left = await service.app.store.imports.rejected('imp_1');
    assert.equal(left, 'name,phone,error\nMia friend,2,bad\n');
    const { body: past } = await service.get(`${VISITORS}/${neighbour.unique_identifier}/history`);
    assert.equal(past.data.length, 2);
    const { folder = '' } = on.ground;
    const hasTraces = (file: string) => readFileSync(join(folder, file)).includes(MARK);
    if (isFile) await until(() => !readdirSync(folder).some(hasTraces), 40_000);
    const { unique_identifier: id } = done;
    const proved = await find(id);
    const certificate = await certified(id);
    assert.deepEqual(certificate.places, done.places);
    assert.equal(certificate.rewritten_at, null);
    const beyond = certificate.out_of_reach.join();
    if (isFile) {
      assert.equal(certificate.files, 'overwritten');
      assert.match(beyond, /backups.*unused parts/);
      assert.doesNotMatch(beyond, /PostgreSQL/);
    } else {
      assert.equal(certificate.files, 'postgresql');
      assert.match(beyond, /backups.*dead rows.*write-ahead log.*standbys.*log of the PostgreSQL/);
    }
    const stored = await service.app.store.erasures.find(id);
    assert.deepEqual([stored?.traces, stored?.selectors], [null, null]);
    assert.doesNotMatch(JSON.stringify([proved, certificate]), new RegExp(MARK, 'i'));
  });

  if (!isFile) return;

  it('takes rows of imports that came while it ran, also where its process was killed', async () => {
    const { erasures, imports } = service.app.store;
    const name = `${MARK} Later`;
    // What the record held is known, sealed, as long as the erasure runs.
    const replaced = mock.method(erasures, 'replace');
    const { unique_identifier: id } = await erase((await visit(name)).unique_identifier);
    const traces = replaced.mock.calls.map(({ arguments: [row] }) => row.traces).find(Boolean);
    replaced.mock.restore();
    assert.ok(traces);
    await imports.keepRejected('imp_1', `name\n"${name}"\n`);
    const stored = await erasures.find(id);
    assert.ok(stored !== undefined);
    assert.ok(await erasures.replace({ ...stored, status: 'running', traces }));
    await until(async () => (await find(id)).status === 'done', 60_000);
    assert.equal(await imports.rejected('imp_1'), 'name\n');
  });

  it('leaves no text of the records in any file, and certifies when these were rewritten', async () => {
    const { unique_identifier: record } = await visit(`${MARK} Three`);
    const { unique_identifier: id } = await erase(record);
    let before = 0;
    await on.restart(async () => {
      const { folder = '' } = on.ground;
      const isIn = (file: string) =>
        readFileSync(join(folder, file)).toString('latin1').toLowerCase().includes('zchen three');
      assert.deepEqual(readdirSync(folder).filter(isIn), []);
      before = Date.now();
      await compactStore({ url: on.ground.url });
    });
    const { rewritten_at } = await certified(id);
    assert.ok(Date.parse(rewritten_at) >= before - 1_000, rewritten_at);
  });
});

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
