/**
 * The shape of a resource's documents: a neutral tree, data only, that holds all that a store needs to merge, limit,
 * sort and find them. Made from the declarations by `define.ts`; a store never learns a resource's meaning.
 */
import { foldAddress } from './search/folding.ts';
import { firstFolding } from './search/spelling.ts';
import { type JsonObject, valueAt } from './values.ts';

export type Shape = ValueShape | ObjectShape | ContentShape;

/** Replaced whole by what is sent. */
export interface ValueShape {
  readonly is: 'value';
}

/** A documented object: merged member by member, and gone when nothing is left in it. */
export interface ObjectShape {
  readonly is: 'object';
  readonly members: ReadonlyMap<string, Shape>;
  /** Stays, as `{}`, when nothing is left in it. */
  readonly stays: boolean;
  /** Members that may not be absent while another one, or any, is there. */
  readonly needs?: readonly Need[];
  /** Members whose texts sort in this order, where both are there; `param` is named where they do not. */
  readonly orders?: readonly { first: string; last: string; param: string }[];
}

/** Free-form content: an object merged at every depth (RFC 7396), and gone when empty. */
export interface ContentShape {
  readonly is: 'content';
  /** The most bytes of compact JSON that it may take. */
  readonly maxBytes: number;
  /** The request parameter to name when the limit is passed. */
  readonly param: string;
}

export interface Need {
  /** `undefined`: whenever the object is not empty. */
  readonly whenever: string | undefined;
  readonly needed: string;
  /** The request parameter to name when `needed` is absent. */
  readonly param: string;
}

/** A value taken from a document to sort or filter by: stored next to it, in the same commit. */
export interface DeclaredKey {
  readonly name: string;
  readonly path: readonly string[];
  /**
   * `folded`: the text as `firstFolding` gives it, so that names sort alike on every store. `caseless`: an email
   * address as `foldAddress` gives it.
   * `plain`: as it stands. `true`: whether the value is true; a record in which it is not has no such key.
   */
  readonly as: 'folded' | 'caseless' | 'plain' | 'true';
  /** Groups of texts: a key is `true`, whatever its value, where one of its groups has no text in the document. */
  readonly lacking?: readonly (readonly (readonly string[])[])[];
  /** The meaning of a key made by `lacking`: a phrase for the reference. */
  readonly says?: string;
  /** `order`: lists are sorted by it, and may be filtered. `filter`: they are only filtered by it. */
  readonly for: 'order' | 'filter';
  /** Whether the records, and those that belong to them, are as old as this date. */
  readonly ages?: true;
}

/** A text that records are found by, as far as people know it. */
export interface SearchedField {
  readonly name: string;
  readonly path: readonly string[];
  /** `words`: each by its start. `digits`: a phone number by its last four or more. `email`: as a whole. */
  readonly as: 'words' | 'digits' | 'email';
}

export interface RecordShape {
  /** The name of the resource, and of its table. */
  readonly resource: string;
  /** The resource that records of this one belong to; `undefined` for the root (accounts). */
  readonly parent: { readonly resource: string; readonly param: string } | undefined;
  readonly prefix: string;
  readonly document: ObjectShape;
  readonly keys: readonly DeclaredKey[];
  /** The patch that takes what is personal out of a record that others need; left out: such a record stays whole. */
  readonly redacts?: JsonObject;
  /** Fields that search looks at, in addition to identifiers; left out: search finds none of these records. */
  readonly searched?: readonly SearchedField[];
}

/** The value of a declared key of a document; `null` where the document holds none. */
export function keyValue(key: DeclaredKey, document: JsonObject): string | null {
  if (key.lacking !== undefined) {
    const isThere = (path: readonly string[]) => typeof valueAt(document, path) === 'string';
    return key.lacking.some((paths) => !paths.some(isThere)) ? TRUE : null;
  }
  const value = valueAt(document, key.path);
  if (key.as === 'true') return value === true ? TRUE : null;
  return typeof value === 'string' ? keyText(key, value) : null;
}

/** The composition of a key, in words: while it is the same, so is what is stored. */
export function keySource({ as, path, lacking = [] }: DeclaredKey): string {
  const groups = lacking.map((paths) => paths.map((one) => one.join('.')).join(' or '));
  return groups.length === 0 ? `${as} ${path.join('.')}` : `lacking ${groups.join(', ')}`;
}

/** The form of a text in a key of that kind, and of the text that it is compared with. */
export function keyText({ as }: Pick<DeclaredKey, 'as'>, text: string): string {
  if (as === 'folded') return firstFolding(text);
  return as === 'caseless' ? foldAddress(text) : text;
}

/** The text of a key whose value is true. */
export const TRUE = 'true';
