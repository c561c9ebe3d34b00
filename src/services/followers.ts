/** Followers of the log of changes that keep a place in each account: what they do with a change is stored with the place, so that each is done once and in order. */
import { setImmediate as giveWay } from 'node:timers/promises';
import { type EachAccounts, PAUSED } from '../core/each-account.ts';
import type { FollowerPlace } from '../core/objects/records/follower.ts';
import type { Log } from '../core/observe/log.ts';
import type { BackgroundPace } from '../core/pace.ts';
import { changeId, readChangeId } from '../core/schema/id.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import type { FollowerBook } from '../store/books/followers.ts';
import type { BookWrite } from '../store/books/tables.ts';
import { createRounds, onePiece } from '../store/follow.ts';
import type { ChangesPage, LoggedChange } from '../store/promises/log.ts';
import type { Store } from '../store/promises/store.ts';
import { createSteps, type FollowedChange } from '../store/steps.ts';
import { startUpkeep, type Upkeep, yielding } from './upkeep.ts';

/** Does what a follower does with the changes of a piece of a log. */
export interface Following {
  /** Whether it needs the record before and after a change. */
  readonly asks?: (change: LoggedChange) => boolean;
  /** Gives what is written because of a change; `leaveOut` counts it, by the reason why nothing is. */
  readonly take: (
    followed: FollowedChange,
    leaveOut: (why: string) => void,
  ) => Promise<readonly BookWrite[]>;
}

export interface Follower {
  /** The name of its work in the log and in the metrics. */
  readonly name: string;
  readonly book: FollowerBook;
  /** Where it begins in the log of an account, and begins again where its place is lost: with the first change, or with the next one. */
  readonly from: 'first' | 'next';
  /** Looks at a piece of the log of an account, before its changes are taken one by one. Damaged ones are left out. */
  readonly look: (account: string, changes: readonly LoggedChange[]) => Promise<Following>;
}

interface FollowerParts {
  readonly store: Store;
  readonly shapes: readonly RecordShape[];
  readonly each: EachAccounts;
}

const LOOK_MS = 1_000;
/** How long a round lasts, and how long an account goes on in it. */
const ROUND_MS = 25;
const ACCOUNT_MS = 50;
/** How long this thread works before it gives way. */
const TICK_MS = 4;
/** Pieces that are begun and took longer than that. */
const MOST_BEGUN = 64;
/** The pause after a round, as a multiple of what it took: while this thread has time, and while it has none. */
const [IDLE, BUSY] = [0.5, 4];

/** Goes on through the logs of the accounts that it follows, a round at a time. */
export function createFollowing(
  { store, shapes, each }: FollowerParts,
  { name, book, from, look }: Follower,
) {
  const { log } = store;
  const steps = createSteps(store, shapes);
  /** Pieces that are begun, by account. */
  const begun = new Map<string, AsyncGenerator<void, boolean>>();

  /** Reads on from the place; from where it begins if that is lost, or there is none yet. */
  const nextPiece = async (place: FollowerPlace): Promise<ChangesPage> => {
    const { account } = place;
    const after = readChangeId(account, place.change);
    const read = after && (await onePiece(log.follow(account, { after })));
    if (read !== undefined && typeof read !== 'string') return read;
    const last = from === 'first' ? undefined : await log.last(account);
    if (last !== undefined)
      await book.read(place, { ...place, change: changeId(account, last) }, []);
    const piece = last ? undefined : await onePiece(log.follow(account));
    return typeof piece === 'object' ? piece : { changes: [], more: false };
  };

  /** Takes a piece of the log of an account; it may pause at each `yield`. Returns whether there may be more. */
  async function* take(account: string): AsyncGenerator<void, boolean> {
    const place = await book.reader(account);
    if (place === undefined) return false;
    const { changes, more } = await nextPiece(place);
    let last = changes.at(-1);
    if (last === undefined) return false;
    const sure = changes.filter(({ damaged }) => !damaged);
    const following = await look(account, sure);
    const asked = sure.filter((change) => following.asks?.(change) === true);
    const found = yield* steps.find(account, asked);
    const writes: BookWrite[] = [];
    const left_out: Record<string, number> = { ...place.left_out };
    const leaveOut = (why: string): void => {
      left_out[why] = (left_out[why] ?? 0) + 1;
    };
    let failure: { readonly error: unknown } | undefined;
    for (const change of sure) {
      try {
        writes.push(...(await following.take(found.get(change) ?? { change }, leaveOut)));
      } catch (error) {
        failure = { error };
        last = changes[changes.indexOf(change) - 1];
        break;
      }
      yield;
    }
    if (!more || sure.some(({ outcome }) => outcome === 'erased' || outcome === 'wiped'))
      steps.forget(account);
    const to = last && { account, change: changeId(account, last), left_out };
    const isOurs = to === undefined || (await book.read(place, to, writes));
    if (failure !== undefined) throw failure.error;
    return more || !isOurs;
  }

  /** Goes on with the piece of an account while there is time. */
  const piece = async (account: string): Promise<boolean | typeof PAUSED> => {
    if (!begun.has(account) && begun.size >= MOST_BEGUN) return PAUSED;
    const ends = performance.now() + ACCOUNT_MS;
    const taking = begun.getOrInsertComputed(account, take);
    let since = performance.now();
    try {
      for (;;) {
        const { done, value } = await taking.next();
        if (done) begun.delete(account);
        if (done) return value;
        const now = performance.now();
        if (now >= ends) return PAUSED;
        if (now - since < TICK_MS) continue;
        await giveWay();
        since = performance.now();
      }
    } catch (error) {
      begun.delete(account);
      throw error;
    }
  };

  const behind = async () => log.positions((await book.readers()).map(({ account }) => account));
  const rounds = createRounds(each(name), { behind, piece });
  return {
    round: () => rounds.round(ROUND_MS),
    settled: () => rounds.settled(),
  };
}

/** Follows the log in the background. The busier this thread is, the longer are the pauses. */
export function startFollowing(
  parts: FollowerParts,
  follower: Follower,
  { log, pace }: { readonly log: Log; readonly pace: BackgroundPace },
): Upkeep {
  const following = createFollowing(parts, follower);
  let took = 0;
  const piece = async (): Promise<boolean> => {
    const began = performance.now();
    try {
      return await following.round();
    } finally {
      took = performance.now() - began;
    }
  };
  const share = yielding(IDLE, BUSY);
  const failure = `${follower.name}: the log of changes was not followed; it is tried again within a second`;
  const working = startUpkeep(
    piece,
    (error) => log.warned(failure, error),
    { everyMs: LOOK_MS, pauseMs: () => Math.min(took * share(), LOOK_MS) },
    pace,
  );
  return {
    async close() {
      await working.close();
      await following.settled();
    },
  };
}
