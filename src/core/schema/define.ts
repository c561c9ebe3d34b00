/** The language in which `resources/` declares records. */
import { featureSays } from '../../features/says.ts';
import { type Field, required } from './fields/kind.ts';
import { text } from './fields/kinds/text.ts';
import { type Members, omittable, patched } from './fields/members.ts';
import { shapesOf } from './fields/object.ts';
import { PINS } from './pins.ts';
import { type Display, type DisplayDeclaration, displayOf } from './present/display.ts';
import { inWords } from './present/words.ts';
import { externalOf, identifierOf, parentField, parentNames } from './reference.ts';
import type { DeclaredKey, ObjectShape, RecordShape, SearchedField, Shape } from './shape.ts';
import type { Json, JsonObject } from './values.ts';

/** A parameter, or a member of one that is an object, at any depth. */
type FieldPath<Param extends string> = Param | `${Param}.${string}`;

interface Declaration<N extends string, F extends Members, D extends Members> {
  /** The type name of the object, and what it is called in `<name>_unique_identifier`. */
  readonly name: N;
  /** The path segment after `/v1/`. */
  readonly path: string;
  /** Prefix of the unique identifiers, with its underscore. */
  readonly prefix: string;
  /** The names of types made of it, where its own name would hide one of JavaScript's. */
  readonly typeName?: string;
  /** For the reference: one sentence. */
  readonly says: string;
  /** The resource that records of this one belong to; none for the root. */
  readonly parent: Resource | undefined;
  /** Whether keys can be limited to single records of this resource and what is below them. */
  readonly anchor?: boolean;
  /**
   * Where others need the record, it stays when the person in it is erased, without its personal fields: the values of
   * those that are required. Left out: it is not erased before what belongs to it.
   */
  readonly erasedAs?: { readonly [N in keyof F]?: Json };
  /** Parameters that are answered under their own name. */
  readonly fields: F;
  /** Parameters that are answered inside `public_data`; where declared, `public_data` is always answered. */
  readonly public_data?: D;
  /**
   * Values to sort or filter lists by, beside phone numbers and email addresses: the name of each, and the field that
   * holds it, or a member of an object (`person.full_name`). Names of people and things are compared `folded`, times are
   * `plain`. A key that is not the usual order is also a filter under the field's own name, for times and dates by
   * range too. Booleans are `true`: only records in which it is true are found, and others cost nothing.
   */
  readonly keys?: {
    readonly [key: string]: {
      readonly field: FieldPath<keyof F & string> | FieldPath<keyof D & string>;
      readonly as: DeclaredKey['as'];
      /** Whether a list can be requested in this order, too. */
      readonly sorts?: true;
      /** Whether the records, and those that belong to them, are as old as this date: retention rules count from it. */
      readonly ages?: true;
    };
  };
  /** Filters of lists for records that lack something: all texts of one of these groups. */
  readonly lacking?: {
    readonly [name: string]: {
      readonly of: readonly (readonly FieldPath<(keyof F | keyof D) & string>[])[];
      readonly says: string;
    };
  };
  /** The fields that search finds records by, beside identifiers, phone numbers and email addresses, and how. */
  readonly search?: {
    readonly [path in FieldPath<(keyof F | keyof D) & string>]?: SearchedField['as'];
  };
  readonly display?: DisplayDeclaration<FieldPath<(keyof F | keyof D) & string>>;
  /** How `GET /v1/<path>` lists the records; the newest first, whole, where left out. */
  readonly list?: ListDeclaration;
}

export interface ListDeclaration {
  readonly order: string;
  /** How many records a page holds when the caller does not say. */
  readonly page: number;
  /** The members of an entry other than its identifier and times: their names there, and in the document. */
  readonly entry: { readonly [shown: string]: string };
}

/** By a declared key, as `ListQuery` has it. */
export type SortOrder = { readonly key: string; readonly descending?: boolean } | 'newest';

/** How the records are listed, whether it was declared or not. */
export interface Listing {
  readonly order: SortOrder;
  readonly page: number;
  /** As declared; `undefined` where lists show the same as the answers to upserts. */
  readonly entry: ListDeclaration['entry'] | undefined;
}

const NEWEST_FIRST: Listing = { order: 'newest', page: 100, entry: undefined };

export interface Resource<
  N extends string = string,
  F extends Members = Members,
  D extends Members = Members,
