/**
 * Judges a draft against the stored record, and makes the change: the one place for it, used by both stores and by dry
 * runs. Writing the change to disk is the store's part.
 */
import { ApiError } from '../../core/errors.ts';
import { stringify } from '../../core/schema/json/json.ts';
import { patchTo } from '../../core/schema/merge/merge.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { LogEntry, Restoration } from '../promises/log.ts';
import type {
  CommitOptions,
  Erased,
  Outcome,
  Refused,
  StoredRecord,
  Written,
} from '../promises/records.ts';
import { noSuch, recordExists, unmet } from '../promises/refusals.ts';
import { contentOf, type TextedDraft } from './content.ts';
import { correctedContentOf, isCorrected } from './corrected.ts';
import { isNewer } from './dated.ts';
import { parseDocument } from './records.ts';

/** Values that a commit gives the records that it changes. */
export interface Stamp {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Returns the unique identifier of a created record; called at most once. */
  readonly identify: () => string;
  /** Returns the position of the commit in the draft's account; called only if something changes. */
  readonly position: () => number;
}

/** A record that a commit creates or updates. */
export interface Change {
  readonly outcome: 'created' | 'updated';
  readonly shape: RecordShape;
  /** The record before; `undefined` if it is created. */
  readonly before: StoredRecord | undefined;
  readonly record: StoredRecord;
  /** The columns of its declared keys afterwards. */
  readonly keys: readonly string[];
  /** The key or the person that changes it. */
  readonly by: string | undefined;
  readonly restores: Restoration | undefined;
  /** Whether a source proposes another value for a member that staff corrected. */
  readonly proposes: boolean;
}

interface Judged {
  readonly outcome: Written | Refused | Erased;
  /** The change to write; `undefined` if the draft is refused or changes nothing. */
  readonly change?: Change;
}

/**
 * `before` is the record of the draft's pair as it stands, if there is one; that
 * its parent stands is for the caller to see.
 */
export function judge(draft: TextedDraft, before: StoredRecord | undefined, stamp: Stamp): Judged {
  const { shape, only, restores, isTooOld } = draft;
  const error = only && unmet(shape, only, before);
  if (error !== undefined) return refused(error);
  if (restores?.gone !== undefined && before !== undefined) return refused(recordExists(shape));

  const began = performance.now();
  const content = contentIn(draft, before, stamp.now);
  if (content instanceof ApiError) return refused(content);
  if ('faults' in content) return refused(new ApiError(content.faults));
  const { document, keys } = content;
  const proposes = 'proposes' in content && content.proposes;
  if (before === undefined && isTooOld) return { outcome: { outcome: 'erased', too_old: true } };
  const mergeMs = performance.now() - began;
  const stays = only?.dated !== undefined && before !== undefined && isNewer(before, only.dated);
  if (before !== undefined && (stays || document === before.document)) {
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

function refused(error: ApiError): Judged {
  return { outcome: { outcome: 'refused', error } };
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
  { account, anchor, parent, external_identifier, source, restores }: TextedDraft,
  document: string,
  { now, identify, position }: Stamp,
): StoredRecord {
  const { gone } = restores ?? {};
  const unique_identifier = gone?.unique_identifier ?? identify();
  const inserted_at = gone?.inserted_at ?? now;
  return {
    unique_identifier,
    account,
    anchor: anchor ?? unique_identifier,
    parent,
    external_identifier,
    document,
    version: (gone?.version ?? 0) + 1,
    position: position(),
    inserted_at,
    updated_at: Math.max(now, inserted_at),
    created_by: (gone === undefined ? source : gone.created_by) ?? null,
    changed_by: source ?? null,
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

/** Judges drafts one after the other, as long as there is time. */
export function judgeEach<Draft>(
  drafts: readonly Draft[],
  { withinMs }: CommitOptions,
  judgeOne: (draft: Draft) => Outcome,
): readonly Outcome[] {
  if (withinMs === undefined) return drafts.map(judgeOne);
  const until = performance.now() + withinMs;
  return drafts.map((draft, at) =>
    at > 0 && performance.now() >= until ? { outcome: 'postponed' } : judgeOne(draft),
  );
}

/** Returns the outcome of a draft in an atomic batch that has a refused draft. */
export function withheld(outcome: Outcome): Outcome {
  return outcome.outcome === 'refused' ? outcome : { outcome: 'withheld' };
}

/** Returns the entry in the log; `keeps` says whether the log stores content. */
export function entryOf(
  { outcome, shape, before, record, by, restores, proposes }: Change,
  keeps: boolean,
): LogEntry {
  return {
    resource: shape.resource,
    record: record.unique_identifier,
    anchor: record.anchor,
    outcome: restores === undefined ? (proposes ? 'proposed' : outcome) : 'restored',
    version: record.version,
    before: before?.position ?? restores?.gone?.position ?? 0,
    by,
    content: keeps && before !== undefined ? backwards(record.document, before.document) : null,
  };
}

/** Returns the merge patch (RFC 7396) that turns a document into the one before it. Both are JSON texts. */
export function backwards(after: string, before: string): string {
  return stringify(patchTo(parseDocument(before), parseDocument(after)));
}

/** Creates the error for a parent that does not exist, is not visible or is gone: always the same, to the letter. */
export function parentMissing(shape: RecordShape): ApiError {
  if (shape.parent === undefined) throw new TypeError(`${shape.resource} has no parent.`);
  const { resource, param } = shape.parent;
  return new ApiError('resource_missing', { param, message: noSuch(resource) });
}
