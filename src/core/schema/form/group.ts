/** The groups that brackets in the names of a form make, and the arrays and objects that become of them. */
import type { Faults } from '../../errors.ts';
import { memberPath } from '../path.ts';
import { type Json, type JsonObject, setMember } from '../values.ts';

export type FormNode = string | FormGroup;

/** An object or an array of a form; which of the two, the declaration of the field says. */
export class FormGroup {
  /** By name or index, as it stood between the brackets: `person[full_name]`, `image_urls[0]`. */
  readonly members = new Map<string, FormNode>();
  /** Elements that were sent without an index: `image_urls[]`. Never together with members. */
  readonly pushed: FormNode[] = [];
  /**
   * Names that are likely to be the rest of a value with a raw `&` in it, each with the name of the
   * field before it. Only the outermost group has them.
   */
  rests: Map<string, string> | undefined;
}

/**
 * The elements of a declared array: what was pushed, or the members in the order of their
 * indices, which must run from 0 without gaps. Otherwise adds `type_invalid`.
 */
export function formElements(
  group: FormGroup,
  path: string,
  faults: Faults,
): readonly FormNode[] | undefined {
  if (group.members.size === 0) return group.pushed;
  if (!hasOnlyIndices(group)) {
    faults.add(
      path,
      'type_invalid',
      () =>
        `${path} must be an array, but an object was sent: end its names in [] or in [0], [1] and so on.`,
    );
    return undefined;
  }
  const elements = indexed(group);
  if (elements === undefined) addGap(path, faults);
  return elements;
}

/**
 * The value of a free-form object. Brackets directly at the field are keys; below, a group that
 * was pushed to, or has only indices (dense from 0, else `type_invalid`), is an array.
 */
export function formContent(group: FormGroup, path: string, faults: Faults): JsonObject {
  if (group.pushed.length > 0) {
    faults.add(
      path,
      'type_invalid',
      () =>
        `${path} must be an object, but an array was sent: name each member between the brackets, not [].`,
    );
    return {};
  }
  return objectOf(group, path, faults);
}

function objectOf(group: FormGroup, path: string, faults: Faults): JsonObject {
  const object: JsonObject = {};
  for (const [name, node] of group.members) {
    setMember(object, name, jsonOf(node, memberPath(path, name), faults));
  }
  return object;
}

function jsonOf(group: FormNode, path: string, faults: Faults): Json {
  if (typeof group === 'string') return group;
  if (group.members.size > 0 && !hasOnlyIndices(group)) return objectOf(group, path, faults);
  const elements = group.members.size === 0 ? group.pushed : indexed(group);
  if (elements === undefined) {
    addGap(path, faults);
    return [];
  }
  return elements.map((node, index) => jsonOf(node, memberPath(path, index), faults));
}

function addGap(path: string, faults: Faults): void {
  const said = () => `${path}: the indices of an array must run from 0 without gaps.`;
  faults.add(path, 'type_invalid', said);
}

function hasOnlyIndices(group: FormGroup): boolean {
  return group.members.keys().every((name) => INDEX.test(name));
}

/** The members in the order of their indices; `undefined` where the indices leave a gap. */
function indexed(group: FormGroup): FormNode[] | undefined {
  const { size } = group.members;
  const elements = new Array<FormNode>(size);
  for (const [name, node] of group.members) {
    const index = Number(name);
    // All indices are different and below the number of elements, so none is missing.
    if (index >= size) return undefined;
    elements[index] = node;
  }
  return elements;
}

/** Canonical, so that no two names are one index. */
const INDEX = /^(?:0|[1-9]\d*)$/;
