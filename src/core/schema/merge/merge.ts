/**
 * Merges an upsert into the stored document: the one definition of merge, pure and synchronous. Every store saves and
 * returns exactly what `merge` returns.
 *
 * Documented objects are merged member by member, free-form content by RFC 7396 at every depth, everything else is
 * replaced whole; `null` removes. (Decisions, "Merge".)
 */
import { type Fault, faultOf } from '../../errors.ts';
import { byteLength, equalJson } from '../json/json.ts';
import type { ContentShape, ObjectShape, Shape } from '../shape.ts';
import { isObject, type Json, type JsonObject, setMember } from '../values.ts';

/** `document` is the `stored` object itself if no value changes. No argument is ever modified. */
export type MergeResult =
  | { readonly document: JsonObject; readonly faults?: never }
  | { readonly document?: never; readonly faults: readonly Fault[] };

/**
 * Merges a parsed patch into a stored document, or into nothing.
 *
 * Faults: `value_too_large` if free-form content exceeds its limit, `parameter_missing` if a member is absent that
 * another one needs, `date_too_early` if two members are in the wrong order.
 *
 * `texts` are the compact JSON texts of both, if available: if they are short, no limit can be exceeded, and bytes need
 * not be counted.
 */
export function merge(
  shape: ObjectShape,
  stored: JsonObject | undefined,
  patch: JsonObject,
  texts?: { readonly stored: string | undefined; readonly patch: string },
): MergeResult {
  const faults: Fault[] = [];
  const bound =
    texts === undefined
      ? Number.POSITIVE_INFINITY
      : BYTES_PER_UNIT * ((texts.stored?.length ?? 0) + texts.patch.length);
  const document = mergeObject(shape, stored, patch, { faults, bound });
  return faults.length === 0 ? { document } : { faults };
}

/** The most bytes of UTF-8 for one UTF-16 unit. */
export const BYTES_PER_UNIT = 3;

interface MergeContext {
  readonly faults: Fault[];
  /** An upper bound on the bytes of the merged document. */
  readonly bound: number;
}

function mergeObject(
  shape: ObjectShape,
  stored: JsonObject | undefined,
  patch: JsonObject,
  context: MergeContext,
): JsonObject {
  const merged = withMembers(stored, patch, (name, before, change) => {
    const member = shape.members.get(name);
    if (member === undefined) throw new TypeError(`The shape has no member ${name}.`);
    return mergeMember(member, before, change, context);
  });
  for (const { fault } of brokenRules(shape, merged)) context.faults.push(fault());
  return merged;
}

interface BrokenRule {
  /** The members that cannot be there together, or without the one that is needed. */
  readonly members: readonly string[];
  readonly needed?: string;
  readonly fault: () => Fault;
}

function brokenRules({ needs = [], orders = [] }: ObjectShape, object: JsonObject): BrokenRule[] {
  const broken: BrokenRule[] = [];
  for (const { whenever, needed, param } of needs) {
    const isThere = whenever === undefined ? hasMembers(object) : Object.hasOwn(object, whenever);
    if (!isThere || Object.hasOwn(object, needed)) continue;
    const above = param.slice(0, -needed.length - 1);
    const other = whenever === undefined ? above : `${above}.${whenever}`;
    const message = `${param} is missing: the record has none, and cannot have ${other} without it. Send both, or remove both.`;
    const fault = () => faultOf('parameter_missing', param, { message });
    const members = whenever === undefined ? Object.keys(object) : [whenever];
    broken.push({ members, needed, fault });
  }
  for (const { first, last, param } of orders) {
    const [from, to] = [object[first], object[last]];
    if (typeof from !== 'string' || typeof to !== 'string' || to >= from) continue;
    const values = { date: to, after: first, earliest: from };
    broken.push({
      members: [first, last],
      fault: () => faultOf('date_too_early', param, { values }),
    });
  }
  return broken;
}

/** Members, by their paths, that cannot be as they are beside others or without the one that is needed, at any depth. */
export function brokenIn(
  shape: ObjectShape,
  document: JsonObject,
  above: readonly string[] = [],
): readonly { readonly members: readonly string[][]; readonly needed?: string[] }[] {
  const own = brokenRules(shape, document).map(({ members, needed }) => ({
    members: members.map((name) => [...above, name]),
    ...(needed !== undefined && { needed: [...above, needed] }),
  }));
  const inner = [...shape.members].flatMap(([name, member]) => {
    const value = Object.hasOwn(document, name) ? document[name] : undefined;
    return member.is === 'object' && isObject(value)
      ? brokenIn(member, value, [...above, name])
      : [];
  });
  return [...own, ...inner];
}

