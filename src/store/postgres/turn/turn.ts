/**
 * A transaction that holds the turn of its accounts: it begins by locking their rows (`LOCK_ORDER`), so that no other
 * commits there, and numbers what it commits.
 */
import { randomFillSync } from 'node:crypto';
import { COMMIT, lock, lockFree, number, stateOf, statesOf } from '../statements/commits.ts';
import { arraysOf } from '../statements/prepare.ts';
import { type Call, call, type Naming, type Session, type TablePlace } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

export interface Turn {
  /** The accounts in the order of their names. */
  readonly accounts: readonly string[];
  /** Whether accounts that are closed or that others have locked are left out. Otherwise they are waited for. */
  readonly shared: boolean;
  /** Distinguishes this commit from all others of its accounts: 64 random bits. */
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The state of the accounts once they are locked. */
export interface Begun {
  /** The position of the commit, by account; none for one that does not exist or was left out. */
  readonly positions: ReadonlyMap<string, number>;
  /** Accounts that are not closed, and accounts of which something was erased. */
  readonly open: ReadonlySet<string>;
  readonly marked: ReadonlySet<string>;
  /** Whether commits wait for a standby. */
  readonly awaited: boolean;
}

/** `accounts` are in the order of their names. */
export function newTurn(accounts: readonly string[], now: number, shared = false): Turn {
  return { accounts, shared, token: newToken(), now };
}

function newToken(): string {
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

/** The accounts as statements take them: each by itself, where they may be at several servers; those that lie together. */
export function partsOf(
  { accounts, shared }: Turn,
  place: TablePlace,
): readonly (readonly [name: Naming, own: readonly string[]])[] {
  if (shared) return place.groups(accounts);
  return accounts.map((account) => [place.nameOf(account), [account]]);
}

/** Locks the accounts, and reads their state then. */
export async function lockAccounts(session: Session, turn: Turn): Promise<Begun> {
  const reading = partsOf(turn, session.place).map(([name, own]) => {
    const [locking, state] = turn.shared ? [lockFree, statesOf] : [lock, stateOf];
    const wanted = turn.shared ? textArray(own) : own[0];
    return Promise.all([
      session.rows(name(call(locking, wanted))),
      session.rows(name(call(state, wanted))),
    ]);
  });
  const read = await Promise.all(reading);
  const locked = read.flatMap(([rows]) => rows);
  const states = new Map(read.flatMap(([, rows]) => rows.map((row) => [row[0], row])));
  const own = locked.flatMap(([account]) => {
    const row = states.get(account);
    return row === undefined ? [] : [row];
  });
  return {
    positions: new Map(own.map(([account, last]) => [account, last + 1])),
    open: new Set(locked.flatMap(([account, isOpen]) => (isOpen ? account : []))),
    marked: new Set(own.flatMap(([account, , marked]) => (marked ? account : []))),
    awaited: locked.some(([, , awaited]) => awaited),
  };
}

/** The statements that number the commit in its accounts. */
export function callsToNumber(
  turn: Turn,
  positions: Begun['positions'],
  place: TablePlace,
): readonly Call[] {
  return partsOf(turn, place).map(([name, own]) => {
    const rows = own.flatMap((account) => {
      const position = positions.get(account);
      if (position === undefined) return [];
      return { account, position, token: turn.token, committed_at: turn.now };
    });
    return name(call(number, ...arraysOf(COMMIT, rows)));
  });
}
