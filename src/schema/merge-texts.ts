/**
 * What merging gives where the texts of both documents tell it: a record that
 * is made, one that is sent again, and one of which some texts have changed are
 * most of what arrives, and reading them as values takes most of a merge's time.
 * Never anything else than `merge` gives.
 */
import { MOST_BYTES } from './merge.ts';
import type { ObjectShape } from './shape.ts';

/**
 * Whether merging a patch into a stored document (or into nothing) gives a
 * document of the patch's very text, without faults; `false` also where their
 * texts do not tell. Both are texts as `stringify` gives them.
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
  const { longest, emptied } = limitsOf(shape);
  return (
    patch.length <= longest &&
    !patch.includes('null') &&
    !emptied.some((member) => patch.includes(member))
  );
}

/** What a patch must keep to if it is to merge whole. */
interface Limits {
  /** In UTF-16 units: no text of so many passes a limit of the shape; below 0 where members need others. */
  readonly longest: number;
  /** The texts of members that are gone when they are empty. */
  readonly emptied: readonly string[];
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

function findLimits({ members, needs }: ObjectShape): Limits {
  let longest = needs.length > 0 ? -1 : Number.POSITIVE_INFINITY;
  const emptied: string[] = [];
  for (const [name, member] of members) {
    if (member.is === 'value') continue;
    if (member.is === 'content') {
      longest = Math.min(longest, Math.floor(member.maxBytes / MOST_BYTES));
    } else {
      const inner = findLimits(member);
      longest = Math.min(longest, inner.longest);
      emptied.push(...inner.emptied);
    }
    if (member.is === 'content' || !member.kept) emptied.push(`${JSON.stringify(name)}:{}`);
  }
  return { longest, emptied };
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
  if (stored === patch) return true;
  const end = stored.length;
  let inText = false;
  /** Whether a backslash stands before: then what comes is no end of a text, whatever it is. */
  let escaped = false;
  let at = 0;
  let beside = 0;
  while (at < end) {
    const unit = stored.charCodeAt(at);
    if (unit === patch.charCodeAt(beside)) {
      at += 1;
      beside += 1;
      if (escaped) escaped = false;
      else if (unit === QUOTE) inText = !inText;
      else if (unit === BACKSLASH) escaped = true;
      continue;
    }
    if (!inText) return false;
    at = endOfText(stored, escaped ? at + 1 : at);
    beside = endOfText(patch, escaped ? beside + 1 : beside);
    // What ends here differed: as a value it may, as a name it may not.
    if (stored.charCodeAt(at) === COLON) return false;
    inText = false;
    escaped = false;
  }
  return beside === patch.length;
}

/** The place after the quote that ends the text in which a place is, which is not one after a backslash. */
function endOfText(json: string, from: number): number {
  for (let at = from; ; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE || Number.isNaN(unit)) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
}
