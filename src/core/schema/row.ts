/** Records as rows: the upsert that would create the record, and the service's own values under names that no upsert has. */
import { perResource, type Resource } from './define.ts';
import type { Members } from './fields/members.ts';
import { parseStored, stringify } from './json/json.ts';
import { type Presentable, presentTime } from './present/present.ts';
import { combinationsOf } from './reference.ts';
import { isObject, type Json, type JsonObject, setMember, valueAt } from './values.ts';

/** Columns that the service sets: a name with an underscore before it is never read as a field. */
const GIVEN = ['_unique_identifier', '_inserted_at', '_updated_at'] as const;

/** A column of a table of rows: `person.full_name` has two steps. */
export interface RowColumn {
  readonly name: string;
  readonly steps: readonly string[];
}

/** The columns that name a record's parents: the caller's own identifiers, and the root. */
export const aboveNames = perResource<readonly string[]>(({ parent }) =>
  parent === undefined ? [] : (combinationsOf(parent).at(-1) ?? []),
);

/** The columns of a table of the resource's rows: the members of documented objects each have one. */
export const columnsOf = perResource<readonly RowColumn[]>((resource) => [
  ...[...identityNames(resource), ...aboveNames(resource)].map((name) => column([name])),
  ...leavesOf([], { ...resource.fields, ...resource.public_data }),
  ...GIVEN.map((name) => column([name])),
]);

/** `above` has what `aboveNames` names, in that order. */
export function rowOf(
  resource: Resource,
  record: Presentable,
  above: readonly string[],
): JsonObject {
  const document = parseStored(record.document) as JsonObject;
  const row: JsonObject = {};
  for (const name of identityNames(resource)) row[name] = record.external_identifier;
  for (const [at, name] of aboveNames(resource).entries()) row[name] = above[at] ?? null;
  take(document, resource.fields, row);
  if (resource.public_data !== undefined) take(document.public_data, resource.public_data, row);
  row._unique_identifier = record.unique_identifier;
  row._inserted_at = presentTime(record.inserted_at);
  row._updated_at = presentTime(record.updated_at);
  return row;
}

/** The cells of a row, column by column: texts as they are, other values as JSON, a missing one as `''`. */
export function cellsOf(columns: readonly RowColumn[], row: JsonObject): string[] {
  return columns.map(({ steps }) => {
    const at = valueAt(row, steps);
    if (at === undefined) return '';
    return typeof at === 'string' ? at : stringify(at);
  });
}

/** The root has no identifier of the caller's own. */
function identityNames({ parent }: Resource): readonly string[] {
  return parent === undefined ? [] : ['external_identifier'];
}

function column(steps: readonly string[]): RowColumn {
  return { name: steps.join('.'), steps };
}

function leavesOf(steps: readonly string[], members: Members): RowColumn[] {
  return Object.entries(members).flatMap(([name, { kind }]) =>
    kind.members === undefined
      ? [column([...steps, name])]
      : leavesOf([...steps, name], kind.members),
  );
}

function take(from: Json | undefined, declared: Members, row: JsonObject): void {
  if (!isObject(from)) return;
  for (const name of Object.keys(declared)) {
    if (Object.hasOwn(from, name)) setMember(row, name, from[name] as Json);
  }
}
