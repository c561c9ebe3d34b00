/** A store in a SQLite file: one connection, in the thread that calls. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { RecordShape } from '../../core/schema/shape.ts';
import { type AccountTables, accountsOver } from '../books/accounts.ts';
import { type Books, booksOver } from '../books/books.ts';
import { ErasedRows } from '../books/erasures.ts';
import { createErasedMarks } from '../erased-marks.ts';
import type { AccountBook } from '../promises/account-book.ts';
import type {
  ErasedDraft,
  ErasedPast,
  EraseOutcome,
  EraseRequest,
} from '../promises/erasing/book.ts';
import type { ChangeLog } from '../promises/log.ts';
import type { SearchIndex } from '../promises/search.ts';
import type { Snapshot } from '../promises/snapshot.ts';
import type {
  CommitOptions,
  CountQuery,
  Draft,
  ListQuery,
  Outcome,
  Page,
  Pair,
  ReceiptQuery,
  Refused,
  Removal,
  Removed,
  Repeated,
  Scope,
  Store,
  StoredReceipt,
  StoredRecord,
} from '../promises/store.ts';
import { Accounts } from './accounts.ts';
import { BookRows, type PerformWrites } from './book-rows.ts';
import { writeBatch } from './commit/batch.ts';
import { Keeping } from './commit/keeping.ts';
import { Receipts } from './commit/receipts.ts';
import { Removals } from './commit/removal.ts';
import type { Context } from './context.ts';
import { Erasing } from './erasing.ts';
import { KeyFinding } from './keys.ts';
import { LoggedChanges } from './log.ts';
import type { PageWalk } from './page-walk.ts';
import { Reading } from './reading.ts';
import type { Searcher } from './search/searcher.ts';
import { takeSnapshot } from './whole/snapshot.ts';

/** Limits on the data next to records. */
export interface Retention {
  readonly receiptBytes: number;
  readonly historyDays: number;
  /** Keys of the marks of erased records, the newest first. */
  readonly erasureKeys: readonly Uint8Array[];
}

/** The functions that erase, in this thread or another one. */
type Erases = Pick<SqliteStore, 'erase' | 'forgetErased' | 'forgetPast'>;

/** The bytes of a large ordinary commit. */
const ORDINARY_BYTES = 1_048_576;

/** A SQLite store without its books. */
export class SqliteStore implements Omit<Store, keyof Books | 'erasing'> {
  readonly processes = 'one';
  readonly place: string;
  readonly file: string;
  readonly accounts: AccountBook;
  /** The tables of the book of accounts, for another thread. */
  readonly accountTables: AccountTables;
  readonly log: ChangeLog;
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #erasing: Erasing;
  readonly #keeping: Keeping;
  readonly #reading: Reading;
  readonly #removals: Removals;
  readonly #release: () => void;
  readonly #search: Searcher | undefined;

  /**
   * `receiptBytes` limits the receipts of an API key, and `historyDays` the log of changes; `release` frees locks that
   * are held while the store is open.
   */
  constructor(
    path: string,
    context: Context,
    { receiptBytes, historyDays, erasureKeys }: Retention,
    release: () => void,
    search?: Searcher,
  ) {
    this.place = `sqlite:${path}`;
    this.file = path;
    this.#context = context;
    this.#receipts = new Receipts(context, receiptBytes);
    this.#reading = new Reading(context);
    const keeping = new Keeping(context);
    this.#keeping = keeping;
    const marks = createErasedMarks(erasureKeys);
    this.#erasing = new Erasing(context, this.#receipts, keeping, marks);
    this.#removals = new Removals(context, this.#receipts, keeping);
    this.#release = release;
    this.#search = search;
    this.accountTables = new Accounts(context, this.#receipts, keeping);
    this.accounts = accountsOver(this.accountTables);
    this.log = new LoggedChanges(context, historyDays, keeping);
  }

  /** The books, read here, and written here or by `performs`. */
  books(performs?: PerformWrites, erases: Erases = this): Books & Pick<Store, 'erasing'> {
    const context = this.#context;
    const tables = new BookRows(context, performs);
    return {
      ...booksOver(tables, new KeyFinding(context), context),
      erasing: Object.assign(new ErasedRows(tables, context, this.#erasing.marks), {
        erase: erases.erase.bind(erases),
        forget: erases.forgetErased.bind(erases),
        forgetPast: erases.forgetPast.bind(erases),
        refuses: async (draft: ErasedDraft) => this.refusesErased(draft),
        keptBy: async (of: EraseRequest) => this.keptBy(of),
      }),
    };
  }

  async commit(drafts: readonly Draft[], options: CommitOptions = {}): Promise<readonly Outcome[]> {
    const { outcomes, taken } = await this.#context.connection.write(
      () =>
        writeBatch(
          this.#context,
          { receipts: this.#receipts, erasing: this.#erasing },
          drafts,
          options,
        ),
      ({ keep }) => keep,
    );
    this.#receipts.rooms.take(taken);
    // Earlier values are only in the log of changes, as long as it stores them.
    const { keepsContent, connection } = this.#context;
    if (!keepsContent && outcomes.some(({ outcome }) => outcome === 'updated')) {
      connection.noteRemoved();
    }
    return outcomes;
  }

  async remove(removal: Removal): Promise<Removed | Refused | Repeated> {
    const { done: removed, taken } = await this.#context.connection.write(
      () => this.#removals.remove(removal),
      ({ done: { outcome } }) => outcome === 'deleted' && removal.rehearse !== true,
    );
    this.#receipts.rooms.take(taken);
    if (removed.outcome === 'deleted' && removal.rehearse !== true) {
      this.#context.connection.noteRemoved();
    }
    return removed;
  }

