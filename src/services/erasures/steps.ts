/** Steps that erasures begun by people and by the journal share: making one, changing it, and erasing earlier versions. */
import { ApiError } from '../../core/errors.ts';
import { erasure, type StoredErasure } from '../../core/objects/records/erasure.ts';
import { UNPROVED } from '../../core/objects/records/erasure-audience.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { SettingsError } from '../../core/settings-error.ts';
import { pathTo } from '../../records/query/path.ts';
import type { ErasureBook } from '../../store/books/erasures.ts';
import { DUE_MS } from '../../store/promises/erasing/book.ts';
import { type Store, StoreUnavailable, wholeAccount } from '../../store/promises/store.ts';

/** Returns an erasure of which nothing is chosen or looked for yet, without its status and who began it. */
export function newErasure(unique_identifier: string, account: string, received_at: number) {
  return {
    ...erasure.nulls,
    ...UNPROVED,
    unique_identifier,
    account,
    received_at,
    due_at: received_at + DUE_MS,
    looked: 'everywhere' as const,
    matches: [],
    records: [],
    past_only: [],
    left: [],
    refused_rows: 0,
    named_in: [],
    revision: 0,
    inserted_at: received_at,
    updated_at: received_at,
  };
}

/** Changes a stored erasure. Of two concurrent changes, the later starts from the result of the earlier. Throws `resource_missing`. */
export type ChangeErasure = (
  id: string,
  change: (erasure: StoredErasure) => StoredErasure,
) => Promise<StoredErasure>;

export function changing(
  erasures: Pick<ErasureBook, 'find' | 'replace'>,
  now: () => number,
): ChangeErasure {
  return async (id, change) => {
    for (;;) {
      const erasure = await erasures.find(id);
      if (erasure === undefined) throw new ApiError('resource_missing');
      const changed = change(erasure);
      if (changed === erasure) return erasure;
      const next = ending({ ...changed, updated_at: now() });
      if (await erasures.replace(next)) return { ...next, revision: next.revision + 1 };
    }
  };
}

/** Removes the details of the person from an erasure that has ended. */
function ending(erasure: StoredErasure): StoredErasure {
  const { status, place } = erasure;
  if (status !== 'closed' && status !== 'done') return erasure;
  if (status === 'closed') return { ...erasure, traces: null, selectors: null, place: null };
  return { ...erasure, traces: null, selectors: place === null ? null : erasure.selectors };
}

/** Erases the earlier versions of a record. Returns the version that stays, or why it failed. */
export async function eraseHistory(
  store: Pick<Store, 'find' | 'erasing'>,
  shape: RecordShape,
  account: string,
  record: string,
): Promise<number | 'missing' | 'held'> {
  const { resource } = shape;
  const found = await store.find(shape, record, wholeAccount(account));
  if (found === undefined) return 'missing';
  try {
    for (let { position } = found; position > 0; )
      position = await store.erasing.dropHistory({ account, resource, record, position });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'record_held') return 'held';
    throw error;
  }
  return found.version;
}

/** Returns, for each record that is on hold, its hold or the retention rule that preserves it. */
export async function holdsOn(
  store: Pick<Store, 'erasing' | 'find' | 'findAll' | 'keepers' | 'log'>,
  resources: readonly Resource[],
  account: string,
  records: readonly { readonly resource: string; readonly record: string }[],
): Promise<ReadonlyMap<string, string>> {
  const holds = new Map<string, string>();
  if (records.length === 0) return holds;
  const keepers = await store.keepers(account);
  if (keepers.isEmpty) return holds;
  for (const [resource, own] of Map.groupBy(records, ({ resource }) => resource)) {
    const shape = resources.find(({ shape }) => shape.resource === resource)?.shape;
    if (shape === undefined) continue;
    const ids = own.map(({ record }) => record);
    const found = await store.findAll(shape, ids, wholeAccount(account));
    const places = new Map(found.map((one) => [one.unique_identifier, one]));
    const holdOn = async (record: string): Promise<string | undefined> => {
      const place = places.get(record);
      if (place === undefined)
        return keepers.on(
          (await pathTo(store, resources, account, record)).map((one) => one.record),
        );
      const hold = keepers.over(place);
      if (hold !== undefined || !keepers.limits(resource)) return hold;
      return store.erasing.keeperOf({ resource, account, record });
    };
    for (const record of ids) {
      const hold = await holdOn(record);
      if (hold !== undefined) holds.set(record, hold);
    }
  }
  return holds;
}

/**
 * Throws `SettingsError` if erased records could not be recognized. While the database server is down, it passes,
 * and only commits detect lost keys.
 */
export async function requireErasureKeys({ erasing }: Pick<Store, 'erasing'>): Promise<void> {
  try {
    if (!(await erasing.hasLostKeys())) return;
  } catch (error) {
    if (error instanceof StoreUnavailable) return;
    throw error;
  }
  throw new SettingsError(
    'SECRET_KEY_FILE: records were erased, and only the key of that time tells when they are sent again. Put that key into the file, on a line of its own after the new one. If it is lost for good, "ledgerstone erasures accept-lost-key" says what is lost with it, and goes on without.',
  );
}
