/** When the data of a sync was taken: what its source changed after that is newer, and stays. */
import { ApiError } from '../../core/errors.ts';
import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { Dated, Removal } from '../../store/promises/records.ts';
import type { StoredRecord } from '../../store/promises/store.ts';

/** Throws `value_invalid` for a moment after that of the service's clock. */
export function readAsOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (at <= now) return at;
  throw new ApiError('value_invalid', {
    param: 'as_of',
    message: `as_of must not be after now, which is ${new Date(now).toISOString()} by the clock of the service: send when the data was taken, or leave it out for now.`,
  });
}

type Moment = Pick<StoredSync, 'as_of' | 'began' | 'inserted_at'>;

/** `undefined`: its data is of now. `sources` are the numbers of its source. */
export function datedOf(
  { as_of, began, inserted_at }: Moment,
  sources: readonly number[],
): Dated | undefined {
  if (as_of === null) return undefined;
  return { at: as_of, began: inserted_at, position: began?.position ?? 0, sources };
}

/** Whether a record was changed after the data was taken. A time that is of a clock that was ahead counts as later: the record stays. */
export function isLater(
  { position, updated_at }: Pick<StoredRecord, 'position' | 'updated_at'>,
  { as_of, began }: Pick<Moment, 'as_of' | 'began'>,
): boolean {
  return as_of !== null && (position > (began?.position ?? 0) || updated_at > as_of);
}

/** Up to when the records below one that is removed may have been changed. */
export function untilOf({ as_of, began }: Pick<Moment, 'as_of' | 'began'>): Removal['until'] {
  return as_of === null ? undefined : { position: began?.position ?? 0, at: as_of };
}
