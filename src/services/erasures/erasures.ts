/**
 * Erasures: the service looks for a person's records, an officer chooses among the matches, and the service erases
 * those. A process that is killed midway resumes when it restarts, because every step may be repeated.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { type EachAccounts, eachUnwatched } from '../../core/each-account.ts';
import { ApiError } from '../../core/errors.ts';
import type {
  ErasureLeft,
  ErasureMatch,
  ErasureView,
  StoredErasure,
} from '../../core/objects/records/erasure.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { countryAt } from '../../records/query/zones.ts';
import type {
  EraseOutcome,
  EraseRequest,
  ErasureQuery,
} from '../../store/promises/erasing/book.ts';
import { foundIn, missingAt } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import { type JobSubject, Jobs } from '../jobs.ts';
import type { Consumers, FilesKept } from '../served.ts';
import { issued } from './certificate.ts';
import { createConsumers } from './consumers.ts';
import { createBackgroundLook } from './everywhere/looking.ts';
import { type Details, joined, mentionsOf, NO_DETAILS } from './everywhere/mentions.ts';
import type { ErasureJournal } from './journal.ts';
import { readAgain, sealTraces } from './proof.ts';
import { changing, eraseHistory, holdsOn, newErasure } from './steps.ts';

/**
 * The most erasures of one caller in an account: open ones, and all of the last 24 months, some thirteen a day.
 * Requests are stored that long, so one key that begins and closes erasures could use up a limit per account and lock
 * out every officer for years. A limit per caller takes nothing from others.
 */
const MAX_OPEN = 100;
export const MAX_STORED = 10_000;
const SLICE = 50;
/** How long a request waits for the journal's disks and for concurrent erasures; usually some milliseconds. */
const SETTLES_MS = 1_000;
const AGAIN_MS = 20;

export interface BegunErasure {
  readonly account: string;
  readonly reference: string | null;
  readonly received_at: number | undefined;
  readonly matches: readonly ErasureMatch[];
  /** The details to look for in data that has no index. */
  readonly details: Details;
}

/** A run of an erasure. `by` is who requested it; absent if the service resumes it by itself. */
interface ErasureRun extends JobSubject {
  readonly by?: string;
}

export interface ErasureParts {
  readonly resources: readonly Resource[];
  /** The sealer, without which nothing is erased. */
  readonly sealer: Sealer | undefined;
  readonly journal: ErasureJournal;
  /** Who else has copies. */
  readonly consumers?: readonly Consumers[];
  /** Files of people, or parts of them, that features keep. */
  readonly files?: readonly FilesKept[];
  readonly now: () => number;
  /** Makes what goes through accounts in the background. */
  readonly each?: EachAccounts;
  /** The pause between two pieces of a background search. */
  readonly pauseMs?: () => number;
  /** How long the service retains its continuous backup; `undefined` if it has none. */
  readonly backupKeepMs?: number | undefined;
}

