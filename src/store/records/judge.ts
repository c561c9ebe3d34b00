/**
 * Judges a draft against the stored record, and makes the change: the one place for it, used by both stores and by dry
 * runs. Writing the change to disk is the store's part.
 */
import { ApiError, type Fault } from '../../core/errors.ts';
import { equalJson, stringify } from '../../core/schema/json/json.ts';
import { merge, patchTo } from '../../core/schema/merge/merge.ts';
import {
  differences,
  type FoundValue,
  foundAt,
  isPinned,
  isSame,
  memberOf,
  type Pin,
  pinsIn,
  touches,
  withMember,
  withoutPins,
  withPins,
} from '../../core/schema/pins.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { LogEntry, Restoration } from '../promises/log.ts';
import type {
  CommitOptions,
  Erased,
  Outcome,
  Refused,
  StoredRecord,
  Written,
} from '../promises/records.ts';
import {
  noPin,
  noSuch,
  pinsFull,
  proposalDecided,
  recordExists,
  unmet,
} from '../promises/refusals.ts';
import { type Content, contentOf, type TextedDraft } from './content.ts';
import { parseDocument, storedKeys } from './records.ts';

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
  const { shape, only, restores, isPast } = draft;
  const error = only && unmet(shape, only, before);
  if (error !== undefined) return refused(error);
  if (restores?.gone !== undefined && before !== undefined) return refused(recordExists(shape));

  const began = performance.now();
  const content = contentIn(draft, before, stamp.now);
  if (content instanceof ApiError) return refused(content);
  if ('faults' in content) return refused(new ApiError(content.faults));
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

/** The most pinned members of one record, and the most overruled values remembered for each. */
const MAX_PINS = 100;
const MAX_SAID = 8;
/** The most characters of all pins of one record, as JSON with their values: every read of it reads them. */
const MAX_TEXT = 262_144;

/** Returns whether a draft concerns pins: the record's, or its own. A new record has none. */
function isCorrected({ pins, restores }: TextedDraft, before: StoredRecord | undefined): boolean {
  if (before === undefined) return restores?.gone !== undefined;
  return pins !== undefined || isPinned(before.document);
}

interface Decided {
  readonly document: JsonObject;
  readonly pins: readonly Pin[];
  readonly proposes?: boolean;
}

/**
 * Creates the content if `isCorrected`, like `contentOf`; `proposes`: a source proposes something that it did not propose
 * before. Throws `ApiError` for a decision on a pin that is gone.
 */
function correctedContentOf(
  draft: TextedDraft,
  before: StoredRecord | undefined,
  now: number,
): (Content & { readonly proposes: boolean }) | { readonly faults: readonly Fault[] } {
  const { shape, patch } = draft;
  const was = before === undefined ? undefined : parseDocument(before.document);
  const stored = was && withoutPins(was);
  const { document: merged, faults } = merge(shape.document, stored, withoutPins(patch));
  if (faults !== undefined) return { faults };
  // A record that comes back has the pins that it was removed with.
  const pins = pinsIn(was ?? patch);
  const decided =
    before === undefined || stored === undefined
      ? { document: merged, pins }
      : decide(draft, { before, stored, merged, pins, now });
  const checked = merge(shape.document, undefined, decided.document);
  if (checked.faults !== undefined) return { faults: checked.faults };
  const document = withPins(checked.document, decided.pins);
  if (stringify(withPins({}, decided.pins)).length > MAX_TEXT) throw pinsFull(MAX_PINS);
  const same = was !== undefined && equalJson(was, document);
  return {
    document: same && before !== undefined ? before.document : stringify(document),
    keys: storedKeys(shape, document),
    proposes: decided.proposes ?? false,
  };
}

interface Deciding {
  readonly before: StoredRecord;
  readonly stored: JsonObject;
  /** The stored content, merged with the patch. */
  readonly merged: JsonObject;
  readonly pins: readonly Pin[];
  readonly now: number;
}

function decide(draft: TextedDraft, deciding: Deciding): Decided {
  const { stored, merged, pins } = deciding;
  switch (draft.pins) {
    case undefined:
      return sourceSends(draft, deciding);
    case 'set':
      return personSends(draft, deciding);
    case 'override':
      return { document: merged, pins: pins.filter(({ path }) => !touches(draft.patch, path)) };
    default:
  }
  const [what, name] = Object.entries(draft.pins)[0] as [string, string];
  if (what === 'lift') {
    const left = pins.filter((pin) => memberOf(pin) !== name);
    if (left.length === pins.length) throw noPin(draft.shape, name);
    return { document: stored, pins: left };
  }
  const decided = pins.find(({ proposal }) => proposal?.unique_identifier === name);
  if (decided?.proposal === undefined) throw proposalDecided();
  const { proposal, ...pin } = decided;
  if (what === 'keep') {
    const pinned = { ...pin, said: saidOf(pin, proposal.value) };
    return { document: stored, pins: pins.map((one) => (one === decided ? pinned : one)) };
  }
  return {
    document: withMember(stored, pin.path, proposal.value),
    pins: pins.filter((one) => one !== decided),
  };
}

/** Stores a source's value for a pinned member only if it agrees. */
function sourceSends(
  { patch, by: sender, restores }: TextedDraft,
  { before, stored, merged, pins, now }: Deciding,
): Decided {
  const by = sender ?? null;
  let document = merged;
  let proposed = 0;
  const left = pins.flatMap((pin): readonly Pin[] => {
    if (!touches(patch, pin.path)) return [pin];
    const says = foundAt(merged, pin.path);
    const stands = foundAt(stored, pin.path);
    document = withMember(document, pin.path, stands);
    // An undo says nothing about what the source has now.
    if (restores !== undefined) return [pin];
    if (isSame(says, stands)) return [];
    const { proposal, ...known } = pin;
    if (pin.said.some((one) => isSame(one, says))) return [proposal?.by === by ? known : pin];
    if (proposal !== undefined && isSame(proposal.value, says)) return [pin];
    proposed += 1;
    const unique_identifier = `prp_${before.unique_identifier}_${before.version + 1}_${proposed}`;
    return [{ ...known, proposal: { unique_identifier, by, at: now, value: says } }];
  });
  return { document, pins: left, proposes: proposed > 0 };
}

/** Pins the members that a person changes, unless they equal the source's. */
function personSends({ by }: TextedDraft, { stored, merged, pins, now }: Deciding): Decided {
  const known = new Map(pins.map((pin) => [nameOf(pin.path), pin]));
  for (const path of differences(stored, merged)) {
    const pin = known.get(nameOf(path));
    const sourceSays = pin?.proposal?.value ?? pin?.said.at(-1);
    if (sourceSays !== undefined && isSame(sourceSays, foundAt(merged, path))) {
      known.delete(nameOf(path));
      continue;
    }
    const said = pin === undefined ? [foundAt(stored, path)] : saidOf(pin, pin.proposal?.value);
    known.set(nameOf(path), { path, by: by ?? null, at: now, said });
  }
  if (known.size > MAX_PINS) throw pinsFull(MAX_PINS);
  return { document: merged, pins: [...known.values()] };
}

function saidOf({ said }: Pin, value: FoundValue | undefined): readonly FoundValue[] {
  return value === undefined ? said : [...said, value].slice(-MAX_SAID);
}

function nameOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
