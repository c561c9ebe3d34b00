/** Records who saw what, within a second, and what is about to be done before it is. A crash loses what was seen in that second. */
import { ApiError } from '../../core/errors.ts';
import type { AuditFacts, AuditHead } from '../../core/objects/requests/audit-entry.ts';
import { type BackgroundPace, realPace } from '../../core/pace.ts';
import type { AuditBook } from '../../store/books/log/audit.ts';
import type { RequestBook } from '../../store/books/log/requests.ts';
import { isAway, StoreUnsure } from '../../store/promises/store.ts';
import { repeatEvery, writeChunks } from '../every.ts';
import { type ChainParts, createAuditChain, nextOf, type TimedFacts } from './chain.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How much later than an hour its counts are taken: processes write them with some delay. */
const LATE_MS = 5 * 60_000;
/** How far it looks back, where there is none before it, and after the service did not run. */
const FIRST_MS = 24 * HOUR_MS;
const BACK_MS = 31 * FIRST_MS;
/** Entries of an hour, which are one commit. Beyond, keys are counted without places, and then without resources. */
const MAX_ENTRIES = 1_000;

type Reads = Awaited<ReturnType<RequestBook['readsOf']>>[number];

const EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
/** Entries that wait at the most, also while the store accepts none. */
const MAX_WAITING = 1_000;
/** Written at once: the commits of others wait for no more than that. */
const TOGETHER = 100;
/** In a second, of one caller, of what is written before it is done. */
const BEFORE_EACH_SECOND = 100;

interface AuditRecorderParts extends Omit<ChainParts, 'book'> {
  readonly book: AuditBook;
  readonly requests: Pick<RequestBook, 'readsOf'>;
  readonly reads: boolean;
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
  const chain = createAuditChain(parts);
  const waiting: TimedFacts[] = [];
  const gathered = createGatheredEntries();
  let second = new Map<string, CallerSecond>();
  /** The hour up to which the reads of keys were looked at. */
  let looked = 0;
  /** The ends that were logged, by chain. */
  let shown = new Map<string, string>();
  let shownAt = Number.NEGATIVE_INFINITY;

  const inSecond = ({ by }: AuditFacts): CallerSecond =>
    second.getOrInsertComputed(by ?? '', () => ({ entries: 0, same: new Map(), before: 0 }));

  const writeWaiting = () => writeChunks(waiting, TOGETHER, chain.append);

  const write = async (all: boolean): Promise<void> => {
    try {
      await writeWaiting();
      if (gathered.size > 0 && (all || Math.abs(now() - gathered.since) >= MINUTE_MS)) {
        waiting.push(...gathered.take());
        await writeWaiting();
      }
    } catch (error) {
      // Callers that write learn from their answers that the store accepts no writes.
      if (!isAway(error)) failed(error);
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
      if (!isAway(error)) failed(error);
    }
  };

  const repeating = repeatEvery(EVERY_MS, pace, async (isLast) => {
    second = new Map();
    await write(isLast);
    await show(isLast);
  });

  return {
    reads,
    note(facts: AuditFacts): void {
      const timed = { ...facts, time: now() };
      if (isOwn(facts, inSecond(facts)) && waiting.length < MAX_WAITING) waiting.push(timed);
      else gathered.add(timed);
    },
    /** Records what is about to be done; throws where that cannot be recorded, so that it is not done. */
    async before(facts: AuditFacts): Promise<void> {
      const caller = inSecond(facts);
      caller.before += 1;
      if (caller.before > BEFORE_EACH_SECOND)
        throw new ApiError('audit_limited', { headers: { 'Retry-After': '1' } });
      if (!(await chain.append([{ ...facts, time: now() }])))
        throw new StoreUnsure(
          'It is not known whether the audit has an entry of what is to be done.',
        );
    },
    figures: (): { readonly unwritten: number; readonly head: AuditHead | undefined } => ({
      unwritten: waiting.length + gathered.count,
      head: chain.head,
    }),
    async addReads(): Promise<void> {
      looked = await addReads(parts, looked);
    },
    /** Removes old chains; returns whether there may be more. */
    purge: () => book.purge(now() - (days + 1) * 24 * HOUR_MS),
    /** Writes what is left, unless the store takes long, and stops. */
    close: () => repeating[Symbol.asyncDispose](),
  };
}

