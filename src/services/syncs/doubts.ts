/** Doubts of syncs: what was sent with one and not taken, so that nobody knows which records that was. */
import { setTimeout as pause } from 'node:timers/promises';
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError, type Fault, faultOf } from '../../core/errors.ts';
import {
  DOUBTS_NAMED,
  type DoubtedRequest,
  type StoredSync,
  type SyncDoubt,
} from '../../core/objects/transfer/sync.ts';
import { inThousands } from '../../core/schema/present/words.ts';
import type { SettledRequest } from '../../store/books/feeds/sync-doubts.ts';
import type { SyncName } from '../../store/promises/account-book.ts';
import { type Scope, type Store, StoreUnavailable } from '../../store/promises/store.ts';
import { numbersOf } from './walk.ts';

/** Who sent a request, also where its key works no more. */
export interface SyncSender {
  readonly key: string;
  readonly scope: Scope;
}

/** The end of a request of a sync, as it is noted. */
export type Settled = Omit<SettledRequest, 'account' | 'sync' | 'at'>;

/** Ends of requests that wait until the store takes them, of a sync or of a key: what is more is a number only. */
const MAX_WAITING = 10_000;
const TOGETHER = 100;
const AGAIN_MS = 1_000;
/** How often it is looked whether a sync has doubts. */
const LOOK_MS = 1_000;
const MAX_KNOWN = 1_000;
/** For how long finishing waits for what is being noted. */
const WAIT_MS = 5_000;

export type DoubtsOf = ReturnType<typeof createDoubts>;

/** The ends of a sync's requests that wait to be written. */
interface Waiting {
  readonly of: SyncName;
  readonly ends: SettledRequest[];
  /** How many doubts more wait as a number. */
  beyond: number;
}

/** Ends of a key's requests while nobody can look up whose syncs they name, by sync. */
interface Unplaced {
  readonly syncs: Map<
    string,
    { readonly sender: SyncSender; readonly ends: Ended[]; beyond: number }
  >;
  size: number;
}

type Ended = Settled & { readonly at: number };

