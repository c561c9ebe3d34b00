/** Undoes a sync: restores each of its removals, the newest first. Safe to repeat: what was restored is passed over. */
import { ApiError } from '../../core/errors.ts';
import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import { importerOf } from '../../records/auth/operator.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Store } from '../../store/promises/store.ts';

/** Removals that are restored before the count is stored. */
const PAGE = 25;

export interface Undoing {
  readonly store: Store;
  readonly restoreRemoval: Ingest['restoreRemoval'];
  /** Whether this process ends: another one goes on. */
  readonly isClosed: () => boolean;
}

/** Throws `changes_expired` unless the log still has all that a sync removed. */
export async function wantUndoable(
  { log }: Pick<Store, 'log'>,
  { account, began }: StoredSync,
): Promise<void> {
  const reached = await log.read({ account, after: began ?? undefined, limit: 1, bytes: 1 });
  if (typeof reached !== 'string') return;
  throw new ApiError('changes_expired', {
    message: 'The log of changes no longer goes back to this sync, so it cannot be undone.',
  });
}

/** Rights were checked when it was requested. The count is stored with each page. */
export async function undoSync(sync: StoredSync, undoing: Undoing): Promise<void> {
  const { account, began, unique_identifier, undone_by } = sync;
  const { store, restoreRemoval, isClosed } = undoing;
  const principal = importerOf(undone_by ?? unique_identifier, [account]);
  const from = began?.position ?? 0;
  let before = Number.MAX_SAFE_INTEGER;
  for (let more = true; more; ) {
    const page = await store.log.removals({ account, before, limit: PAGE });
    more = page.length === PAGE;
    let restored = 0;
    for (const { change, removal } of page) {
      before = removal;
      if (removal <= from) more = false;
      if (removal <= from || change.by !== unique_identifier) continue;
      if (isClosed()) return note(store, sync, restored, 'undoing');
      const done = await restoreRemoval(principal, { account, mark: change }, { dry_run: false });
      restored += done.restored;
    }
    await note(store, sync, restored, more ? 'undoing' : 'undone');
  }
}

/** Adds to what others, who undo the same, have stored. */
async function note(
  { syncs }: Store,
  { account, unique_identifier }: StoredSync,
  more: number,
  stored_status: 'undoing' | 'undone',
): Promise<void> {
  for (;;) {
    const now = await syncs.find(unique_identifier, [account]);
    if (now === undefined) return;
    const status = now.stored_status === 'undone' ? 'undone' : stored_status;
    const next = { ...now, stored_status: status, restored: (now.restored ?? 0) + more };
    if ((await syncs.put(next)) !== undefined) return;
  }
}
