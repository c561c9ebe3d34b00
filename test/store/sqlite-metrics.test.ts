/** The metrics tell how large a store in files is. */

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { startCounted } from '../support/counted-service.ts';

it('the size of the store is that of its files', async () => {
  const service = await startCounted();
  whenOver(() => service.stop());
  await service.event(await service.location());
  const path = service.app.store.place.replace('sqlite:', '');
  const sizes = () => [path, `${path}-wal`].map((file) => statSync(file).size);
  const before = sizes();
  const now = await service.scrape();
  // Whether the store accepts writes is found out by writing, so that the log may grow meanwhile.
  const after = sizes();
  for (const [index, part] of ['records', 'log'].entries()) {
    const bytes = now.value('ledgerstone_store_size_bytes', { part }) ?? -1;
    assert.ok(bytes >= (before[index] ?? 0) && bytes <= (after[index] ?? 0), `${part}: ${bytes}`);
  }
});
