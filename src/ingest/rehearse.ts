/** Tells what committing a draft would do, and changes nothing. */
import { ApiError } from '../errors.ts';
import { createIdentifiers } from '../schema/id.ts';
import { contentOf } from '../store/content.ts';
import { newRecord } from '../store/records.ts';
import { unmet } from '../store/refusals.ts';
import type { Draft, Refused, Store, Written } from '../store/store.ts';

/** The record is as the draft would leave it; the unique identifier of one that would be created is of nothing. */
export type Rehearse = (draft: Draft) => Promise<Written | Refused>;

export function createRehearse(store: Pick<Store, 'findPair'>, now: () => number): Rehearse {
  const identify = createIdentifiers(now);

  return async (draft) => {
    const { shape, only } = draft;
    const before = await store.findPair(shape, draft);
    const error = only === undefined ? undefined : unmet(shape, only, before);
    if (error !== undefined) return { outcome: 'refused', error };

    const began = performance.now();
    const content = contentOf(draft, before?.document);
    if ('faults' in content) return { outcome: 'refused', error: new ApiError(content.faults) };
    const { document } = content;
    const mergeMs = performance.now() - began;
    const at = now();
    if (before === undefined) {
      const unique_identifier = identify(shape.prefix);
      const record = newRecord(draft, {
        unique_identifier,
        document,
        position: 0,
        inserted_at: at,
      });
      return { outcome: 'created', record, mergeMs };
    }
    if (document === before.document) return { outcome: 'unchanged', record: before, mergeMs };
    const record = {
      ...before,
      document,
      version: before.version + 1,
      updated_at: Math.max(at, before.inserted_at),
    };
    return { outcome: 'updated', record, mergeMs };
  };
}
