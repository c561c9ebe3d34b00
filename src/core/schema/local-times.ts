/** Times of rows as the clock of a home shows them, for people: with their offset from UTC, so that each is still one moment. */
import { BoundedMap } from '../bounded.ts';
import { perResource, type Resource } from './define.ts';
import { datetime } from './fields/kinds/datetime.ts';
import type { Members } from './fields/members.ts';
import { isObject, type JsonObject, valueAt } from './values.ts';

const QUARTER_MS = 900_000;
const MINUTE_MS = 60_000;
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');
const UTC = 'UTC';
const TIME = datetime().name;

/** Offsets change at quarters of an hour; those that were needed last. */
const offsets = new BoundedMap<string, number>(10_000);

/** `2026-11-20 09:30:00-05:00`; in UTC the text as it is. */
export function localTime(text: string, zone: string): string {
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

/** Puts the times of the row as the clock of that zone has them. */
export function withLocalTimes(resource: Resource, row: JsonObject, zone: string): JsonObject {
  for (const steps of timesOf(resource)) {
    const at = valueAt(row, steps.slice(0, -1));
    const name = steps.at(-1) ?? '';
    if (at === undefined || !isObject(at) || !Object.hasOwn(at, name)) continue;
    const text = at[name];
    if (typeof text === 'string') at[name] = localTime(text, zone);
  }
  return row;
}

const timesOf = perResource<readonly (readonly string[])[]>((resource) => [
  ...timesIn([], { ...resource.fields, ...resource.public_data }),
  ['_inserted_at'],
  ['_updated_at'],
]);

function timesIn(steps: readonly string[], members: Members): readonly (readonly string[])[] {
  return Object.entries(members).flatMap(([name, { kind }]) => {
    if (kind.members !== undefined) return timesIn([...steps, name], kind.members);
    return kind.name === TIME ? [[...steps, name]] : [];
  });
}
