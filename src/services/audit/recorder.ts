/**
 * Records who saw what: what was seen within a second, and what is about to be done before it is. Until then it is in
 * memory, and lost in a crash.
 */

import { ApiError } from '../../core/errors.ts';
import type { AuditFacts, AuditHead } from '../../core/objects/requests/audit-entry.ts';
import { type BackgroundPace, realPace } from '../../core/pace.ts';
import type { AuditBook } from '../../store/books/log/audit.ts';
import type { RequestBook } from '../../store/books/log/requests.ts';
import { StoreUnavailable, StoreUnsure } from '../../store/promises/store.ts';
import { repeatEvery, writeChunks } from '../every.ts';
import { GatheredEntries, SecondBounds } from './bounds.ts';
import { AuditChain, type ChainParts, type TimedFacts } from './chain.ts';
import { addReads } from './reads.ts';

const EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Entries that wait at the most, also while the store accepts none. */
const MAX_WAITING = 1_000;
/** Written at once: the commits of others wait for no more than that. */
const TOGETHER = 100;
/** In a second, of one caller, of what is written before it is done. */
const BEFORE_EACH_SECOND = 100;

export interface AuditRecorderParts extends Omit<ChainParts, 'book'> {
  readonly book: AuditBook;
  readonly requests: Pick<RequestBook, 'readsOf'>;
  readonly reads: boolean;
  /** How many days entries are stored. */
  readonly days: number;
  readonly pace?: BackgroundPace;
  /** Called with errors, except of a store that accepts no writes. */
  readonly failed: (error: unknown) => void;
  /** Called each hour with the end of the chain: kept elsewhere, it shows what is cut off. */
  readonly head: (head: AuditHead) => void;
  /** Whether it is called with the ends of all chains of this day and the last. */
  readonly headsOfAll: boolean;
}

export type AuditRecorder = ReturnType<typeof createAuditRecorder>;

export function createAuditRecorder(parts: AuditRecorderParts) {
  const { book, now, reads, days, pace = realPace, failed } = parts;
  const chain = new AuditChain(parts);
  const waiting: TimedFacts[] = [];
  const gathered = new GatheredEntries();
  const bounds = new SecondBounds();
  let before = new Map<string, number>();
  /** The hour up to which the reads of keys were looked at. */
  let looked = 0;
  /** The ends that were logged, by chain. */
  let shown = new Map<string, string>();
  let shownAt = Number.NEGATIVE_INFINITY;

  const writeWaiting = () =>
    writeChunks(
      () => waiting.slice(0, TOGETHER),
      (chunk) => chain.append(chunk),
      (count) => waiting.splice(0, count),
    );

  const write = async (all: boolean): Promise<void> => {
    try {
      await writeWaiting();
      if (gathered.size > 0 && (all || Math.abs(now() - gathered.since) >= MINUTE_MS)) {
        waiting.push(...gathered.take());
        await writeWaiting();
      }
    } catch (error) {
      // Callers that write learn from their answers that the store accepts no writes.
      if (!(error instanceof StoreUnavailable)) failed(error);
    }
  };

  const show = async (all: boolean): Promise<void> => {
    const { head } = chain;
    if (!all && Math.abs(now() - shownAt) < HOUR_MS) return;
    try {
      // Chains of yesterday have ended meanwhile.
      const heads = parts.headsOfAll ? await book.heads(now() - DAY_MS) : [];
      const ends = heads.length === 0 && head !== undefined ? [head] : heads;
      for (const one of ends) if (shown.get(one.chain) !== one.mac) parts.head(one);
      shown = new Map(ends.map(({ chain: name, mac }) => [name, mac]));
      if (ends.length > 0) shownAt = now();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) failed(error);
    }
  };

  const repeating = repeatEvery(EVERY_MS, pace, async (isLast) => {
    bounds.clear();
    before = new Map();
    await write(isLast);
    await show(isLast);
  });

  return {
    /** Whether what people read is recorded. */
    reads,
    /** Records what was seen or done. */
    note(facts: AuditFacts): void {
      const timed = { ...facts, time: now() };
      if (bounds.has(facts) && waiting.length < MAX_WAITING) waiting.push(timed);
      else gathered.add(timed);
    },
    /** Records what is about to be done; throws where that cannot be recorded, so that it is not done. */
    async before(facts: AuditFacts): Promise<void> {
      const by = facts.by ?? '';
      const count = (before.get(by) ?? 0) + 1;
      before.set(by, count);
      if (count > BEFORE_EACH_SECOND)
        throw new ApiError('audit_limited', { headers: { 'Retry-After': '1' } });
      if (!(await chain.append([{ ...facts, time: now() }])))
        throw new StoreUnsure(
          'It is not known whether the audit has an entry of what is to be done.',
        );
    },
    /** How many entries wait, and the end of the chain. */
    figures: (): { readonly unwritten: number; readonly head: AuditHead | undefined } => ({
      unwritten: waiting.length + gathered.count,
      head: chain.head,
    }),
    /** Adds what keys have read in hours that are over. */
    async addReads(): Promise<void> {
      looked = await addReads(parts, looked);
    },
    /** Removes old chains; returns whether there may be more. */
    purge: () => book.purge(now() - (days + 1) * 24 * HOUR_MS),
    /** Writes what is left, unless the store takes long, and stops. */
    close: () => repeating[Symbol.asyncDispose](),
  };
}
