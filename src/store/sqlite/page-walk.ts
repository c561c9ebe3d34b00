/**
 * Finds a page of a list in slices, each of which reads a bounded number of rows, however few rows meet the filters.
 */
import { Buffer } from 'node:buffer';
import type { Filter, ListQuery, Page } from '../promises/store.ts';
import { Filling } from '../records/filling.ts';
import { minuteOf } from './schema/tables.ts';
import type { ListedRow, ListStatements, Walk, Way } from './statements/lists.ts';
import type { NamedValues } from './statements/prepare.ts';

/** The most that the serving thread does for a list before it yields, whichever limit is reached first. */
export const SLICE = { rows: 4_096, ms: 4 };
/** How many rows a way reads before the next one: more each time. */
export const AT_ONCE = { first: 64, most: 1_024 };
/** The cost of running a statement, in rows. */
const STATEMENT = 8;

/** A value in the index of a walk. In SQLite every blob sorts after all texts. */
type Value = string | number | Uint8Array;
type Place = readonly [first: Value, last: Value];
const BEYOND_TEXTS = new Uint8Array();

export interface ListParts {
  readonly query: ListQuery;
  readonly statements: ListStatements;
  /** Whether the walk is ascending. */
  readonly ascending: boolean;
  /** The numbers of the accounts in the scope. */
  readonly accounts: readonly number[];
  /** The row that the page begins after. */
  readonly from: ListedRow | undefined;
  /** Parameters of the statements, from the filters and the scope. */
  readonly values: NamedValues;
}

export class PageWalk {
  readonly #parts: ListParts;
  readonly #filling: Filling;
  #best: Best;
  #ways: readonly WayTaken[];
  #next = 0;

  constructor(parts: ListParts) {
    this.#parts = parts;
    this.#filling = new Filling(parts.query);
    this.#best = new Best(parts);
    this.#ways = this.#begin(parts.from);
  }

  /** Reads some rows. Returns the page when it is complete. */
  slice(): Page | undefined {
    return this.#within((isAll) => (isAll ? this.#page() : undefined));
  }