  async erase(requests: readonly EraseRequest[]): Promise<readonly EraseOutcome[]> {
    const { connection } = this.#context;
    const outcomes = await connection.write(() => this.#erasing.erase(requests));
    if (outcomes.includes('erased')) connection.noteRemoved();
    return outcomes;
  }

  async forgetErased(): Promise<boolean> {
    const { connection } = this.#context;
    if (!connection.read(() => this.#erasing.unforgotten)) return false;
    await connection.write(() => this.#erasing.forget());
    connection.noteRemoved();
    return true;
  }

  async forgetPast(past: ErasedPast): Promise<number> {
    const { connection } = this.#context;
    const next = await connection.write(() => this.#erasing.forgetPast(past));
    connection.noteRemoved();
    return next;
  }

  refusesErased(draft: ErasedDraft): string | undefined {
    return this.#context.connection.read(() => this.#erasing.refuses(draft));
  }

  keptBy({ account, resource, record }: EraseRequest): string | undefined {
    const { connection, openAccount, table } = this.#context;
    return connection.read(() => {
      const owner = openAccount(account) ?? 0;
      const [number] = table(resource).records.stands.get(owner, record) ?? [];
      if (number === undefined) return undefined;
      return this.#keeping.young(this.#keeping.in(account), [{ resource, numbers: [number] }]);
    });
  }

  async find(
    shape: RecordShape,
    unique_identifier: string,
    scope: Scope,
  ): Promise<StoredRecord | undefined> {
    return this.#context.connection.read(() => this.#reading.find(shape, unique_identifier, scope));
  }

  async findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    scope: Scope,
  ): Promise<readonly StoredRecord[]> {
    return this.#context.connection.read(() =>
      this.#reading.findAll(shape, unique_identifiers, scope),
    );
  }

  async findPair(shape: RecordShape, pair: Pair): Promise<StoredRecord | undefined> {
    return this.#context.connection.read(() => this.#reading.findPair(shape, pair));
  }

  async list(query: ListQuery): Promise<Page | undefined> {
    const { connection } = this.#context;
    const listing = connection.readAtOnce(() => this.#reading.list(query));
    if (listing === undefined) return undefined;
    for (;;) {
      const page = connection.readAtOnce(() => listing.slice());
      if (page !== undefined) return page;
      await (query.giveWay?.() ?? nextTick());
    }
  }

  async count({ giveWay, ...query }: CountQuery): Promise<number> {
    const { connection } = this.#context;
    const counting = connection.readAtOnce(() =>
      this.#reading.list({ ...query, order: 'newest' }),
    ) as PageWalk;
    for (;;) {
      const count = connection.readAtOnce(() => counting.count());
      if (count !== undefined) return count;
      await (giveWay?.() ?? nextTick());
    }
  }

  async receipt(query: ReceiptQuery): Promise<StoredReceipt | undefined> {
    const { connection, now } = this.#context;
    return connection.read(() => this.#receipts.find(query, now()));
  }

  async purgeReceipts(): Promise<boolean> {
    const { connection, now } = this.#context;
    const receipts = this.#receipts;
    const isDue = () => connection.read(() => receipts.isDue(now()));
    if (isDue()) {
      receipts.rooms.take(await connection.write(() => receipts.purge(now())));
      connection.noteRemoved();
    }
    await this.#settleRooms();
    return isDue();
  }

  /** Adds this process's count of what receipts take to the shared one, and learns the sums. */
  async #settleRooms(): Promise<void> {
    const { rooms } = this.#receipts;
    const counted = rooms.unsettled();
    if (counted.length === 0) return;
    const { connection } = this.#context;
    rooms.settle(counted, await connection.write(() => this.#receipts.addTaken(counted)));
  }

  async snapshot(): Promise<Snapshot> {
    const { connection, tables, now } = this.#context;
    // Throws unless the path leads to the file that this store has open.
    connection.read(() => undefined);
    const shapes = [...tables.values()].map(({ shape }) => shape);
    return takeSnapshot({ path: this.file, shapes, now });
  }

  async checkWritable(): Promise<void> {
    const { connection } = this.#context;
    const bytes = connection.wasFull ? ORDINARY_BYTES : 0;
    await connection.write(() => this.#context.checkWrite(bytes));
    connection.wasFull = false;
  }

  /** Missing in the threads that work for a store. */
  get search(): SearchIndex {
    if (this.#search === undefined) throw new TypeError('Nothing is searched here.');
    return this.#search;
  }

  async close(): Promise<void> {
    await this.#search?.close();
    await this.#settleRooms().catch(() => undefined);
    await this.#context.connection.close();
    this.#release();
  }
}
