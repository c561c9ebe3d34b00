/**
 * However little meets a filter, the thread that serves looks at a bounded number of rows before others have their
 * turn, and the page is the right one. By every filter of every resource, as they are declared; SQLite counts its steps.
 */
// needs: --ci, long
import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { resources, shapes } from '../../src/core/registry.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import { isRange } from '../../src/core/schema/fields/kinds/range.ts';
import { type Filterable, filtersOf, ordersOf } from '../../src/core/schema/filters.ts';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import { openStore } from '../../src/store/open.ts';
import type { Filter, ListQuery } from '../../src/store/promises/store.ts';
import { createContext } from '../../src/store/sqlite/context.ts';
import { createConnection } from '../../src/store/sqlite/file/connection.ts';
import { createFilePlaces, openedFiles } from '../../src/store/sqlite/file/file-places.ts';
import { AT_ONCE, createWalks, SLICE } from '../../src/store/sqlite/reading.ts';
import { indexedColumns, indexedValues } from '../../src/store/sqlite/schema/tables.ts';
import { sqliteGround } from '../support/store-sqlite.ts';

const ROWS = 12_000;
const BASE = 1_800_000_000_000;
/** The rows that come last in every list, the newest first. */
const FEW = 5;
/** What looking at a row takes, and then reading it: steps of SQLite's machine. */
const STEPS_A_ROW = 35;

interface Counted extends StatementSync {
  stat(counter: 'vmStep' | 'sort'): number;
  resetStats(): void;
}

/** A database that tells how many steps its statements took. */
class Counting extends DatabaseSync {
  readonly #prepared: Counted[] = [];

  override prepare(...[sql, options]: Parameters<DatabaseSync['prepare']>) {
    const statement = super.prepare(sql, options) as Counted;
    this.#prepared.push(statement);
    return statement;
  }

  /** Since the last time. */
  take(): { readonly steps: number; readonly sorts: number } {
    let steps = 0;
    let sorts = 0;
    for (const statement of this.#prepared) {
      steps += statement.stat('vmStep');
      sorts += statement.stat('sort');
      statement.resetStats();
    }
    return { steps, sorts };
  }
}

interface Row {
  readonly number: number;
  readonly unique_identifier: string;
  readonly parent: number;
  readonly parent_named: string;
  readonly anchor: string;
  readonly external_identifier: string;
  readonly inserted_at: number;
  readonly updated_at: number;
  readonly keys: ReadonlyMap<string, string>;
}

const below = resources.filter(({ parent }) => parent !== undefined);
const firstOf = (shape: RecordShape) =>
  shape.parent === undefined ? 1 : 1_000_000 * (1 + shapes.indexOf(shape));
const idOf = ({ prefix }: RecordShape, number: number) =>
  `${prefix}${String(number).padStart(22, '0')}`;

/** Most are alike in whatever records can be alike in. */
function rowsOf({ shape, parent: above }: Resource): readonly Row[] {
  const parents = (above as Resource).shape;
  const isTop = parents.parent === undefined;
  return Array.from({ length: ROWS }, (_, at): Row => {
    const isFew = at < FEW;
    const isHalf = at < ROWS / 2;
    const number = firstOf(shape) + at;
    const parent = isTop ? 1 : firstOf(parents) + (isFew ? 0 : isHalf ? at : 1);
    return {
      number,
      unique_identifier: idOf(shape, number),
      parent,
      parent_named: idOf(parents, parent),
      anchor: isFew ? 'few' : 'many',
      external_identifier: isFew ? `few ${at}` : isHalf && !isTop ? 'many' : `one ${at}`,
      inserted_at: BASE + at,
      updated_at: BASE + at + (at % 3 === 0 ? 0 : 90_000),
      keys: new Map(
        shape.keys.map(({ name, as }) => {
          const usual = as === 'true' || at % 2 === 0 ? '' : 'm';
          return [name, isFew ? (as === 'true' ? 'true' : 'a') : usual];
        }),
      ),
    };
  });
}

/** Holds the keys that lists are sorted by: a cursor's place is that of its document. */
function documentOf({ keys }: RecordShape, row: Row): string {
  const sorting = keys.filter((key) => key.for === 'order' && row.keys.get(key.name) !== '');
  return JSON.stringify(
    Object.fromEntries(sorting.map(({ name, path }) => [path[0], row.keys.get(name)])),
  );
}

function insert(database: DatabaseSync, { shape }: Resource, rows: readonly Row[]): void {
  const columns = [
    ...['number', 'account', 'parent', 'unique_identifier', 'anchor', 'external_identifier'],
    ...['document', 'version', 'position', 'inserted_at', 'updated_at', 'sum'],
    ...indexedColumns(shape),
  ];
  const statement = database.prepare(
    `INSERT INTO ${shape.resource} (${columns}) VALUES (${columns.map(() => '?')})`,
  );
  for (const row of rows) {
    statement.run(
      ...[row.number, 1, row.parent, row.unique_identifier, row.anchor, row.external_identifier],
      ...[documentOf(shape, row), 1, 1, row.inserted_at, row.updated_at, 0],
      ...indexedValues(row, [...row.keys.values()]),
    );
  }
}

/** What it is compared with: what no row has, what the last few have, what most have. */
function valuesOf({ by }: Filterable, parents: RecordShape): readonly (string | number)[] {
  if (by === 'parent')
    return [99, firstOf(parents), firstOf(parents) + 1].map((at) => idOf(parents, at));
  if (by === 'anchor') return ['none', 'few', 'many'];
  if (by === 'external_identifier') return ['none', 'few 0', 'many'];
  if (by === 'inserted_at' || by === 'updated_at') {
    return [BASE - 1, BASE + FEW, BASE + 90_000 + FEW, BASE + 600_000];
  }
  return by.as === 'true' ? ['true'] : [' ', 'a', 'm', '~'];
}