> extends Pick<Declaration<N, F, D>, 'name' | 'path' | 'prefix' | 'says' | 'parent' | 'fields'> {
  /** As declared; `undefined` where types are called as the resource is. */
  readonly typeName: string | undefined;
  readonly anchor: boolean;
  readonly public_data: D | undefined;
  readonly list: Listing;
  readonly display: Display;
  /** Every parameter of an upsert that names its parent by its unique identifier, in the order of the reference. */
  readonly params: Members;
  /** The parameters that name the parent in other ways (`reference.ts`). */
  readonly parentNames: Members;
  /** All that an upsert may send. */
  readonly upsert: Members;
  /** The fields of a PATCH: the same, all of which may be left out, and so may what they require. */
  readonly patch: Members;
  /** The parameter that names the parent, such as `event_unique_identifier`; none for the root. */
  readonly parentParam: string | undefined;
  /** The member of answers that names where the record belongs: its location, or else its account. */
  readonly homeMember: string | undefined;
  readonly shape: RecordShape;
}

/** Checks a declaration and derives from it what the machinery works with. */
export function defineResource<
  const N extends string,
  const F extends Members,
  const D extends Members = Record<never, Field>,
>(declaration: Declaration<N, F, D>): Resource<N, F, D> {
  const { name, path, prefix, says, parent, fields, public_data, list } = declaration;
  const parentParam = parent && identifierOf(parent);
  const params: Members = {
    ...(parent &&
      parentParam && {
        [parentParam]: parentField(parent, name),
        external_identifier: required(
          text({ max: 255 }),
          `Your own identifier of the ${inWords(name)}`,
        ),
      }),
    ...fields,
    ...public_data,
  };
  const names = parent === undefined ? {} : parentNames(parent);
  const document = documentShape(fields, public_data);
  const contacts = contactsIn({ ...fields, ...public_data });
  const search = {
    ...declaration.search,
    ...Object.fromEntries(
      contacts.map(({ field, isPhone }) => [field, isPhone ? 'digits' : 'email'] as const),
    ),
  };
  return {
    name,
    path,
    prefix,
    typeName: declaration.typeName,
    says,
    parent,
    anchor: declaration.anchor ?? false,
    fields,
    public_data,
    list: list === undefined ? NEWEST_FIRST : { ...list, order: { key: list.order } },
    display: displayOf(declaration, { ...fields, ...public_data }, declaration.display),
    params,
    parentNames: names,
    upsert: {
      ...omittable(params, Object.keys(names).length === 0 ? [] : [parentParam]),
      ...names,
    },
    patch: patched({ ...params, ...names }),
    parentParam,
    homeMember: parent && identifierOf(homeOf(parent)),
    shape: {
      resource: name,
      parent: parent && parentParam ? { resource: parent.name, param: parentParam } : undefined,
      prefix,
      document,
      keys: [
        ...contacts.map(
          ({ field, isPhone }): DeclaredKey => ({
            name: field.split('.').at(-1) ?? '',
            path: documentPath(document, field),
            as: isPhone ? 'plain' : 'caseless',
            for: 'filter',
          }),
        ),
        ...Object.entries(declaration.keys ?? {}).map(
          ([key, { field, as, sorts, ages }]): DeclaredKey => ({
            name: key,
            path: documentPath(document, field),
            as,
            for: sorts || list?.order === key ? 'order' : 'filter',
            ...(ages && { ages }),
          }),
        ),
        ...Object.entries(declaration.lacking ?? {}).map(
          ([key, { of, says: means }]): DeclaredKey => ({
            name: key,
            path: [key],
            as: 'true',
            lacking: of.map((paths) => paths.map((one) => documentPath(document, one))),
            says: means,
            for: 'filter',
          }),
        ),
        // No draft writes to the root.
        ...(parent === undefined ? [] : [PROPOSED]),
      ],
      ...(declaration.erasedAs && {
        redacts: redactionOf(fields, public_data, declaration.erasedAs),
      }),
      ...(Object.keys(search).length > 0 && { searched: searchedFields(document, search) }),
    },
  };
}

const PROPOSED: DeclaredKey = {
  name: 'proposed',
  path: [PINS, 'open'],
  as: 'true',
  says: 'Only records for which a source proposes another value than the one that staff entered',
  for: 'filter',
};

/** The patch that takes what is personal out of a document. */
function redactionOf(
  fields: Members,
  publicData: Members = {},
  erasedAs: { readonly [name: string]: Json | undefined },
): JsonObject {
  const of = (members: Members): JsonObject =>
    Object.fromEntries(
      Object.entries(members)
        .filter(([, { personal }]) => personal === true)
        .map(([name]) => [name, erasedAs[name] ?? null]),
    );
  return { ...of(fields), public_data: of(publicData) };
}

/** The nearest record that gives a record's place: an anchor where there is one, the root otherwise. */
function homeOf(parent: Resource): Resource {
  for (let at: Resource = parent; ; at = at.parent) {
    if (at.anchor || at.parent === undefined) return at;
  }
}

