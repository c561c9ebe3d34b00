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

/** Requests whose end is not stored yet, because the store takes nothing: beyond these the oldest are dropped. */
const MAX_WAITING = 10_000;
const TOGETHER = 100;
const AGAIN_MS = 1_000;
/** How often it is looked whether a sync has doubts. */
const LOOK_MS = 1_000;
const MOST_TRIES = 3_600;
const MAX_KNOWN = 1_000;
/** Finishing waits for what is being noted, unless the store takes nothing. */
const WAIT_MS = 5_000;

export type DoubtsOf = ReturnType<typeof createDoubts>;

export function createDoubts({ store, now }: { readonly store: Store; now(): number }) {
  const { syncs, syncDoubts: book, sources } = store;
  /** By key and sync, the account of a sync of its source; `null`: it is none. */
  const known = new BoundedMap<string, string | null>(MAX_KNOWN);
  const waiting = new Map<string, { readonly of: SyncName; readonly some: SettledRequest[] }>();
  const writing = new Map<string, Promise<void>>();
  /** By sync, whether it had doubts when that was looked at; they may have ended since. */
  const some = new BoundedMap<string, { readonly is: boolean; readonly at: number }>(MAX_KNOWN);
  /** Requests of which it is not known yet to whose sync they belong. */
  let unplaced = 0;

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
  const write = async (id: string): Promise<void> => {
    // All that arrive in this tick of the event loop go with the first.
    await new Promise(setImmediate);
    for (;;) {
      const entry = waiting.get(id);
      const some = entry?.some.slice(0, TOGETHER) ?? [];
      if (entry === undefined || some.length === 0) break;
      await book.note(entry.of, some);
      entry.some.splice(0, some.length);
    }
    waiting.delete(id);
  };

  const flush = (id: string): Promise<void> => {
    const under = writing.get(id);
    if (under !== undefined) return under;
    const own = write(id).finally(() => writing.delete(id));
    writing.set(id, own);
    own.catch(async (error: unknown) => {
      if (!(error instanceof StoreUnavailable)) return void waiting.delete(id);
      await pause(AGAIN_MS, undefined, { ref: false });
      await flush(id).catch(() => undefined);
    });
    return own;
  };

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

  const add = (of: SyncName, one: SettledRequest): Promise<void> => {
    const id = of.unique_identifier;
    if (one.reason !== 'taken' || one.unnamed > 0) some.set(id, { is: true, at: 0 });
    const { some: all } = waiting.getOrInsertComputed(id, () => ({ of, some: [] }));
    all.push(one);
    if (all.length > MAX_WAITING) all.shift();
    return flush(id);
  };

  /** Tries again until the store answers, as long as not too much waits. */
  const later = async (noted: () => Promise<void>): Promise<void> => {
    if (unplaced >= MAX_WAITING) return;
    unplaced += 1;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await pause(AGAIN_MS, undefined, { ref: false });
      const isDone = await noted().then(
        () => true,
        (error: unknown) => !(error instanceof StoreUnavailable),
      );
      if (isDone) break;
    }
    unplaced -= 1;
  };

  return {
    /**
     * Notes how a request of a sync stands or ended: on disk when it resolves. Nothing is noted where the sender does
     * not send with that sync. Rejects as the store does, and goes on trying.
     */
    async note(sender: SyncSender, id: string, settled: Settled, isNoted: boolean): Promise<void> {
      const at = now();
      const isNothing = settled.reason === 'taken' && settled.unnamed === 0;
      const noted = async (): Promise<void> => {
        const account = await accountOf(sender, id);
        if (account === null) return;
        const name = { account, unique_identifier: id };
        if (isNothing && !isNoted && !(await hasSome(name))) return;
        await add(name, { ...settled, account, sync: id, at });
      };
      await noted().catch(async (error: unknown) => {
        // What waits to be written is tried again there; here it is not known yet whose sync it is.
        if (known.get(`${sender.key} ${id}`) === undefined) void later(noted);
        throw error;
      });
    },

    /** The first doubts of a sync, and how many it has. */
    async of(one: StoredSync) {
      const requests = await this.requests(one);
      return {
        doubts: requests.flatMap(doubtsIn).slice(0, DOUBTS_NAMED),
        doubts_count: countIn(requests) + (one.beyond ?? 0),
      };
    },

    /** All requests of a sync that left doubts, those that are being noted among them. */
    async requests(one: StoredSync): Promise<readonly DoubtedRequest[]> {
      const { unique_identifier: id } = one;
      const under = waiting.has(id) ? flush(id).catch(() => undefined) : undefined;
      if (under !== undefined)
        await Promise.race([under, pause(WAIT_MS, undefined, { ref: false })]);
      return book.of(one);
    },

    counts: book.counts.bind(book),
  };
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

function countIn(some: readonly DoubtedRequest[]): number {
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
