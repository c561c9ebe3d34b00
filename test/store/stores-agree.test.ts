/** The same drafts give the same answers and the same stored documents on SQLite and on PostgreSQL, to the letter. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import type {
  Draft,
  Filter,
  Outcome,
  Store,
  StoredRecord,
} from '../../src/store/promises/store.ts';
import { whenOver } from '../support/at-end.ts';
import { opened } from '../support/opened.ts';
import { thingPatch } from '../support/store-patches.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { place, shapes, thing, visit } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  type Ground,
  newAccount,
  placeDraft,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

/** One thing that is asked of both stores. */
interface Step {
  readonly of: 'place' | 'thing' | 'visit';
  /** Which parent it belongs to, among those that there are. */
  readonly under: number;
  readonly name: string;
  readonly patch: JsonObject;
  readonly only: Draft['only'];
}

interface Round {
  readonly steps: readonly Step[];
  readonly atomic: boolean;
}

/** One store, and what it has answered so far. */
interface Side {
  readonly store: Store;
  readonly account: string;
  /** Identifiers and positions that a store chose, by the names that the test gives them. */
  readonly names: Map<string, string>;
  readonly made: { readonly place: StoredRecord[]; readonly thing: StoredRecord[] };
}

const NAMES = ['a', 'b', 'Ä', '\u{1f600}', "it's"];

const only = fc.option(
  fc.oneof(
    fc.record({ record: fc.constantFrom('absent' as const, 'present' as const) }),
    fc.record({ versions: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }) }),
  ),
  { freq: 5, nil: undefined },
);

/** Notes about as long as they may be: whether two fit together, both stores must see alike. */
const notes = fc.record({
  notes: fc.dictionary(
    fc.constantFrom('x', 'y'),
    fc.integer({ min: 440, max: 500 }).map((length) => 'é'.repeat(length / 2)),
    { minKeys: 1 },
  ),
});
const person = fc.record({
  person: fc.record(
    {
      name: fc.constantFrom('Łukasz', 'ÅNGSTRÖM', 'ﬁ', 'ﷺ'.repeat(500)),
      phone: fc.constantFrom('+1', null),
    },
    { requiredKeys: [] },
  ),
});

const step = fc.oneof(
  stepOf('place', notes),
  stepOf('thing', thingPatch),
  stepOf('thing', thingPatch),
  stepOf('visit', person),
);

const history: fc.Arbitrary<readonly Round[]> = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 8 }), atomic: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

function stepOf(of: Step['of'], patch: fc.Arbitrary<object>): fc.Arbitrary<Step> {
  return fc.record({
    of: fc.constant(of),
    under: fc.nat(3),
    name: fc.constantFrom(...NAMES),
    patch: patch as fc.Arbitrary<JsonObject>,
    only,
  });
}

await onPostgres(({ name, ground }) => {
  describe(`SQLite and ${name}`, () => {
    it('answer and keep the same, whatever is asked of them', async () => {
      const clock = { now: 1_800_000_000_000 };
      const sides = await Promise.all([
        side(await sqliteGround(), clock),
        side(await ground(), clock),
      ]);
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          const [one, other] = await Promise.all(sides.map((each) => fresh(each)));
          for (const round of rounds) {
            clock.now += 1_000;
            const said = await ask(one as Side, round);
            assert.deepEqual(await ask(other as Side, round), said);
          }
          const time = clock.now - 2_000;
          assert.deepEqual(await kept(other as Side, time), await kept(one as Side, time));
        }),
        { numRuns: 60 },
      );
    });
  });
});

async function side({ remove, ...where }: Ground, clock: { readonly now: number }): Promise<Store> {
  const now = () => clock.now;
  const store = await opened({ ...where, shapes, now, create: true, serve: true });
  whenOver(async () => {
    await remove();
  });
  return store;
}

