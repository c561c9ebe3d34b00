/**
 * The consumers that have copies of erased records, and whether they were notified: keys that follow the changes, by how
 * far they have read, and those that features notify; also everyone who saw or exported them, by the audit.
 */
import { type EachAccounts, eachUnwatched } from '../../core/each-account.ts';
import type { StoredErasure } from '../../core/objects/records/erasure.ts';
import type { ErasureAudience } from '../../core/objects/records/erasure-audience.ts';
import type { Resource } from '../../core/schema/define.ts';
import { changeId, decode128 } from '../../core/schema/id.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { ErasureNote } from '../../store/books/erasing/notes.ts';
import type { Copier } from '../../store/books/log/audit.ts';
import type { Store } from '../../store/promises/store.ts';
import type { ConsumerState, Consumers } from '../served.ts';

const DAY_MS = 86_400_000;
/** How long after its last read a key counts as following the changes. */
const FOLLOWING_MS = 30 * DAY_MS;
/** How long a waiting consumer is checked. */
const LOOKED_MS = 90 * DAY_MS;
/** How long notes are stored: as long as erasures and their retries. */
const NOTES_MS = 800 * DAY_MS;
const AT_ONCE = 100;

interface ConsumersParts {
  readonly resources: readonly Resource[];
  readonly consumers?: readonly Consumers[];
  readonly each?: EachAccounts;
  readonly now: () => number;
}

