/**
 * Erasures: what is known of a person is looked for, a person chooses, and what was chosen is erased. A process that is
 * killed meanwhile goes on when it runs again: each step may be repeated.
 */
import { ApiError } from '../../core/errors.ts';
import type {
  ErasureLeft,
  ErasureMatch,
  StoredErasure,
} from '../../core/objects/records/erasure.ts';
import { RecordEnds } from '../../core/schema/csv/record-ends.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { isObject, type Json } from '../../core/schema/values.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { missingAt } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';

/** What laws grant for the answer to such a request. */
const DUE_MS = 45 * 86_400_000;
/** Neither done nor closed, of an account. */
const MAX_OPEN = 100;
/** Imports that are looked through for rejected rows: these are stored for seven days. */
const MAX_IMPORTS = 1_000;
/** Shorter texts are in other people's rows, too. */
const MIN_TEXT = 5;

/** Throws `SecretKeyUnusable` where erased records could not be told from others. */
export async function requireErasureKeys(
  erasing: Pick<Store['erasing'], 'hasLostKeys'>,
): Promise<void> {
  if (!(await erasing.hasLostKeys())) return;
  throw new SecretKeyUnusable(
    'SECRET_KEY_FILE: records were erased, and only the key of that time tells when they are sent again. Put that key into the file, on a line of its own after the new one.',
  );
}

export interface BegunErasure {
  readonly account: string;
  readonly reference: string | null;
  readonly received_at: number | undefined;
  readonly matches: readonly ErasureMatch[];
}

/** As it is shown. */
export type ErasureView = StoredErasure & { readonly progress: { readonly erased: number } };

export class ErasureDesk {
  readonly #store: Store;
  readonly #resources: readonly Resource[];
  readonly #now: () => number;
  readonly #identify: (prefix: string) => string;

  constructor(store: Store, resources: readonly Resource[], now: () => number) {
    this.#store = store;
    this.#resources = resources;
    this.#now = now;
    this.#identify = createIdentifiers(now);
  }

