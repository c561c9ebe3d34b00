/** The language in which `objects/` declares our own objects: keys, endpoints, people and so on. */
import { crc32 } from 'node:zlib';
import type { JsonSchema, Kind } from '../schema/fields/kind.ts';
import type { Json, JsonObject } from '../schema/values.ts';
import type { ColumnKind, OwnKind } from './kinds.ts';
import type { TableDeclaration } from './tables/declaration.ts';

/** Who is shown a field: partners through `/v1`, staff in the console, operators on the command line. */
export type Audience = 'api' | 'console' | 'cli';

const EVERYBODY: readonly Audience[] = ['api', 'console', 'cli'];
/** People who run the service or administer an account. */
export const STAFF: readonly Audience[] = ['console', 'cli'];

interface Options {
  /** For OpenAPI; identifiers have one by their prefix. */
  readonly example?: Json;
  /** Its name where it is shown, if it has another one inside. */
  readonly as?: string;
  /** Its name in the table, if it has another one there. */
  readonly column?: string;
  readonly to?: readonly Audience[];
  /** Whether the maker of the object says it. */
  readonly settable?: true;
  /** Whether it may contain personal data. */
  readonly personal?: true;
  /** Whether its column may be empty although the object has a value. */
  readonly orNull?: true;
  /** The value of its column in rows that are added without one. */
  readonly initial?: number | string;
  /** Whether it is left out where it is `null` or empty. */
  readonly leftOut?: true;
  /** Whether the example of the whole object goes without it. */
  readonly seldom?: true;
}

/**
 * `stored` in the table; `secret`, stored and never read with the object; `local`, the same, and in no backup; `counted`
 * by SQL when it is read; or `derived` of the object when it is shown, or before.
 */
type Origin = 'stored' | 'secret' | 'local' | 'counted' | 'derived';

export interface OwnField<T = unknown, Is extends Origin = Origin> extends Options {
  readonly is: Is;
  readonly kind: OwnKind<never>;
  readonly nullable: boolean;
  /** For the reference: one phrase, without a full stop. */
  readonly says: string;
  readonly derive?: (object: never, now: number) => Json;
  readonly sql?: string;
  /** For the static types alone. */
  readonly __type?: T;
}

export type OwnFields = Readonly<Record<string, OwnField>>;

/** The object as the program has it: what is stored, and no secret. */
export type ObjectOf<F extends OwnFields> = {
  readonly [N in keyof F as F[N] extends OwnField<unknown, 'stored' | 'counted'>
    ? N
    : never]: F[N] extends OwnField<infer T> ? T : never;
};

/** The members that may be `null`, each of them so. */
type Nulls<F extends OwnFields> = {
  readonly [N in keyof ObjectOf<F> as null extends ObjectOf<F>[N] ? N : never]: null;
};

interface Declaration<F extends OwnFields> extends Partial<TableDeclaration> {
  /** Its name in the member `object`. */
  readonly name: string;
  /** The name of types made of it, where that is not its own. */
  readonly typeName?: string;
  /** For the reference: one sentence. */
  readonly says: string;
  /** Who is shown the fields that say nothing else; everybody where left out. */
  readonly to?: readonly Audience[];
  /** The path of its list in the API; a prefix in braces stands for an identifier. */
  readonly path?: `/v1/${string}`;
  /** Whether a page of that list says where the next one begins. */
  readonly positioned?: true;
  /** Members that a page of that list may have, with their schemas. */
  readonly listed?: Readonly<Record<string, JsonSchema>>;
  /** Whether the API removes it, and says so in its place. */
  readonly removable?: true;
  /** How commands print it, for people; all members where left out. */
  readonly printed?: Printing;
  readonly fields: F;
}

/** How commands print objects. */
export interface Printing {
  /** The columns of a list. */
  readonly columns?: ListColumns;
  /** Printed for an empty list. */
  readonly none?: string;
  /** Tells of one after something was done with it; by default its state. */
  readonly told?: (shown: never) => string;
}

/** The columns of a list: members, or headings with a member or the content of a cell. */
export type ListColumns = readonly (
  | string
  | readonly [heading: string, cell: string | ((one: never) => unknown)]
)[];

export interface OwnObject<F extends OwnFields = OwnFields> extends Declaration<F> {
  readonly typeName: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly holds: string;
  readonly nulls: Nulls<F>;
  /** The fields that each of them is shown, by the names there. */
  readonly views: Readonly<Record<Audience, readonly View[]>>;
}

