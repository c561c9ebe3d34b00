/** Undoes a sync: restores each of its removals, the newest first. Safe to repeat: what was restored is passed over. */
import { ApiError } from '../../core/errors.ts';
import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Store } from '../../store/promises/store.ts';

const PAGE = 100;

export interface Undoing {
  readonly store: Store;
  readonly restoreRemoval: Ingest['restoreRemoval'];
  readonly principal: Principal;
  /** Looks up the caller's current rights. */
  readonly still: () => Promise<Principal>;
}

/** Throws `changes_expired` with nothing done. The count is stored with each page. */
export async function undoSync(sync: StoredSync, undoing: Undoing): Promise<void> {
  const { account, began, unique_identifier } = sync;
  const { store, restoreRemoval, principal, still } = undoing;
  const from = began?.position ?? 0;
  const reached = await store.log.read({
    ...{ account, after: began ?? undefined, limit: 1, bytes: 1 },
  });
  if (typeof reached === 'string') {
    throw new ApiError('changes_expired', {
      message: 'The log of changes no longer goes back to this sync, so it cannot be undone.',
    });
  }
  let before = Number.MAX_SAFE_INTEGER;
  for (let more = true; more; ) {
    const page = await store.log.removals({ account, before, limit: PAGE });
    more = page.length === PAGE;
    let restored = 0;
    for (const { change, removal } of page) {
      before = removal;
      if (removal <= from) more = false;
      if (removal <= from || change.by !== unique_identifier) continue;
      const of = { account, mark: change };
      const done = await restoreRemoval(principal, of, { dry_run: false, caller: still });
      restored += done.restored;
    }
    await note(store, sync, restored, more ? 'finished' : 'undone');
  }
}

/** Adds to what others, who undo the same, have stored. */
async function note(
  { syncs }: Store,
  { account, unique_identifier }: StoredSync,
  more: number,
  stored_status: 'finished' | 'undone',
): Promise<void> {
  for (;;) {
    const now = await syncs.find(unique_identifier, [account]);
    if (now === undefined) return;
    const status = now.stored_status === 'undone' ? 'undone' : stored_status;
    const next = { ...now, stored_status: status, restored: (now.restored ?? 0) + more };
    if ((await syncs.put(next)) !== undefined) return;
  }
}
