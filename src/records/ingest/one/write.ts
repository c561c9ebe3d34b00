/** Shared by all writes of one record: their parameters, how they run, and their responses. */
import { ApiError } from '../../../core/errors.ts';
import type { Timing } from '../../../core/observe/timing.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import type { Params } from '../../../core/schema/parse/parse.ts';
import { keptOf, withoutPins } from '../../../core/schema/pins.ts';
import { presentRecord, presentRemoved } from '../../../core/schema/present/present.ts';
import { inWords } from '../../../core/schema/present/words.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { Dated } from '../../../store/promises/records.ts';
import type {
  AnsweredRecord,
  Condition,
  Erased,
  Outcome,
  Postponed,
  Receipt,
  Refused,
  RefuseTooOld,
  Removed,
  Repeated,
  Store,
  StoredRecord,
  StoredRemoval,
  Withheld,
  Written,
} from '../../../store/promises/store.ts';
import { staysNewer } from '../../../store/records/dated.ts';
import { type Principal, pinsOf } from '../../auth/principal.ts';
import type { DraftExtras, Drafts, Rehearse } from '../drafts.ts';
import { once, type Repeatable, receiptFor } from '../idempotency.ts';
import type { Sighted } from '../seen.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Replay } from './replay.ts';

export interface Parts {
  readonly store: Store;
  readonly replay: Replay;
  readonly now: () => number;
  readonly drafts: Drafts;
  readonly groupCommit: GroupCommit;
  readonly refuseTooOld: RefuseTooOld;
  readonly rehearse: Rehearse;
}

/** The caller and the resource. The key's permission was checked before. */
export interface WriteCall {
  readonly principal: Principal;
  readonly resource: Resource;
  readonly repeatable?: Repeatable | undefined;
  readonly timing: Timing;
  readonly sync?: Sighted | undefined;
}

export interface WriteParams extends Params {
  /** Conditions from the headers. */
  readonly only: Pick<Condition, 'record' | 'versions'> | undefined;
}

/** The response to a write, with the object as JSON text. */
export type WriteResponse = ReturnType<typeof answerOf>;

/** Whether the write was done now, was done by an earlier request with the same key, or was a dry run. */
type How = 'done' | 'replayed' | 'rehearsed';

type Done = Written | Removed | Repeated | { outcome: 'rehearsed'; result: Written | Removed };

/** The sent members, for a record that has this content: what a restore sends depends on it. */
type SentTo = (stored: JsonObject) => JsonObject;

/** Runs a write, unless it was done before, and creates the response; `patch` contains the sent members. */
export async function perform(
  { store, replay, now }: Parts,
  { principal, resource, repeatable, timing, sync }: WriteCall,
  work: (receipt: Receipt | undefined) => Promise<Done>,
  patch: SentTo = () => ({}),
): Promise<WriteResponse> {
  const receipt = repeatable && receiptFor(principal, repeatable, now());
  const done = await (receipt === undefined
    ? work(undefined)
    : once(store, principal, receipt, () => work(receipt)));
  const then =
    done.outcome === 'repeated' && 'record' in done.receipt
      ? await replay(principal.key, done.receipt)
      : undefined;
  return timing.measure('present', () =>
    answerOf(done, then, { resource, patch, dated: sync?.dated }),
  );
}

/** Returns the outcome of a draft, or throws its refusal. `began` is when the draft joined the queue. */
export function committedOutcome(
  outcome: Outcome,
  timing: Timing,
  began: number,
): Written | Repeated {
  const waited = performance.now() - began;
  const merged = 'mergeMs' in outcome ? outcome.mergeMs : undefined;
  if (merged !== undefined) timing.add('merge', merged);
  timing.add('commit', waited - (merged ?? 0));
  return doneOrThrow(outcome);
}

/** Returns the outcome of a write, or throws the error that refuses it. */
export function doneOrThrow<O extends { readonly outcome: string }>(
  outcome: O | Undone,
): Exclude<O, Undone> {
  if (outcome.outcome === 'refused') throw (outcome as Refused).error;
  if (outcome.outcome === 'erased') throw erasedError(outcome as Erased);
  if (outcome.outcome === 'withheld') throw new TypeError('Only atomic batches are withheld.');
  if (outcome.outcome === 'postponed') throw new TypeError('What is postponed is committed later.');
  return outcome as Exclude<O, Undone>;
}

