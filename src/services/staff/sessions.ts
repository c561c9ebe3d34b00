/** Sessions: opened by a sign-in, found by the token that the browser brings, and ended by time or by a person. */
import { ApiError } from '../../core/errors.ts';
import { apiKey } from '../../core/objects/api-key.ts';
import { type Principal, principalOf } from '../../records/auth/principal.ts';
import type { Regions } from '../../records/auth/region.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import type { SessionEnds, StaffSession } from '../../store/promises/staff.ts';
import { permissionsOf, rightsOf } from './roles.ts';
import { hashToken, isToken } from './tokens.ts';

export const IDLE_MS = 60 * 60_000;
export const LONGEST_MS = 12 * 60 * 60_000;
/** How long after a sign-in keys and staff may be changed. */
export const RECENT_MS = 10 * 60_000;
/** How far apart the clocks of two processes, or of a provider of single sign-on, may be. */
export const SKEW_MS = 60_000;
/** How precisely the last use of a session is recorded. */
const SEEN_MS = 60_000;

export interface SessionsParts {
  readonly book: StaffBook;
  readonly openAmong: (accounts: readonly string[]) => Promise<readonly string[]>;
  readonly regions: Regions;
  readonly now: () => number;
  readonly failed: (what: string, error: unknown) => void;
}

/** How a session is asked for. */
interface Asked {
  /** Whether a person caused the request, so that the session is not idle. */
  readonly active: boolean;
  /** The person whose page asks, as far as it says so. */
  readonly page?: string | undefined;
}

/**
 * Finds the person whose token it is, read from the store each time: ending a session or removing a right takes effect
 * with the next request. Throws `sign_in_needed`, and `signed_in_as_another` where the page is another person's.
 */
export function createSessionCheck({ book, openAmong, regions, now, failed }: SessionsParts) {
  return async (token: string | undefined, { active, page }: Asked): Promise<Principal> => {
    if (token === undefined || !isToken(token)) throw new ApiError('sign_in_needed');
    const found = await book.session(hashToken(token));
    if (found === undefined) throw new ApiError('sign_in_needed');
    const { session, staff } = found;
    const at = now();
    if (!isOpen(session, at)) throw new ApiError('sign_in_needed');
    if (page !== undefined && page !== staff.unique_identifier)
      throw new ApiError('signed_in_as_another');
    if (active && at - session.seen_at >= SEEN_MS) {
      book
        .touchSession(session.unique_identifier, at)
        .catch((error) => failed('when a session was last seen was not noted', error));
    }
    const open = await openAmong(staff.accounts);
    const member = await regions.within({ ...staff, accounts: open });
    const { unique_identifier, name, accounts, anchors, region, role, inserted_at } = member;
    const principal = principalOf({
      ...apiKey.nulls,
      ...{ unique_identifier, name, accounts, anchors, region, inserted_at },
      ending: '',
      livemode: true,
      permissions: permissionsOf(role),
      allow: rightsOf(member),
      expires_at: endOf(session),
    });
    return { ...principal, person: { member: { ...staff, anchors }, session } };
  };
}

/** When a session ends at the latest. */
export function endOf({ inserted_at }: StaffSession): number {
  return inserted_at + LONGEST_MS;
}

/** A session from the future has ended: the clock was ahead when it was opened, so its duration is unknown. */
export function isOpen({ inserted_at, seen_at }: StaffSession, now: number): boolean {
  return isWithin(LONGEST_MS, inserted_at, now) && isWithin(IDLE_MS, seen_at, now);
}

/** Whether a time is within that period, and not in the future. */
function isWithin(ms: number, then: number, now: number): boolean {
  return now - then < ms && then - now <= SKEW_MS;
}

/** Sessions that have ended by now. */
export function endedBy(now: number): SessionEnds {
  return { insertedBefore: now - LONGEST_MS, seenBefore: now - IDLE_MS };
}

/** Throws `reauthentication_needed` unless the person has recently proved who they are. */
export function assertRecent({ proved_at }: StaffSession, now: number): void {
  if (!isWithin(RECENT_MS, proved_at, now)) throw new ApiError('reauthentication_needed');
}
