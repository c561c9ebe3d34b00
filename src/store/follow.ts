/**
 * The one reader of the log of changes for whatever follows it: pieces from a place on, and rounds through the accounts
 * that are behind. A piece is small, and other work goes on after it.
 */
import { setImmediate as giveWay } from 'node:timers/promises';
import { type EachAccount, PAUSED } from '../core/each-account.ts';
import type { ChangeLog, ChangesPage, CursorLost, StoredLog } from './promises/log.ts';

/** A piece of the log of an account, and one of a record's changes: some milliseconds of this thread. */
const PIECE = { limit: 500, bytes: 1_048_576 };
const BACK = { limit: 100, bytes: 131_072 };
/** How often all accounts are looked at: another process may have left one within its last commit. */
const ALL_MS = 60_000;

/** Adds to a store's log how it is followed. */
export function followed(log: StoredLog): ChangeLog {
  return {
    ...log,
    async *follow(account, query = {}) {
      const {
        until = Number.POSITIVE_INFINITY,
        slot = atOnce,
        limit = PIECE.limit,
        ...how
      } = query;
      let { after } = how;
      for (;;) {
        const size = typeof limit === 'number' ? limit : limit();
        const page = await slot(() => this.read({ ...PIECE, ...how, account, after, limit: size }));
        if (page === undefined) return;
        if (typeof page === 'string') return yield page;
        const changes = page.changes.filter(({ position }) => position <= until);
        const last = changes.at(-1);
        if (last === undefined) return;
        const more = page.more && changes.length === page.changes.length;
        yield { changes, more };
        if (!more) return;
        after = last;
        await giveWay();
      }
    },
    async next(account, after) {
      const page = await this.read({ account, after, limit: 1, bytes: 1 });
      return typeof page === 'string' ? page : page.changes[0];
    },
    async *back({ account, record, position: from }, slot = atOnce) {
      for (let position = from; position > 0; ) {
        const changes = await slot(() => this.of({ ...BACK, account, record, position }));
        if (changes === undefined || changes.length === 0) return;
        yield changes;
        const before = changes.at(-1)?.before ?? 0;
        position = before < position ? before : 0;
        await giveWay();
      }
    },
  };
}

const atOnce = <Read>(read: () => Promise<Read>) => read();

/** The next piece alone, for a follower that stores its place after each. */
export async function onePiece(
  pieces: ReturnType<ChangeLog['follow']>,
): Promise<ChangesPage | CursorLost> {
  const { value } = await pieces.next();
  return value ?? { changes: [], more: false };
}

interface RoundParts {
  /**
   * Finds the accounts whose last commit has another position than the place of the follower, and `all` with a commit:
   * a place may be within a commit. Each with that position.
   */
  readonly behind: (
    all: boolean,
  ) => Promise<Iterable<readonly [account: string, position: number]>>;
  /** Follows the log of an account for a piece; returns whether there may be more, or that the piece goes on the next time. */
  readonly piece: (account: string) => Promise<boolean | typeof PAUSED>;
  /** Milliseconds that pass, by which rounds end. */
  readonly elapsed?: (() => number) | undefined;
}

/** Goes through the accounts that are behind: a piece of each, and on from there the next time. */
export function createRounds(
  each: EachAccount,
  { behind, piece, elapsed = () => performance.now() }: RoundParts,
) {
  /** The position up to which an account was read to its end. */
  const done = new Map<string, number>();
  /** Accounts that are behind, with the position of their last commit. */
  const open = new Map<string, number>();
  /** That position when a piece was begun that is not over: it knows nothing of what was committed since. */
  const begunAt = new Map<string, number>();
  let last = '';
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Accounts after the last one come first, so that none waits for a busy one. */
  const accountsBehind = async (): Promise<readonly string[]> => {
    const began = elapsed();
    const all = began - lookedAt >= ALL_MS;
    for (const [account, position] of await behind(all))
      if (done.get(account) !== position) open.set(account, position);
    if (all) lookedAt = began;
    const resting = new Set(each.resting);
    const accounts = [...open.keys()].filter((account) => !resting.has(account)).sort();
    const next = accounts.findIndex((account) => account > last);
    return next < 0 ? accounts : [...accounts.slice(next), ...accounts.slice(0, next)];
  };

  const follow = async (account: string): Promise<boolean | typeof PAUSED> => {
    last = account;
    const position = begunAt.getOrInsertComputed(account, () => open.get(account) ?? 0);
    let did: boolean | typeof PAUSED = false;
    try {
      did = await piece(account);
    } finally {
      if (did !== PAUSED) begunAt.delete(account);
    }
    if (did === false) {
      done.set(account, position);
      if (open.get(account) === position) open.delete(account);
    }
    await giveWay();
    return did === false ? open.has(account) : did;
  };

  return {
    /** Follows for some milliseconds; returns whether there may be more. The error of an account is its own. */
    async round(ms: number): Promise<boolean> {
      const ends = elapsed() + ms;
      for (;;) {
        const accounts = await accountsBehind();
        if (accounts.length === 0) return false;
        const more = await each.through(
          untilTime(accounts, ends, elapsed),
          (account) => account,
          follow,
        );
        if (elapsed() >= ends) return true;
        if (!more) return false;
      }
    },
    settled: () => each.settled(),
  };
}

function* untilTime<One>(ones: Iterable<One>, ends: number, elapsed: () => number): Generator<One> {
  for (const one of ones) {
    yield one;
    if (elapsed() >= ends) return;
  }
}