type Undone = Refused | Erased | Withheld | Postponed;

/** Returns the error for a record that was erased, or that retention would remove at once. */
export function erasedError({ too_old }: Erased): ApiError {
  return new ApiError(too_old ? 'past_retention' : 'record_erased');
}

/** Creates the extras of a draft for the resource with that path; pins the changes that people make. */
export function extrasOf(
  principal: Pick<Principal, 'key' | 'allow' | 'person'>,
  path: string,
  only: Condition | undefined,
  receipt: Receipt | undefined,
): DraftExtras {
  const extras = sourceExtrasOf(principal, only, receipt);
  const pins = pinsOf(principal, path);
  return pins === undefined ? extras : { ...extras, pins };
}

/** Creates the extras of drafts from a file or another system. */
export function sourceExtrasOf(
  { key: by }: Pick<Principal, 'key'>,
  only: Condition | undefined,
  receipt: Receipt | undefined,
): DraftExtras {
  if (receipt === undefined) return only === undefined ? { by } : { by, only };
  return only === undefined ? { by, receipt } : { by, only, receipt };
}

interface Answering {
  readonly dated: Dated | undefined;
  readonly resource: Resource;
  readonly patch: SentTo;
}

/** `then` is the record as the request left it that `done` repeats. */
function answerOf(done: Done, then: AnsweredRecord | undefined, of: Answering) {
  if (done.outcome === 'rehearsed') return answerWith(done.result, 'rehearsed', of);
  if (done.outcome !== 'repeated') return answerWith(done, 'done', of);
  const { receipt } = done;
  if (receipt.outcome === 'batch') throw new TypeError('The fingerprint is that of one record.');
  if (receipt.outcome === 'deleted') return removalAnswer(receipt, 'replayed', of);
  const { outcome } = receipt;
  if (then === undefined) throw recordRemovedSince(of.resource.shape, outcome);
  return writeAnswer(outcome, then, 'replayed', of);
}

function answerWith(done: Written | Removed, how: How, of: Answering) {
  return done.outcome === 'deleted'
    ? removalAnswer({ ...done.record, below: done.below }, how, of)
    : { ...writeAnswer(done.outcome, done.record, how, of), newer: isNewer(done.record, of) };
}

/** Whether the record has other values than were sent, and stays since those are older. */
function isNewer(record: StoredRecord, { resource: { shape }, patch, dated }: Answering): boolean {
  if (dated === undefined) return false;
  const stored = withoutPins(parseStored(record.document) as JsonObject);
  return staysNewer(record, { shape, patch: patch(stored) }, dated);
}

function writeAnswer(
  outcome: Written['outcome'],
  record: AnsweredRecord,
  how: How,
  { resource, patch }: Answering,
) {
  const { unique_identifier, account, anchor } = record;
  const body = presentRecord(resource, record);
  /** The sent members whose values stayed as staff had corrected them. */
  const kept = keptOf(resource.shape.document, record.document, patch);
  return { outcome, how, unique_identifier, account, anchor, record, kept, body };
}

/** The account is left out if it is no longer known; `count`: how many were removed, this one and all below it. */
function removalAnswer(
  removed: Pick<StoredRemoval, 'unique_identifier' | 'below'> &
    Partial<Pick<AnsweredRecord, 'account' | 'anchor'>>,
  how: How,
  { resource }: Answering,
) {
  const { unique_identifier, account, anchor } = removed;
  const body = presentRemoved(resource, unique_identifier);
  const outcome = 'deleted' as const;
  return { outcome, how, unique_identifier, account, anchor, count: removed.below + 1, body };
}

/** Returns the error for a repeated request whose record has been removed since. */
function recordRemovedSince({ resource }: RecordShape, outcome: Written['outcome']): ApiError {
  return new ApiError('resource_missing', {
    message: `The ${inWords(resource)} was removed after this request was first answered with 200 and the outcome "${outcome}". Nothing was done this time.`,
    headers: { 'Idempotent-Replayed': 'true' },
  });
}
