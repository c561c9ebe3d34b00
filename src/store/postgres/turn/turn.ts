/**
 * A transaction that holds the turn of its accounts: it begins by locking their rows (`LOCK_ORDER`), so that no other
 * commits there, and numbers what it commits.
 */
import { randomFillSync } from 'node:crypto';
import { append, lock } from '../statements/commits.ts';
import { lockFree, lockOpen } from '../statements/together.ts';
import { type Call, call, type TablePlace } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

export interface Turn {
  /** In the order of their names. */
  readonly accounts: readonly string[];
  /** Distinguishes this commit from all others of its accounts: 64 random bits. */
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The state of the accounts once they are locked. */
export interface Begun {
  /** The position of the commit, by account; none for an account that does not exist. */
  readonly positions: ReadonlyMap<string, number>;
  /** Whether commits wait for a standby. */
  readonly awaited: boolean;
}

/** The rows of each call. */
type Results = readonly (readonly (readonly unknown[])[])[];

/** `accounts` are in the order of their names. */
export function newTurn(accounts: readonly string[], now: number): Turn {
  return { accounts, token: newToken(), now };
}

export function newToken(): string {
  if (left === 0) {
    randomFillSync(tokens);
    left = tokens.length;
  }
  left -= 1;
  return String(tokens[left]);
}

/** Random numbers for the next commits: asking for many at a time takes hardly longer than asking for one. */
const tokens = new BigInt64Array(512);
let left = 0;

/** Two calls for each account. */
export function callsToBegin(
  { accounts, token, now }: Turn,
  place: TablePlace,
): readonly Call<readonly unknown[]>[] {
  return accounts.flatMap((account) => {
    const name = place.nameOf(account);
    return [name(call(lock, account)), name(call(append, account, token, now))];
  });
}

/**
 * Locks all of those accounts that are open at once, which lie together. If the turn has one account, it is waited for; of
 * several, those that are already locked are left out, so that no account waits for another one's turn.
 */
export function callToLockTogether(
  { accounts }: Turn,
  own: readonly string[],
): Call<readonly unknown[]> {
  return accounts.length === 1 ? call(lockOpen, accounts[0]) : call(lockFree, textArray(own));
}

/** Reads the results of `callsToBegin`. */
export function readBegun({ accounts }: Turn, results: Results): Begun {
  const positions = new Map<string, number>();
  let awaited = false;
  for (const [at, account] of accounts.entries()) {
    const awaits = results[2 * at]?.[0]?.[0];
    const position = results[2 * at + 1]?.[0]?.[0];
    awaited ||= awaits === true;
    if (position !== undefined) positions.set(account, Number(position));
  }
  return { positions, awaited };
}
