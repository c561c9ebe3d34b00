/**
 * Erasures: the service looks for a person's records, an officer chooses among the matches, and the service erases
 * those. A process that is killed midway resumes when it restarts, because every step may be repeated.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import type {
  ErasureLeft,
  ErasureMatch,
  ErasureView,
  StoredErasure,
} from '../../core/objects/records/erasure.ts';
import { UNPROVED } from '../../core/objects/records/erasure-proof.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { Principal } from '../../records/auth/principal.ts';
import {
  DUE_MS,
  type EraseOutcome,
  type EraseRequest,
  type ErasureQuery,
} from '../../store/promises/erasing/book.ts';
import { foundIn, missingAt } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import { type JobSubject, Jobs } from '../jobs.ts';
import { issued } from './certificate.ts';
import { type ChangeErasure, changing } from './changing.ts';
import { Consumers } from './consumers/consumers.ts';
import { BackgroundLook } from './everywhere/looking.ts';
import { type Details, joined, mentionsOf, NO_DETAILS } from './everywhere/mentions.ts';
import { refusedRows } from './everywhere/rows.ts';
import { heldAmong } from './held.ts';
import type { ErasureJournal } from './journal.ts';
import { erasePast } from './past.ts';
import { readAgain } from './proof/places.ts';
import { keepTraces } from './proof/proof.ts';

/**
 * The most erasures of one caller in an account: open ones, and all of the last 24 months, some thirteen a day.
 * Requests are stored that long, so one key that begins and closes erasures could use up a limit per account and lock
 * out every officer for years. A limit per caller takes nothing from others.
 */
const MAX_OPEN = 100;
export const MAX_KEPT = 10_000;
/** The most records erased with one call. */
const SLICE = 50;
/** How long a request waits for the journal's disks and for concurrent erasures; usually some milliseconds. */
const SETTLES_MS = 1_000;
/** The pause between two checks whether the erasure is done. */
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
  readonly now: () => number;
  /** The pause between two pieces of a background search. */
  readonly pauseMs?: () => number;
  /** How long the service retains its continuous backup; `undefined` if it has none. */
  readonly backupKeepMs?: number | undefined;
}

export class ErasureService {
  readonly #store: Store;
  readonly #parts: ErasureParts;
  readonly consumers: Consumers;
  /** Searches for people in data that has no index. */
  readonly looks: Jobs<JobSubject>;
  /** Erases the chosen records; returns whether that still waits for the journal. */
  readonly runs: Jobs<ErasureRun, boolean>;
  readonly #identify: (prefix: string) => string;
  #settling: Promise<unknown> | undefined;
  readonly #change: ChangeErasure;
  readonly #look: BackgroundLook;

  constructor(store: Store, parts: ErasureParts) {
    this.#store = store;
    this.#parts = parts;
    this.#identify = createIdentifiers(parts.now);
    this.#change = changing(store.erasures, parts.now);
    this.#look = new BackgroundLook({ ...parts, store }, parts.sealer, this.#change);
    this.looks = new Jobs({
      kind: 'erasure_look',
      book: store.jobs,
      // Without a key the details cannot be read: the search waits until there is one again.
      due: async () => (parts.sealer === undefined ? [] : store.erasures.looking()),
      work: ({ unique_identifier }) => this.#look.work(unique_identifier),
      ...(parts.pauseMs && { pauseMs: parts.pauseMs }),
    });
    this.runs = new Jobs({
      kind: 'erasure',
      book: store.jobs,
      slots: 8,
      due: () => this.#due(),
      work: (run) => this.#eraseAll(run),
    });
    this.consumers = new Consumers(store, parts.resources, parts.now);
  }

  async begin({ key: by }: Principal, begun: BegunErasure): Promise<ErasureView> {
    const now = this.#parts.now();
    const { account, reference, received_at = now, matches, details } = begun;
    const { open, all } = await this.#store.erasures.counts({ account, by });
    if (open >= MAX_OPEN) throw new ApiError('erasures_too_many');
    if (all >= MAX_KEPT) throw new ApiError('erasures_exhausted');
    const unique_identifier = this.#identify('ers_');
    const erasure: StoredErasure = {
      unique_identifier,
      refused_rows: 0,
      named_in: [],
      ...this.#look.begun(unique_identifier, details),
      account,
      status: 'ready',
      reference,
      received_at,
      due_at: received_at + DUE_MS,
      matches,
      records: [],
      past_only: [],
      left: [],
      basis: null,
      by,
      revision: 0,
      ...UNPROVED,
      inserted_at: now,
      updated_at: now,
    };
    await this.#store.erasures.add(erasure);
    return this.#viewOf(erasure);
  }

  /** Throws `resource_missing`. */
  async find({ scope }: Principal, id: string): Promise<ErasureView> {
    return this.#viewOf(foundIn(scope, 'erasure', await this.#store.erasures.find(id)));
  }

