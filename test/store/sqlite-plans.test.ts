/** No work on records reads a whole table, however the planner is minded: every statement finds its rows by an index. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import { keyStatements } from '../../src/store/sqlite/statements/keys.ts';
import { receiptStatements } from '../../src/store/sqlite/statements/receipts.ts';
import {
  draftStatements,
  listStatements,
  recordStatements,
} from '../../src/store/sqlite/statements/records.ts';
import { shapes } from '../support/store-shapes.ts';

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

/** A walk over all rows of a table, rather than of what was bound. */
const WALKS = /^SCAN (?!json_each|CONSTANT ROW|shown|granted)/;

describe('Every statement finds its rows by an index', () => {
  const database = new Listening(':memory:');
  migrate(database, shapes);
  for (const shape of shapes) {
    it(`on records of ${shape.resource}`, () => {
      database.heard.length = 0;
      recordStatements(database, shape);
      if (shape.parent !== undefined) draftStatements(database, shape);
      listStatements(database, shape, undefined);
      for (const key of shape.keys) listStatements(database, shape, key);
      for (const sql of database.heard.splice(0)) {
        for (const step of plan(database, sql)) assert.doesNotMatch(step, WALKS, sql);
      }
    });
  }

  it('on keys and receipts', () => {
    database.heard.length = 0;
    keyStatements(database);
    receiptStatements(database);
    // The operator lists all keys and wipes an account: those may take a while.
    const rare = /ORDER BY unique_identifier DESC|DELETE FROM receipt WHERE account/;
    for (const sql of database.heard.splice(0).filter((each) => !rare.test(each))) {
      for (const step of plan(database, sql)) assert.doesNotMatch(step, WALKS, sql);
    }
  });
});