export function createDoubts({ store, now }: { readonly store: Store; now(): number }) {
  const { syncs, syncDoubts: book, sources } = store;
  /** By key and sync, the account of a sync of its source; `null`: it is none. */
  const known = new BoundedMap<string, string | null>(MAX_KNOWN);
  const waiting = new Map<string, Waiting>();
  const unplaced = new Map<string, Unplaced>();
  /** By sync, whether it had doubts when that was looked at; they may have ended since. */
  const some = new BoundedMap<string, { readonly is: boolean; readonly at: number }>(MAX_KNOWN);

  const accountOf = async ({ key, scope }: SyncSender, id: string): Promise<string | null> => {
    const name = `${key} ${id}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const one = await syncs.find(id, [...scope.accounts]);
    const isThere = scope.anchors === undefined || scope.anchors.has(one?.location ?? '');
    const isOwn =
      one !== undefined &&
      isThere &&
      (await numbersOf(sources, one)).includes(await sources.numberOf(one.account, key));
    const account = isOwn ? one.account : null;
    known.set(name, account);
    return account;
  };

  /** Writes what waits for a sync, as much at once as has arrived meanwhile. */
  const flush = insistent(async (id) => {
    // All that arrive in this tick of the event loop go with the first.
    await new Promise(setImmediate);
    for (;;) {
      const one = waiting.get(id);
      if (one === undefined) return;
      const ends = one.ends.splice(0, TOGETHER);
      const { beyond } = one;
      one.beyond = 0;
      if (ends.length === 0 && beyond === 0) break;
      await book.note(one.of, ends, beyond).catch((error: unknown) => {
        const isRefused = !(error instanceof StoreUnavailable) && ends.length > 0;
        // One that the store can never take does not keep the others: they are doubts that nobody can answer.
        if (isRefused) one.beyond += beyond + countIn(ends);
        else {
          one.ends.unshift(...ends);
          one.beyond += beyond;
        }
        throw error;
      });
    }
    waiting.delete(id);
  });

  /** Finds whose the syncs are that a key's requests named, and notes how these ended. */
  const place = insistent(async (key) => {
    const left = unplaced.get(key);
    if (left === undefined) return;
    const failed: unknown[] = [];
    for (const [id, one] of left.syncs) {
      try {
        const account = await accountOf(one.sender, id);
        left.syncs.delete(id);
        left.size -= one.ends.length;
        if (account === null) continue;
        wait({ account, unique_identifier: id }).beyond += one.beyond;
        for (const end of one.ends) add(account, id, end);
        unheard(flush(id));
      } catch (error) {
        failed.push(error);
        if (error instanceof StoreUnavailable) break;
      }
    }
    if (failed.length > 0) throw failed[0];
    // What came meanwhile was reached, too.
    unplaced.delete(key);
  });

  /** Whether a sync may have doubts: another process may have noted one within this second. */
  const hasSome = async (of: SyncName): Promise<boolean> => {
    const id = of.unique_identifier;
    const looked = some.get(id);
    if (looked !== undefined && (looked.is || performance.now() - looked.at < LOOK_MS))
      return looked.is;
    const is = await book.any(of);
    some.set(id, { is, at: performance.now() });
    return is;
  };

  const wait = (of: SyncName): Waiting =>
    waiting.getOrInsertComputed(of.unique_identifier, () => ({ of, ends: [], beyond: 0 }));

  const add = (account: string, id: string, end: Ended): void => {
    if (!isNothing(end)) some.set(id, { is: true, at: 0 });
    const one = wait({ account, unique_identifier: id });
    if (one.ends.length < MAX_WAITING) one.ends.push({ ...end, account, sync: id });
    else one.beyond += countIn([end]);
  };

  const keep = (sender: SyncSender, id: string, end: Ended): void => {
    const left = unplaced.getOrInsertComputed(sender.key, () => ({ syncs: new Map(), size: 0 }));
    // A key that names more syncs than that meanwhile makes them up.
    if (!left.syncs.has(id) && left.syncs.size === MAX_WAITING) return;
    const one = left.syncs.getOrInsertComputed(id, () => ({ sender, ends: [], beyond: 0 }));
    if (left.size < MAX_WAITING) {
      one.ends.push(end);
      left.size += 1;
    } else one.beyond += countIn([end]);
    unheard(place(sender.key));
  };

  /** Resolves when all that this process knows of a sync is written; rejects where that cannot be. */
  const allNoted = async (id: string): Promise<void> => {
    const keys = unplaced.entries().filter(([, { syncs: named }]) => named.has(id));
    const placed = [...keys].map(([key]) => place(key));
    if (placed.length > 0 || waiting.has(id))
      await soon(Promise.all(placed).then(() => (waiting.has(id) ? flush(id) : undefined)));
  };

  return {
    /**
     * Notes how a request of a sync stands or ended: on disk when it resolves. Nothing is noted where the sender does
     * not send with that sync. Rejects as the store does, and goes on trying.
     */
    async note(sender: SyncSender, id: string, settled: Settled, isNoted: boolean): Promise<void> {
      const end = { ...settled, at: now() };
      const account = await accountOf(sender, id).catch((error: unknown) => {
        keep(sender, id, end);
        throw error;
      });
      if (account === null) return;
      const isLeft = isNothing(end) && !isNoted;
      if (isLeft && !(await hasSome({ account, unique_identifier: id }))) return;
      add(account, id, end);
      await flush(id);
    },

    /** The first doubts of a sync, and how many it has: those that are stored. */
    async of(one: StoredSync) {
      await allNoted(one.unique_identifier).catch(() => undefined);
      const requests = await book.of(one);
      return {
        doubts: requests.flatMap(doubtsIn).slice(0, DOUBTS_NAMED),
        doubts_count: countIn(requests) + (one.beyond ?? 0),
      };
    },

    /** All requests of a sync that left doubts. Throws `StoreUnavailable` while this process knows more than is stored. */
    async requests(one: StoredSync): Promise<readonly DoubtedRequest[]> {
      await allNoted(one.unique_identifier);
      return book.of(one);
    },

    counts: book.counts.bind(book),
  };
}

/** Whether a request was taken and left no doubt. */
const isNothing = ({ reason, unnamed }: Settled): boolean => reason === 'taken' && unnamed === 0;

/** Where nobody hears of an end. */
const unheard = (work: Promise<void>): void => void work.catch(() => undefined);

/** Runs the work once at a time for each name, and tries again every second until it succeeds. */
function insistent(work: (name: string) => Promise<void>): (name: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const resting = new Set<string>();
  const run = (name: string): Promise<void> => {
    const under = running.get(name);
    if (under !== undefined) return under;
    const own = work(name).finally(() => running.delete(name));
    running.set(name, own);
    own.catch(async () => {
      if (resting.has(name)) return;
      resting.add(name);
      await pause(AGAIN_MS, undefined, { ref: false });
      resting.delete(name);
      unheard(run(name));
    });
    return own;
  };
  return run;
}

/** Rejects with `StoreUnavailable` where it takes too long. */
async function soon(work: Promise<void>): Promise<void> {
  const late = pause(WAIT_MS, true, { ref: false });
  const isLate = await Promise.race([work.then(() => false), late]);
  if (isLate) throw new StoreUnavailable('What became of requests of a sync cannot be saved.');
}

/** The doubts that a request left, each as callers see it. */
function doubtsIn(of: DoubtedRequest): readonly SyncDoubt[] {
  const { request, reason, rows, status, code, at, lines, unnamed } = of;
  const all: SyncDoubt[] =
    reason === 'taken' ? [] : [{ request, reason, row: null, rows, status, code, at }];
  for (const one of lines) all.push({ request, reason: 'row', rows, status, at, ...one });
  for (let more = lines.length; more < Math.min(unnamed, DOUBTS_NAMED); more += 1)
    all.push({ request, reason: 'row', row: null, rows, status, code: null, at });
  return all;
}

function countIn(some: readonly Pick<DoubtedRequest, 'unnamed' | 'reason'>[]): number {
  return some.reduce((sum, { unnamed, reason }) => sum + unnamed + (reason === 'taken' ? 0 : 1), 0);
}

/** Why a sync with doubts is not finished, or what it saw nothing of; `undefined`: nothing keeps it. */
export function doubtsAgainst(
  sync: StoredSync,
  requests: readonly DoubtedRequest[],
  despite: readonly string[],
): ApiError | undefined {
  const isAll = despite.includes('all');
  const open = isAll ? [] : requests.filter(({ request }) => !despite.includes(request));
  const count = countIn(open) + (isAll ? 0 : (sync.beyond ?? 0));
  if (count === 0) return undefined;
  const named = open.flatMap(doubtsIn).slice(0, DOUBTS_NAMED - 1);
  const things = `${inThousands(count)} ${count === 1 ? 'thing' : 'things'}`;
  const message = `Nothing was removed: ${things} sent with this sync ${count === 1 ? 'was' : 'were'} not taken, and nobody can tell which records that was. ${said(named[0])} Send that again, corrected, with the header Ledgerstone-Instead-Of: and the request, or the same request with the same Idempotency-Key. Or, where it may be left out, finish with despite[]= and the request, or with despite=all.`;
  const faults: readonly Fault[] = [
    faultOf('sync_in_doubt', 'despite', { message }),
    ...named.map((one) =>
      faultOf('sync_in_doubt', 'despite', { message: said(one), values: { request: one.request } }),
    ),
  ];
  const unnamed = count - named.length;
  return new ApiError(faults, { unnamed });
}

/** A doubt in words. */
function said(one: SyncDoubt | undefined): string {
  if (one === undefined) return 'There are more than are kept.';
  const { request, reason, row, rows, status, code } = one;
  const after = rows === 0 ? '' : ` after ${inThousands(rows)} rows`;
  const why = code === null ? '' : `: ${code}`;
  if (reason === 'row')
    return `${row === null ? 'A row' : `Row ${row}`} of ${request} does not say which record it is${why}.`;
  if (reason === 'refused') return `${request} was refused with ${status}${after}${why}.`;
  if (reason === 'cut') return `${request} broke off${after}.`;
  return `${request} has not ended.`;
}

/** Why a sync that nothing was sent with is not finished. */
export function nothingSent(): ApiError {
  return new ApiError('sync_in_doubt', {
    param: 'at_most',
    message:
      'Nothing was removed: nothing was sent with this sync, as when an export is empty or was not found. If there is nothing any more, finish it with at_most=100%.',
  });
}
