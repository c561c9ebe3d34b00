/** Erases the earlier versions of a record, and preserves the current one. */
import { ApiError } from '../../core/errors.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { Store } from '../../store/promises/store.ts';

/** Returns the version that stays, or why it failed. */
export async function erasePast(
  store: Pick<Store, 'find' | 'erasing'>,
  shape: RecordShape,
  account: string,
  record: string,
): Promise<number | 'missing' | 'held'> {
  const { resource } = shape;
  const scope = { accounts: new Set([account]), anchors: undefined };
  const found = await store.find(shape, record, scope);
  if (found === undefined) return 'missing';
  try {
    for (let { position } = found; position > 0; ) {
      position = await store.erasing.forgetPast({ account, resource, record, position });
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'record_held') return 'held';
    throw error;
  }
  return found.version;
}
