/** Undoes a sync in pages, the newest removal first. Each is stored before it is begun, so that a kill loses no count. */
import { ApiError } from '../../core/errors.ts';
import { type StoredSync, SYNC_START } from '../../core/objects/transfer/sync.ts';
import type { Mark } from '../../core/schema/change-id.ts';
import { importerOf } from '../../records/auth/principal.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Store } from '../../store/promises/store.ts';

/** Removals that are restored before that is stored. */
const PAGE = 25;

export interface Undoing {
  readonly store: Store;
  readonly restoreRemoval: Ingest['restoreRemoval'];
}

/** Throws `changes_expired` unless the log still has all that a sync removed. */
export async function wantUndoable({ log }: Pick<Store, 'log'>, { account, began }: StoredSync) {
  const reached = await log.read({ account, after: began ?? undefined, limit: 1, bytes: 1 });
  if (typeof reached !== 'string') return;
  throw new ApiError('changes_expired', {
    message: 'The log of changes no longer goes back to this sync, so it cannot be undone.',
  });
}

/** The sync after one step more. Rights were checked when it was requested. */
export async function* undoNext(
  sync: StoredSync,
  { store, restoreRemoval }: Undoing,
): AsyncGenerator<number, StoredSync> {
  const { account, unique_identifier, undone_by, progress } = sync;
  const principal = importerOf(undone_by ?? unique_identifier, [account]);
  const before = Number.MAX_SAFE_INTEGER;
  const at = progress?.undoing ?? { before, removals: [], records: 0, more: true };
  const restored = sync.restored ?? 0;
  if (at.removals.length > 0) {
    let left = 0;
    for (const mark of at.removals) {
      yield 1;
      const done = await restoreRemoval(principal, { account, mark }, { dry_run: false });
      left += done.left_count;
    }
    const undoing = { ...at, removals: [], records: 0 };
    const done = restored + at.records - left;
    return { ...sync, restored: done, progress: { ...SYNC_START, undoing } };
  }
  if (!at.more) return { ...sync, restored, stored_status: 'undone', progress: null };
  const from = sync.began?.position ?? 0;
  const page = await store.log.removals({ account, before: at.before, limit: PAGE });
  const last = page.at(-1)?.removal ?? 0;
  const removals: Mark[] = [];
  let records = 0;
  for (const { change, removal } of page) {
    if (removal <= from || change.by !== unique_identifier) continue;
    const { position, place, token } = change;
    const mark = { position, place, token };
    const found = await restoreRemoval(principal, { account, mark }, { dry_run: true });
    records += found.restored + found.left_count;
    removals.push(mark);
  }
  const undoing = { before: last, removals, records, more: page.length === PAGE && last > from };
  return { ...sync, progress: { ...SYNC_START, undoing } };
}