function mergeMember(
  shape: Shape,
  before: Json | undefined,
  change: Json,
  context: MergeContext,
): Json | undefined {
  if (change === null) return undefined;
  if (shape.is === 'value')
    return before !== undefined && equalJson(before, change) ? before : change;
  if (!isObject(change)) throw new TypeError('A patch holds an object where its shape has one.');
  const stored = isObject(before) ? before : undefined;
  if (shape.is === 'content') return mergeContent(shape, stored, change, context);
  const merged = mergeObject(shape, stored, change, context);
  return shape.stays || hasMembers(merged) ? merged : undefined;
}

function mergeContent(
  shape: ContentShape,
  stored: JsonObject | undefined,
  change: JsonObject,
  { faults, bound }: MergeContext,
): JsonObject | undefined {
  const merged = mergePatch(stored, change);
  if (merged === stored) return stored;
  const bytes = bound <= shape.maxBytes ? bound : byteLength(merged);
  if (bytes > shape.maxBytes) {
    faults.push(
      faultOf('value_too_large', shape.param, {
        message: `${shape.param} would take ${bytes} bytes of compact JSON once merged with what is stored, and the limit is ${shape.maxBytes}: send null for members that you no longer need.`,
        values: { has: bytes, most: shape.maxBytes },
      }),
    );
  }
  return hasMembers(merged) ? merged : undefined;
}

/** A JSON merge patch (RFC 7396) with an object as patch. Returns `target` itself if nothing changes. */
export function mergePatch(target: Json | undefined, patch: JsonObject): JsonObject {
  return withMembers(isObject(target) ? target : undefined, patch, (_name, before, change) => {
    if (change === null) return undefined;
    if (isObject(change)) return mergePatch(before, change);
    return before !== undefined && equalJson(before, change) ? before : change;
  });
}

/** Sets each member that the patch names to the result of `change`, or removes it if that is `undefined`. */
function withMembers(
  stored: JsonObject | undefined,
  patch: JsonObject,
  change: (name: string, before: Json | undefined, patch: Json) => Json | undefined,
): JsonObject {
  let result = stored;
  for (const name of Object.keys(patch)) {
    const before = stored !== undefined && Object.hasOwn(stored, name) ? stored[name] : undefined;
    const after = change(name, before, patch[name] as Json);
    if (after === before) continue;
    if (result === stored) result = { ...stored };
    if (after === undefined) delete (result as JsonObject)[name];
    else setMember(result as JsonObject, name, after);
  }
  return result ?? {};
}

function hasMembers(object: JsonObject): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return true;
  return false;
}

/**
 * Whether merging a patch into a stored document (or into nothing) gives exactly the patch, without faults; `false` also
 * if the texts alone do not prove it. Both are texts made by `stringify`, and neither is parsed, which takes most of a
 * merge's time. Most upserts are proved: a new record, one that is sent again, and one with some other strings.
 */
export function mergesToPatch(
  shape: ObjectShape,
  stored: string | undefined,
  patch: string,
): boolean {
  return isDocument(shape, patch) && (stored === undefined || differInStrings(stored, patch));
}

/**
 * Whether the patch is a document as it stands: it removes nothing, has no empty objects and exceeds no limit. `false` in
 * case of doubt. What objects require is there: an upsert was read by it, and a PATCH is merged into a document.
 */
function isDocument(shape: ObjectShape, patch: string): boolean {
  const { longest, emptyMembers, orders } = limits.getOrInsertComputed(shape, findLimits);
  return (
    patch.length <= longest &&
    !patch.includes(':null') &&
    !(patch.includes('{}') && emptyMembers.some((member) => patch.includes(member))) &&
    orders.every(([first, last]) => areOrdered(stringAfter(patch, first), stringAfter(patch, last)))
  );
}

/** Whether two strings are in order, or one is missing. `null` is an unknown string. */
function areOrdered(first: string | null | undefined, last: string | null | undefined): boolean {
  if (first === undefined || last === undefined) return true;
  return first !== null && last !== null && first <= last;
}

/** The string after `beginning`, such as `"name":"`; `undefined` if there is none, `null` if it occurs twice or has escapes. */
function stringAfter(patch: string, beginning: string): string | null | undefined {
  const at = patch.indexOf(beginning);
  if (at < 0) return undefined;
  if (patch.includes(beginning, at + 1)) return null;
  const value = patch.slice(at + beginning.length, patch.indexOf('"', at + beginning.length));
  return value.includes('\\') ? null : value;
}

interface Limits {
  /** The UTF-16 units up to which no text can exceed a limit of the shape; -1 if members need others. */
  readonly longest: number;
  /** The texts of members that are removed when they are empty. */
  readonly emptyMembers: readonly string[];
  /** The beginnings of pairs of members whose strings must be in order. */
  readonly orders: readonly (readonly [first: string, last: string])[];
}

