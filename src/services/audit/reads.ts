/** Adds to the audit what API keys have read in each hour, as activity has counted it: their requests wait for nothing. */
import type { AuditBook } from '../../store/books/log/audit.ts';
import type { RequestBook } from '../../store/books/log/requests.ts';
import { type ChainParts, nextOf, type TimedFacts } from './chain.ts';

const HOUR_MS = 3_600_000;
/** How much later than an hour its counts are taken: processes write them with some delay. */
const LATE_MS = 5 * 60_000;
/** How far it looks back, where there is none before it, and after the service did not run. */
const FIRST_MS = 24 * HOUR_MS;
const BACK_MS = 31 * FIRST_MS;
/** Entries of an hour, which are one commit. Beyond, keys are counted without places, and then without resources. */
const MAX_ENTRIES = 1_000;

interface ReadsParts extends Omit<ChainParts, 'book'> {
  readonly book: ChainParts['book'] & Pick<AuditBook, 'lastReads'>;
  readonly requests: Pick<RequestBook, 'readsOf'>;
}

type Reads = Awaited<ReturnType<RequestBook['readsOf']>>[number];

/** Adds the next hour with reads, from that one on, and gives the one to go on with; processes may call it at the same time. */
export async function addReads(parts: ReadsParts, looked: number): Promise<number> {
  const { book, requests, now } = parts;
  const time = now();
  // Taken first: another process that adds an hour meanwhile has taken the place in the chain.
  const add = await nextOf(parts, 'reads');
  // Entries and looks of later hours are from a clock that was put back since.
  const last = await book.lastReads(time);
  const back = last === undefined ? FIRST_MS : BACK_MS;
  const next = last === undefined ? 0 : last + HOUR_MS;
  let hour = Math.max(next, hourOf(time - back), looked > time ? 0 : looked);
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
  const forms: readonly ((one: Reads) => Reads)[] = [
    (one) => one,
    (one) => ({ ...one, anchor: '' }),
    (one) => ({ ...one, anchor: '', resource: '' }),
    (one) => ({ ...one, anchor: '', resource: '', key: '' }),
    (one) => ({ ...one, anchor: '', resource: '', key: '', account: '' }),
  ];
  let found: readonly Reads[] = [];
  for (const form of forms) {
    found = summed(all.map(form));
    if (found.length <= MAX_ENTRIES) break;
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

function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}