/** Notifications to webhook endpoints of states of an object, beside those of changes. */
export interface StateNotifications {
  /** The first part of their names. */
  readonly of: string;
  /** For the reference, as what each state tells by the second part of its name. */
  readonly says: string;
  readonly states: Readonly<Record<string, string>>;
  /** It has a location, a state, and since when that is so. */
  readonly object: OwnObject;
  /** Whether it is sent as it is by then, and not in the state that was entered. */
  readonly asNow?: true;
  /** How it is seen while a feature `says` something of its record. */
  readonly judged?: { readonly says: string; readonly seen: (object: never) => object };
  /** The reason where it was removed before it was sent. */
  readonly gone: string;
  /** The right that the key of an endpoint needs. */
  readonly right: string;
}

interface View {
  readonly name: string;
  readonly member: string;
  readonly field: OwnField;
}

export function ownObject<const F extends OwnFields>(declaration: Declaration<F>): OwnObject<F> {
  const all = Object.entries<OwnField>(declaration.fields);
  const viewOf = (audience: Audience): readonly View[] =>
    all
      .filter(
        ([, { is, to = declaration.to ?? EVERYBODY }]) =>
          is !== 'secret' && is !== 'local' && to.includes(audience),
      )
      .map(([member, field]) => ({ name: field.as ?? member, member, field }));
  const nullable = all.filter(([, field]) => field.nullable && field.is === 'stored');
  return {
    typeName: declaration.name.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase()),
    table: '',
    key: ['unique_identifier'],
    holds: '',
    ...declaration,
    nulls: Object.fromEntries(nullable.map(([name]) => [name, null])) as Nulls<F>,
    views: { api: viewOf('api'), console: viewOf('console'), cli: viewOf('cli') },
  };
}

function maker<Is extends Origin, Null = never>(
  is: Is,
  more: { readonly nullable?: boolean; readonly leftOut?: true } = {},
) {
  return <T>(
    kind: OwnKind<T> | Kind<T>,
    says: string,
    options?: Options,
  ): OwnField<T | Null, Is> => ({
    nullable: false,
    ...options,
    ...more,
    is,
    kind: ownKind(kind),
    says,
  });
}

export const field = maker('stored');
export const nullable = maker<'stored', null>('stored', { nullable: true });
/** Stored nowhere: it is added to the object before that is shown. */
export const given = maker('derived');
/** Left out where it is not known. */
export const optional = maker('stored', { leftOut: true });
/** Stored, and in backups; read and shown by nothing that reads the object. */
export const secret = maker('secret');
/** Stored, in backups and shown by nothing, where there may be none. */
export const secretOrNull = maker<'secret', null>('secret', { nullable: true });
/** Stored, and in no backup: what is no longer true of a restored store. */
export const local = maker('local');

export function counted<T>(
  kind: OwnKind<T>,
  says: string,
  sql: string,
  options: Options = {},
): OwnField<T, 'counted'> {
  return { ...options, is: 'counted', kind: ownKind(kind), nullable: false, says, sql };
}

export function derived<T>(
  kind: OwnKind<T> | Kind<T>,
  says: string,
  derive: (object: never, now: number) => Json,
  options: Options & { readonly nullable?: true } = {},
): OwnField<T, 'derived'> {
  return { nullable: false, ...options, is: 'derived', kind: ownKind(kind), says, derive };
}

const COLUMNS: Readonly<Record<string, ColumnKind>> = {
  string: 'text',
  boolean: 'flag',
  integer: 'number',
  array: 'texts',
};

/** A kind of `schema/fields/` is stored as it is shown. */
function ownKind<T>(kind: OwnKind<T> | Kind<T>): OwnKind<never> {
  if ('column' in kind) return kind;
  return { column: COLUMNS[String(kind.shown.type)] ?? 'text', shown: kind.shown };
}

/** An object with these members, as one value. */
export function objectOf<F extends OwnFields>(
  members: F,
  description?: string,
): OwnKind<ObjectOf<F>> & { readonly shown: (resources: readonly string[]) => JsonSchema } {
  const views = Object.entries(members).map(([name, field]) => ({ name, field }));
  const says = description === undefined ? {} : { description };
  return {
    column: 'text',
    isJson: true,
    shown: (resources) => ({ type: 'object', ...says, ...membersSchema(views, resources) }),
  };
}

/** A list of what has these members. */
export function arrayOf<F extends OwnFields>(
  says: string,
  members: F,
): OwnKind<readonly ObjectOf<F>[]> {
  const { shown } = objectOf(members, says);
  return {
    column: 'text',
    isJson: true,
    shown: (resources) => ({ type: 'array', items: shown(resources) }),
  };
}