function documentShape(fields: Members, publicData: Members | undefined): ObjectShape {
  const members = shapesOf(fields);
  if (publicData !== undefined)
    members.set('public_data', { is: 'object', members: shapesOf(publicData), stays: true });
  return { is: 'object', members, stays: true };
}

/** The phone numbers and email addresses among fields and their members: lists filter by them, and search finds them. */
function contactsIn(members: Members, above = ''): readonly { field: string; isPhone: boolean }[] {
  return Object.entries(members).flatMap(([name, { kind }]) => {
    const field = `${above}${name}`;
    const isPhone = kind.name.endsWith('phone number');
    if (isPhone || kind.name === 'email address') return [{ field, isPhone }];
    return kind.members === undefined ? [] : contactsIn(kind.members, `${field}.`);
  });
}

function searchedFields(
  document: ObjectShape,
  declared: { readonly [path: string]: SearchedField['as'] | undefined },
): SearchedField[] {
  return Object.entries(declared).flatMap(([name, as]) =>
    as === undefined ? [] : { name, path: documentPath(document, name), as },
  );
}

/** Where in the document a field stands, or a member of one. */
function documentPath(document: ObjectShape, field: string): readonly string[] {
  const names = field.split('.');
  const [first = ''] = names;
  const path = document.members.has(first) ? names : ['public_data', ...names];
  let at: Shape | undefined = document;
  for (const name of path) at = at?.is === 'object' ? at.members.get(name) : undefined;
  if (at?.is !== 'value') throw new TypeError(`No field ${field} holds a single value.`);
  return path;
}

export function perResource<T>(make: (resource: Resource) => T): (resource: Resource) => T {
  const made = new WeakMap<Resource, T>();
  return (resource) => made.getOrInsertComputed(resource, make);
}

/** The parent of a resource that has one. */
export function parentOf({ name, parent }: Resource): Resource {
  if (parent === undefined) throw new TypeError(`${name} has no parent.`);
  return parent;
}

/** From the parent up to the root. */
export function ancestorsOf({ parent }: Resource): Resource[] {
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
}

/** The anchor of a resource: itself, or the ancestor that keys can be limited to. */
export function anchorOf(resource: Resource): Resource | undefined {
  return [resource, ...ancestorsOf(resource)].find(({ anchor }) => anchor);
}

/** Resources for `expand[]`: the parent, the anchor and the root, whose identifiers every record stores. */
export const expandableOf = perResource<readonly Resource[]>((resource) =>
  ancestorsOf(resource).filter(
    (one) => one === resource.parent || one.anchor || one.parent === undefined,
  ),
);

/** The names in `expand[]` that stand for all identifiers of a record and of its parents. */
export const IDENTIFIERS = 'identifiers';
/** The one that stands for who made a record and who changed it last; lists take it as a parameter. */
export const SOURCE = 'source';

/** The statements of features on records of the resource: true or false, each under its name. */
export const saysOf = perResource(({ name }) => featureSays.filter(({ of }) => of.includes(name)));

const othersOf = perResource<readonly string[]>((resource) =>
  resource.parent === undefined
    ? []
    : [IDENTIFIERS, SOURCE, ...saysOf(resource).map(({ name }) => name)],
);

/** All expansions, by the names that request them; none for the root. */
export const expandNames = perResource<readonly string[]>((resource) => [
  ...expandableOf(resource).map(({ name }) => name),
  ...othersOf(resource),
]);

/** The request of `expand[]`. */
export interface Expand {
  readonly resources: readonly Resource[];
  /** `IDENTIFIERS`, `SOURCE` and what features say. */
  readonly others: readonly string[];
}

/** Reads names of a request, in the order of the declarations, each once. */
export function expanded(resource: Resource, names: readonly string[]): Expand {
  return {
    resources: expandableOf(resource).filter(({ name }) => names.includes(name)),
    others: othersOf(resource).filter((name) => names.includes(name)),
  };
}

/** The identifiers of a record and of its parents, by the names of request parameters. */
export const identifierNames = perResource<readonly string[]>((resource) => [
  'unique_identifier',
  'external_identifier',
  ...ancestorsOf(resource).flatMap((one) =>
    one.parent === undefined ? [identifierOf(one)] : [identifierOf(one), externalOf(one)],
  ),
]);

export const OUTCOMES = ['created', 'updated', 'deleted', 'restored', 'erased', 'wiped'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcomes that records of the resource can have: an account is never removed, and its records can be wiped. */
export function outcomesOf({ parent }: Resource): readonly [Outcome, ...Outcome[]] {
  return parent === undefined
    ? ['created', 'updated', 'wiped']
    : ['created', 'updated', 'deleted', 'restored', 'erased'];
}
