/** What staff corrected survives imports, their undo, and a backup. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { restoreBackup } from '../../src/services/backup/restore.ts';
import { verifyStore } from '../../src/services/backup/verify/verify.ts';
import { createUndoing, undoOf } from '../../src/services/import/undoing.ts';
import { openLoading } from '../../src/store/open.ts';
import { backUp } from '../support/backups.ts';
import { filesFolder, take } from '../support/importing.ts';
import { type Body, joinService, type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';

const files = filesFolder();
const shapes = resources.map(({ shape }) => shape);
const parts = partsOf(resources);

/** A location whose name a person has corrected. */
async function corrected(service: Service) {
  const { secret: staff } = await service.newKey({ allow: ['pin'] });
  const id = await service.location('oak-street');
  const path = `/v1/locations/${id}`;
  const { status } = await service.patch(path, { location_name: 'Right' }, { key: staff });
  assert.equal(status, 200);
  const named = async (by = service) => (await by.get(path)).body.location_name;
  const proposals = async (by = service): Promise<Body[]> =>
    (await by.get('/v1/proposals')).body.data;
  return { id, named, proposals };
}

describe('A correction', () => {
  it('survives an import, which proposes, and its undo, which does not', async () => {
    const service = await (await joinService()).another();
    const { store } = service.app;
    const { named, proposals } = await corrected(service);
    const file = files.write(
      'locations.csv',
      'external_identifier,location_name\noak-street,Wrong\nelm-street,Elm Street',
    );
    const { run } = await take(store, service.account.unique_identifier, [file]);
    assert.equal(await named(), 'Right');
    const [{ proposed, source }] = await proposals();
    assert.deepEqual([proposed, source !== null], ['Wrong', true]);
    const undone = await createUndoing(store, resources).run(undoOf(run));
    assert.deepEqual([undone?.removed, undone?.left], [1, []]);
    assert.equal(await named(), 'Right');
    assert.equal((await proposals()).length, 1);
  });

  it('is in a backup, with what is proposed, and the restored store is whole', async () => {
    const ground = await serviceGround();
    const service = await startService();
    const { id, proposals } = await corrected(service);
    await service.location('oak-street');
    await service.json('/v1/locations/upsert', {
      account_unique_identifier: service.account.unique_identifier,
      external_identifier: 'oak-street',
      location_name: 'Wrong',
    });
    const before = await proposals();
    assert.equal(before.length, 1);
    const { bytes } = await backUp(service.app.store, parts);
    const { remove: _, ...where } = ground;
    const begin = () => openLoading({ ...where, shapes });
    const arriving = Readable.from([bytes], { objectMode: false });
    await restoreBackup({ bytes: arriving, parts, begin, now: Date.now, suspendKeys: false });
    const { key } = service;
    const restored = await startService({ ground });
    const get = (path: string) => restored.get(path, { key });
    assert.deepEqual((await get('/v1/proposals')).body.data, before);
    assert.equal((await get(`/v1/locations/${id}`)).body.location_name, 'Right');
    const snapshot = await restored.app.store.snapshot();
    const { faults } = await verifyStore(snapshot, parts, resources);
    await snapshot.close();
    assert.deepEqual(faults, []);
    await Promise.all([restored.stop(), service.stop()]);
  });
});