/** An account with one place in it, and nothing else. */
async function fresh(store: Store): Promise<Side> {
  const account = await newAccount(store, 'A', true);
  const home = await write(store, placeDraft(account, 'home', {}));
  return { store, account, names: new Map(), made: { place: [home], thing: [] } };
}

async function ask(side: Side, { steps, atomic }: Round): Promise<unknown> {
  const drafts = steps.flatMap((each) => draftOf(side, each) ?? []);
  const outcomes = await side.store.commit(drafts, { atomic });
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.outcome !== 'created') continue;
    const { shape } = drafts[index] as Draft;
    if (shape === place) side.made.place.push(outcome.record);
    if (shape === thing) side.made.thing.push(outcome.record);
  }
  return outcomes.map((outcome) => said(side, outcome));
}

function draftOf(side: Side, { of, under, name, patch, only: condition }: Step): Draft | undefined {
  const condition_ = condition === undefined ? {} : { only: condition };
  if (of === 'place') return { ...placeDraft(side.account, name, patch), ...condition_ };
  const parents = of === 'thing' ? side.made.place : side.made.thing;
  const parent = parents[under % Math.max(parents.length, 1)];
  if (parent === undefined) return undefined;
  const draft = of === 'thing' ? thingDraft : visitDraft;
  return { ...draft(parent, name, patch), ...condition_ };
}

/** An outcome without what each store chooses for itself. */
function said(side: Side, outcome: Outcome): unknown {
  if (outcome.outcome === 'refused') {
    const { code, faults } = outcome.error;
    const told = faults.map((fault) => ({ ...fault, message: named(side, fault.message) }));
    return { outcome: 'refused', code, message: named(side, outcome.error.message), faults: told };
  }
  return 'record' in outcome
    ? { outcome: outcome.outcome, record: comparable(side, outcome.record) }
    : outcome;
}

/** A message, with the names that the test gives to identifiers. */
function named({ names }: Side, message: string): string {
  return message.replace(/\b[a-z]{3}_[0-9A-Za-z]{22}\b/g, (identifier) => {
    const name = names.get(identifier) ?? `${names.size}`;
    names.set(identifier, name);
    return name;
  });
}

function comparable(side: Side, { position: _position, ...record }: StoredRecord): object {
  const named = (identifier: string | null) => {
    if (identifier === null) return null;
    const name = side.names.get(identifier) ?? `${side.names.size}`;
    side.names.set(identifier, name);
    return name;
  };
  return {
    ...record,
    unique_identifier: named(record.unique_identifier),
    account: named(record.account),
    anchor: named(record.anchor),
    parent: named(record.parent),
  };
}

function filtersOf(shape: RecordShape, time: number): readonly (readonly Filter[])[] {
  const times = (['>=', '>', '<=', '<'] as const).flatMap((is) => [
    [{ by: 'updated_at' as const, is, value: time }],
    [{ by: 'inserted_at' as const, is, value: time }],
  ]);
  const names = NAMES.map((value) => [
    { by: 'external_identifier' as const, is: '=' as const, value },
  ]);
  const keys = shape.keys.flatMap(({ name }) =>
    (['=', '>', '<='] as const).map((is) => [{ by: { key: name }, is, value: 'fi' }]),
  );
  return [[], ...times, ...names, ...keys];
}

/** Every record, in every order that there is, and what filters leave of them. */
async function kept(side: Side, time: number): Promise<unknown> {
  const scope = within(side.account);
  const lists = [place, thing, visit].flatMap((shape) => {
    const keys = shape.keys
      .filter((key) => key.for === 'order')
      .flatMap(({ name: key }) => [{ key }, { key, descending: true }]);
    return (['newest', ...keys] as const).flatMap((order) =>
      filtersOf(shape, time).map(async (where) => {
        const page = await side.store.list({ shape, scope, order, where, limit: 1_000 });
        return page?.records ?? [];
      }),
    );
  });
  const pages = await Promise.all(lists);
  return pages.map((page) => page.map((record) => comparable(side, record)));
}
