/** An import whose choices are remembered, for stores that have something of everything. */
import type { ImportRun } from '../../../src/features/imports/declares/import-run.ts';
import type { Store, StoredRecord } from '../../../src/store/promises/store.ts';

export const REMEMBERED = '{"map":{"Nr":"external_identifier"},"area_codes":{"loc_1":"507"}}';

export async function fill({ imports }: Store, { account }: Pick<StoredRecord, 'account'>) {
  const run: ImportRun = {
    ...{ unique_identifier: 'imp_kept', fingerprint: 'kept', by: null, status: 'finished' },
    ...{ files: [{ name: 'kept.csv', resource: 'things', rejected: '' }], accounts: [account] },
    ...{ began: { [account]: null }, chunk: 64, inserted_at: 1_000, updated_at: 2_000 },
    ...{ position: { file: 0, rows: 1, rejected: [] } },
    counts: { created: 1, updated: 0, unchanged: 0, failed: 0 },
  };
  await imports.put(run);
  await imports.remember(run.unique_identifier, 'headings', REMEMBERED);
}
