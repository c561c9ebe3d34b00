/** A small world for each proof: a fresh store with an account and a place in it, and a clock that stands still. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { type OpenOptions, openStore } from '../../src/store/open.ts';
import type {
  Draft,
  Outcome,
  Removed,
  Scope,
  Store,
  StoredReceipt,
  StoredRecord,
} from '../../src/store/promises/store.ts';
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
export async function remove(store: Store, shape: RecordShape, record: StoredRecord) {
  const { account, unique_identifier } = record;
  const outcome = await store.remove({ shape, account, unique_identifier, cascade: true });
  assert.ok(outcome.outcome === 'deleted', JSON.stringify(outcome));
  return outcome;
}

/** The receipt of a record, which must be there. */
export function keptRecord(receipt: StoredReceipt | undefined) {
  assert.ok(receipt !== undefined && 'record' in receipt, JSON.stringify(receipt));
  return receipt;
}

export function outcomesOf(outcomes: readonly { readonly outcome: string }[]): string[] {
  return outcomes.map(({ outcome }) => outcome);
}

export function within(...accounts: string[]): Scope {
  return { accounts: new Set(accounts), anchors: undefined };
}

export function below(account: string, ...anchors: string[]): Scope {
  return { accounts: new Set([account]), anchors: new Set(anchors) };
}

export const shapeOf = { [place.prefix]: place, [thing.prefix]: thing, [visit.prefix]: visit };

/** Removes a record with what belongs to it. */
export const removing = (store: Store, record: StoredRecord, more = {}) => {
  const { account, unique_identifier } = record;
  const shape = shapeOf[unique_identifier.slice(0, 4)] ?? owner;
  return store.remove({ shape, account, unique_identifier, cascade: true, ...more });
};

export const erasing = async (
  store: Store,
  { account, unique_identifier: record }: StoredRecord,
) => {
  const { resource } = shapeOf[record.slice(0, 4)] ?? owner;
  const request = { resource, account, record, erasure: 'ers_1', by: 'key_1' };
  return (await store.erasing.erase([request]))[0];
};
