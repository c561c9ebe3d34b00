/** Every statement has a form that servers among which accounts are distributed can do, each by itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { BookStatement } from '../../src/store/books/tables.ts';
import { withParts } from '../../src/store/postgres/placement/names.ts';
import { createReach } from '../../src/store/postgres/placement/reach.ts';
import * as answered from '../../src/store/postgres/statements/answered.ts';
import * as changes from '../../src/store/postgres/statements/changes.ts';
import * as commits from '../../src/store/postgres/statements/commits.ts';
import { listCall, placesCall } from '../../src/store/postgres/statements/lists.ts';
import { seen } from '../../src/store/postgres/statements/prepare.ts';
import * as receipts from '../../src/store/postgres/statements/receipts.ts';
import { draftStatements, recordStatements } from '../../src/store/postgres/statements/records.ts';
import { removalStatements } from '../../src/store/postgres/statements/removal.ts';
import { keyFinding } from '../../src/store/postgres/store.ts';
import type { Statement } from '../../src/store/postgres/wire/session.ts';
import { bookStatements } from '../support/feature-statements.ts';
import { shapes } from '../support/store-shapes.ts';

/** Sent to one server: several accounts share a commit only where all lie on one, and a look is at one account where not. */
const ON_ONE_SERVER = new Set([
  ...['writeFirst', 'writeNext', 'lockFree', 'statesOf', 'look', 'lookIn'],
]);

/** Read in many accounts, or write rows that each say their account. */
const OVER_ACCOUNTS = new Set([
  ...['accounts.list', 'changes.nextAccounts', 'keys.livemodes', 'keys.openAmong'],
  ...['requests.accountsAmong', 'receipts.find', 'receipts.due', 'receipts.rename'],
  ...['answered.answer', 'receipts.insert', 'accounts.insert', 'changes.append'],
  ...['changes.log', 'commits.number', 'sources.syncSources', 'syncs.sync', 'syncs.syncs'],
  ...['syncs.syncsAt', 'syncs.goingSyncs', 'syncs.beginSync', 'syncs.endedSync'],
  ...['syncs.purgeSyncs', 'syncs.purgeIdle', 'syncs.purgeDoubts', 'syncDoubts.doubtCounts'],
  ...shapes.flatMap(({ resource }) => [`${resource}.findAmong`, `${resource}.put`]),
]);

