/** Keeps the search index up to date: follows the log of changes, or rebuilds the index if it cannot. */
import { TERMS_VERSION } from '../core/schema/search/searching.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import type { ChangeMark, LoggedChange } from './promises/log.ts';
import type { SearchLag } from './promises/search.ts';
import type { ListQuery, Page, Store, StoredRecord } from './promises/store.ts';
import { type IndexMark, indexed, isCurrent, type TermTable } from './terms.ts';

/** The most changes and records of one step. */
const AT_ONCE = 200;
/** The most bytes of one step. */
const BYTES = 1_048_576;
/** Steps stop after this long. */
const FED_MS = 25;

/** The parts of a store that feeding reads. */
export type FeedSource = Pick<Store, 'log' | 'findAll' | 'list'>;

/** The state of a rebuild: the index must be cleared, or the walk over a resource goes on after a record. */
const CLEAR = '';
type Walked = readonly [resource: string, last?: string];

export class Feeder {
  readonly #store: FeedSource;
  readonly #shapes: readonly RecordShape[];
  readonly #table: TermTable;
  /** The position up to which the index is complete, by account. */
  readonly #done = new Map<string, number>();
  /** The last account that was worked on. */
  #last = '';

  constructor(store: FeedSource, shapes: readonly RecordShape[], table: TermTable) {
    this.#store = store;
    this.#shapes = shapes;
    this.#table = table;
  }

