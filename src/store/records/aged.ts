/** Judges the ages of records by retention rules: which are too old to be made, and which too young to go. */
import { isStoredTime } from '../../core/objects/records/retention-rule.ts';
import type { DeclaredKey, RecordShape } from '../../core/schema/shape.ts';
import type { AskedRule } from '../promises/erasing/retention.ts';
import type { Filter } from '../promises/records.ts';
import { storedKeys } from './indexed.ts';
import { type Filtered, meetsAll } from './met.ts';
import { parseDocument } from './records.ts';

const DAY_MS = 86_400_000;
/** Before it, years have other texts. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** The key by which records, and what belongs to them, age. */
export function dateKey({ keys }: Pick<RecordShape, 'keys'>): DeclaredKey | undefined {
  return keys.find(({ ages }) => ages);
}

/** Reads the date by which a stored record ages. */
export function dateOf(shape: RecordShape, document: string): string | undefined {
  return dateIn(shape, storedKeys(shape, parseDocument(document)));
}

/** Among the columns of the declared keys. */
function dateIn({ keys }: Pick<RecordShape, 'keys'>, columns: readonly string[]) {
  return columns[keys.findIndex(({ ages }) => ages)];
}

/** Selects the rules by which new records are refused. */
export function refusing(rules: readonly AskedRule[]): readonly AskedRule[] {
  return rules.filter(({ status, since }) => status === 'enabled' && !isStoredTime(since));
}

/** The age of a record that is to be made. */
export interface Aging {
  /** The date of what it belongs to, if that has one. */
  readonly date: string | undefined;
  /** The latest time that the store has seen: a clock that is far ahead of it must not make systems forget records. */
  readonly seen: number | undefined;
  readonly now: number;
}

/** Whether a rule would remove the record as soon as it is made, for the date of its service. */
export function isPast(
  rules: readonly AskedRule[],
  made: Filtered,
  { date, seen = Number.POSITIVE_INFINITY, now }: Aging,
): boolean {
  const { shape, record, keys } = made;
  const own = dateIn(shape, keys()) ?? date;
  if (own === undefined || own === '') return false;
  const believed = Math.min(now, seen + DAY_MS);
  return rules.some(
    ({ location, resource, after_days, spares }) =>
      (location === null || location === record.anchor) &&
      own <= dateText(believed - after_days * DAY_MS) &&
      (resource === shape.resource
        ? spares === null || !meetsAll(spares as readonly Filter[], made)
        : resource === shape.parent?.resource && spares === null),
  );
}

/** The age of the youngest of some records at a location. */
export type Age = readonly [
  ...[anchor: string | null, inserted_at: number, updated_at: number, date: string | null],
];

/** How old records at a location are to be before they go. */
export type AgeRule = Pick<AskedRule, 'location' | 'since' | 'at_least_days'>;

/** Whether one of these is too young to go by the rule, which is about such records. */
export function isYoung(
  { location, since, at_least_days }: AgeRule,
  ages: readonly Age[],
  now: number,
): boolean {
  const oldest = now - (at_least_days ?? 0) * DAY_MS;
  return ages.some(
    ([anchor, inserted_at, updated_at, date]) =>
      (location === null || location === anchor) &&
      (isStoredTime(since)
        ? (since === 'inserted_at' ? inserted_at : updated_at) > oldest
        : (date ?? '') > dateText(oldest)),
  );
}

/** As dates of services are stored, which sort by their texts. */
export function dateText(at: number): string {
  return `${new Date(Math.max(at, EARLIEST)).toISOString().slice(0, 19)}Z`;
}