/** Adds the next hour with reads, from that one on, and gives the one to go on with; processes may call it at the same time. */
export async function addReads(
  parts: Pick<AuditRecorderParts, 'book' | 'requests' | 'key' | 'now'>,
  looked: number,
): Promise<number> {
  const { book, requests, now } = parts;
  const time = now();
  // Taken first: another process that adds an hour meanwhile has taken the place in the chain.
  const add = await nextOf(parts, 'reads');
  // Entries and looks of later hours are from a clock that was put back since.
  const last = await book.lastReads(time);
  const back = last === undefined ? FIRST_MS : BACK_MS;
  const next = last === undefined ? 0 : last + HOUR_MS;
  const first = Math.floor((time - back) / HOUR_MS) * HOUR_MS;
  let hour = Math.max(next, first, looked > time ? 0 : looked);
  for (; hour + HOUR_MS + LATE_MS <= time; hour += HOUR_MS) {
    const facts = factsOf(await requests.readsOf(hour), hour);
    if (facts.length === 0) continue;
    await add(facts);
    // The next hour follows at the next call, after what was added.
    break;
  }
  return hour;
}

function factsOf(all: readonly Reads[], hour: number): readonly TimedFacts[] {
  let found = summed(all);
  for (const member of ['anchor', 'resource', 'key', 'account'] as const) {
    if (found.length <= MAX_ENTRIES) break;
    found = summed(found.map((one) => ({ ...one, [member]: '' })));
  }
  return found.map(({ account, key, anchor, resource, count }) => ({
    time: hour,
    action: 'reads',
    by: key,
    account,
    record: anchor,
    count,
    resource: resource || null,
  }));
}

function summed(all: readonly Reads[]): readonly Reads[] {
  const sums = new Map<string, Reads>();
  for (const one of all) {
    const name = `${one.account} ${one.key} ${one.anchor} ${one.resource}`;
    sums.set(name, { ...one, count: one.count + (sums.get(name)?.count ?? 0) });
  }
  return [...sums.values()];
}

/** Entries of a caller in a second; further ones are gathered by minute. */
const EACH_SECOND = 200;
/** Entries among these that may tell of the same look at the same record. */
const SAME_EACH_SECOND = 20;
/** Different gathered entries of a caller that name their record. */
const GATHERED_OF_EACH = 1_000;
/** Different gathered entries of all callers. */
const MAX_GATHERED = 10_000;

type GatheredFacts = TimedFacts & { readonly count: number };

/** The acts of a caller in the present second: entries, how often the same, and what was recorded before it was done. */
interface CallerSecond {
  entries: number;
  readonly same: Map<string, number>;
  before: number;
}

/** Whether these facts get an entry of their own; counts it. */
function isOwn(facts: AuditFacts, caller: CallerSecond): boolean {
  if (caller.entries >= EACH_SECOND) return false;
  const name = nameOf(facts);
  const same = (caller.same.get(name) ?? 0) + 1;
  if (same > SAME_EACH_SECOND) return false;
  caller.same.set(name, same);
  caller.entries += 1;
  return true;
}

/** Entries that are written together, with how often each happened. */
function createGatheredEntries() {
  let entries = new Map<string, GatheredFacts>();
  let ofEach = new Map<string, number>();
  let since = 0;

  return {
    get since() {
      return since;
    },
    get size(): number {
      return entries.size;
    },
    get count(): number {
      return entries.values().reduce((sum, { count }) => sum + count, 0);
    },
    add(facts: TimedFacts): void {
      if (entries.size === 0) since = facts.time;
      const by = facts.by ?? '';
      const { address: _, request_id: __, ...named } = facts;
      const { record: ___, ...unnamed } = named;
      const isKnown = entries.has(nameOf(named));
      const isNamed = isKnown || (ofEach.get(by) ?? 0) < GATHERED_OF_EACH;
      const fits = isKnown || entries.size < MAX_GATHERED;
      const one = !fits ? { action: facts.action, time: facts.time } : isNamed ? named : unnamed;
      const name = nameOf(one);
      const found = entries.get(name);
      if (found === undefined) ofEach.set(by, (ofEach.get(by) ?? 0) + 1);
      entries.set(name, { ...one, count: (found?.count ?? 0) + (facts.count ?? 1) });
    },
    take(): readonly GatheredFacts[] {
      const all = [...entries.values()];
      entries = new Map();
      ofEach = new Map();
      return all;
    },
  };
}

function nameOf(facts: AuditFacts): string {
  const { action, account = '', by = '', resource = '', record = '', what = '' } = facts;
  return `${action} ${account} ${by} ${resource} ${record} ${what}`;
}
