/** A small world for each proof: a fresh store with an account and a place in it, and a clock that stands still. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { createReplay } from '../../src/records/ingest/one/replay.ts';
import type { BookTables } from '../../src/store/books/tables.ts';
import { type OpenOptions, openStore } from '../../src/store/open.ts';
import type { NewKey } from '../../src/store/promises/keys.ts';
import type { ChangesPage, ChangesQuery } from '../../src/store/promises/log.ts';
import type {
  CommitOptions,
  Draft,
  ListQuery,
  Outcome,
  Removed,
  Scope,
  Store,
  StoredReceipt,
  StoredRecord,
} from '../../src/store/promises/store.ts';
import { pluck } from './pluck.ts';
import { owner, place, shapes, thing, visit } from './store-shapes.ts';

/** Somewhere a new store can be. */
export interface Ground {
  readonly url: string;
  /** Into how many partitions the tables there are to be divided; none where left out. */
  readonly partitions?: number;
  /** What spreads the tables there over several servers. */
  readonly distribution?: 'citus';
  remove(): Promise<void>;
}

export type FindGround = () => Promise<Ground>;

export interface World {
  readonly url: string;
  readonly distribution: Ground['distribution'];
  readonly store: Store;
  readonly clock: { now: number };
  /** The unique identifier of an open test account. */
  readonly account: string;
  /** A place of that account. */
  readonly home: StoredRecord;
  /** One more opening of the same store, as another process would have it. */
  another(): Promise<Store>;
  /** Lets go of the store and opens it again. */
  reopen(more?: Pick<OpenOptions, 'historyDays'>): Promise<Store>;
}

export type Proves = (sentence: string, proof: (world: World) => Promise<void>) => void;

/** Makes `proves`: a test that is given a world of its own. */
export function createProves(findGround: FindGround): Proves {
  return (sentence, proof) => {
    it(sentence, async () => {
      const ground = await findGround();
      const opened: Store[] = [];
      const clock = { now: 1_800_000_000_000 };
      const open = async (
        serve: boolean,
        more?: Pick<OpenOptions, 'historyDays'>,
      ): Promise<Store> => {
        const now = () => clock.now;
        const { remove: _, ...where } = ground;
        const keyed = { erasureKeys: [new Uint8Array(32).fill(7)] };
        const store = await openStore({
          ...{ ...where, ...keyed, shapes, now, create: true, serve },
          ...more,
        });
        opened.push(store);
        return store;
      };
      try {
        // A store that serves starts threads: tests that open it again, and those of the API, prove it with them.
        const store = await open(false);
        const account = await newAccount(store, 'Us');
        const home = await write(store, placeDraft(account, 'home', { title: 'Home' }));
        const another = () => open(false);
        const { url, distribution } = ground;
        const reopen: World['reopen'] = async (more) => {
          for (const each of opened.splice(0)) await each.close();
          return open(true, more);
        };
        await proof({ url, distribution, store, clock, account, home, another, reopen });
      } finally {
        for (const each of opened) await each.close();
        await ground.remove();
      }
    });
  };
}

/** A new account, by its unique identifier. */
export async function newAccount(
  { accounts }: Pick<Store, 'accounts'>,
  name = 'A',
  livemode = false,
): Promise<string> {
  return (await accounts.create({ name, livemode })).unique_identifier;
}

export function placeDraft(account: string, name: string, patch: JsonObject): Draft {
  return draft(place, { account, anchor: null, unique_identifier: account }, name, patch);
}

export function thingDraft(at: StoredRecord, name: string, patch: JsonObject): Draft {
  return draft(thing, at, name, patch);
}

export function visitDraft(at: StoredRecord, name: string, patch: JsonObject): Draft {
  return draft(visit, at, name, patch);
}

/** A draft of a record below `parent`; places are anchors themselves. */
function draft(
  shape: RecordShape,
  parent: Pick<StoredRecord, 'account' | 'anchor' | 'unique_identifier'>,
  external_identifier: string,
  patch: JsonObject,
): Draft {
  return {
    shape,
    account: parent.account,
    anchor: parent.anchor ?? undefined,
    parent: parent.unique_identifier,
    external_identifier,
    patch,
  };
}

/** Commits one draft that must be written, and gives the record. */
export async function write(store: Store, one: Draft): Promise<StoredRecord> {
  const [outcome] = await store.commit([one]);
  return written(outcome).record;
}

export function written(outcome: Outcome | undefined) {
  assert.ok(outcome !== undefined && 'record' in outcome, JSON.stringify(outcome));
  return outcome;
}