  /** Reads some rows. Returns the number of records when it is certain, at most one more than the limit. */
  count(): number | undefined {
    return this.#within((isAll) =>
      isAll || this.#best.isFull ? this.#best.rows().length : undefined,
    );
  }

  /** `end` is set if all existing rows are found. */
  #within<T>(end: (isAll: boolean) => T | undefined): T | undefined {
    const began = performance.now();
    for (let looked = 0; looked < SLICE.rows && performance.now() < began + SLICE.ms; ) {
      const way = this.#ways[this.#next++ % this.#ways.length] as WayTaken;
      looked += way.go();
      // A way at its end has found all rows.
      const found = end(way.ended);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #begin(from: ListedRow | undefined): readonly WayTaken[] {
    const { statements } = this.#parts;
    return statements.ways.map((way) => new WayTaken(this.#parts, way, this.#best, from));
  }

  /**
   * Reads the documents once all rows are found; `undefined` if some are no longer in the list, and others must take
   * their place.
   */
  #page(): Page | undefined {
    const { statements, values, query } = this.#parts;
    const found = this.#best.rows();
    const numbers = JSON.stringify(found.map(([number]) => number));
    const forward = query.before === undefined;
    for (const row of statements.records.iterate({ ...values, numbers })) {
      if (!this.#filling.take(row)) return this.#filling.page(forward);
    }
    if (!this.#best.isFull) return this.#filling.page(forward);
    this.#best = new Best(this.#parts);
    this.#ways = this.#begin(found.at(-1));
    return undefined;
  }
}

/** The progress on one way: each walk of each account, one after the other. */
class WayTaken {
  readonly #parts: ListParts;
  readonly #ordered: boolean;
  readonly #best: Best;
  readonly #from: ListedRow | undefined;
  readonly #fixed: NamedValues;
  readonly #left: Generator<readonly [account: number, walk: Walk]>;
  #walk: readonly [account: number, walk: Walk] | undefined;
  #at: Place = [0, 0];
  #atOnce = AT_ONCE.first;

  constructor(parts: ListParts, { ordered, walks }: Way, best: Best, from: ListedRow | undefined) {
    this.#parts = parts;
    this.#ordered = ordered;
    this.#best = best;
    this.#from = from;
    const number = parts.ascending ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
    const key = parts.ascending ? '' : BEYOND_TEXTS;
    this.#fixed = { ...parts.values, from_number: from?.[0] ?? number, from_key: from?.[2] ?? key };
    this.#left = walksOf(parts.accounts, walks);
    this.#next();
  }

  get ended(): boolean {
    return this.#walk === undefined;
  }

  /** Reads some rows, and returns their cost. */
  go(): number {
    let looked = 0;
    while (!this.ended && looked < this.#atOnce) looked += this.#step(this.#atOnce - looked);
    this.#atOnce = Math.min(2 * this.#atOnce, AT_ONCE.most);
    return looked;
  }

  #next(): void {
    this.#walk = this.#left.next().value ?? undefined;
    if (this.#walk === undefined) return;
    const [, walk] = this.#walk;
    const from = this.#ordered ? this.#from : undefined;
    this.#at = from === undefined ? this.#bound(walk, !walk.descending) : placeIn(walk, from);
  }

  #step(ahead: number): number {
    const [account, walk] = this.#walk as readonly [number, Walk];
    const { descending, within, beyond } = walk;
    const [end0, end1] = this.#end(walk);
    const [at0, at1] = this.#at;
    const far = extreme(walk.last, descending);
    const left = compare(end0, at0) * (descending ? -1 : 1);
    if (left < 0) {
      this.#next();
      return STATEMENT;
    }
    const isWithin = beyond === undefined || left === 0 || at1 !== far;
    const stretch = isWithin ? within : beyond;
    const to1 = left === 0 ? end1 : far;
    const values = { ...this.#fixed, account, at0, at1 };
    const [count = 0, place] = stretch.look.get({ ...values, to0: end0, to1, ahead }) ?? [];
    const more = count === ahead && place !== undefined;
    const reached = isWithin ? { to1: more ? place : to1 } : { to0: more ? place : end0 };
    const most = this.#ordered ? this.#best.capacity : -1;
    const rows = count === 0 ? [] : stretch.rows.all({ ...values, ...reached, most });
    this.#best.add(rows);
    if ((isWithin && !more && left === 0) || rows.length === most) this.#next();
    else if (isWithin) this.#at = [at0, more ? place : far];
    else this.#at = [more ? place : end0, extreme(walk.last, !descending)];
    return count + STATEMENT;
  }

  /** Nothing beyond the last row of a full page can be on it. */
  #end(walk: Walk): Place {
    const worst = this.#ordered ? this.#best.worst() : undefined;
    return worst === undefined ? this.#bound(walk, walk.descending) : placeIn(walk, worst);
  }

  /** The bound of a walk by the filters, at its low or high end. */
  #bound({ first, last }: Walk, low: boolean): Place {
    if (first === undefined) return [0, extreme(last, low)];
    const bounds = first.bounds.map((at) => this.#parts.query.where?.[at] as Filter);
    const bound = bounds.find(({ is }) => !is.startsWith(low ? '<' : '>'));
    if (bound === undefined) return [extreme(first.is, low), extreme(last, low)];
    const { is, value } = bound;
    if (first.is === 'minute') return [minuteOf(Number(value)), extreme(last, low)];
    return [value, extreme(last, is.length === 1 && is !== '=' ? !low : low)];
  }
}

function* walksOf(
  accounts: readonly number[],
  walks: readonly Walk[],
): Generator<readonly [number, Walk], undefined> {
  for (const account of accounts) for (const walk of walks) yield [account, walk];
}

/** The place of a row in a walk that is in the order of the list. */
function placeIn({ first, last }: Walk, [number, unique_identifier, key]: ListedRow): Place {
  return [first === undefined ? 0 : key, last === 'number' ? number : unique_identifier];
}

/** The smallest value, or the greatest. */
function extreme(column: Walk['last'] | NonNullable<Walk['first']>['is'], low: boolean): Value {
  const isText = column === 'unique_identifier' || column === 'key';
  if (low) return isText ? '' : -Number.MAX_SAFE_INTEGER;
  return isText ? BEYOND_TEXTS : Number.MAX_SAFE_INTEGER;
}

/** Compares like SQLite: texts by code point, which is the order of their bytes. */
function compare(one: Value, other: Value): number {
  if (one === other) return 0;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string') return 1;
  if (typeof other !== 'string') return -1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The first rows found so far, in the order of the list: one more than a page has. */
class Best {
  readonly capacity: number;
  readonly #sign: number;
  readonly #rows = new Map<number, ListedRow>();
  #sorted: ListedRow[] | undefined = [];

  constructor({ query, ascending }: Pick<ListParts, 'query' | 'ascending'>) {
    this.capacity = query.limit + 1;
    this.#sign = ascending ? 1 : -1;
  }

  get isFull(): boolean {
    return this.#rows.size >= this.capacity;
  }

  add(rows: readonly ListedRow[]): void {
    if (rows.length === 0) return;
    for (const row of rows) this.#rows.set(row[0], row);
    this.#sorted = undefined;
    if (this.#rows.size > 2 * this.capacity + AT_ONCE.most) this.rows();
  }

  /** The last of them, if there are enough. */
  worst(): ListedRow | undefined {
    return this.isFull ? this.rows().at(-1) : undefined;
  }

  rows(): readonly ListedRow[] {
    if (this.#sorted !== undefined) return this.#sorted;
    const sorted = [...this.#rows.values()].sort(
      (one, other) => this.#sign * (compare(one[2], other[2]) || one[0] - other[0]),
    );
    for (const [number] of sorted.splice(this.capacity)) this.#rows.delete(number);
    this.#sorted = sorted;
    return sorted;
  }
}
