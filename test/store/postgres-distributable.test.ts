/** Every statement has a form that servers among which accounts are distributed can do, each by itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { BookStatement } from '../../src/store/books/tables.ts';
import * as changes from '../../src/store/postgres/statements/changes.ts';
import * as commits from '../../src/store/postgres/statements/commits.ts';
import { listCall, placesCall } from '../../src/store/postgres/statements/lists.ts';
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
  ...['receipts.answer', 'receipts.insert', 'accounts.insert', 'changes.append'],
  ...['changes.log', 'commits.number', 'sources.syncSources', 'syncs.sync', 'syncs.syncs'],
  ...['syncs.syncsAt', 'syncs.goingSyncs', 'syncs.beginSync', 'syncs.endedSync'],
  ...['syncs.purgeSyncs', 'syncs.purgeIdle'],
  ...shapes.flatMap(({ resource }) => [`${resource}.findAmong`, `${resource}.put`]),
]);

/** Found by trying: Citus refuses them, or each server would have its own. */
const REFUSED =
  /\bLATERAL\b|^\s*WITH\b|\bpg_(?:try_)?advisory|\bpg_current_|\bxid8\b|\bconcat_ws\(|\bnow\(\)|\brandom\(\)/i;

const SPREAD =
  /\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:account|commit|change|gone|receipt|answered|sync|sync_seen|place|thing|"[^;]+?")(?=[\s(])/i;

const READS =
  /\b(?:FROM|JOIN|UPDATE|USING)\s+(?:account|commit|change|gone|receipt|answered|sync|sync_seen|place|thing|"[^;]+?")(?=[\s(])/gi;

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

const order = { key: undefined, ascending: false, from: undefined };
const statements = [
  // The audit lies at one server.
  ...bookStatements.flatMap(([name, all]) => (name === 'audit' ? [] : ofBook(name, all))),
  ...ofModule('changes', changes),
  ...ofModule('commits', spread(commits)),
  ...ofModule('keys', keyFinding),
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
      // What is there already is compared with values, not with a clock.
      assert.doesNotMatch(text, /\bDO UPDATE\b.*_timestamp\(/s, name);
      // What is locked is locked where it is read, and not in a part of a statement.
      assert.doesNotMatch(text, /FOR (?:NO KEY )?UPDATE[\s\S]*\)/, name);
    }
  });

  it('says its account, unless it reads in several', () => {
    for (const [name, { text }] of statements) {
      const says = /\baccount = \(?\$\d/.test(text);
      if (!SPREAD.test(text)) continue;
      assert.equal(says, !OVER_ACCOUNTS.has(name), `${name}: ${text}`);
    }
  });

  it('says it of each table that it reads: by a join alone, a statement that writes goes to all servers', () => {
    for (const [name, { text }] of statements) {
      if (OVER_ACCOUNTS.has(name)) continue;
      const tables = text.match(READS) ?? [];
      const said = text.match(/\baccount = \(?\$\d/g) ?? [];
      assert.ok(said.length >= tables.length, `${name}: ${text}`);
    }
  });
});
