/**
 * Locks accounts: a transaction that commits in some begins by locking their rows (`LOCK_ORDER`), so that no other
 * commits there, and numbers what it commits.
 */
import { createWords } from '../../../core/schema/id.ts';
import type { Context } from '../context.ts';
import { COMMIT, lock, lockFree, number, stateOf, statesOf, sweep } from '../statements/commits.ts';
import { arraysOf } from '../statements/prepare.ts';
import { call, type Session, type TablePlace } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

export interface Locking {
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
export interface Locked extends Locking {
  /** The position of the commit, by account; none for one that does not exist or was left out. */
  readonly positions: ReadonlyMap<string, number>;
  /** Accounts that are not closed, and accounts of which something was erased. */
  readonly open: ReadonlySet<string>;
  readonly marked: ReadonlySet<string>;
  /** Whether commits wait for a standby. */
  readonly awaited: boolean;
}

/** `accounts` are in the order of their names. */
export function newLocking(accounts: readonly string[], now: number, shared = false): Locking {
  return { accounts, shared, token: newToken(), now };
}

const word = createWords();
const newToken = (): string => `${BigInt.asIntN(64, (BigInt(word()) << 32n) + BigInt(word()))}`;

/** The accounts as statements take them: each by itself, where they may be at several servers; those that lie together. */
export function partsOf({ accounts, shared }: Locking, place: TablePlace) {
  if (shared) return place.groups(accounts);
  return accounts.map((account) => [place.nameOf(account), [account]] as const);
}

/** Locks the accounts, and reads their state then. */
export async function lockAccounts(session: Session, locking: Locking): Promise<Locked> {
  const { shared } = locking;
  const reading = partsOf(locking, session.place).map(([name, own]) => {
    const wanted = shared ? textArray(own) : own[0];
    return Promise.all([
      session.rows(name(call(shared ? lockFree : lock, wanted))),
      session.rows(name(call(shared ? statesOf : stateOf, wanted))),
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
    ...locking,
    positions: new Map(own.map(([account, last]) => [account, last + 1])),
    open: new Set(locked.flatMap(([account, isOpen]) => (isOpen ? account : []))),
    marked: new Set(own.flatMap(([account, , marked]) => (marked ? account : []))),
    awaited: locked.some(([, , awaited]) => awaited),
  };
}

/** The statements that number the commit in its accounts. */
export function callsToNumber(locking: Locking, positions: Locked['positions'], place: TablePlace) {
  const { token, now: committed_at } = locking;
  return partsOf(locking, place).map(([name, own]) => {
    const rows = own.flatMap((account) => {
      const position = positions.get(account);
      return position === undefined ? [] : { account, position, token, committed_at };
    });
    return name(call(number, ...arraysOf(COMMIT, rows)));
  });
}

/**
 * The minimum time a commit is stored, unless it is the last of its account: a client that lost its answer asks within
 * seconds, and a message that a pooler still delays is gone after minutes.
 */
const STORED_MS = 60 * 60 * 1000;
/** Every this many commits of an account one process sweeps, and more than these. */
const EVERY = 512;
const MAX_SWEPT = 2 * EVERY;

/** To be called with the positions of each commit, by account. It is not awaited; what fails is done the next time. */
export function sweepCommits(context: Context, positions: ReadonlyMap<string, number>): void {
  for (const [account, position] of positions) {
    if (position % EVERY === 0) sweepBelow(context, account, position).catch(() => undefined);
  }
}

/**
 * Goes on where the last sweep ended. What was removed before stays in the index while any snapshot is open, and is not
 * scanned again.
 */
async function sweepBelow({ placements, swept, now }: Context, account: string, position: number) {
  const from = swept.get(account) ?? 0;
  const old = call(sweep, account, position, now() - STORED_MS, MAX_SWEPT, from);
  const gone = await placements.at([account], 'locked').rows(old);
  const last = gone.reduce((most, [one]) => Math.max(most, Number(one)), from);
  if (last > from) swept.set(account, last);
}