  async list({ scope }: Principal, query: ErasureQuery): Promise<readonly ErasureView[]> {
    const found = await this.#store.erasures.list([...scope.accounts], query);
    return Promise.all(found.map((one) => this.#viewOf(one)));
  }

  /** Issues proof of the erasure that contains no personal data. */
  async certificate(caller: Principal, id: string): Promise<JsonObject> {
    return issued({ ...this.#parts, store: this.#store }, await this.find(caller, id));
  }

  /**
   * Erases the chosen matches in addition to those chosen before. With `keeps`, their current content stays, and only
   * earlier versions are erased.
   */
  async run(
    caller: Principal,
    id: string,
    chosen: readonly string[],
    keeps = false,
  ): Promise<ErasureView> {
    await this.find(caller, id);
    if (this.#parts.sealer === undefined) throw new ApiError('erasure_keyless');
    const running = await this.#change(id, (erasure) => {
      if (erasure.status === 'closed') throw new ApiError('erasure_closed');
      const known = new Set(erasure.matches.map(({ record }) => record));
      for (const [at, record] of chosen.entries()) {
        if (known.has(record)) continue;
        throw new ApiError('value_invalid', {
          param: `records.${at}`,
          message: `records.${at} is not among the matches of this erasure: begin one that names it.`,
        });
      }
      const records = [...new Set([...erasure.records, ...chosen])];
      const others = erasure.past_only.filter((record) => !chosen.includes(record));
      const past_only = keeps ? [...others, ...chosen] : others;
      return { ...erasure, status: 'running', records, past_only, left: [] };
    });
    const { account } = running;
    const ran = (await this.#work({ account, unique_identifier: id, by: caller.key })) ?? running;
    const over = pause(SETTLES_MS, 'over', { ref: false });
    let [now, wait]: [StoredErasure, unknown] = [ran, undefined];
    while (now.status === 'running' && wait !== 'over') {
      wait = await Promise.race([this.#settle(), over]);
      now = (await this.#store.erasures.find(id)) ?? ran;
      // The service's own upkeep may be erasing the same records.
      if (now.status === 'running') wait = await Promise.race([pause(AGAIN_MS), over]);
    }
    return this.#viewOf(now);
  }

  async close(caller: Principal, id: string, basis: string): Promise<ErasureView> {
    await this.find(caller, id);
    const closed = await this.#change(id, (erasure) => {
      if (erasure.status === 'running') throw new ApiError('erasure_running');
      return { ...erasure, status: 'closed', basis };
    });
    return this.#viewOf(closed);
  }

  /** Allows a record to be sent again. Throws `resource_missing` if this erasure did not erase it. */
  async lift(caller: Principal, id: string, record: string): Promise<ErasureView> {
    const erasure = await this.find(caller, id);
    const [erased] = await this.#store.erasing.find([record], [erasure.account]);
    if (erased?.erasure !== id) {
      const shape = (this.#parts.resources.at(-1) as Resource).shape;
      throw missingAt('record', shape, record);
    }
    // Deselect it first, so that a later run does not erase it again.
    const others = (some: readonly string[]) => some.filter((one) => one !== record);
    const lifted = await this.#change(id, (now) => {
      return { ...now, records: others(now.records), past_only: others(now.past_only) };
    });
    await this.#parts.journal.lift(erasure.account, record);
    return this.#viewOf(lifted);
  }

  /** Resolves once no request has left work behind. */
  async settled(): Promise<void> {
    await this.#settling;
  }

  /** Ends erasures whose records are erased, once the journal contains them. */
  #settle(): Promise<unknown> {
    this.#settling ??= this.#parts.journal
      .sync()
      .then((isSynced) => (isSynced ? this.resume() : undefined))
      // The service retries from time to time.
      .catch(() => undefined)
      .finally(() => {
        this.#settling = undefined;
      });
    return this.#settling;
  }

  /** Resumes interrupted erasures, and deletes what the log holds of erased records. */
  async resume(): Promise<boolean> {
    while (await this.runs.resume());
    const running = await this.#store.erasures.running();
    if (running.some(({ status }) => status === 'running')) void this.#settle();
    return this.#store.erasing.forget();
  }

  /** Finds erasures with something left to erase, including those whose hold was released. */
  async #due(): Promise<readonly ErasureRun[]> {
    const running = await this.#store.erasures.running();
    const waits = await Promise.all(
      running.map(async (one) => one.status === 'waiting' && this.#waits(one)),
    );
    return running.flatMap(({ account, unique_identifier }, at) =>
      waits[at] ? [] : [{ account, unique_identifier }],
    );
  }

  /** Returns whether all records that the erasure waits for are still held. */
  async #waits({ account, left, matches }: StoredErasure): Promise<boolean> {
    const waiting = new Set(
      left.filter(({ code }) => code === CODES.held).map((one) => one.record),
    );
    const held = await this.#heldAmong(
      account,
      matches.filter(({ record }) => waiting.has(record)),
    );
    return held.size === waiting.size;
  }

  async #viewOf(erasure: StoredErasure): Promise<ErasureView> {
    const { unique_identifier, account, matches } = erasure;
    const progress = await this.#store.erasing.progress(unique_identifier);
    const told = (await this.consumers.of([unique_identifier]))(unique_identifier);
    const held = await this.#heldAmong(account, matches);
    if (held.size === 0) return { ...erasure, progress, told };
    const shown = matches.map((one) => {
      const held_by = held.get(one.record);
      return held_by === undefined ? one : { ...one, held_by };
    });
    return { ...erasure, matches: shown, progress, told };
  }

