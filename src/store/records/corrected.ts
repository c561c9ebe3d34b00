/** The content of a record that staff corrected: what sources send for pinned members becomes proposals, which people decide. */
import type { Fault } from '../../core/errors.ts';
import { equalJson, stringify } from '../../core/schema/json/json.ts';
import { brokenIn, merge } from '../../core/schema/merge/merge.ts';
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
import type { StoredRecord } from '../promises/records.ts';
import { noPin, pinsFull, proposalDecided } from '../promises/refusals.ts';
import type { Content, TextedDraft } from './content.ts';
import { parseDocument, storedKeys } from './records.ts';

/** The most pinned members of one record, and the most overruled values remembered for each. */
const MAX_PINS = 100;
const MAX_SAID = 8;
/** The most characters of all pins of one record, as JSON with their values: every read of it reads them. */
const MAX_TEXT = 262_144;

/** Returns whether a draft concerns pins: the record's, or its own. A new record has none. */
export function isCorrected(
  { pins, restores }: TextedDraft,
  before: StoredRecord | undefined,
): boolean {
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
export function correctedContentOf(
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
  return accepted(draft.shape, stored, pins, decided);
}

/** Stores what a source proposed, and with it what it supplied for pinned members that the value cannot be without. */
function accepted(
  { document: shape }: RecordShape,
  stored: JsonObject,
  pins: readonly Pin[],
  decided: Pin,
): Decided {
  const supplied = ({ proposal, said }: Pin) => proposal?.value ?? said.at(-1);
  let document = stored;
  let left = pins;
  for (let pin: Pin | undefined = decided; pin !== undefined; ) {
    const taken: Pin = pin;
    document = withMember(document, taken.path, supplied(taken) ?? []);
    left = left.filter((one) => one !== taken);
    const wanted = new Set(
      brokenIn(shape, document).flatMap(({ members, needed }) =>
        needed === undefined ? [] : [needed, ...members].map(nameOf),
      ),
    );
    pin = left.find((one) => {
      const value = wanted.has(nameOf(one.path)) ? supplied(one) : undefined;
      return value !== undefined && !isSame(value, foundAt(document, one.path));
    });
  }
  return { document, pins: left };
}

/** Stores a source's value for a pinned member only if it agrees. */
function sourceSends(
  { shape, patch, by: sender, restores }: TextedDraft,
  { before, stored, merged, pins, now }: Deciding,
): Decided {
  const by = sender ?? null;
  let document = merged;
  let proposed = 0;
  const propose = (value: FoundValue) => {
    proposed += 1;
    const unique_identifier = `prp_${before.unique_identifier}_${before.version + 1}_${proposed}`;
    return { unique_identifier, by, at: now, value };
  };
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
    return [{ ...known, proposal: propose(says) }];
  });
  // What cannot be beside what stands waits for the same decision.
  for (;;) {
    const [path] = brokenIn(shape.document, document)
      .flatMap(({ members }) => members)
      .filter((one) => !isSame(foundAt(document, one), foundAt(stored, one)));
    if (path === undefined) break;
    document = withMember(document, path, foundAt(stored, path));
    const beside = left.find((pin) => isBeside(pin.path, path));
    if (restores !== undefined || beside === undefined) continue;
    left.push({
      path,
      by: beside.by,
      at: beside.at,
      said: [],
      proposal: propose(foundAt(merged, path)),
    });
  }
  return { document, pins: left, proposes: proposed > 0 };
}

function isBeside(one: readonly string[], other: readonly string[]): boolean {
  return nameOf(one.slice(0, -1)) === nameOf(other.slice(0, -1));
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
