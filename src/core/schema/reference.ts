/**
 * The ways in which callers name a parent: its unique identifier, or their own identifiers of it and of its parents.
 */
import type { Faults } from '../errors.ts';
import { type Field, type Kind, required } from './fields/kind.ts';
import { text } from './fields/kinds/text.ts';
import { type InputObject, type Members, memberOf } from './fields/members.ts';
import { inWords } from './present/words.ts';
import type { JsonObject } from './values.ts';

/** A record as a caller names it, before it is looked up. */
export type Reference = string | ExternalReference;

/** By the identifier that the caller gave, under a record that is itself named in one of the two ways. */
export interface ExternalReference {
  readonly parent: Reference;
  readonly external_identifier: string;
}

/** The parts of a resource that references need: its name, and its parent. */
export interface Ancestor {
  readonly name: string;
  readonly parent: Ancestor | undefined;
}

/** The parameter that names a record of the resource by its unique identifier. */
export const identifierOf = namedWith('_unique_identifier');

/** The parameter that names a record of the resource by the identifier that the caller gave it. */
export const externalOf = namedWith('_external_identifier');

/** Each name is made once: V8 must intern a new text before it finds a member by it. */
function namedWith(ending: string): (resource: Ancestor) => string {
  const made = new Map<string, string>();
  const make = (name: string): string => name + ending;
  return ({ name }) => made.getOrInsertComputed(name, make);
}

/** The parameter that names a record of the resource in the way that the reference does. */
export function paramOf(resource: Ancestor, reference: Reference): string {
  return typeof reference === 'string' ? identifierOf(resource) : externalOf(resource);
}

/** The parameter that names the parent by its unique identifier. */
export function parentField(parent: Ancestor, child: string): Field<string, true> {
  return required(
    identifier(),
    `The unique_identifier of the ${inWords(parent.name)} that the ${inWords(child)} belongs to`,
  );
}

/** The parameters that name the parent in another way; none for the root, which has no other name. */
export function parentNames(parent: Ancestor): Members {
  const { parent: above } = parent;
  if (above === undefined) return {};
  const words = inWords(parent.name);
  return {
    [externalOf(parent)]: {
      ...required(
        text({ max: 255 }),
        `Your own identifier of the ${words}, in place of ${identifierOf(parent)}`,
      ),
      omittable: true,
    },
    [identifierOf(above)]: {
      ...required(
        identifier(),
        `The unique_identifier of the ${inWords(above.name)} that the ${words} belongs to; together with ${externalOf(parent)}`,
      ),
      omittable: true,
    },
    ...parentNames(above),
  };
}

/** Adds a fault unless the parent is named in exactly one way. */
export function checkReference(parent: Ancestor, sent: InputObject, faults: Faults): void {
  const { parent: above } = parent;
  const unique = identifierOf(parent);
  const external = externalOf(parent);
  if (memberOf(sent, unique) !== undefined) {
    const other = firstName(parent, sent);
    if (other !== undefined) {
      const message = `${unique} and ${other} cannot be sent together: ${unique} says which ${inWords(parent.name)} is meant.`;
      faults.add(other, 'parameters_conflict', message);
    }
  } else if (above !== undefined && memberOf(sent, external) !== undefined) {
    checkReference(above, sent, faults);
  } else {
    const missing = firstName(parent, sent) === undefined ? unique : external;
    const message = `${missing} is missing: send ${waysOf(parent).join(', or ')}.`;
    faults.add(missing, 'parameter_missing', message);
  }
}

/** The parameter that was sent and names the parent in another way than the one of that name does. */
export function rivalName(parent: Ancestor, name: string, sent: InputObject): string | undefined {
  const unique = identifierOf(parent);
  if (name === unique) return firstName(parent, sent);
  const { parent: above } = parent;
  if (above === undefined) return undefined;
  const others = Object.keys(parentNames(parent));
  if (!others.includes(name)) return undefined;
  return memberOf(sent, unique) === undefined ? rivalName(above, name, sent) : unique;
}

/** The reference that the values make, which `checkReference` found to be one. */
export function referenceFrom(parent: Ancestor, values: JsonObject): Reference {
  const unique = values[identifierOf(parent)];
  if (typeof unique === 'string' || parent.parent === undefined) return unique as string;
  return {
    parent: referenceFrom(parent.parent, values),
    external_identifier: values[externalOf(parent)] as string,
  };
}

/** Every combination of parameters that names a record of the resource. */
export function combinationsOf(resource: Ancestor): readonly (readonly string[])[] {
  const { parent } = resource;
  if (parent === undefined) return [[identifierOf(resource)]];
  const longer = combinationsOf(parent).map((names) => [externalOf(resource), ...names]);
  return [[identifierOf(resource)], ...longer];
}

function waysOf(resource: Ancestor): string[] {
  return combinationsOf(resource).map((names) =>
    names.length < 3
      ? names.join(' with ')
      : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
  );
}

/** The first parameter sent that belongs to the other ways of naming a record of the resource. */
function firstName(resource: Ancestor, sent: InputObject): string | undefined {
  for (let at = resource; at.parent !== undefined; at = at.parent) {
    for (const name of [externalOf(at), identifierOf(at.parent)]) {
      if (memberOf(sent, name) !== undefined) return name;
    }
  }
  return undefined;
}

/** A unique identifier that the caller has from us: looked up, never judged by its shape. */
function identifier(): Kind<string> {
  return {
    ...text({}, () => ({
      accepted: [{ send: 'loc_0350hLTg4Qw7ghih1EWE8L' }, { send: 'anything' }],
      refused: [{ send: 7, code: 'type_invalid' }],
    })),
    name: 'identifier',
    schema: { type: 'string' },
  };
}
