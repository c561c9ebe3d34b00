/** Records as rows: the upsert that would create the record, and the service's own values under names that no upsert has. */

import { BoundedMap } from '../bounded.ts';
import { perResource, type Resource, saysOf } from './define.ts';
import type { Kind } from './fields/kind.ts';
import { date, datetime } from './fields/kinds/datetime.ts';
import type { Members } from './fields/members.ts';
import { parseStored, stringify } from './json/json.ts';
import { amountName, amountText } from './money.ts';
import { type Country, showPhone } from './phones/numbers.ts';
import { fieldsIn } from './present/display.ts';
import { type Presentable, presentTime } from './present/present.ts';
import { combinationsOf } from './reference.ts';
import { isObject, type Json, type JsonObject, setMember, valueAt } from './values.ts';

const TIME = datetime().name;
const DAY = date().name;

/** Columns that the service sets: a name with an underscore before it is never read as a field. */
const GIVEN = ['_unique_identifier', '_inserted_at', '_updated_at'] as const;

const GIVEN_TIMES: readonly string[] = ['_inserted_at', '_updated_at'];

/** A column of a table of rows: `person.full_name` has two steps. */
export interface RowColumn {
  readonly name: string;
  readonly steps: readonly string[];
  /** Its content, if it is no text. */
  readonly holds?: ColumnHolds | undefined;
}

export type ColumnHolds = 'day' | 'time' | 'number' | 'amount';

/** The columns that name a record's parents: the caller's own identifiers, and the root. */
export const aboveNames = perResource<readonly string[]>(({ parent }) =>
  parent === undefined ? [] : (combinationsOf(parent).at(-1) ?? []),
);

/** The columns of a table of the resource's rows: the members of documented objects each have one. */
export const columnsOf = perResource<readonly RowColumn[]>((resource) => {
  const fields = fieldsIn({ ...resource.fields, ...resource.public_data });
  const kinds = new Map(fields.map(({ path, field }) => [path, holdsOf(field.kind)]));
  return [
    ...identityNames(resource),
    ...aboveNames(resource),
    ...fields.map(({ path }) => path),
    ...GIVEN,
    ...saysOf(resource).map(({ name }) => `_${name}`),
  ].map((name) => {
    const holds = GIVEN_TIMES.includes(name) ? 'time' : kinds.get(name);
    return { name, steps: name.split('.'), ...(holds && { holds }) };
  });
});

function holdsOf(kind: Kind<unknown>): ColumnHolds | undefined {
  if (kind.name === TIME) return 'time';
  if (kind.name === DAY) return 'day';
  return kind.schema.type === 'integer' ? 'number' : undefined;
}

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

function take(from: Json | undefined, declared: Members, row: JsonObject): void {
  if (!isObject(from)) return;
  for (const name of Object.keys(declared)) {
    if (Object.hasOwn(from, name)) setMember(row, name, from[name] as Json);
  }
}

const QUARTER_MS = 900_000;
const MINUTE_MS = 60_000;
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');
const UTC = 'UTC';

/** Offsets change at quarters of an hour; those that were needed last. */
const offsets = new BoundedMap<string, number>(10_000);

/** `2026-11-20 09:30:00-05:00`; in UTC the text as it is. */
function localTime(text: string, zone: string): string {
  const at = zone === UTC ? Number.NaN : Date.parse(text);
  if (Number.isNaN(at)) return text;
  const minutes = offsetAt(at, zone);
  const local = at + minutes * MINUTE_MS;
  if (local < EARLIEST || local > LATEST) return text;
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const shown = new Date(local).toISOString().slice(0, 19).replace('T', ' ');
  return `${shown}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

function offsetAt(at: number, zone: string): number {
  const quarter = Math.floor(at / QUARTER_MS);
  return offsets.getOrInsertComputed(`${zone} ${quarter}`, () => {
    const instant = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS);
    return Math.round(instant.toZonedDateTimeISO(zone).offsetNanoseconds / 60e9);
  });
}

/** Makes the row one for people: times as the clock of that zone has them, amounts of money with their decimals. */
export function rowForPeople(resource: Resource, row: JsonObject, zone: string): JsonObject {
  for (const { steps, isTime } of readOtherwise(resource)) {
    const at = valueAt(row, steps.slice(0, -1));
    const name = steps.at(-1) ?? '';
    if (at === undefined || !isObject(at) || !Object.hasOwn(at, name)) continue;
    const value = at[name];
    if (isTime && typeof value === 'string') at[name] = localTime(value, zone);
    if (!isTime && typeof value === 'number') at[name] = amountText(value);
  }
  return row;
}

/** Shows the phone numbers of a row as people at a home in that country read them. */
export function showPhones(resource: Resource, row: JsonObject, country: Country): void {
  for (const steps of phonesIn(resource)) {
    const at = valueAt(row, steps.slice(0, -1));
    const name = steps.at(-1) ?? '';
    if (at === undefined || !isObject(at) || !Object.hasOwn(at, name)) continue;
    const value = at[name];
    if (typeof value === 'string') at[name] = showPhone(value, country);
  }
}

const phonesIn = perResource(({ fields, public_data }) =>
  fieldsIn({ ...fields, ...public_data }).flatMap(({ path, field }) =>
    field.kind.name.endsWith('phone number') ? [path.split('.')] : [],
  ),
);

/** The columns of such rows: amounts with decimals have another name than the cents that programs send. */
export const columnsForPeople = perResource<readonly RowColumn[]>((resource) => {
  const amounts = new Set(moneyIn(resource));
  return columnsOf(resource).map((column) => {
    const { name } = column;
    return amounts.has(name) ? { ...column, name: amountName(name), holds: 'amount' } : column;
  });
});

/** The paths of fields that hold cents. */
export const moneyIn = perResource<readonly string[]>(({ fields, public_data }) =>
  fieldsIn({ ...fields, ...public_data }).flatMap(({ path, field }) =>
    field.kind.currency === undefined ? [] : [path],
  ),
);

const readOtherwise = perResource((resource) => {
  const { fields, public_data } = resource;
  const times = fieldsIn({ ...fields, ...public_data }).flatMap(({ path, field }) =>
    field.kind.name === TIME ? [path] : [],
  );
  return [
    ...[...times, '_inserted_at', '_updated_at'].map((path) => ({ path, isTime: true })),
    ...moneyIn(resource).map((path) => ({ path, isTime: false })),
  ].map(({ path, isTime }) => ({ steps: path.split('.'), isTime }));
});