const limits = new WeakMap<ObjectShape, Limits>();

function findLimits({ members, needs = [], orders: own = [] }: ObjectShape): Limits {
  let longest = needs.some(({ whenever }) => whenever !== undefined)
    ? -1
    : Number.POSITIVE_INFINITY;
  const emptyMembers: string[] = [];
  const begin = (name: string): string => `${JSON.stringify(name)}:"`;
  const orders = own.map(({ first, last }) => [begin(first), begin(last)] as const);
  for (const [name, member] of members) {
    if (member.is === 'value') continue;
    if (member.is === 'content') {
      longest = Math.min(longest, Math.floor(member.maxBytes / BYTES_PER_UNIT));
    } else {
      const inner = findLimits(member);
      longest = Math.min(longest, inner.longest);
      emptyMembers.push(...inner.emptyMembers);
      orders.push(...inner.orders);
    }
    if (member.is === 'content' || !member.stays) emptyMembers.push(`${JSON.stringify(name)}:{}`);
  }
  return { longest, emptyMembers, orders };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Whether two compact JSON texts have the same members in the same order and only differ in strings that are values:
 * then the patch replaces everything that is stored.
 */
function differInStrings(stored: string, patch: string): boolean {
  let inStored = 0;
  let inPatch = 0;
  for (;;) {
    const from = inStored;
    const same = commonPrefix(stored, inStored, patch, inPatch);
    inStored += same;
    inPatch += same;
    if (inStored === stored.length) return inPatch === patch.length;
    if (inPatch === patch.length) return false;
    if (!isInString(stored, from, inStored)) return false;
    // After a backslash, no character ends a string.
    const ahead = isEscaped(stored, inStored) ? 1 : 0;
    inStored = endOfString(stored, inStored + ahead);
    inPatch = endOfString(patch, inPatch + ahead);
    // The string that ends here differs: a value may, a name may not.
    if (stored.charCodeAt(inStored) === COLON) return false;
  }
}

/** The lengths of pieces that are compared at once: the first, and the last before single units. */
const LARGEST_PIECE = 512;
const SMALLEST_PIECE = 32;

/** The length of the common prefix from two indices on: V8 compares pieces, and the rest is compared unit by unit. */
function commonPrefix(one: string, from: number, other: string, otherFrom: number): number {
  const most = Math.min(one.length - from, other.length - otherFrom);
  let same = 0;
  let size = LARGEST_PIECE;
  while (size >= SMALLEST_PIECE) {
    const end = same + size;
    if (
      end <= most &&
      one.slice(from + same, from + end) === other.slice(otherFrom + same, otherFrom + end)
    ) {
      same = end;
    } else size /= 2;
  }
  while (same < most && one.charCodeAt(from + same) === other.charCodeAt(otherFrom + same))
    same += 1;
  return same;
}

/** Whether an index is inside a string; `from`, before it, is not. `false` in case of doubt: a string may begin with the same bytes that follow one. */
function isInString(json: string, from: number, place: number): boolean {
  for (let at = place - 1; at >= from; at -= 1) {
    if (json.charCodeAt(at) !== QUOTE || isEscaped(json, at)) continue;
    return !AFTER_STRING.has(json.charCodeAt(at + 1));
  }
  return false;
}

const AFTER_STRING = new Set([COLON, 0x2c, 0x5d, 0x7d]);

function isEscaped(json: string, place: number): boolean {
  let at = place;
  while (json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (place - at) % 2 === 1;
}

/** The index after the string that `from` is in; `from` must not follow a backslash. */
function endOfString(json: string, from: number): number {
  for (let at = from; ; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE || Number.isNaN(unit)) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
}

/** The merge patch (RFC 7396) that turns `from` into `wanted`. It is exact, since no member of a document is `null`. */
export function patchTo(wanted: JsonObject, from: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const name of Object.keys(from)) {
    if (!Object.hasOwn(wanted, name)) setMember(patch, name, null);
  }
  for (const [name, value] of Object.entries(wanted)) {
    const before = Object.hasOwn(from, name) ? from[name] : undefined;
    if (before !== undefined && equalJson(value, before)) continue;
    setMember(patch, name, isObject(value) && isObject(before) ? patchTo(value, before) : value);
  }
  return patch;
}

/** A document without the members that its resource no longer declares. */
export function declaredOf(shape: ObjectShape, document: JsonObject): JsonObject {
  const declared: JsonObject = {};
  for (const [name, value] of Object.entries(document)) {
    const member = shape.members.get(name);
    if (member === undefined) continue;
    const inner = member.is === 'object' && isObject(value) ? declaredOf(member, value) : value;
    setMember(declared, name, inner);
  }
  return declared;
}