export function refused(outcome: Outcome | Removed | undefined) {
  assert.ok(outcome?.outcome === 'refused', JSON.stringify(outcome));
  return outcome.error;
}

/** Removes one record that must be there, with what is below it. */
export async function remove(store: Store, record: StoredRecord) {
  const outcome = await removing(store, record);
  assert.ok(outcome.outcome === 'deleted', JSON.stringify(outcome));
  return outcome;
}

/** The receipt of a record, which must be there. */
export function keptRecord(receipt: StoredReceipt | undefined) {
  assert.ok(receipt !== undefined && 'record' in receipt, JSON.stringify(receipt));
  return receipt;
}

/** The record as a repetition of the request is answered with it. */
export function answeredBy(store: Store, receipt: StoredReceipt | undefined) {
  return createReplay(store)('key_one', keptRecord(receipt));
}

export function outcomesOf(outcomes: readonly { readonly outcome: string }[]): string[] {
  return outcomes.map(({ outcome }) => outcome);
}

/** What became of each of these drafts, which are one commit. */
export async function became(store: Store, drafts: readonly Draft[], options?: CommitOptions) {
  return outcomesOf(await store.commit(drafts, options));
}

/** The code by which a draft is refused. */
export async function codeOf(store: Store, draft: Draft): Promise<string> {
  return refused((await store.commit([draft]))[0]).code;
}

/** The records of a list, the newest first where not said otherwise. */
export async function listed(
  store: Store,
  shape: RecordShape,
  scope: Scope,
  more: Partial<ListQuery> = {},
): Promise<readonly StoredRecord[]> {
  const query = { shape, scope, order: 'newest', limit: 20_000, ...more } as const;
  return (await store.list(query)).records;
}

export const idsOf = (records: readonly { readonly unique_identifier: string }[]) =>
  pluck(records, 'unique_identifier');

export const namesOf = (records: readonly StoredRecord[]) => pluck(records, 'external_identifier');

/** A page of the log, whose mark is there. */
export async function pageOf(
  { log }: Store,
  query: Pick<ChangesQuery, 'account'> & Partial<ChangesQuery>,
): Promise<ChangesPage> {
  const page = await log.read({ limit: 1_000, bytes: 1_000_000, ...query });
  assert.ok(typeof page !== 'string', `the mark is ${page}`);
  return page;
}

/** What the log has of a record that was removed. */
export const goneOf = (store: Store, { account, unique_identifier }: StoredRecord) =>
  store.log.gone(shapeOf(unique_identifier).resource, unique_identifier, [account]);

/** As long as a hash or a fingerprint. */
export const bytesOf = (of: number): Uint8Array => new Uint8Array(32).fill(of);

export function newKey(key: Pick<NewKey, 'accounts'> & Partial<NewKey>): NewKey {
  return {
    ...{ name: null, hash: bytesOf(1), ending: 'last', anchors: null, region: null },
    ...{ permissions: ['read', 'write', 'delete'], resources: null, allow: [], from: null },
    ...{ requests_a_second: null, requests_at_once: null, expires_at: null },
    ...key,
  };
}

export function within(...accounts: string[]): Scope {
  return { accounts: new Set(accounts), anchors: undefined };
}

export function below(account: string, ...anchors: string[]): Scope {
  return { accounts: new Set([account]), anchors: new Set(anchors) };
}

/** The shape of the record with that identifier. */
export const shapeOf = (unique_identifier: string): RecordShape =>
  shapes.find(({ prefix }) => unique_identifier.startsWith(prefix)) ?? owner;

/** Removes a record with what belongs to it. */
export const removing = (store: Store, record: StoredRecord, more = {}) => {
  const { account, unique_identifier } = record;
  const shape = shapeOf(unique_identifier);
  return store.remove({ shape, account, unique_identifier, cascade: true, ...more });
};

/** What asks for the erasure of a record. */
export const erasureOf = ({ account, unique_identifier: record }: StoredRecord) => {
  const { resource } = shapeOf(record);
  return { resource, account, record, erasure: 'ers_1', by: 'key_1' };
};

export const erasing = async (store: Store, record: StoredRecord) =>
  (await store.erasing.erase([erasureOf(record)]))[0];

/** Does a statement that no book has. */
export async function changed({ jobs }: Pick<Store, 'jobs'>, text: string): Promise<void> {
  const { tables } = jobs as unknown as { readonly tables: BookTables };
  const both = { sqlite: text, postgres: text };
  await tables.change({
    ...both,
    name: undefined,
    columns: undefined,
    erases: false,
    gives: false,
  });
}
