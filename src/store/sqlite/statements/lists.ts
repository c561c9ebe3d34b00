/** The SQL of lists: walks along indexes, in statements that each read a bounded number of rows. */
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { declaredKey, keyColumn, quoteName, ROOT_TABLE, tableOf } from '../../names.ts';
import type { Filter } from '../../promises/store.ts';
import type { RecordRow } from '../../records/records.ts';
import { indexName, keyIndex } from '../schema/indexes.ts';
import { CHANGED_MINUTE } from '../schema/tables.ts';
import { bounded, elementsOf, type NamedStatement, prepare, prepareNamed } from './prepare.ts';
import { ifRecord, recordColumns } from './records.ts';

/** The form of a list, which determines its statements; the values are bound. */
export interface ListForm {
  readonly shape: RecordShape;
  readonly parent: RecordShape | undefined;
  /** The declared key to sort by; by default the unique identifier. */
  readonly key: DeclaredKey | undefined;
  readonly ascending: boolean;
  /** Whether the scope is limited to anchors. */
  readonly anchored: boolean;
  readonly filters: readonly Pick<Filter, 'by' | 'is'>[];
}

/** A row of the list, with the values that it is sorted by. */
export type ListedRow = readonly [number: number, unique_identifier: string, key: string];

export type ListStatements = ReturnType<typeof listStatements>;
/** Walks of one account that together pass every row of the list; `ordered`: in its order. */
export type Way = ListStatements['ways'][number];

/**
 * All take `account`, the places, `anchors` (a JSON array), `from_number` and `from_key` (the place in the list's order
 * that the page begins after) and the values of the filters as `value0` and so on.
 */
interface IndexPart {
  /** How many rows the next `ahead` are, and the place of the last. It reads the index alone. */
  readonly look: NamedStatement<readonly [count: number, place: string | number]>;
  /** The rows of the list, `most` of them; all, if that is negative. */
  readonly rows: NamedStatement<ListedRow>;
}

/** The index of a walk, and its bounds. */
interface Course {
  readonly index: string;
  /** The columns that are the same in all its rows, as conditions. */
  readonly alike?: readonly string[];
  readonly first?: {
    readonly is: 'key' | 'inserted_at' | 'minute';
    readonly column: string;
    /** The filters that bound it, by their places. */
    readonly bounds: readonly number[];
  };
  readonly last: 'unique_identifier' | 'number' | 'parent';
}

/** The numbers of accounts in a JSON array of unique identifiers. */
export function accountNumbers(database: DatabaseSync) {
  return prepare<readonly [number: number]>(
    database,
    `SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier IN ${elementsOf('?')} ORDER BY number`,
  );
}

export function listStatements(database: DatabaseSync, form: ListForm) {
  const { shape, parent } = form;
  const table = tableOf(shape);
  return {
    /**
     * Ways to find the list, each of which finds every row by itself. Which one reads the fewest rows depends on the
     * data.
     */
    ways: waysOf(form).map(({ ordered, courses }) => ({
      ordered,
      walks: courses.map((course) => walkAlong(database, form, course, ordered)),
    })),
    /** Records of `numbers` (a JSON array), in its order, that still belong to the list. */
    records: prepareNamed<RecordRow>(
      database,
      `SELECT ${recordColumns(shape, parent)}
       FROM (SELECT value AS found FROM json_each(:numbers)) AS wanted
       CROSS JOIN ${table} ON ${table}.number = wanted.found
       WHERE TRUE ${conditionsOf(form, `${table}.account`)}`,
    ),
  };
}

export type Walk = ReturnType<typeof walkAlong>;

/**
 * A walk along an index. Its place is a pair: where it sorts rows by something before their unique part, that comes
 * first. SQLite compares no such pair by an index that ends with the number, so rows that are alike in the first are
 * walked by themselves.
 */
function walkAlong(
  database: DatabaseSync,
  form: ListForm,
  { index, alike = [], first, last }: Course,
  ordered: boolean,
) {
  const descending = ordered && !form.ascending;
  const [past, before, direction] = descending ? ['<', '>', 'DESC'] : ['>', '<', 'ASC'];
  const belongs = `${conditionsOf(form, ':account')} ${ordered ? '' : beyondPlace(form)}`;
  const key = form.key === undefined ? "''" : keyColumn(form.key);
  const stretch = (by: readonly string[], ...part: readonly string[]): IndexPart => {
    const rows = `FROM ${tableOf(form.shape)} INDEXED BY ${quoteName(index)}
      WHERE ${['account = :account', ...alike, ...part].join(' AND ')}`;
    const order = `ORDER BY ${by.map((column) => `${column} ${direction}`).join(', ')}`;
    return {
      look: prepareNamed(
        database,
        `SELECT count(*), ${descending ? 'min' : 'max'}(place)
         FROM (SELECT ${by[0]} AS place ${rows} ${order} LIMIT ${bounded(':ahead')}) AS looked`,
      ),
      rows: prepareNamed(
        database,
        `SELECT number, unique_identifier, ${key} ${rows} ${belongs} ${order} LIMIT ${bounded(':most')}`,
      ),
    };
  };
  const lasts = [`${last} ${past} :fromLast`, `${last} ${before}= :toLast`];
  const alikeFirst = first === undefined ? [] : [`${first.column} = :fromFirst`];
  const later = first && [
    `${first.column} ${past} :fromFirst`,
    `${first.column} ${before} :toFirst`,
  ];
  return {
    descending,
    first,
    last,
    /** Past `fromLast` and up to `toLast`, of rows whose first is `fromFirst`. */
    sameFirst: stretch([last], ...alikeFirst, ...lasts),
    /** Past `fromFirst` and before `toFirst`. */
    laterFirst: later && stretch([first.column, last], ...later),
  };
}

