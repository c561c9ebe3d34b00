/** The inverse of merging: the patch that turns one document into another. */
import { equalJson } from '../json/json.ts';
import type { ObjectShape } from '../shape.ts';
import { isObject, type JsonObject, setMember } from '../values.ts';

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
