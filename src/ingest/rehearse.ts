/** Tells what committing a draft would do, and changes nothing. */
import { ApiError } from '../errors.ts';
import { createIdentifiers } from '../schema/id.ts';
import { parseStored, stringify } from '../schema/json.ts';
import { merge } from '../schema/merge.ts';
import type { JsonObject } from '../schema/values.ts';
import { unmet } from '../store/refusals.ts';
import type { Draft, Refused, Store, Written } from '../store/store.ts';

/** The record is as the draft would leave it; the unique identifier of one that would be created is of nothing. */
export type Rehearse = (draft: Draft) => Promise<Written | Refused>;

export function createRehearse(store: Pick<Store, 'findPair'>, now: () => number): Rehearse {
  const identify = createIdentifiers(now);

  return async (draft) => {
    const { shape, account, parent, external_identifier, only, patch } = draft;
    const before = await store.findPair(shape, draft);
    const error = only === undefined ? undefined : unmet(shape, only, before);
    if (error !== undefined) return { outcome: 'refused', error };

    const began = performance.now();
    const stored = before === undefined ? undefined : (parseStored(before.document) as JsonObject);
    const merged = merge(shape.document, stored, patch);
    if (merged.faults !== undefined) {
      return { outcome: 'refused', error: new ApiError(merged.faults) };
    }
    const document = stringify(merged.document);
    const mergeMs = performance.now() - began;
    const at = now();
    if (before === undefined) {
      const unique_identifier = identify(shape.prefix);
      const record = {
        unique_identifier,
        account,
        anchor: draft.anchor ?? unique_identifier,
        parent,
        external_identifier,
        document,
        version: 1,
        mark: 0,
        inserted_at: at,
        updated_at: at,
      };
      return { outcome: 'created', record, mergeMs };
    }
    if (merged.document === stored) return { outcome: 'unchanged', record: before, mergeMs };
    const record = {
      ...before,
      document,
      version: before.version + 1,
      updated_at: Math.max(at, before.inserted_at),
    };
    return { outcome: 'updated', record, mergeMs };
  };
}
