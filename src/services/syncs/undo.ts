/** Undoes a sync: restores each of its removals, parents first. Safe to repeat. */
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

/** Returns how many records were restored. */
export async function undoSync(
  { account, began, unique_identifier }: StoredSync,
  { store, restoreRemoval, principal, still }: Undoing,
): Promise<number> {
  const from = began?.position ?? 0;
  const reached = await store.log.read({
    ...{ account, after: began ?? undefined, limit: 1, bytes: 1 },
  });
  if (typeof reached === 'string') {
    throw new ApiError('changes_expired', {
      message: 'The log of changes no longer goes back to this sync, so it cannot be undone.',
    });
  }
  let restored = 0;
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await store.log.removals({ account, before, limit: PAGE });
    for (const { change, removal } of page) {
      before = removal;
      if (removal <= from) return restored;
      if (change.by !== unique_identifier) continue;
      const done = await restoreRemoval(
        principal,
        { account, mark: change },
        { dry_run: false, caller: still },
      );
      restored += done.restored;
    }
    if (page.length < PAGE) return restored;
  }
}
