/** The metrics tell how large a store in files is. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { it } from 'node:test';
import { startCounted } from '../support/counted-service.ts';

it('the size of the store is that of its files', async (t) => {
  const service = await startCounted();
  t.after(() => service.stop());
  await service.event(await service.location());
  const path = service.app.store.place.replace('sqlite:', '');
  const now = await service.scrape();
  for (const [part, file] of [
    ['records', path],
    ['log', `${path}-wal`],
  ] as const)
    assert.equal(now.value('ledgerstone_store_size_bytes', { part }), statSync(file).size);
});
