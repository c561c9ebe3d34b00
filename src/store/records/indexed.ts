/** The values of indexed columns next to a record, by which it is found and sorted. */
import { type DeclaredKey, keyValue, type RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';

/**
 * The hour of `updated_at`. There is an index on it and none on the time
 * itself, so that most changes of a record leave it in its place there.
 */
export const UPDATED_HOUR = 'updated_hour';
export const HOUR_MS = 3_600_000;

/** Returns the whole hours since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

/** Returns the columns of all declared keys, in order. A record without a value gets `''`, which sorts first. */
export function storedKeys(shape: RecordShape, document: JsonObject): readonly string[] {
  return shape.keys.map((key) => storedKey(key, document));
}

/** Returns the column of a declared key. */
export function storedKey(key: DeclaredKey, document: JsonObject): string {
  return keyValue(key, document) ?? '';
}
