/** What is stored next to a record in columns of its own, so that it can be found and sorted by it. */
import { type DeclaredKey, keyValue, type RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';

/**
 * The hour of `updated_at`. There is an index on it and none on the time
 * itself, so that most changes of a record leave it in its place there.
 */
export const UPDATED_HOUR = 'updated_hour';
export const HOUR_MS = 3_600_000;

/** The whole hours since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

/** What the columns of all declared keys hold, in their order; records without such a value come first. */
export function storedKeys(shape: RecordShape, document: JsonObject): readonly string[] {
  return shape.keys.map((key) => storedKey(key, document));
}

/** What the column of a declared key holds. */
export function storedKey(key: DeclaredKey, document: JsonObject): string {
  return keyValue(key, document) ?? '';
}