interface PlannedWay {
  readonly ordered: boolean;
  readonly courses: readonly Course[];
}

function waysOf(form: ListForm): readonly PlannedWay[] {
  const { shape, key, filters } = form;
  const usual: Course =
    key === undefined
      ? { index: indexName(shape, 'unique_identifier'), last: 'unique_identifier' }
      : alongKey(form, key);
  const inOrder = { ordered: true, courses: [usual] };
  // The root has as many rows as the scope has accounts.
  if (shape.parent === undefined) return [inOrder];
  const exact = filters
    .flatMap((filter, at) => exactCourse(form, filter, `:value${at}`))
    .map((course) => ({
      ordered: key === undefined && course.last === 'number',
      courses: [course],
    }));
  // A way that is in order and has fewer rows is never longer.
  const ordered = exact.some((way) => way.ordered) ? [] : [inOrder];
  return [...exact, ...ordered, ...rangesOf(form)];
}

/** The course that finds the rows of an equality. */
function exactCourse(
  form: ListForm,
  { by, is }: ListForm['filters'][number],
  value: string,
): readonly Course[] {
  const { shape } = form;
  if (is !== '=') return [];
  if (by === 'external_identifier') {
    const alike = [`external_identifier = ${value}`];
    return [{ index: indexName(shape, 'identity'), alike, last: 'parent' }];
  }
  if (by === 'parent') {
    const alike = [`parent = ${parentOf(form, value, ':account')}`];
    return [{ index: indexName(shape, 'parent'), alike, last: 'number' }];
  }
  if (typeof by !== 'object' || by.key === form.key?.name) return [];
  const key = declaredKey(shape, by.key);
  const column = keyColumn(key);
  const alike = [`${column} = ${value}`, `${column} <> ''`];
  return [{ index: keyIndex(shape, key).name, alike, last: 'number' }];
}

/** The ways that find the rows of a range of keys or times. */
function rangesOf(form: ListForm): readonly PlannedWay[] {
  const { shape, filters } = form;
  const ways: PlannedWay[] = [];
  const add = (...courses: readonly Course[]) => ways.push({ ordered: false, courses });
  for (const key of shape.keys) {
    const isRange = filters.some(({ by, is }) => isOf(by, key) && is !== '=');
    if (isRange && key !== form.key) add(alongKey(form, key));
  }
  const boundsBy = (time: 'inserted_at' | 'updated_at') =>
    filters.flatMap(({ by }, at) => (by === time ? [at] : []));
  const index = indexName(shape, 'inserted_at');
  const inserted = (bounds: readonly number[]): Course => {
    return { index, first: { is: 'inserted_at', column: 'inserted_at', bounds }, last: 'number' };
  };
  if (boundsBy('inserted_at').length > 0) add(inserted(boundsBy('inserted_at')));
  const bounds = boundsBy('updated_at');
  if (bounds.length === 0) return ways;
  // A record that was never changed was updated when it was inserted; and none was inserted after its update.
  if (!filters.some(({ by, is }) => by === 'updated_at' && !is.startsWith('<'))) {
    add(inserted(bounds));
  } else {
    const first = { is: 'minute', column: CHANGED_MINUTE, bounds } as const;
    const alike = [`${CHANGED_MINUTE} > 0`];
    add(inserted(bounds), {
      index: indexName(shape, CHANGED_MINUTE),
      alike,
      first,
      last: 'number',
    });
  }
  return ways;
}

function alongKey({ shape, filters }: ListForm, key: DeclaredKey): Course {
  const column = keyColumn(key);
  const bounds = filters.flatMap(({ by }, at) => (isOf(by, key) ? [at] : []));
  const filled = key.for === 'filter' ? { alike: [`${column} <> ''`] } : {};
  return {
    index: keyIndex(shape, key).name,
    ...filled,
    first: { is: 'key', column, bounds },
    last: 'number',
  };
}

function isOf(by: Filter['by'], key: DeclaredKey): boolean {
  return typeof by === 'object' && by.key === key.name;
}

/** The conditions of the list. The unary `+` keeps SQLite from choosing another index. */
function conditionsOf(form: ListForm, account: string): string {
  const { shape, filters } = form;
  const conditions = filters.map(({ by, is }, at) => {
    const value = `:value${at}`;
    if (typeof by === 'object') {
      const column = keyColumn(declaredKey(shape, by.key));
      return `+${column} ${is} ${value} AND +${column} <> ''`;
    }
    if (by === 'created_by') return `+created_by IN ${elementsOf(`'[' || ${value} || ']'`)}`;
    if (by !== 'parent') return `+${by} ${is} ${value}`;
    if (is !== '=') throw new TypeError('A parent is a record, and comes before or after none.');
    return `+parent = ${parentOf(form, value, account)}`;
  });
  if (form.anchored) conditions.push(`+anchor IN ${elementsOf(':anchors')}`);
  return [ifRecord(shape), ...conditions.map((one) => `AND ${one}`)].join(' ');
}

/** The number of the record that is named as a parent, `NULL` where there is none. */
function parentOf({ parent }: ListForm, value: string, account: string): string {
  if (parent === undefined) throw new TypeError('The root has no parent.');
  return `(SELECT above.number FROM ${tableOf(parent)} AS above
     WHERE above.account = ${account} AND above.unique_identifier = ${value})`;
}

/** Past the place in the list's order that the page begins after. */
function beyondPlace({ key, ascending }: ListForm): string {
  const past = ascending ? '>' : '<';
  if (key === undefined) return `AND +number ${past} :from_number`;
  return `AND (+${keyColumn(key)}, +number) ${past} (:from_key, :from_number)`;
}
