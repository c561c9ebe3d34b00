/** No work on records reads a whole table, however the planner is minded: every statement finds its rows by an index. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import { NOW } from '../../src/store/books/dialects.ts';
import { keyStatements } from '../../src/store/books/sql/key-sql.ts';
import type { Filter } from '../../src/store/promises/store.ts';
import { erasingStatements } from '../../src/store/sqlite/erasing.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';
import { changeStatements, logStatements } from '../../src/store/sqlite/statements/changes.ts';
import { type ListForm, listStatements } from '../../src/store/sqlite/statements/lists.ts';
import { receiptStatements } from '../../src/store/sqlite/statements/receipts.ts';
import { draftStatements, recordStatements } from '../../src/store/sqlite/statements/records.ts';
import { keyFinding } from '../../src/store/sqlite/store.ts';
import { parentOf } from '../../src/store/tables.ts';
import { bookStatements } from '../support/feature-statements.ts';
import { shapes, visit } from '../support/store-shapes.ts';

/** A database that remembers what was prepared on it. */
class Listening extends DatabaseSync {
  readonly heard: string[] = [];

  override prepare(...[sql, options]: Parameters<DatabaseSync['prepare']>) {
    this.heard.push(sql);
    return super.prepare(sql, options);
  }
}

function plan(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}

/** A walk over all rows of a table, rather than of what was bound, or was found by another step. */
const WALKS =
  /^SCAN (?!json_each|wanted VIRTUAL|CONSTANT ROW|shown|granted|counted|looked|\(subquery-\d+\))/;

/** Every order of a shape's records, both ways, with and without anchors. */
function lists(shape: RecordShape): ListForm[] {
  const keys = [undefined, ...shape.keys.filter((key) => key.for === 'order')];
  return keys.flatMap((key) =>
    [true, false].flatMap((ascending) =>
      [true, false].map((anchored) => ({
        shape,
        parent: parentOf(shape, shapes),
        key,
        ascending,
        anchored,
        filters: [],
      })),
    ),
  );
}

/** The plans of the statements of a filtered list, in words, for each of its ways: what looks ahead, and what reads. */
function plansOf(database: Listening, form: ListForm): { look: string; rows: string }[][] {
  database.heard.length = 0;
  const { ways } = listStatements(database, form);
  const plans = database.heard.map((sql) => plan(database, sql).join('; '));
  return ways.map(({ walks }) =>
    walks
      .flatMap(({ laterFirst }) => (laterFirst === undefined ? [1] : [1, 2]))
      .map(() => ({ look: plans.shift() ?? '', rows: plans.shift() ?? '' })),
  );
}

describe('Every statement finds its rows by an index', () => {
  const database = new Listening(':memory:');
  migrate(database, shapes);
  const books = new DatabaseSync(':memory:');
  migrate(books, shapes);
  books.function(NOW, () => 0);
  for (const shape of shapes) {
    it(`on records of ${shape.resource}`, () => {
      database.heard.length = 0;
      const parent = parentOf(shape, shapes);
      recordStatements(database, shape, parent);
      if (parent !== undefined) draftStatements(database, shape, parent);
      for (const form of lists(shape)) listStatements(database, form);
      for (const sql of database.heard.splice(0)) {
        for (const step of plan(database, sql)) assert.doesNotMatch(step, WALKS, sql);
      }
    });
  }

  it('on keys, receipts and changes', () => {
    database.heard.length = 0;
    keyFinding(database);
    for (const { sqlite } of Object.values(keyStatements)) database.prepare(sqlite);
    receiptStatements(database);
    changeStatements(database);
    logStatements(database);
    // The operator lists all keys, suspends all in a copy, and wipes an account: those may take a while.
    const rare = /ORDER BY unique_identifier DESC|revoked_at IS NULL$|FROM receipt WHERE account/;
    for (const sql of database.heard.splice(0).filter((each) => !rare.test(each))) {
      for (const step of plan(database, sql)) assert.doesNotMatch(step, WALKS, sql);
    }
  });

  it('in books, and of a list of values no more than these, however many the account has', () => {
    const listed = /(\w+)"?(?: AS text\))? IN \(SELECT value FROM json_each/g;
    let count = 0;
    for (const [book, all] of bookStatements)
      for (const [name, { sqlite }] of Object.entries(all)) {
        const columns = [...sqlite.matchAll(listed)].map(([, column]) => column ?? '');
        if (columns.every((one) => /^(?:of_)?account$/.test(one))) continue;
        count += 1;
        for (const step of plan(books, sqlite))
          assert.doesNotMatch(step, /^SEARCH .* \((?:of_)?account=\?\)$/, `${book} ${name}`);
      }
    assert.ok(count > 30, String(count));
  });

  it('on erased records', () => {
    database.heard.length = 0;
    erasingStatements(database);
    const plans = database.heard.map((sql) => plan(database, sql).join('; '));
    const of = (column: string) =>
      plans.filter((one) => one.includes(`(account=? AND ${column}=?`));
    assert.match(of('probe').join('; '), /^SEARCH erased USING INDEX erased_probe/);
    assert.match(of('number').join('; '), /^SEARCH gone USING INDEX gone_number/);
  });

  const filters: [Pick<Filter, 'by' | 'is'>, found: RegExp[]][] = [
    [{ by: 'external_identifier', is: '=' }, [/account=\? AND external_identifier=\?/]],
    [{ by: 'parent', is: '=' }, [/account=\? AND parent=\?/]],
    [{ by: { key: 'phone' }, is: '=' }, [/account=\? AND key_phone=\?/]],
    [{ by: { key: 'phone' }, is: '<' }, [/account=\? AND key_phone[<>]/]],
    [{ by: { key: 'welcome' }, is: '=' }, [/account=\? AND key_welcome=\?/]],
    [{ by: { key: 'person' }, is: '>=' }, [/account=\? AND key_person>/]],
    [{ by: 'updated_at', is: '>' }, [/inserted_at>\?/, /changed_minute>\?/]],
    [{ by: 'updated_at', is: '<=' }, [/inserted_at>\? AND inserted_at<\?/]],
    [{ by: 'inserted_at', is: '>=' }, [/inserted_at>\? AND inserted_at<\?/]],
    [{ by: 'inserted_at', is: '<' }, [/inserted_at>\? AND inserted_at<\?/]],
  ];
  for (const [filter, found] of filters) {
    const by = typeof filter.by === 'string' ? filter.by : `key ${filter.by.key}`;
    it(`of lists by ${by} ${filter.is}, one way of which looks at no other rows of the account`, () => {
      for (const form of lists(visit)) {
        const ways = plansOf(database, { ...form, filters: [filter] });
        const isFound = ways.some((stretches) =>
          found.every((expected) => stretches.some(({ rows }) => expected.test(rows))),
        );
        assert.ok(isFound, JSON.stringify(ways));
      }
    });

    it(`of lists by ${by} ${filter.is}, in the order of an index, of which nothing but a stretch is read`, () => {
      for (const form of lists(visit)) {
        for (const { look, rows } of plansOf(database, { ...form, filters: [filter] }).flat()) {
          assert.match(look, /USING COVERING INDEX \S+.* \(account=\? AND .*>\? AND .*<\?\)/);
          assert.match(rows, /USING (COVERING )?INDEX \S+.* \(account=\? AND .*>\? AND .*<\?\)/);
          for (const steps of [look, rows]) assert.doesNotMatch(steps, /TEMP B-TREE/);
        }
      }
    });
  }
});
