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
 * Faults: `value_too_large` if free-form content exceeds its limit, `parameter_missing` if a member is removed that
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
  for (const need of shape.needs ?? []) {
    if (Object.hasOwn(merged, need.whenever) && !Object.hasOwn(merged, need.needed)) {
      const message = `${need.param} cannot be removed while ${need.whenever} has a value: remove both, or send it.`;
      context.faults.push(faultOf('parameter_missing', need.param, { message }));
    }
  }
  for (const { first, last, param } of shape.orders ?? []) {
    const [from, to] = [merged[first], merged[last]];
    if (typeof from === 'string' && typeof to === 'string' && to < from) {
      const values = { date: to, after: first, earliest: from };
      context.faults.push(faultOf('date_too_early', param, { values }));
    }
  }
  return merged;
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
