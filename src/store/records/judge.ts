/**
 * Judges a draft against the stored record: the one place for it, used by both
 * stores and by dry runs. Writing the change to disk is the store's part.
 */
import { ApiError } from '../../core/errors.ts';
import type { Erased, Refused, StoredRecord, Written } from '../promises/records.ts';
import { recordExists, unmet } from '../promises/refusals.ts';
import type { Change } from './change.ts';
import { contentOf, type TextedDraft } from './content.ts';
import { correctedContentOf, isCorrected } from './corrected.ts';
import { newRecord } from './records.ts';

/** Values that a commit gives the records that it changes. */
export interface Stamp {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Returns the unique identifier of a created record; called at most once. */
  readonly identify: () => string;
  /** Returns the position of the commit in the draft's account; called only if something changes. */
  readonly position: () => number;
}

export interface Judged {
  readonly outcome: Written | Refused | Erased;
  /** The change to write; `undefined` if the draft is refused or changes nothing. */
  readonly change?: Change;
}

/**
 * `before` is the record of the draft's pair as it stands, if there is one; that
 * its parent stands is for the caller to see.
 */
export function judge(draft: TextedDraft, before: StoredRecord | undefined, stamp: Stamp): Judged {
  const { shape, only, restores, isPast } = draft;
  const error = only === undefined ? undefined : unmet(shape, only, before);
  if (error !== undefined) return { outcome: { outcome: 'refused', error } };
  if (restores?.gone !== undefined && before !== undefined) {
    return { outcome: { outcome: 'refused', error: recordExists(shape) } };
  }

  const began = performance.now();
  const content = contentIn(draft, before, stamp.now);
  if (content instanceof ApiError) return { outcome: { outcome: 'refused', error: content } };
  if ('faults' in content) {
    return { outcome: { outcome: 'refused', error: new ApiError(content.faults) } };
  }
  const { document, keys } = content;
  const proposes = 'proposes' in content && content.proposes;
  if (before === undefined && isPast) return { outcome: { outcome: 'erased', past: true } };
  const mergeMs = performance.now() - began;
  if (before !== undefined && document === before.document) {
    return { outcome: { outcome: 'unchanged', record: before, mergeMs } };
  }
  const outcome = before === undefined ? 'created' : 'updated';
  const record =
    before === undefined
      ? firstRecord(draft, document, stamp)
      : nextRecord(draft, before, document, stamp);
  return {
    outcome: { outcome, record, mergeMs },
    change: { outcome, shape, before, record, keys, by: draft.by, restores, proposes },
  };
}

/** Returns what the record would hold, or why the draft is refused. */
export function contentIn(
  draft: TextedDraft,
  before: StoredRecord | undefined,
  now: number,
): ReturnType<typeof contentOf> | ReturnType<typeof correctedContentOf> | ApiError {
  if (!isCorrected(draft, before)) return contentOf(draft, before?.document);
  try {
    return correctedContentOf(draft, before, now);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Creates the record. One that comes back continues its former versions. */
function firstRecord(
  draft: TextedDraft,
  document: string,
  { now, identify, position }: Stamp,
): StoredRecord {
  const { gone } = draft.restores ?? {};
  const record = newRecord(draft, {
    unique_identifier: gone?.unique_identifier ?? identify(),
    document,
    position: position(),
    inserted_at: gone?.inserted_at ?? now,
  });
  if (gone === undefined) return record;
  return {
    ...record,
    version: gone.version + 1,
    updated_at: Math.max(now, gone.inserted_at),
    created_by: gone.created_by ?? null,
  };
}

function nextRecord(
  { source }: TextedDraft,
  before: StoredRecord,
  document: string,
  { now, position }: Stamp,
): StoredRecord {
  return {
    ...before,
    document,
    version: before.version + 1,
    position: position(),
    // Never earlier, even if the clock went back: lists find inserted records by `updated_at`.
    updated_at: Math.max(now, before.inserted_at),
    changed_by: source ?? null,
  };
}
