/**
 * The consumers that have copies of erased records, and whether they were notified: webhook endpoints, by deliveries,
 * and keys that follow the changes, by how far they have read; also everyone who saw or exported them, by the audit.
 */
import type { StoredErasure } from '../../../core/objects/records/erasure.ts';
import type { ErasureAudience } from '../../../core/objects/records/erasure-told.ts';
import { changeId } from '../../../core/schema/change-id.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import type { ErasureNote } from '../../../store/books/erasing/notes.ts';
import type { Store } from '../../../store/promises/store.ts';
import { hearsOfErased } from '../../webhooks/notifications.ts';
import { copiersOf } from './copiers.ts';

const DAY_MS = 86_400_000;
/** How long after its last read a key counts as following the changes. */
const FOLLOWING_MS = 30 * DAY_MS;
/** How long a waiting consumer is checked. */
const LOOKED_MS = 90 * DAY_MS;
/** How long notes are stored: as long as erasures and their retries. */
const KEPT_MS = 800 * DAY_MS;
/** The number of notes read at once. */
const AT_ONCE = 100;
const ENDPOINT = 'whk_';

type Standing = Pick<ErasureNote, 'state' | 'last_at'>;

export class Consumers {
  readonly #store: Store;
  readonly #resources: readonly Resource[];
  readonly #now: () => number;
  #purged = 0;

  constructor(store: Store, resources: readonly Resource[], now: () => number) {
    this.#store = store;
    this.#resources = resources;
    this.#now = now;
  }

  /** Notes who must be notified of everything erased so far. Safe to repeat. */
  async begin({ unique_identifier: erasure, account, ...one }: StoredErasure): Promise<void> {
    const { log, webhooks, erasureNotes } = this.#store;
    const last = await log.last(account);
    if (last === undefined) return;
    const reached = changeId(account, last);
    const now = this.#now();
    const chosen = new Set(one.records);
    const resources = new Set(
      one.matches.flatMap(({ record, resource }) => (chosen.has(record) ? resource : [])),
    );
    const endpoints = (await webhooks.list([account])).filter(({ settings }) =>
      [...resources].some((resource) => hearsOfErased(settings.notifications, resource)),
    );
    const keys = await erasureNotes.following(account, now - FOLLOWING_MS);
    const erased = { account, erasure, records: one.records };
    const { latest, known } = await copiersOf(this.#store, this.#resources, erased, now);
    const all = [...endpoints.map((one) => one.unique_identifier), ...keys.map(({ key }) => key)];
    const told = { account, erasure, kind: 'told', count: 0, first_at: now, last_at: 0 } as const;
    await erasureNotes.put(all.map((about) => ({ ...told, about, state: 'waiting', reached })));
    // The audit deletes its entries sooner than notes are purged.
    const copied = { ...told, kind: 'copied', reached: '', count: known } as const;
    await erasureNotes.put(
      latest.map(({ by: about, how: state, at: last_at }) => {
        return { ...copied, about, state, last_at };
      }),
    );
  }

  /** Checks who has been notified since, and purges old notes. */
  async look(): Promise<void> {
    const { erasureNotes } = this.#store;
    const now = this.#now();
    for (let after = { erasure: '', about: '' }; ; ) {
      const notes = await erasureNotes.waiting(now - LOOKED_MS, after, AT_ONCE);
      for (const note of notes) await this.#lookAt(note);
      const last = notes.at(-1);
      if (last === undefined || notes.length < AT_ONCE) break;
      after = last;
    }
    if (now < this.#purged + DAY_MS) return;
    this.#purged = now;
    await erasureNotes.purge(now - KEPT_MS, now - FOLLOWING_MS);
  }

  async acknowledge(erasure: StoredErasure, key: string): Promise<number> {
    const now = this.#now();
    const { unique_identifier, account } = erasure;
    const note = { account, erasure: unique_identifier, about: key, state: '', reached: '' };
    const times = { first_at: now, last_at: now };
    await this.#store.erasureNotes.put([{ ...note, kind: 'acknowledged', count: 0, ...times }]);
    return now;
  }

  /** Returns a function that gives the audience of an erasure. */
  async of(erasures: readonly string[]): Promise<(erasure: string) => ErasureAudience> {
    const notes = await this.#store.erasureNotes.of(erasures);
    const byErasure = Map.groupBy(notes, ({ erasure }) => erasure);
    return (erasure) => toldBy(byErasure.get(erasure) ?? []);
  }

  async #lookAt(note: ErasureNote): Promise<void> {
    const isEndpoint = note.about.startsWith(ENDPOINT);
    const standing = isEndpoint ? await this.#endpoint(note) : await this.#key(note);
    const { erasureNotes } = this.#store;
    if (standing === undefined) await erasureNotes.remove(note);
    else if (standing.state !== note.state) await erasureNotes.settle(note, standing);
  }

  /** Returns `undefined` if the endpoint does not receive the erased records. */
  async #endpoint(note: ErasureNote): Promise<Standing | undefined> {
    const { webhooks, erasures, erasureNotes } = this.#store;
    const endpoint = await webhooks.find(note.about);
    if (endpoint === undefined) return { state: 'removed', last_at: 0 };
    const isStopped = endpoint.status === 'paused' || endpoint.status === 'disabled';
    const waits = { state: isStopped ? 'not_told' : 'waiting', last_at: 0 };
    // Change identifiers sort in log order.
    if ((endpoint.position ?? '') < note.reached) return waits;
    const pending = await webhooks.pending(note.about);
    if (pending.some(({ type }) => type.endsWith('.erased'))) return waits;
    const records = (await erasures.find(note.erasure))?.records ?? [];
    const delivered = await erasureNotes.delivered(note.about, records);
    const [done, failed] = [delivered.get('delivered'), delivered.get('failed')];
    // Deliveries older than a month are no longer stored.
    if (failed !== undefined || (done === undefined && note.state === 'failed'))
      return { state: 'failed', last_at: 0 };
    return done && { state: 'told', last_at: done.at };
  }

  async #key({ account, about, reached }: ErasureNote): Promise<Standing> {
    const keys = await this.#store.erasureNotes.following(account, 0);
    const key = keys.find((one) => one.key === about);
    return key !== undefined && key.reached >= reached
      ? { state: 'told', last_at: key.at }
      : { state: 'waiting', last_at: 0 };
  }
}

function toldBy(notes: readonly ErasureNote[]): ErasureAudience {
  const of = (kind: ErasureNote['kind']) => notes.filter((note) => note.kind === kind);
  const timeOf = (at: number | undefined) => (at ? presentTime(at) : null);
  const acknowledged = new Map(of('acknowledged').map(({ about, last_at }) => [about, last_at]));
  const told = new Map(of('told').map((note) => [note.about, note]));
  const copied = new Map(of('copied').map((note) => [note.about, note]));
  const all = new Set([...told.keys(), ...acknowledged.keys(), ...copied.keys()]);
  const known = Math.max(copied.size, ...[...copied.values()].map(({ count }) => count));
  return {
    consumers: [...all].map((consumer) => {
      const copy = copied.get(consumer);
      const note = told.get(consumer);
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
}