  async begin({ key: by }: Principal, begun: BegunErasure): Promise<ErasureView> {
    const now = this.#now();
    const { account, reference, received_at = now, matches } = begun;
    if ((await this.#store.erasures.open(account)) >= MAX_OPEN)
      throw new ApiError('erasures_too_many');
    const erasure: StoredErasure = {
      unique_identifier: this.#identify('ers_'),
      ...{ account, status: 'ready', reference, received_at, due_at: received_at + DUE_MS },
      ...{ matches, records: [], left: [], basis: null, inserted_at: now, updated_at: now },
    };
    await this.#store.erasures.put(erasure, by);
    return { ...erasure, progress: { erased: 0 } };
  }

  /** Throws `resource_missing`. */
  async find({ scope }: Principal, id: string): Promise<ErasureView> {
    const found = await this.#store.erasures.find(id);
    if (found === undefined || !scope.accounts.has(found.account))
      throw new ApiError('resource_missing', {
        message: 'There is no erasure with this unique_identifier, or you may not see it.',
      });
    return this.#viewOf(found);
  }

  async list({ scope }: Principal, before: string, limit: number): Promise<readonly ErasureView[]> {
    const found = await this.#store.erasures.list([...scope.accounts], before, limit);
    return Promise.all(found.map((one) => this.#viewOf(one)));
  }

  /** Erases these of its matches, in addition to those that were chosen before. */
  async run(caller: Principal, id: string, chosen: readonly string[]): Promise<ErasureView> {
    const erasure = await this.find(caller, id);
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
    const running = { ...erasure, status: 'running' as const, records, left: [] };
    await this.#put(running, caller.key);
    return this.#viewOf(await this.#work(running, caller.key));
  }

  async close(caller: Principal, id: string, basis: string): Promise<ErasureView> {
    const erasure = await this.find(caller, id);
    if (erasure.status === 'running') throw new ApiError('erasure_running');
    return this.#viewOf(await this.#put({ ...erasure, status: 'closed', basis }, caller.key));
  }

  /** Lets a record be sent again; throws `resource_missing` where it was not erased by this. */
  async lift(caller: Principal, id: string, record: string): Promise<ErasureView> {
    const erasure = await this.find(caller, id);
    const [erased] = await this.#store.erasing.find([record], [erasure.account]);
    if (erased?.erasure !== id) {
      const shape = (this.#resources.at(-1) as Resource).shape;
      throw missingAt('record', shape, record);
    }
    await this.#store.erasing.lift(erasure.account, record);
    return this.#viewOf(erasure);
  }

  /** Goes on with what was interrupted, and forgets what the log holds of erased records. */
  async resume(): Promise<boolean> {
    for (const erasure of await this.#store.erasures.running())
      await this.#work(erasure, erasure.unique_identifier);
    return this.#store.erasing.forget();
  }

  async #viewOf(erasure: StoredErasure): Promise<ErasureView> {
    const progress = await this.#store.erasing.progress(erasure.unique_identifier);
    return { ...erasure, progress };
  }

  async #put(erasure: StoredErasure, by: string): Promise<StoredErasure> {
    const changed = { ...erasure, updated_at: this.#now() };
    await this.#store.erasures.put(changed, by);
    return changed;
  }

  /** What is below others goes before them. */
  async #work(erasure: StoredErasure, by: string): Promise<StoredErasure> {
    const { account, unique_identifier, matches } = erasure;
    const order = this.#resources.map(({ shape }) => shape.resource);
    const rank = ({ resource }: ErasureMatch): number => order.indexOf(resource);
    const chosen = new Set(erasure.records);
    const left: ErasureLeft[] = [];
    const wanted = matches
      .filter(({ record }) => chosen.has(record))
      .sort((one, other) => rank(other) - rank(one));
    for (const { resource, record } of wanted) {
      await this.#cutRejected(account, resource, record);
      const request = { resource, account, record, erasure: unique_identifier, by };
      const outcome = await this.#store.erasing.erase(request);
      if (outcome === 'keyless') throw new ApiError('erasure_keyless');
      if (outcome === 'erased') continue;
      const code = outcome === 'missing' ? 'resource_missing' : 'record_has_children';
      left.push({ record, code });
    }
    while ((await this.#store.erasing.progress(unique_identifier)).left > 0) {
      if (!(await this.#store.erasing.forget())) break;
    }
    return this.#put({ ...erasure, left, status: left.length > 0 ? 'ready' : 'done' }, by);
  }

  /** Takes the rows of refused imports that hold something of the record: it may have been refused before it was taken. */
  async #cutRejected(account: string, name: string, record: string): Promise<void> {
    const { imports } = this.#store;
    const runs = (await imports.list(MAX_IMPORTS)).filter(({ accounts }) =>
      accounts.includes(account),
    );
    if (runs.length === 0) return;
    const shape = this.#resources.find(({ shape }) => shape.resource === name)?.shape;
    const scope = { accounts: new Set([account]), anchors: undefined };
    const found = shape && (await this.#store.find(shape, record, scope));
    if (found === undefined) return;
    const texts = [found.external_identifier ?? '', ...textsIn(parseStored(found.document) as Json)]
      .filter(({ length }) => length >= MIN_TEXT)
      .map((text) => text.toLowerCase());
    for (const { unique_identifier } of runs) {
      const rows = await imports.rejected(unique_identifier);
      if (rows === undefined) continue;
      const kept = withoutRows(rows, texts);
      if (kept !== rows) await imports.cutRejected(unique_identifier, kept);
    }
  }
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A CSV text without the rows that hold one of these, its heading aside; phone numbers as they are written, too. */
export function withoutRows(csv: string, texts: readonly string[]): string {
  const bytes = Buffer.from(csv);
  const ends = new RecordEnds(',');
  const digits = texts
    .map((text) => text.replace(/\D/g, '').slice(-10))
    .filter((one) => one.length === 10);
  const kept: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = ends.find(bytes, from);
    const upto = end < 0 ? bytes.length : end + 1;
    const row = bytes.toString('utf8', from, upto);
    const small = row.toLowerCase();
    const bare = row.replace(/[^\d,]/g, '');
    const holds =
      texts.some((text) => small.includes(text)) || digits.some((one) => bare.includes(one));
    if (kept.length === 0 || !holds) kept.push(row);
    from = upto;
  }
  return kept.join('');
}
