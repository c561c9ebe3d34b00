/** Judges which records are too young for deletion. */
import type { DeclaredKey, RecordShape } from '../../core/schema/shape.ts';

export const DAY_MS = 86_400_000;
/** The earliest time: dates before it are written differently. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** Returns the key whose date gives the age of records, and of those below them. */
export function dateKey({ keys }: Pick<RecordShape, 'keys'>): DeclaredKey | undefined {
  return keys.find(({ ages }) => ages);
}

/** The age of the youngest of some records at a location. */
export type Age = readonly [
  ...[anchor: string | null, inserted_at: number, updated_at: number, date: string | null],
];

/** The age that records at a location must reach before deletion. */
export interface AgeRule {
  readonly location: string | null;
  /** `inserted_at`, `updated_at`, or the key of a date. */
  readonly since: string;
  readonly at_least_days: number;
}

/** Returns whether one of these records is too young for deletion under the rule. */
export function isYoung(
  { location, since, at_least_days }: AgeRule,
  ages: readonly Age[],
  now: number,
): boolean {
  const oldest = now - at_least_days * DAY_MS;
  return ages.some(
    ([anchor, inserted_at, updated_at, date]) =>
      (location === null || location === anchor) &&
      (since === 'inserted_at'
        ? inserted_at > oldest
        : since === 'updated_at'
          ? updated_at > oldest
          : (date ?? '') > dateText(oldest)),
  );
}

/** Formats a time as dates of services are stored: their texts sort by time. */
export function dateText(at: number): string {
  return `${new Date(Math.max(at, EARLIEST)).toISOString().slice(0, 19)}Z`;
}