  /** Some steps; returns whether there may be more. */
  async feed(): Promise<boolean> {
    const ends = performance.now() + FED_MS;
    for (;;) {
      let more = false;
      for (const [account, position] of await this.#behind()) {
        this.#last = account;
        if (await this.#step(account)) more = true;
        else this.#done.set(account, position);
        if (performance.now() >= ends) return true;
      }
      if (!more) return false;
    }
  }

  /** Accounts after the last one come first, so that none waits for a busy one. */
  async #behind(): Promise<readonly (readonly [account: string, position: number])[]> {
    const behind = (await this.#table.behind())
      .filter(([account, position]) => this.#done.get(account) !== position)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const next = behind.findIndex(([account]) => account > this.#last);
    return next < 0 ? behind : [...behind.slice(next), ...behind.slice(0, next)];
  }

  async lag(accounts?: readonly string[]): Promise<SearchLag> {
    const wanted = accounts ?? (await this.#table.behind()).map(([account]) => account);
    let building = 0;
    let since: number | undefined;
    for (const account of wanted) {
      const mark = await this.#table.mark(account);
      const read = isCurrent(mark)
        ? await this.#store.log.read({ account, after: mark, limit: 1, bytes: 1 })
        : 'expired';
      const isWhole = mark?.building === null && typeof read !== 'string';
      if (!isWhole && (isCurrent(mark) || (await this.#store.log.last(account)) !== undefined)) {
        building += 1;
      }
      const next = typeof read === 'string' ? undefined : read.changes[0]?.occurred_at;
      if (next !== undefined && next < (since ?? Number.POSITIVE_INFINITY)) since = next;
    }
    return { building, since };
  }

  /** Whether there may be more to do in the account. */
  async #step(account: string): Promise<boolean> {
    const mark = await this.#table.mark(account);
    if (!isCurrent(mark)) return this.#begin(account, mark);
    if (mark.building === null) return this.#follow(account, mark);
    return mark.building === CLEAR ? this.#clear(account, mark) : this.#walk(account, mark);
  }

  /** Begins to rebuild the index of an account from its records. */
  async #begin(account: string, from: IndexMark | undefined): Promise<boolean> {
    const last = await this.#store.log.last(account);
    if (last !== undefined) return this.#move(account, from, last, CLEAR);
    // The index belonged to another store with that account.
    if (await this.#table.clear(account)) return true;
    if (from !== undefined) await this.#table.forget(account);
    return false;
  }

  async #clear(account: string, mark: IndexMark): Promise<boolean> {
    if (await this.#table.clear(account)) return true;
    return this.#move(account, mark, mark, walkOf(this.#shapes[0]));
  }

  /** Indexes a page of the records of a resource, the newest first. */
  async #walk(account: string, mark: IndexMark): Promise<boolean> {
    const { shape, after } = this.#walked(mark.building ?? '');
    const page = await this.#page(account, shape, after);
    const last = page.records.at(-1);
    const next = this.#shapes[this.#shapes.indexOf(shape) + 1];
    const building =
      page.more && last !== undefined
        ? walkOf(shape, last)
        : next === undefined
          ? null
          : walkOf(next);
    const put = page.records.map((record) => indexed(shape, record));
    await this.#table.step({ account, from: mark, to: { ...mark, building }, put, gone: [] });
    return true;
  }

  #walked(building: string) {
    const [resource, last] = JSON.parse(building) as Walked;
    const shape = this.#shapes.find((one) => one.resource === resource);
    if (shape === undefined) throw new TypeError(`No records of ${resource} can be walked.`);
    return { shape, after: last === undefined ? undefined : { unique_identifier: last } };
  }

  async #page(account: string, shape: RecordShape, after: ListQuery['after']): Promise<Page> {
    const scope = { accounts: new Set([account]), anchors: undefined };
    if (shape.searched === undefined) return { records: [], more: false };
    if (shape.parent === undefined) {
      return { records: await this.#store.findAll(shape, [account], scope), more: false };
    }
    const query = { shape, scope, order: 'newest', limit: AT_ONCE, bytes: BYTES, after } as const;
    return this.#store.list(query);
  }

  async #follow(account: string, mark: IndexMark): Promise<boolean> {
    const read = await this.#store.log.read({
      account,
      after: mark,
      limit: AT_ONCE,
      bytes: BYTES,
    });
    if (typeof read === 'string') return this.#begin(account, mark);
    // A damaged change does not name its record either.
    const wiped = read.changes.findIndex(({ outcome, damaged }) => outcome === 'wiped' || damaged);
    const [wipe] = read.changes;
    if (wiped === 0 && wipe !== undefined) return this.#move(account, mark, wipe, CLEAR);
    const changes = wiped < 0 ? read.changes : read.changes.slice(0, wiped);
    const last = changes.at(-1);
    if (last === undefined) return false;
    const to = { ...markOf(last), building: null, terms: TERMS_VERSION };
    const found = await this.#changed(account, changes);
    const isMoved = await this.#table.step({ account, from: mark, to, ...found });
    // Another feed may have moved it less far.
    return !isMoved || read.more || wiped > 0;
  }

  /** The current records of the changes, and those that no longer exist. */
  async #changed(account: string, changes: readonly LoggedChange[]) {
    const scope = { accounts: new Set([account]), anchors: undefined };
    const put = [];
    const gone = [];
    for (const [resource, some] of Map.groupBy(changes, (change) => change.resource)) {
      const shape = this.#shapes.find((one) => one.resource === resource);
      if (shape?.searched === undefined) continue;
      const wanted = new Set(some.map(({ record }) => record));
      for (const record of await this.#store.findAll(shape, [...wanted], scope)) {
        put.push(indexed(shape, record));
        wanted.delete(record.unique_identifier);
      }
      gone.push(...wanted);
    }
    return { put, gone };
  }

  async #move(
    account: string,
    from: IndexMark | undefined,
    to: ChangeMark,
    building: string,
  ): Promise<boolean> {
    const mark = { ...markOf(to), building, terms: TERMS_VERSION };
    await this.#table.step({ account, from, to: mark, put: [], gone: [] });
    return true;
  }
}

function markOf({ position, place, token }: ChangeMark): ChangeMark {
  return { position, place, token };
}

function walkOf(shape: RecordShape | undefined, last?: StoredRecord): string {
  if (shape === undefined) throw new TypeError('There are no resources.');
  const walked: Walked =
    last === undefined ? [shape.resource] : [shape.resource, last.unique_identifier];
  return JSON.stringify(walked);
}
