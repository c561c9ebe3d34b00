/** Finds the record of a request, if the key may see and write it. */
import type { Resource } from '../../../core/schema/define.ts';
import { missingOrErased } from '../../../store/promises/refusals.ts';
import type { Scope, Store, StoredRecord } from '../../../store/promises/store.ts';
import { refuseAnchor } from '../resolve.ts';

/**
 * Returns the record. Throws the same `resource_missing` whether the record does not exist or the key may not see it. A
 * key that is limited to locations gets `location_not_permitted` for every other one, as with upserts.
 */
export async function findWritable(
  store: Pick<Store, 'find' | 'erasing'>,
  resource: Resource,
  unique_identifier: string,
  scope: Scope,
): Promise<StoredRecord> {
  if (resource.anchor) refuseAnchor(unique_identifier, scope);
  const record = await store.find(resource.shape, unique_identifier, scope);
  if (record === undefined)
    throw await missingOrErased(store, resource.shape, unique_identifier, scope);
  return record;
}
