/** On PostgreSQL all transactions lock rows in one order, so that none ends in a deadlock. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BookStatement } from '../../src/store/books/tables.ts';
import { FIXED_TABLES } from '../../src/store/names.ts';
import { openStore } from '../../src/store/open.ts';
import { statementOf } from '../../src/store/postgres/book-rows.ts';
import * as answered from '../../src/store/postgres/statements/answered.ts';
import * as changes from '../../src/store/postgres/statements/changes.ts';
import * as commits from '../../src/store/postgres/statements/commits.ts';
import * as erased from '../../src/store/postgres/statements/erased.ts';
import * as receipts from '../../src/store/postgres/statements/receipts.ts';
import { draftStatements, recordStatements } from '../../src/store/postgres/statements/records.ts';
import * as search from '../../src/store/postgres/statements/search.ts';
import * as together from '../../src/store/postgres/statements/together.ts';
import type { Statement } from '../../src/store/postgres/wire/session.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { bookStatements } from '../support/feature-statements.ts';
import { afterLocking, LOCK_ORDER, locksOf, OUTSIDE } from '../support/lock-order.ts';
import { opened } from '../support/opened.ts';
import { pluck } from '../support/pluck.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { owner, place, shapes } from '../support/store-shapes.ts';
import { newAccount } from '../support/store-world.ts';
import { until } from '../support/until.ts';

type Named = readonly [name: string, statement: Statement<never>];

const within = (name: string, all: unknown): readonly Named[] => {
  if (typeof all !== 'object' || all === null) return [];
  if ('text' in all) return [[name, all as Statement<never>]];
  return Object.entries(all).flatMap(([key, one]) => within(`${name}.${key}`, one));
};
const ofBook = (name: string, all: Readonly<Record<string, BookStatement>>): readonly Named[] =>
  Object.entries(all).map(([key, one]) => [`${name}.${key}`, statementOf(one)]);

const statements: readonly Named[] = [
  ...bookStatements.flatMap(([name, all]) => ofBook(name, all)),
  ...within('', { answered, changes, commits, erased, receipts, search, together }),
  ...within('place', recordStatements(place)),
  ...within('place', draftStatements(place, owner)),
];
const all = new Map(statements);
const locksOfNamed = (name: string) => locksOf(all.get(name)?.text ?? '');

/** The names of the first and the last class that it locks. */
const classesOf = (name: string): readonly (string | undefined)[] => {
  const { first = 0, last = 0 } = locksOfNamed(name) ?? assert.fail(`${name} locks nothing`);
  return [first, last].map((rank) => LOCK_ORDER[rank - 1]?.name);
};

/** What is left held after these, in one transaction. */
const inTransaction = (...names: readonly string[]): number =>
  ['.commits.begin', ...names].reduce(
    (held, name) => afterLocking(held, locksOfNamed(name) ?? assert.fail(name)),
    OUTSIDE,
  );

describe('The order in which rows are locked on PostgreSQL', () => {
  it('has a class for each statement that writes or locks, and none for the others', () => {
    assert.ok(statements.length > 120, `${statements.length} statements`);
    const locking =
      /\bINSERT\b|\bDELETE\b|\bSET "?\w+"? =|\bFOR (NO KEY )?(UPDATE|SHARE)|FOR KEY SHARE/;
    const ends = new Set(['begin', 'commit', 'rollback'].map((name) => `.commits.${name}`));
    for (const [name, { text }] of statements) {
      if (ends.has(name) || text.startsWith('BEGIN') || text.startsWith('SET ')) continue;
      assert.equal(locksOf(text) !== undefined, locking.test(text), `${name}: ${text}`);
    }
  });

  it('knows every table but those of records, once', () => {
    const named = LOCK_ORDER.flatMap(({ tables }) => tables);
    const ofSchema = new Set([...named, 'ledgerstone_migration']);
    assert.equal(named.length, new Set(named).size);
    assert.deepEqual(
      ofSchema.symmetricDifference(new Set(FIXED_TABLES.postgres)),
      new Set(),
      'say in which class each table is locked: in `locks` of expected.ts of its feature in test/features, or in test/support/lock-order.ts',
    );
  });

  it('is read from the text of a statement', () => {
    for (const [name, first, last = first] of [
      ['.commits.lock', 'account'],
      ['.commits.lockFree', 'account'],
      ['.commits.number', 'account'],
      ['.together.lockOpen', 'account'],
      ['.together.lockFree', 'account'],
      ['keys.lock', 'key'],
      ['place.writeFirst', 'account', 'record'],
      ['place.writeNext', 'record'],
      ['place.put', 'record'],
      ['.changes.log', 'record'],
      ['place.removal.themselves.forget', 'record'],
      ['.answered.answer', 'record'],
      ['.answered.forget', 'record'],
      ['.answered.purge', 'record'],
      ['.receipts.insert', 'receipt'],
      ['.receipts.rename', 'receipt'],
      ['.receipts.takeRoom', 'single'],
      ['staff.dropPasskeys', 'sign_in'],
    ] as const) {
      assert.deepEqual(classesOf(name), [first, last], name);
    }
  });

  it('locks several rows with one statement in the order of their keys', () => {
    const several = [...all].filter(([, { text }]) => /FOR (NO KEY )?UPDATE/.test(text));
    assert.ok(several.length > 0);
    for (const [name, { text }] of several) {
      // One row, rows that nobody waits for, or rows in their order.
      const fair = /unique_identifier = \$1|SKIP LOCKED|ORDER BY unique_identifier FOR/;
      assert.match(text, fair, name);
    }
  });

  it('lets pass what follows it, and fails what does not', () => {
    inTransaction('.commits.lock', 'keys.lock', 'place.put', '.receipts.insert', '.commits.commit');
    inTransaction('.commits.lock', '.commits.lock', '.commits.number', '.commits.number');
    assert.equal(inTransaction('.receipts.insert', '.commits.rollback', '.commits.lock'), OUTSIDE);
    const late = (name: string, after: string) =>
      new TypeError(`A transaction locks "${name}" after "${after}": see lock-order.ts.`);
    const backwards = () => inTransaction('.receipts.insert', '.commits.lock');
    assert.throws(backwards, late('account', 'receipt'));
    assert.throws(() => inTransaction('.changes.log', 'keys.lock'), late('key', 'record'));
    assert.equal(locksOf('SELECT account FROM account WHERE account = $1'), undefined);
  });
});