/** The object, as it is shown at that time; it may have more than what is stored, from which the rest is derived. */
export function present<F extends OwnFields, O extends ObjectOf<F>>(
  { name, views }: OwnObject<F>,
  object: O,
  to: Audience,
  now: number,
): JsonObject {
  const shown: JsonObject = { object: name };
  for (const view of views[to]) {
    const value = shownValue(view, object, now);
    if (!view.field.leftOut || (value !== null && value !== '')) shown[view.name] = value;
  }
  return shown;
}

function shownValue({ member, field }: View, object: object, now: number): Json {
  if (field.derive !== undefined) return field.derive(object as never, now);
  const value = (object as Readonly<Record<string, Json>>)[member] ?? null;
  return value === null || field.kind.present === undefined
    ? value
    : field.kind.present(value as never);
}

/** The JSON Schema of what is shown; `resources` are the names of all, parents before children. */
export function ownSchema(
  { name, says, views }: Pick<OwnObject, 'name' | 'says' | 'views'>,
  to: Audience,
  resources: readonly string[] = [],
) {
  const { properties: members, required } = membersSchema(views[to], resources);
  const properties: Readonly<Record<string, JsonSchema>> = {
    object: { type: 'string', const: name, description: 'Type name of the object' },
    ...members,
  };
  return { type: 'object', description: says, properties, required: ['object', ...required] };
}

function membersSchema(
  views: readonly Pick<View, 'name' | 'field'>[],
  resources: readonly string[],
) {
  const properties: Record<string, JsonSchema> = {};
  for (const { name, field } of views) {
    const { kind, says: description, leftOut, example } = field;
    const shown = typeof kind.shown === 'function' ? kind.shown(resources) : kind.shown;
    properties[name] = {
      ...(field.nullable && !leftOut ? orNull(shown) : shown),
      description,
      ...(example === undefined ? {} : { examples: [example] }),
    };
  }
  const required = views.filter(({ field }) => !field.leftOut).map(({ name }) => name);
  return { properties, required };
}

/** Only simple types take `null` beside them: in an enum, generators of other languages trip over it. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const names = ['enum', 'const', '$ref'].some((keyword) => keyword in schema);
  if (names) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, ...(typeof type === 'string' && { type: [type, 'null'] }) };
}

/** The declaration of an object, to make another one like it. */
export function settingsOf<F extends OwnFields>(
  { fields }: OwnObject<F>,
  object: ObjectOf<F>,
): Partial<ObjectOf<F>> {
  const all = Object.entries(object).filter(([name]) => fields[name]?.settable);
  return Object.fromEntries(all) as Partial<ObjectOf<F>>;
}

export interface OwnColumn {
  readonly name: string;
  readonly member: string;
  readonly kind: ColumnKind;
  readonly field: OwnField;
}

/** All columns of the table, in the order of the declaration. */
export function tableColumns({ fields }: Pick<OwnObject, 'fields'>): readonly OwnColumn[] {
  return Object.entries(fields)
    .filter(([, { is }]) => is !== 'counted' && is !== 'derived')
    .map(([member, field]) => ({
      name: field.column ?? member,
      member,
      kind: field.kind.column,
      field,
    }));
}

/** Columns that the object and its backup have. */
export function ownColumns(table: Pick<OwnObject, 'fields'>): readonly OwnColumn[] {
  return tableColumns(table).filter(({ field }) => field.is !== 'local');
}

/** The checksum of a row with these columns, of their values as they are stored. */
export function rowSum(
  columns: readonly OwnColumn[],
  stored: (column: OwnColumn, at: number) => unknown,
): number {
  const values = columns.map((column, at) =>
    column.field.kind.isSum ? null : (stored(column, at) ?? null),
  );
  return crc32(JSON.stringify(values));
}

/** The members of the object that are read from the store, in the order of the declaration. */
export function fieldsRead({ fields }: Pick<OwnObject, 'fields'>): readonly [string, OwnField][] {
  return Object.entries(fields).filter(([, { is }]) => is === 'stored' || is === 'counted');
}

export interface OwnTable<F extends OwnFields = OwnFields> extends TableDeclaration {
  readonly fields: F;
}

/** Declares a table whose rows are no objects. */
export function ownTable<const F extends OwnFields>(table: OwnTable<F>): OwnTable<F> {
  return table;
}