/** Found by trying: Citus refuses them, or each server would have its own. */
const REFUSED =
  /\bLATERAL\b|\bEXISTS \(SELECT FROM\b|^\s*WITH\b|\bpg_(?:try_)?advisory|\bpg_current_|\bxid8\b|\bconcat_ws\(|\bnow\(\)|\brandom\(\)/i;

/** A clock in what is evaluated by chance: Citus, which evaluates it once for all servers, refuses to write so. */
const CLOCK_BY_CHANCE = /\b(?:CASE\b(?:(?!\bEND\b)[\s\S])*|coalesce\([^)]*)_timestamp\(/i;

/** Tables of books that are spread among the servers by the account in all their keys; each server has a copy of the others. */
const spreadTables = new Map(
  ownTables.map(({ table, key, unique = {} }) => {
    const keys = [key.join(), ...Object.values(unique)];
    return [table, keys.every((columns) => /(?:^|, ?)account\b/.test(columns))] as const;
  }),
);

const SPREAD =
  /\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:account|commit|change|gone|receipt|answered|sync|sync_seen|sync_doubt|place|thing|"[^;]+?")(?=[\s(])/i;

const READS =
  /\b(?:FROM|JOIN|UPDATE|USING)\s+(?:account|commit|change|gone|receipt|answered|sync|sync_seen|sync_doubt|place|thing|"[^;]+?")(?=[\s(])/gi;

const ofModule = (name: string, all: object): [string, Statement<never>][] =>
  Object.entries(all)
    .filter(([, one]) => typeof one === 'object' && one !== null && 'text' in one)
    .map(([key, one]) => [`${name}.${key}`, one as Statement<never>]);

const ofBook = (
  name: string,
  all: Readonly<Record<string, BookStatement>>,
): [string, Statement<never>][] =>
  Object.entries(all).map(([key, { postgres: text }]) => [`${name}.${key}`, { text }]);

const spread = (all: object): object =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !ON_ONE_SERVER.has(name)));

const ofRemovals = (shape: RecordShape, parent: RecordShape): [string, Statement<never>][] => {
  const { themselves, children, ...counting } = removalStatements(shape, parent);
  return [themselves, children, counting].flatMap((all) => ofModule(shape.resource, all));
};

const ONE_SERVER: ReadonlySet<string> = new Set(['audit', 'imports']);
const order = { key: undefined, ascending: false, from: undefined };
const statements = [
  // The audit, imports and uploads lie at one server.
  ...bookStatements.flatMap(([name, all]) => (ONE_SERVER.has(name) ? [] : ofBook(name, all))),
  ...ofModule('changes', changes),
  ...ofModule('commits', spread(commits)),
  ...ofModule('keys', keyFinding),
  ...ofModule('answered', answered),
  ...ofModule('receipts', receipts),
  ...shapes.flatMap((shape) => {
    const parent = shapes.find(({ resource }) => resource === shape.parent?.resource);
    const list = { shape, account: 'own_1', anchors: undefined, order, filters: [], limit: 1 };
    return [
      ...ofModule(shape.resource, recordStatements(shape)),
      ...(parent === undefined
        ? []
        : ofModule(shape.resource, spread(draftStatements(shape, parent)))),
      ...(parent === undefined ? [] : ofRemovals(shape, parent)),
      ...ofModule(shape.resource, { list: listCall(list).statement }),
      ...ofModule(shape.resource, { places: placesCall(list).statement }),
      ...ofModule(shape.resource, { some: listCall({ ...list, bytes: 9 }).statement }),
    ];
  }),
];

describe('A statement for accounts that lie on several servers', () => {
  it('holds nothing that these refuse, or that each of them would have for itself', () => {
    assert.ok(statements.length > 60, `${statements.length} statements`);
    for (const [name, { text }] of statements) {
      assert.doesNotMatch(text, REFUSED, name);
      if (/^\s*(?:UPDATE|INSERT|DELETE)\b/.test(text))
        assert.doesNotMatch(text, CLOCK_BY_CHANCE, name);
      // What is there already is compared with values, not with a clock.
      assert.doesNotMatch(text, /\bDO UPDATE\b.*_timestamp\(/s, name);
      // What is locked is locked where it is read, and not in a part of a statement.
      assert.doesNotMatch(text, /FOR (?:NO KEY )?UPDATE[\s\S]*\)/, name);
    }
  });

  it('looks from no table that each server has a copy of into one that is spread', () => {
    assert.deepEqual(new Set(spreadTables.values()), new Set([true, false]));
    for (const [name, { text }] of statements) {
      const [outer, ...inner] = [
        ...text.matchAll(/\b(?:FROM|JOIN|UPDATE|USING)\s+"?(\w+)"?/gi),
      ].map(([, table = '']) => spreadTables.get(table));
      const asks =
        outer === false && inner.includes(true) && /\bEXISTS\b|\bIN \(SELECT\b/.test(text);
      assert.ok(!asks, `${name}: ${text}`);
    }
  });

  it('has the names of parts where it names tables, and not for columns that are called as a table is', () => {
    const all = [...ownTables.map(({ table }) => table), 'location', 'event'];
    const names = new Map(all.map((table) => [table, `${table}_102`]));
    for (const { table, fields } of ownTables) {
      const columns = Object.entries(fields).map(([name, { column = name }]) => column);
      for (const column of [...columns, ...all]) {
        const at = (name: string) =>
          `SELECT "${column}", other."${column}" FROM "${name}" JOIN "${name}" USING ("${column}")
            WHERE ("${column}") > ($1) AND "${name}"."x" IN (SELECT "${column}" FROM "${name}")
            ORDER BY "${column}"; UPDATE "${name}" SET "${column}" = 1; INSERT INTO "${name}" ("x", "${column}")`;
        assert.equal(withParts(at(table), names), at(`${table}_102`));
      }
    }
    const odd = new Map([['visit "order"', 'visit "order"_102']]);
    assert.equal(
      withParts('SELECT FROM "visit ""order"""', odd),
      'SELECT FROM "visit ""order""_102"',
    );
  });

  it('says its account, unless it reads in several', () => {
    for (const [name, { text: sent }] of statements) {
      const text = seen(sent);
      const says = /\baccount = \(?\$\d/.test(text);
      if (!SPREAD.test(text)) continue;
      assert.equal(says, !OVER_ACCOUNTS.has(name), `${name}: ${text}`);
    }
  });

  it('of a book is asked at one server, unless it reads in several accounts', () => {
    const reachOf = createReach(new Set(['account', 'hold', 'retention_rule', 'sync', 'job']));
    for (const [name, { text }] of statements.filter(([name]) => name.startsWith('holds.'))) {
      if (/^\s*SELECT/.test(text)) assert.notEqual(reachOf({ text }), 'alone', name);
    }
    const reaches = Object.entries({
      'SELECT name FROM api_key WHERE hash = $1': 'alone',
      'SELECT matter FROM hold WHERE account = $2 AND unique_identifier = $1': 1,
      'SELECT matter FROM "hold" WHERE account = (SELECT $1::text)': 0,
      'SELECT matter FROM hold JOIN sync ON sync.account = hold.account WHERE account = $1': 'all',
      'SELECT matter FROM hold WHERE account = $1 UNION SELECT id FROM sync WHERE account = $1': 0,
      'SELECT matter FROM hold WHERE account = ANY ($1::text[])': 'all',
      'SELECT matter FROM hold': 'all',
    });
    for (const [text, reach] of reaches) assert.equal(reachOf({ text }), reach, text);
  });

  it('says it of each table that it reads: by a join alone, a statement that writes goes to all servers', () => {
    for (const [name, { text: sent }] of statements) {
      const text = seen(sent);
      if (OVER_ACCOUNTS.has(name)) continue;
      const tables = text.match(READS) ?? [];
      const said = text.match(/\baccount = \(?\$\d/g) ?? [];
      assert.ok(said.length >= tables.length, `${name}: ${text}`);
    }
  });
});
