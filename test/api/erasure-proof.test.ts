/** An erasure is done when every place was read again, and nothing is left in the files. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { compactStore } from '../../src/store/open.ts';
import { keyed } from '../support/secret-key.ts';
import type { Body } from '../support/service.ts';
import { folderGround } from '../support/service-ground.ts';
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
      ...{ unique_identifier: 'imp_1', fingerprint: 'f', status: 'finished', files: [] },
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
      ...{ records: [2, 0], removed_records: [2, 0], answers: [2, 0], search: [2, 0] },
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
