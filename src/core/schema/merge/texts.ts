/**
 * A fast path of `merge` that compares the texts of both documents without parsing them. It covers most upserts: a new
 * record, one that is sent again, and one in which some texts have changed. Parsing takes most of a merge's time. The
 * result is always that of `merge`.
 */

import type { ObjectShape } from '../shape.ts';
import { MAX_BYTES } from './merge.ts';

/**
 * Whether merging a patch into a stored document (or into nothing) gives a document of the patch's very text, without
 * faults; `false` also where their texts are not enough. Both are texts as `stringify` gives them.
 */
export function mergesToPatch(
  shape: ObjectShape,
  stored: string | undefined,
  patch: string,
): boolean {
  return mergesWhole(shape, patch) && (stored === undefined || differInTexts(stored, patch));
}

/** Whether merging the patch into nothing removes nothing, leaves nothing empty and passes no limit. Errs on the careful side. */
function mergesWhole(shape: ObjectShape, patch: string): boolean {
  const { longest, emptied, orders } = limitsOf(shape);
  return (
    patch.length <= longest &&
    !patch.includes(':null') &&
    !(patch.includes('{}') && emptied.some((member) => patch.includes(member))) &&
    orders.every(([first, last]) => areInOrder(textAfter(patch, first), textAfter(patch, last)))
  );
}

/** Whether two texts are known to be in their order, or one of them not to be there. */
function areInOrder(first: string | null | undefined, last: string | null | undefined): boolean {
  if (first === undefined || last === undefined) return true;
  return first !== null && last !== null && first <= last;
}

/** The text that a member has, by the beginning of it; `undefined` where there is none, and `null` where it may be one of several. */
function textAfter(patch: string, beginning: string): string | null | undefined {
  const at = patch.indexOf(beginning);
  if (at < 0) return undefined;
  if (patch.includes(beginning, at + 1)) return null;
  const value = patch.slice(at + beginning.length, patch.indexOf('"', at + beginning.length));
  return value.includes('\\') ? null : value;
}

/** Limits within which a patch can merge as a whole. */
interface Limits {
  /** In UTF-16 units: no shorter text passes a limit of the shape; below 0 where members need others. */
  readonly longest: number;
  /** The texts of members that are gone when they are empty. */
  readonly emptied: readonly string[];
  /** How two members begin that may only have texts in this order. */
  readonly orders: readonly (readonly [first: string, last: string])[];
}

const limits = new WeakMap<ObjectShape, Limits>();

function limitsOf(shape: ObjectShape): Limits {
  let found = limits.get(shape);
  if (found === undefined) {
    found = findLimits(shape);
    limits.set(shape, found);
  }
  return found;
}

function findLimits({ members, needs, orders: own = [] }: ObjectShape): Limits {
  let longest = needs.length > 0 ? -1 : Number.POSITIVE_INFINITY;
  const emptied: string[] = [];
  const begin = (name: string): string => `${JSON.stringify(name)}:"`;
  const orders = own.map(({ first, last }) => [begin(first), begin(last)] as const);
  for (const [name, member] of members) {
    if (member.is === 'value') continue;
    if (member.is === 'content') {
      longest = Math.min(longest, Math.floor(member.maxBytes / MAX_BYTES));
    } else {
      const inner = findLimits(member);
      longest = Math.min(longest, inner.longest);
      emptied.push(...inner.emptied);
      orders.push(...inner.orders);
    }
    if (member.is === 'content' || !member.kept) emptied.push(`${JSON.stringify(name)}:{}`);
  }
  return { longest, emptied, orders };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Whether two compact JSON texts have the same members in the same order, and
 * differ in texts that are values at the most: then all that is stored is in
 * the patch, and gives way to it.
 */
function differInTexts(stored: string, patch: string): boolean {
  let at = 0;
  let beside = 0;
  for (;;) {
    const from = at;
    const same = commonLength(stored, at, patch, beside);
    at += same;
    beside += same;
    if (at === stored.length) return beside === patch.length;
    if (beside === patch.length) return false;
    if (!isInText(stored, from, at)) return false;
    // After a backslash, no character ends a text.
    const ahead = isEscaped(stored, at) ? 1 : 0;
    at = endOfText(stored, at + ahead);
    beside = endOfText(patch, beside + ahead);
    // The text that ends here differed: a value may, a name may not.
    if (stored.charCodeAt(at) === COLON) return false;
  }
}

/** The lengths of pieces that are compared: the first, and the last before units are. */
const MAX_AT_ONCE = 512;
const MIN_AT_ONCE = 32;

/** For how many units two texts are the same from two places on: pieces of them are compared by V8, the rest one by one. */
function commonLength(one: string, at: number, other: string, beside: number): number {
  const most = Math.min(one.length - at, other.length - beside);
  let same = 0;
  let size = MAX_AT_ONCE;
  while (size >= MIN_AT_ONCE) {
    const end = same + size;
    if (
      end <= most &&
      one.slice(at + same, at + end) === other.slice(beside + same, beside + end)
    ) {
      same = end;
    } else size /= 2;
  }
  while (same < most && one.charCodeAt(at + same) === other.charCodeAt(beside + same)) same += 1;
  return same;
}

/** Whether a place is in a text; `from`, before it, is in none. Errs on the careful side: a text may begin as what comes behind one. */
function isInText(json: string, from: number, place: number): boolean {
  for (let at = place - 1; at >= from; at -= 1) {
    if (json.charCodeAt(at) !== QUOTE || isEscaped(json, at)) continue;
    return !BEHIND.has(json.charCodeAt(at + 1));
  }
  return false;
}

/** The bytes that may follow the quote that ends a text. */
const BEHIND = new Set([COLON, 0x2c, 0x5d, 0x7d]);

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(json: string, place: number): boolean {
  let at = place;
  while (json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (place - at) % 2 === 1;
}

/** The place after the quote that ends the text in which a place is, which is not one after a backslash. */
function endOfText(json: string, from: number): number {
  for (let at = from; ; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE || Number.isNaN(unit)) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
}
