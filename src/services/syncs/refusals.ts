/** Why a sync takes nothing, or is not finished. */
import { ApiError } from '../../core/errors.ts';
import type { StoredSync } from '../../core/objects/transfer/sync.ts';

export const RESTORED = 'from before a backup was restored';

export function assertOpen({ stored_status, expires_at }: StoredSync, now: number): void {
  if (stored_status !== 'open') throw ended(stored_status);
  if (expires_at <= now) throw ended('expired');
}

export function ended(status: string): ApiError {
  return new ApiError('sync_ended', {
    message: `This sync takes nothing more: it is ${status}. Begin another one, and send everything with that.`,
  });
}

export function stillSending(): ApiError {
  return new ApiError('sync_in_doubt', {
    message:
      'Nothing was removed: rows are still being sent with this sync. Finish it when all of them are answered.',
  });
}

export function mismatch(how: string): ApiError {
  return new ApiError('sync_mismatch', {
    message: `The sync in Ledgerstone-Sync is ${how}: nothing was saved. Begin one for it, or leave the header out.`,
  });
}

/** `5%` or `12.5%` as a number. */
export function readShare(text: string): number {
  const [, digits = ''] = /^(\d{1,3}(?:\.\d{1,6})?)\s*%$/.exec(text.trim()) ?? [];
  const share = digits === '' ? Number.NaN : Number(digits);
  if (share <= 100) return share;
  const message = 'at_most must be a share from 0% to 100%, such as 5%.';
  throw new ApiError('value_invalid', { param: 'at_most', message });
}