const WAITING =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

await onPostgres(({ name, ground }) => {
  const skip = process.env.TEST_DISTRIBUTION !== undefined && 'each server counts its own';
  describe(`Two who invite the same people on ${name}, each in another order`, { skip }, () => {
    it('do not end in a deadlock', async () => {
      const { url } = await ground();
      const options = { shapes, create: true, serve: false, url };
      const [holder, watcher] = [await connected(url), await connected(url)];
      const stores = [await openStore(options), await openStore(options)] as const;
      const ended = whenOver(() => Promise.all(stores.map((store) => store.close())));
      const emails = ['a@example.org', 'b@example.org', 'c@example.org'];
      let nth = 0;
      const invitations = (some: readonly string[]) =>
        some.map((email) => ({
          ...({ email, name: null, role: 'viewer', accounts: [], anchors: null } as const),
          ...{ region: null, allow: [], hash: `hash ${nth++}`, expires_at: 1 },
        }));
      await stores[0].staff.inviteAll(invitations(emails));
      await holder.query('BEGIN');
      await holder.query("SELECT FROM staff WHERE email LIKE 'b@%' FOR UPDATE");
      const first = stores[0].staff.inviteAll(invitations(emails));
      const second = stores[1].staff.inviteAll(invitations(emails.toReversed()));
      await until(async () => (await watcher.query(WAITING)).rowCount === 2);
      await holder.query('COMMIT');
      const invited = (await Promise.all([first, second])).map((some) => pluck(some, 'email'));
      assert.deepEqual(invited, [emails, emails.toReversed()]);
      // What a session has counted is known once it has ended.
      await ended();
      const others = 'SELECT FROM pg_stat_activity WHERE datname = current_database()';
      await until(async () => (await watcher.query(others)).rowCount === 2);
      const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
      assert.deepEqual((await watcher.query(deadlocks)).rows, [{ deadlocks: '0' }]);
    });
  });

  describe(`A statement over several webhook endpoints on ${name}`, { skip }, () => {
    it('is repeated where the server ends it for a deadlock', async () => {
      const { url } = await ground();
      const store = await opened({ shapes, create: true, serve: false, url });
      const [holder, watcher] = [await connected(url), await connected(url)];
      const account = await newAccount(store, 'Us');
      const ids = ['whk_a', 'whk_b'];
      for (const unique_identifier of ids) {
        await store.webhooks.create({
          ...{ unique_identifier, account, key: account, secrets: [], position: null },
          ...{ status: 'enabled', reason: null, failing_since: null },
          settings: {
            ...{ url: 'https://example.com/hook', description: null, notifications: ['*'] },
            ...{ locations: null, payload: 'thin' },
          },
        });
      }
      const lock = (one = '') =>
        holder.query('SELECT FROM webhook_endpoint WHERE unique_identifier = $1 FOR UPDATE', [one]);
      const statements = {
        take: async () => (await store.webhooks.take('lease', ids)).length,
        renew: () => store.webhooks.renew('lease'),
        release: () => store.webhooks.release('lease'),
      };
      const ended = new Set<string>();
      // One of the two orders is the other way round than that of the statement.
      for (const [one, other] of [ids, ids.toReversed()]) {
        for (const [statement, run] of Object.entries(statements)) {
          await holder.query("BEGIN; SET LOCAL deadlock_timeout = '1h'");
          await lock(one);
          const done = run();
          await until(async () => (await watcher.query(WAITING)).rowCount === 1);
          const free = 'SELECT FROM webhook_endpoint FOR UPDATE SKIP LOCKED';
          if ((await watcher.query(free)).rowCount === 0) {
            await lock(other);
            ended.add(statement);
          }
          await holder.query('COMMIT');
          const taken = await done;
          if (statement === 'take') assert.equal(taken, 2);
        }
      }
      assert.deepEqual([...ended].sort(), ['release', 'renew', 'take']);
      const leases = (await store.webhooks.leases()).map(({ lease }) => lease);
      assert.deepEqual(leases, [null, null]);
    });
  });
});