const comparisonsOf = ({ field }: Filterable): readonly Filter['is'][] =>
  isRange(field.kind) ? ['=', '>=', '>', '<=', '<'] : ['='];

/** What a row is compared by; `undefined` where it has nothing of the kind. */
function held(row: Row, { by }: Filter): string | number | undefined {
  if (typeof by === 'object') return row.keys.get(by.key) || undefined;
  if (by === 'created_by') return undefined;
  return by === 'parent' ? row.parent_named : row[by];
}

function meets(row: Row, filter: Filter): boolean {
  const found = held(row, filter);
  const { is, value } = filter;
  if (found === undefined) return false;
  if (is === '=') return found === value;
  if (is === '>') return found > value;
  if (is === '<') return found < value;
  return is === '>=' ? found >= value : found <= value;
}

describe('A list looks at a bounded number of rows in each turn', async () => {
  const ground = await sqliteGround();
  await (await openStore({ url: ground.url, shapes, create: true, serve: true })).close();
  const database = new Counting(ground.path);
  database.exec(`INSERT INTO account (number, account, unique_identifier, document, version, position,
      inserted_at, updated_at, livemode, key_name) VALUES (1, 1, '${idOf(shapes[0] as RecordShape, 1)}', '{}', 1, 1, 0, 0, 0, '')`);
  const rows = new Map(below.map((resource) => [resource, rowsOf(resource)]));
  database.exec('BEGIN');
  for (const [resource, own] of rows) insert(database, resource, own);
  database.exec('COMMIT');
  const filePlaces = createFilePlaces(openedFiles(ground.path));
  const connection = createConnection(database, { filePlaces, checkpoints: true });
  const now = () => BASE;
  const context = createContext(connection, shapes, { now, machine: now, historyDays: 0 });
  const begin = createWalks(context);
  after(() => connection.close());
  const accounts = new Set([idOf(shapes[0] as RecordShape, 1)]);

  /** The page, of which no slice may be too long. */
  const read = (query: ListQuery): { found: readonly string[]; more: boolean } => {
    const listing = begin(query);
    for (;;) {
      database.take();
      const page = connection.readAtOnce(() => listing.slice());
      const { steps, sorts } = database.take();
      const most = STEPS_A_ROW * (SLICE.rows + AT_ONCE.most);
      assert.ok(steps <= most, `${steps} steps: ${JSON.stringify(query)}`);
      assert.equal(sorts, 0);
      if (page === undefined) continue;
      return { found: page.records.map((one) => one.unique_identifier), more: page.more };
    }
  };

  /** From the beginning, up to the last, and after it. */
  const checkAlong = (
    all: readonly Row[],
    asked: Pick<ListQuery, 'shape' | 'order'> & { readonly where: readonly Filter[] },
    anchors: ReadonlySet<string> | undefined,
  ): void => {
    const query = { ...asked, scope: { accounts, anchors }, limit: 3 };
    const wanted = all
      .filter((row) => asked.where.every((one) => meets(row, one)))
      .filter(({ anchor }) => anchors?.has(anchor) ?? true)
      .map(({ unique_identifier }) => unique_identifier);
    const said = JSON.stringify([asked.where, asked.order]);
    const expected = { found: wanted.slice(0, 3), more: wanted.length > 3 };
    assert.deepEqual(read(query), expected, said);
    const last = wanted.at(-1);
    if (last === undefined) return;
    const { order } = asked;
    const its = all.find(({ unique_identifier }) => unique_identifier === last);
    const key = order === 'newest' ? '' : (its?.keys.get(order.key) ?? '');
    const place = { unique_identifier: last, key };
    const ahead = { found: wanted.slice(-4, -1), more: wanted.length > 4 };
    assert.deepEqual(read({ ...query, before: place }), ahead, said);
    assert.deepEqual(read({ ...query, after: place }), { found: [], more: false }, said);
  };

  for (const [resource, own] of rows) {
    const { shape, name } = resource;
    const orders = [
      'newest' as const,
      ...ordersOf(resource).flatMap(({ name: key }) => [{ key }, { key, descending: true }]),
    ];
    for (const filterable of filtersOf(resource)) {
      const { by, steps } = filterable;
      const parents = (resource.parent as Resource).shape;
      const filters = comparisonsOf(filterable).flatMap((is) =>
        valuesOf(filterable, parents).map(
          (value): Filter => ({ by: typeof by === 'string' ? by : { key: by.name }, is, value }),
        ),
      );
      it(`of ${name} by ${steps.join('.')}, whatever it is compared with, in every order`, () => {
        const nothing: Filter = { by: 'inserted_at', is: '<', value: BASE - 1 };
        for (const order of orders) {
          const all = inOrder(own, order);
          for (const filter of filters) {
            checkAlong(all, { shape, order, where: [filter] }, undefined);
            checkAlong(all, { shape, order, where: [filter] }, new Set(['few']));
            if (order === 'newest') {
              checkAlong(all, { shape, order, where: [filter, nothing] }, undefined);
            }
          }
        }
      });
    }
  }
});

function inOrder(rows: readonly Row[], order: ListQuery['order']): readonly Row[] {
  if (order === 'newest') return rows.toReversed();
  const keyOf = (row: Row) => row.keys.get(order.key) ?? '';
  const sorted = rows.toSorted((one, other) =>
    keyOf(one) === keyOf(other) ? one.number - other.number : keyOf(one) < keyOf(other) ? -1 : 1,
  );
  return order.descending === true ? sorted.reverse() : sorted;
}
