/** Labels of records, fields and groups of fields on screen. */
import type { Field } from '../fields/kind.ts';
import type { Members } from '../fields/members.ts';
import { type JsonObject, valueAt } from '../values.ts';
import { capitalised, inWords } from './words.ts';

/** The members that every record has in addition to its fields, as columns can name them. */
type CommonMember = 'external_identifier' | 'inserted_at' | 'updated_at';

/** The declaration. Fields are named as in requests, with dots: `person.full_name`. */
export interface DisplayDeclaration<Path extends string> {
  readonly singular?: string;
  readonly plural?: string;
  /** The name of a record: those of these members that it has. */
  readonly title: readonly Path[];
  readonly columns: readonly (Path | CommonMember)[];
  /** The name of its `external_identifier`, where people speak of such records by it. */
  readonly identifier?: string;
  /**
   * The groups of a record's fields, by their headings. Objects may be named whole.
   * Fields without a group come first. An object is a group of its own.
   */
  readonly groups?: { readonly [heading: string]: readonly Path[] };
  readonly labels?: { readonly [path in Path]?: string };
  readonly filters?: { readonly [name: string]: string };
  /** Other names of the columns of fields in spreadsheets. Case and punctuation do not matter, and `#` is "number". */
  readonly headings?: { readonly [path in Path | 'external_identifier']?: readonly string[] };
  /** Spreadsheets' heading for the identifier of such a record, in tables of its children. */
  readonly headingsBelow?: readonly string[];
}

/** A field that holds a value, wherever it stands. */
export interface DisplayField {
  readonly path: string;
  readonly field: Field;
  readonly within: string | undefined;
}

/** How records of a resource are shown to people. */
export type Display = ReturnType<typeof displayOf>;

/** Checks the declaration, and fills in what it leaves out. */
export function displayOf(
  { name, path }: { readonly name: string; readonly path: string },
  members: Members,
  declared: DisplayDeclaration<string> = { title: [], columns: [] },
) {
  const fields = fieldsIn(members);
  const paths = new Set(fields.map((field) => field.path));
  const objects = new Set(fields.flatMap(({ within }) => within ?? []));
  const check = (at: string, ...also: readonly string[]): void => {
    if (!paths.has(at) && !also.includes(at))
      throw new TypeError(`${name} shows ${at}, which is not a field of it.`);
  };
  const { title, columns, groups = {}, labels = {}, headings = {} } = declared;
  for (const at of title) check(at);
  for (const at of columns) check(at, 'external_identifier', 'inserted_at', 'updated_at');
  for (const at of [...Object.values(groups).flat(), ...Object.keys(labels)]) check(at, ...objects);
  for (const at of Object.keys(headings)) check(at, 'external_identifier');
  return {
    singular: declared.singular ?? capitalised(inWords(name)),
    plural: declared.plural ?? capitalised(inWords(path)),
    title,
    columns,
    identifier: declared.identifier,
    groups: groupsOf(fields, groups, labels),
    /** By the path of the field, or of the object. */
    labels: new Map(
      [...objects, ...paths].map((at) => [at, labels[at] ?? defaultLabel(at)] as const),
    ),
    filters: declared.filters ?? {},
    headings,
    headingsBelow: declared.headingsBelow ?? [],
  };
}

/** The fields that hold a value, at every depth, in the order of the declaration. */
export function fieldsIn(members: Members, within?: string): readonly DisplayField[] {
  return Object.entries(members).flatMap(([name, field]) => {
    const path = within === undefined ? name : `${within}.${name}`;
    const inside = field.kind.members;
    return inside === undefined ? [{ path, field, within }] : fieldsIn(inside, path);
  });
}

/** The paths of the fields of each group; without a heading, those of the fields that no group names. */
function groupsOf(
  fields: readonly DisplayField[],
  declared: { readonly [heading: string]: readonly string[] },
  labels: { readonly [path: string]: string | undefined },
) {
  const named = Object.entries(declared);
  const headingOf = ({ path, within }: DisplayField): string | undefined => {
    const [heading] =
      named.find(([, paths]) => paths.includes(path)) ??
      named.find(([, paths]) => within !== undefined && paths.includes(within)) ??
      [];
    return heading ?? (within === undefined ? undefined : (labels[within] ?? defaultLabel(within)));
  };
  const groups = Map.groupBy(fields, headingOf);
  const first = groups.has(undefined) ? [undefined] : [];
  return [...new Set([...first, ...named.map(([heading]) => heading), ...groups.keys()])].map(
    (heading) => ({ heading, fields: (groups.get(heading) ?? []).map(({ path }) => path) }),
  );
}

/** `respondent_person.phone_number1` is "Phone number 1". */
function defaultLabel(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return capitalised(inWords(name).replace(/(?<=[a-z])(?=\d)/g, ' '));
}

/** The members that lead to the field of that path in a record. */
export function placeOf({ fields }: { readonly fields: Members }, path: string): readonly string[] {
  const steps = path.split('.');
  return Object.hasOwn(fields, steps[0] ?? '') ? steps : ['public_data', ...steps];
}

/** The title of a record with this document; `undefined` where it has none. */
export function titleOf(
  resource: { readonly fields: Members; readonly display: Display },
  document: JsonObject,
): string | undefined {
  return resource.display.title
    .map((path) => valueAt(document, placeOf(resource, path)))
    .find((value) => typeof value === 'string');
}