  #heldAmong(account: string, matches: readonly ErasureMatch[]) {
    return heldAmong(this.#store, this.#parts.resources, account, matches);
  }

  /** Repeats the run until nothing that any request chose is left to erase. */
  async #work(run: ErasureRun): Promise<StoredErasure | undefined> {
    for (;;) {
      const waits = await this.runs.run(run);
      const erasure = await this.#store.erasures.find(run.unique_identifier);
      if (waits !== false || erasure?.status !== 'running') return erasure;
    }
  }

  /** Erases children before their parents. Returns whether only the journal's line is missing. */
  async *#eraseAll({
    unique_identifier: id,
    by = id,
  }: ErasureRun): AsyncGenerator<number, boolean> {
    const erasure = await this.#change(id, (now) =>
      now.status === 'waiting' ? { ...now, status: 'running', left: [] } : now,
    );
    if (erasure.status !== 'running') return false;
    const { account, matches } = erasure;
    const order = this.#parts.resources.map(({ shape }) => shape.resource);
    const rank = ({ resource }: ErasureMatch): number => order.indexOf(resource);
    const chosen = new Set(erasure.records);
    const wanted = matches
      .filter(({ record }) => chosen.has(record))
      .sort((one, other) => rank(other) - rank(one));
    const goes = ({ record }: ErasureMatch): boolean => !erasure.past_only.includes(record);
    const sent = this.#look.detailsOf(erasure) ?? NO_DETAILS;
    const traces = { ...this.#parts, change: this.#change };
    const known = joined([await keepTraces(this.#store, traces, erasure, wanted), sent]);
    // Cut rows that were refused before the record was accepted, while its content says what to look for.
    const mentions = mentionsOf(known);
    await refusedRows(this.#store.imports, account, mentions, { cuts: true });
    const left: ErasureLeft[] = [];
    const note = async ({ resource, record }: EraseRequest, outcome: EraseOutcome) => {
      if (outcome === 'keyless') throw new ApiError('erasure_keyless');
      if (outcome === 'erased') return;
      const code = CODES[outcome];
      const held =
        outcome === 'held'
          ? await this.#heldAmong(account, [{ resource, record, reasons: [] }])
          : undefined;
      left.push({ record, code, held_by: held?.get(record) ?? null });
    };
    const requestOf = ({ resource, record }: ErasureMatch): EraseRequest => {
      return { resource, account, record, erasure: id, by };
    };
    for (const request of wanted.filter((match) => !goes(match)).map(requestOf))
      await note(request, await this.#erasePast(request));
    let going = wanted.filter(goes).map(requestOf);
    while (going.length > 0) {
      const outcomes = await this.#store.erasing.erase(going.slice(0, SLICE));
      for (const [at, outcome] of outcomes.entries())
        await note(going[at] as EraseRequest, outcome);
      going = going.slice(outcomes.length);
      yield 1;
    }
    const stays = new Set([...erasure.past_only, ...left.map(({ record }) => record)]);
    const gone = erasure.records.filter((record) => !stays.has(record));
    if (gone.length > 0) await this.consumers.begin({ ...erasure, records: gone });
    while ((await this.#store.erasing.progress(id)).left > 0) {
      if (!(await this.#store.erasing.forget())) break;
      yield 1;
    }
    const places = await readAgain(this.#store, this.#parts.resources, erasure, mentions);
    const isProved = places.every(({ found }) => found === 0);
    const isTold = isProved && (await this.#parts.journal.isSynced(id));
    const isGrown = ({ records, past_only }: StoredErasure): boolean =>
      records.length !== erasure.records.length || past_only.length !== erasure.past_only.length;
    const ended = await this.#change(id, (now) =>
      now.status !== 'running' || isGrown(now) || !isTold
        ? { ...now, places }
        : { ...now, places, left, status: statusOf(left) },
    );
    return !isTold && !isGrown(ended);
  }

  /** Erases the earlier versions of a record. */
  async #erasePast({
    account,
    resource,
    record,
    erasure,
  }: EraseRequest): Promise<'erased' | 'missing' | 'held'> {
    const { shape } = this.#parts.resources.find(({ name }) => name === resource) as Resource;
    const version = await erasePast(this.#store, shape, account, record);
    if (typeof version === 'string') return version;
    await this.#parts.journal.tellPast({ account, resource, record, erasure, version });
    return 'erased';
  }
}

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