export function createConsumers(store: Store, parts: ConsumersParts) {
  const { resources, consumers = [], now: clock } = parts;
  const each = (parts.each ?? eachUnwatched)('systems told of erasures');
  const { audit, erasing, requests, log, erasureNotes } = store;
  let purged = 0;

  const keyStanding = async ({ account, about, reached }: ErasureNote): Promise<ConsumerState> => {
    const key = (await erasureNotes.following(account, 0)).find((one) => one.key === about);
    return key !== undefined && key.reached >= reached
      ? { state: 'told', last_at: key.at }
      : { state: 'waiting', last_at: 0 };
  };

  /** Returns the latest copiers, each once (an export outranks a view), and how many are known. */
  const copiersOf = async (
    { account, unique_identifier: erasure, records: chosen }: StoredErasure,
    now: number,
  ) => {
    const found = await erasing.find(chosen, [account]);
    const erased = found.filter((one) => one.erasure === erasure);
    if (erased.length === 0) return { latest: [], known: 0 };
    const records = erased.map(({ record }) => record);
    const kinds = new Set(erased.map(({ resource }) => resource));
    const places = new Set(erased.flatMap(({ anchor }) => anchor ?? []));
    // Identifiers say when their records were made.
    const since = Math.min(
      ...records.map((one) => Number((decode128(one.slice(-22)) ?? 0n) >> 80n)),
    );
    const of = { resources: [...kinds], places: [...places] };
    const known = await audit.copiers({ account, records, since, ...of });
    const words = new Set([
      ...resources.filter(({ name }) => kinds.has(name)).map(({ path }) => path),
      EVERYTHING,
    ]);
    const copiers = known.filter(
      ({ what }) => what?.split(' ').some((one) => words.has(one)) ?? true,
    );
    const lastHour = Math.floor(now / HOUR_MS) * HOUR_MS;
    for (let ago = 0; ago <= LATE_HOURS; ago += 1) {
      const hour = lastHour - ago * HOUR_MS;
      if (hour + HOUR_MS < since) break;
      for (const { key, anchor, resource, ...read } of await requests.readsOf(hour))
        if (
          read.account === account &&
          kinds.has(resource) &&
          (anchor === '' || places.has(anchor))
        )
          copiers.push({ by: key, how: 'exported', at: hour, what: null });
    }
    const best = new Map<string, Copier>();
    for (const one of copiers) {
      const other = best.get(one.by);
      if (other === undefined || rankOf(one) > rankOf(other)) best.set(one.by, one);
    }
    const latest = [...best.values()].toSorted((one, other) => other.at - one.at);
    return { latest: latest.slice(0, MAX_COPIERS), known: latest.length };
  };

  return {
    /** Notes who must be notified of everything erased so far. Safe to repeat. */
    async begin(begun: StoredErasure): Promise<void> {
      const { unique_identifier: erasure, account, records, matches } = begun;
      const last = await log.last(account);
      if (last === undefined) return;
      const reached = changeId(account, last);
      const now = clock();
      const chosen = new Set(records);
      const erasedOf = new Set(
        matches.flatMap(({ record, resource }) => (chosen.has(record) ? resource : [])),
      );
      const told = await Promise.all(consumers.map((some) => some.of(account, erasedOf)));
      const keys = await erasureNotes.following(account, now - FOLLOWING_MS);
      const { latest, known } = await copiersOf(begun, now);
      const all = [...told.flat(), ...keys.map(({ key }) => key)];
      const note = { account, erasure, count: 0, first_at: now, last_at: 0 };
      await erasureNotes.put(
        all.map((about) => ({ ...note, kind: 'told', about, state: 'waiting', reached })),
      );
      // The audit deletes its entries sooner than notes are purged.
      const copied = { ...note, kind: 'copied', reached: '', count: known } as const;
      await erasureNotes.put(
        latest.map(({ by: about, how: state, at: last_at }) => {
          return { ...copied, about, state, last_at };
        }),
      );
    },

    /** Checks who has been notified since, and purges old notes. */
    async look(): Promise<void> {
      const now = clock();
      for (let after = { erasure: '', about: '' }; ; ) {
        const notes = await erasureNotes.waiting(now - LOOKED_MS, after, AT_ONCE);
        await each.through(
          Map.groupBy(notes, ({ account }) => account),
          ([account]) => account,
          async ([, own]) => {
            for (const note of own) {
              const its = consumers.find(({ prefix }) => note.about.startsWith(prefix));
              const standing = await (its ? its.standing(note) : keyStanding(note));
              if (standing === undefined) await erasureNotes.remove(note);
              else if (standing.state !== note.state) await erasureNotes.settle(note, standing);
            }
          },
        );
        const last = notes.at(-1);
        if (last === undefined || notes.length < AT_ONCE) break;
        after = last;
      }
      if (now < purged + DAY_MS) return;
      purged = now;
      await erasureNotes.purge(now - NOTES_MS, now - FOLLOWING_MS);
    },

    async acknowledge({ unique_identifier: erasure, account }: StoredErasure, about: string) {
      const now = clock();
      const note = { account, erasure, about, state: '', reached: '', count: 0 };
      await erasureNotes.put([{ ...note, kind: 'acknowledged', first_at: now, last_at: now }]);
      return now;
    },

    async of(erasure: string): Promise<ErasureAudience> {
      const notes = await erasureNotes.of([erasure]);
      const of = (kind: ErasureNote['kind']) => notes.filter((note) => note.kind === kind);
      const timeOf = (at: number | undefined) => (at ? presentTime(at) : null);
      const acknowledged = new Map(
        of('acknowledged').map(({ about, last_at }) => [about, last_at]),
      );
      const notified = new Map(of('told').map((note) => [note.about, note]));
      const copied = new Map(of('copied').map((note) => [note.about, note]));
      const all = new Set([...notified.keys(), ...acknowledged.keys(), ...copied.keys()]);
      const known = Math.max(copied.size, ...[...copied.values()].map(({ count }) => count));
      return {
        consumers: [...all].map((consumer) => {
          const copy = copied.get(consumer);
          const note = notified.get(consumer);
          const { state = '', first_at = 0 } = note ?? copy ?? {};
          const at = acknowledged.get(consumer);
          // An acknowledgement does not cover what was erased after it.
          const status = at !== undefined && at >= first_at ? 'acknowledged' : state;
          const acknowledged_at = timeOf(at);
          const [told_at, seen_at] = [timeOf(note?.last_at), timeOf(copy?.last_at)];
          return { consumer, status: status as 'told', told_at, acknowledged_at, seen_at };
        }),
        consumers_count: all.size + known - copied.size,
        sent_again: of('sent_again').map(({ about: by, count, first_at, last_at }) => ({
          by,
          count,
          first_at: presentTime(first_at),
          last_at: presentTime(last_at),
        })),
      };
    },
  };
}

/** The most copiers returned; the latest take precedence. */
const MAX_COPIERS = 200;
const HOUR_MS = 3_600_000;
/** How many past hours of reads by keys the audit may still lack. */
const LATE_HOURS = 2;
/** The printed page that has records of every kind. */
const EVERYTHING = 'today';

/** Ranks copiers: every export comes before every view. */
function rankOf({ how, at }: Copier): number {
  return how === 'exported' ? at : at - Number.MAX_SAFE_INTEGER;
}
