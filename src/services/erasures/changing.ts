/** Changes stored erasures. Of two concurrent changes, the later starts from the result of the earlier. */

import { ApiError } from '../../core/errors.ts';
import type { StoredErasure } from '../../core/objects/records/erasure.ts';
import type { ErasureBook } from '../../store/books/erasures.ts';

/** Throws `resource_missing`. */
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
