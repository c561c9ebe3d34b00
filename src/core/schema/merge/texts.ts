/**
 * A fast path of `merge` that compares the JSON texts of both documents without parsing them. It covers most upserts: a
 * new record, one that is sent again, and one in which some strings have changed. Parsing takes most of a merge's time.
 * The result is always that of `merge`.
 */
import type { ObjectShape } from '../shape.ts';
import { BYTES_PER_UNIT } from './merge.ts';

/**
 * Whether merging a patch into a stored document (or into nothing) gives exactly the patch, without faults; `false` also
 * if the texts alone do not prove it. Both are texts made by `stringify`.
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
 * case of doubt.
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
  let longest = needs.length > 0 ? -1 : Number.POSITIVE_INFINITY;
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
