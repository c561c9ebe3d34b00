/** Judges the ages of records: which are too young to go. */
import type { DeclaredKey, RecordShape } from '../../core/schema/shape.ts';

export const DAY_MS = 86_400_000;
/** Before it, years have other texts. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** The key by which records, and what belongs to them, age. */
export function dateKey({ keys }: Pick<RecordShape, 'keys'>): DeclaredKey | undefined {
  return keys.find(({ ages }) => ages);
}

/** The age of the youngest of some records at a location. */
export type Age = readonly [
  ...[anchor: string | null, inserted_at: number, updated_at: number, date: string | null],
];

/** How old records at a location are to be before they go. */
export interface AgeRule {
  readonly location: string | null;
  /** `inserted_at`, `updated_at`, or the key of a date. */
  readonly since: string;
  readonly at_least_days: number;
}

/** Whether one of these is too young to go by the rule, which is about such records. */
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

/** As dates of services are stored, which sort by their texts. */
export function dateText(at: number): string {
  return `${new Date(Math.max(at, EARLIEST)).toISOString().slice(0, 19)}Z`;
}