export function createErasureService(store: Store, parts: ErasureParts) {
  const { resources, sealer, journal } = parts;
  const { erasures, erasing } = store;
  const each = (parts.each ?? eachUnwatched)('erasures');
  const identify = createIdentifiers(parts.now);
  const change = changing(erasures, parts.now);
  const look = createBackgroundLook({ ...parts, store }, sealer, change);
  /** Searches for people in data that has no index. */
  const looks = new Jobs<JobSubject>({
    kind: 'erasure_look',
    book: store.jobs,
    // Without a key the details cannot be read: the search waits until there is one again.
    due: async () => (sealer === undefined ? [] : erasures.looking()),
    work: ({ unique_identifier }) => look.work(unique_identifier),
    ...(parts.pauseMs && { pauseMs: parts.pauseMs }),
  });
  /** Erases the chosen records; returns whether that still waits for the journal. */
  const runs = new Jobs<ErasureRun, boolean>({
    kind: 'erasure',
    book: store.jobs,
    slots: 8,
    due: findDue,
    work: eraseAll,
  });
  const consumers = createConsumers(store, parts);
  let settling: Promise<unknown> | undefined;
  /** Erasures of which only the journal's line is missing: they go on once it is written. */
  const unlisted = new Set<string>();

  async function begin({ key: by }: Principal, begun: BegunErasure): Promise<ErasureView> {
    const now = parts.now();
    const { account, reference, received_at = now, matches, details } = begun;
    const { open, all } = await erasures.counts({ account, by });
    if (open >= MAX_OPEN) throw new ApiError('erasures_too_many');
    if (all >= MAX_STORED) throw new ApiError('erasures_exhausted');
    const unique_identifier = identify('ers_');
    const erasure: StoredErasure = {
      ...newErasure(unique_identifier, account, received_at),
      ...look.begun(unique_identifier, details),
      status: 'ready',
      reference,
      matches,
      by,
      inserted_at: now,
      updated_at: now,
    };
    await erasures.add(erasure);
    return viewOf(erasure);
  }

  /** Throws `resource_missing`. */
  async function find({ scope }: Principal, id: string): Promise<ErasureView> {
    return viewOf(foundIn(scope, 'erasure', await erasures.find(id)));
  }

  async function list({ scope }: Principal, query: ErasureQuery): Promise<readonly ErasureView[]> {
    return Promise.all((await erasures.list([...scope.accounts], query)).map(viewOf));
  }

  /** Issues proof of the erasure that contains no personal data. */
  async function certificate(caller: Principal, id: string): Promise<JsonObject> {
    return issued({ ...parts, store }, await find(caller, id));
  }

  /**
   * Erases the chosen matches in addition to those chosen before. With `keeps`, their current content stays, and only
   * earlier versions are erased.
   */
  async function run(caller: Principal, id: string, chosen: readonly string[], keeps = false) {
    await find(caller, id);
    if (sealer === undefined) throw new ApiError('erasure_keyless');
    const running = await change(id, (erasure) => {
      if (erasure.status === 'closed') throw new ApiError('erasure_closed');
      const known = new Set(erasure.matches.map(({ record }) => record));
      const at = chosen.findIndex((record) => !known.has(record));
      if (at >= 0)
        throw new ApiError('value_invalid', {
          param: `records.${at}`,
          message: `records.${at} is not among the matches of this erasure: begin one that names it.`,
        });
      const records = [...new Set([...erasure.records, ...chosen])];
      const others = erasure.past_only.filter((record) => !chosen.includes(record));
      const past_only = keeps ? [...others, ...chosen] : others;
      return { ...erasure, status: 'running', records, past_only, left: [] };
    });
    const { account } = running;
    const ran = (await work({ account, unique_identifier: id, by: caller.key })) ?? running;
    const over = pause(SETTLES_MS, 'over', { ref: false });
    let [now, wait]: [StoredErasure, unknown] = [ran, undefined];
    while (now.status === 'running' && wait !== 'over') {
      wait = await Promise.race([settle(), over]);
      now = (await erasures.find(id)) ?? ran;
      // The service's own upkeep may be erasing the same records.
      if (now.status === 'running') wait = await Promise.race([pause(AGAIN_MS), over]);
    }
    return viewOf(now);
  }

  async function close(caller: Principal, id: string, basis: string): Promise<ErasureView> {
    await find(caller, id);
    const closed = await change(id, (erasure) => {
      if (erasure.status === 'running') throw new ApiError('erasure_running');
      return { ...erasure, status: 'closed', basis };
    });
    return viewOf(closed);
  }

  /** Allows a record to be sent again. Throws `resource_missing` if this erasure did not erase it. */
  async function lift(caller: Principal, id: string, record: string): Promise<ErasureView> {
    const { account } = await find(caller, id);
    const [erased] = await erasing.find([record], [account]);
    if (erased?.erasure !== id)
      throw missingAt('record', (resources.at(-1) as Resource).shape, record);
    // Deselect it first, so that a later run does not erase it again.
    const others = (some: readonly string[]) => some.filter((one) => one !== record);
    const lifted = await change(id, (now) => {
      return { ...now, records: others(now.records), past_only: others(now.past_only) };
    });
    await journal.lift(account, record);
    return viewOf(lifted);
  }

  /** Resolves once no request has left work behind. */
  async function settled(): Promise<void> {
    await settling;
  }

  /** Ends erasures whose records are erased, once the journal contains them. */
  function settle(): Promise<unknown> {
    settling ??= journal
      .sync()
      .then((isSynced) => (isSynced ? resume() : undefined))
      // The service retries from time to time.
      .catch(() => undefined)
      .finally(() => {
        settling = undefined;
      });
    return settling;
  }

  /** Resumes interrupted erasures once the journal was synced, and deletes what the log contains of erased records. */
  async function resume(): Promise<boolean> {
    unlisted.clear();
    while (await runs.resume()) if (unlisted.size > 0) void settle();
    const running = await erasures.running();
    if (running.some(({ status }) => status === 'running')) void settle();
    return erasing.forget(each.watch);
  }

  /** Finds erasures with something left to erase, including those whose hold was released. */
  async function findDue(): Promise<readonly ErasureRun[]> {
    const running = await erasures.running();
    const waits = await Promise.all(
      running.map(async (one) => {
        const { account, unique_identifier: id, status } = one;
        if (status !== 'waiting') return unlisted.has(id);
        return (await each.one(account, () => isWaiting(one), id)) ?? true;
      }),
    );
    return running.flatMap(({ account, unique_identifier }, at) =>
      waits[at] ? [] : [{ account, unique_identifier }],
    );
  }

  /** Returns whether all records that the erasure waits for are still on hold. */
  async function isWaiting({ account, left, matches }: StoredErasure): Promise<boolean> {
    const records = new Set(left.flatMap((one) => (one.code === CODES.held ? one.record : [])));
    const some = matches.filter(({ record }) => records.has(record));
    return (await holdsOn(store, resources, account, some)).size === records.size;
  }

  async function viewOf(erasure: StoredErasure): Promise<ErasureView> {
    const { unique_identifier, account, matches } = erasure;
    const { erased } = await erasing.progress(unique_identifier);
    const view = { ...erasure, erased, ...(await consumers.of(unique_identifier)) };
    const holds = await holdsOn(store, resources, account, matches);
    if (holds.size === 0) return view;
    const shown = matches.map((one) => {
      const held_by = holds.get(one.record);
      return held_by === undefined ? one : { ...one, held_by };
    });
    return { ...view, matches: shown };
  }

  /** Repeats the run until nothing that any request chose is left to erase. */
  async function work(run: ErasureRun): Promise<StoredErasure | undefined> {
    for (;;) {
      const waits = await runs.run(run);
      const erasure = await erasures.find(run.unique_identifier);
      if (waits !== false || erasure?.status !== 'running') return erasure;
    }
  }

  /** Erases children before their parents. Returns whether only the journal's line is missing. */
  async function* eraseAll({
    unique_identifier: id,
    by = id,
  }: ErasureRun): AsyncGenerator<number, boolean> {
    const erasure = await change(id, (now) =>
      now.status === 'waiting' ? { ...now, status: 'running', left: [] } : now,
    );
    if (erasure.status !== 'running') return false;
    const { account, matches, past_only } = erasure;
    const order = resources.map(({ shape }) => shape.resource);
    const rank = ({ resource }: ErasureMatch): number => order.indexOf(resource);
    const wanted = matches
      .filter(({ record }) => erasure.records.includes(record))
      .sort((one, other) => rank(other) - rank(one));
    const sent = look.detailsOf(erasure) ?? NO_DETAILS;
    const known = joined([await sealTraces(store, { ...parts, change }, erasure, wanted), sent]);
    // Cut rows that were refused before the record was accepted, while its content says what to look for.
    const mentions = mentionsOf(known, { country: await countryAt(store, [account]) });
    for (const one of parts.files ?? []) await one.rows(account, mentions, { cuts: true });
    const left: ErasureLeft[] = [];
    const note = async ({ resource, record }: EraseRequest, outcome: EraseOutcome) => {
      if (outcome === 'keyless') throw new ApiError('erasure_keyless');
      if (outcome === 'erased') return;
      const some = outcome === 'held' ? [{ resource, record }] : [];
      const holds = await holdsOn(store, resources, account, some);
      left.push({ record, code: CODES[outcome], held_by: holds.get(record) ?? null });
    };
    const [past = [], all = []] = [true, false].map((isPast) =>
      wanted
        .filter(({ record }) => past_only.includes(record) === isPast)
        .map(({ resource, record }) => ({ resource, account, record, erasure: id, by })),
    );
    for (const request of past) await note(request, await eraseEarlier(request));
    for (let going = all; going.length > 0; ) {
      const outcomes = await erasing.erase(going.slice(0, SLICE));
      for (const [at, outcome] of outcomes.entries())
        await note(going[at] as EraseRequest, outcome);
      going = going.slice(outcomes.length);
      yield 1;
    }
    const stays = new Set([...past_only, ...left.map(({ record }) => record)]);
    const gone = erasure.records.filter((record) => !stays.has(record));
    if (gone.length > 0) await consumers.begin({ ...erasure, records: gone });
    while ((await erasing.progress(id)).left > 0) {
      if (!(await erasing.forget(each.watch))) break;
      yield 1;
    }
    const isForgotten = (await erasing.progress(id)).left === 0;
    const places = await readAgain({ ...parts, store }, erasure, mentions);
    const isProved = isForgotten && places.every(({ found }) => found === 0);
    const isListed = isProved && (await journal.isSynced(id));
    const isGrown = (now: StoredErasure): boolean =>
      now.records.length !== erasure.records.length || now.past_only.length !== past_only.length;
    const ended = await change(id, (now) =>
      now.status !== 'running' || isGrown(now) || !isListed
        ? { ...now, places }
        : { ...now, places, left, status: statusOf(left) },
    );
    const isUnlisted = !isListed && !isGrown(ended);
    if (isUnlisted) unlisted.add(id);
    return isUnlisted;
  }

  /** Erases the earlier versions of a record. */
  async function eraseEarlier({ account, resource, record, erasure }: EraseRequest) {
    const { shape } = resources.find(({ name }) => name === resource) as Resource;
    const version = await eraseHistory(store, shape, account, record);
    if (typeof version === 'string') return version;
    await journal.writeHistory({ account, resource, record, erasure, version });
    return 'erased';
  }

  return {
    ...{ begin, find, list, certificate, run, close, lift, settled, resume },
    ...{ consumers, looks, runs, about: store.about },
  };
}

export type ErasureService = ReturnType<typeof createErasureService>;

/** The reason why a record was not erased, by the outcome from the store. */
const CODES = {
  missing: 'resource_missing',
  has_children: 'record_has_children',
  held: 'record_held',
  changed: 'record_changed',
} as const;

function statusOf(left: readonly ErasureLeft[]): StoredErasure['status'] {
  if (left.length === 0) return 'done';
  return left.some(({ code }) => code === CODES.held) ? 'waiting' : 'ready';
}
