/** A store in a SQLite file: one connection, in the thread that calls. */
import { setImmediate as turn } from 'node:timers/promises';
import type { RecordShape } from '../../schema/shape.ts';

import type { AccountBook } from '../account-book.ts';
import type { BackupBook } from '../backup-book.ts';
import type { BookTables } from '../book-tables.ts';

import type { ImportBook } from '../imports.ts';

import type { KeyRing } from '../keys.ts';
import type { ChangeLog } from '../log.ts';
import type { RequestBook } from '../requests.ts';
import type { SearchIndex } from '../search.ts';
import { SelfTests } from '../self-test-book.ts';
import type { SelfTestBook } from '../self-tests.ts';
import type { Snapshot } from '../snapshot.ts';
import type { StaffBook } from '../staff.ts';
import { StaffOfStore } from '../staff-book.ts';
import type {
  CommitOptions,
  Draft,
  KeptReceipt,
  ListQuery,
  Outcome,
  Page,
  Pair,
  ReceiptName,
  Refused,
  Removal,
  Removed,
  Repeated,
  Scope,
  Store,
  StoredRecord,
} from '../store.ts';
import type { WebhookBook } from '../webhooks.ts';
import { Accounts } from './accounts.ts';
import { Backups } from './backup-book.ts';
import { writeBatch } from './batch.ts';
import { BookRows } from './book-rows.ts';
import type { Context } from './context.ts';
import { Imports } from './imports.ts';
import { Keys } from './keys.ts';
import { LoggedChanges } from './log.ts';
import { Reading } from './reading.ts';
import { Receipts } from './receipts.ts';
import { Removals } from './removal.ts';
import { Requests } from './requests.ts';
import type { Searcher } from './search/searcher.ts';
import { takeSnapshot } from './snapshot.ts';
import { prepare } from './statements/prepare.ts';
import { Sweeper } from './sweeper.ts';
import { Webhooks } from './webhooks.ts';

/** How much is kept beside records. */
export interface Kept {
  readonly receiptBytes: number;
  readonly historyDays: number;
}

export class SqliteStore implements Store {
  readonly processes = 'one';
  readonly place: string;
  readonly file: string;
  readonly accounts: AccountBook;
  readonly keys: KeyRing;
  readonly log: ChangeLog;
  readonly requests: RequestBook;
  readonly backups: BackupBook;
  readonly imports: ImportBook;
  readonly webhooks: WebhookBook;
  readonly staff: StaffBook;
  readonly selfTests: SelfTestBook;
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #reading: Reading;
  readonly #removals: Removals;
  readonly #sweeper: Sweeper;
  readonly #release: () => void;
  readonly #search: Searcher | undefined;

  /**
   * `receiptBytes` is how much room the receipts of an API key may take, and
   * `historyDays` how long the log of changes is kept; `release` lets go of what was taken for as long as the store is open.
   */
  constructor(
    path: string,
    context: Context,
    { receiptBytes, historyDays }: Kept,
    release: () => void,
    search?: Searcher,
  ) {
    this.place = `sqlite:${path}`;
    this.file = path;
    this.#context = context;
    this.#receipts = new Receipts(context, receiptBytes);
    this.#reading = new Reading(context);
    this.#removals = new Removals(context, this.#receipts);
    this.#sweeper = new Sweeper(context.connection, this.#removals);
    this.#release = release;
    this.#search = search;
    this.accounts = new Accounts(context, this.#receipts);
    this.keys = new Keys(context);
    this.log = new LoggedChanges(context, historyDays);
    this.requests = new Requests(context);
    this.backups = new Backups(context);
    this.imports = new Imports(context);
    this.webhooks = new Webhooks(context);
    const rows = new BookRows(context);
    this.staff = new StaffOfStore(rows, context);
    this.selfTests = new SelfTests(rows, context);
  }

  /** The books whose SQL is the same on every store, read here and written by another thread. */
  booksWrittenBy(write: BookTables['write']): Pick<Store, 'staff' | 'selfTests'> {
    const own = new BookRows(this.#context);
    const rows = { rows: own.rows.bind(own), write };
    return {
      staff: new StaffOfStore(rows, this.#context),
      selfTests: new SelfTests(rows, this.#context),
    };
  }

  async commit(drafts: readonly Draft[], options: CommitOptions = {}): Promise<readonly Outcome[]> {
    if (drafts.some(({ restores }) => restores?.gone !== undefined)) await this.sweepAll();
    const { outcomes } = await this.#context.connection.write(
      () => writeBatch(this.#context, this.#receipts, drafts, options),
      ({ keep }) => keep,
    );
    // What a value was before is in the log of changes as long as that is kept, or nowhere.
    const { keepsContent, connection } = this.#context;
    if (!keepsContent && outcomes.some(({ outcome }) => outcome === 'updated')) {
      connection.noteRemoved();
    }
    return outcomes;
  }

  async remove(removal: Removal): Promise<Removed | Refused | Repeated> {
    const removed = await this.#context.connection.write(
      () => this.#removals.remove(removal),
      ({ outcome }) => outcome === 'deleted' && removal.rehearse !== true,
    );
    if (removed.outcome === 'deleted' && removal.rehearse !== true) {
      this.#context.connection.noteRemoved();
      this.sweep();
    }
    return removed;
  }

  /** Whether rows are left below records that were removed. */
  get unswept(): boolean {
    return this.#context.connection.read(() => this.#removals.unswept);
  }

  /**
   * Sweeps until nothing is left: a record that comes back gets its old number,
   * and what went with another one is in the log when it is swept.
   */
  async sweepAll(): Promise<void> {
    const { connection } = this.#context;
    while (this.unswept) {
      await connection.write(() => this.#removals.sweep());
    }
  }

  /** Sweeps away in the background what removals have left, also those of processes that have ended. */
  sweep(): void {
    this.#sweeper.wake();
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
      await (query.giveWay?.() ?? turn());
    }
  }

  async receipt(name: ReceiptName): Promise<KeptReceipt | undefined> {
    const { connection, now } = this.#context;
    return connection.read(() => this.#receipts.find(name, now()));
  }

  async purgeReceipts(): Promise<boolean> {
    const { connection, now } = this.#context;
    const isDue = () => connection.read(() => this.#receipts.isDue(now()));
    if (!isDue()) return false;
    await connection.write(() => this.#receipts.purge(now()));
    connection.noteRemoved();
    return isDue();
  }

  async snapshot(): Promise<Snapshot> {
    return this.snapshotAfter(() => this.sweepAll());
  }

  /** A snapshot before which `sweepAll` has swept away what removals have left. */
  async snapshotAfter(sweepAll: () => Promise<void>): Promise<Snapshot> {
    const { connection, tables, now } = this.#context;
    // Throws unless the path leads to the file that this store has open.
    connection.read(() => undefined);
    const shapes = [...tables.values()].map(({ shape }) => shape);
    return takeSnapshot({ path: this.file, shapes, now, sweepAll });
  }

  async seenTime(): Promise<number | undefined> {
    const { connection } = this.#context;
    const find = 'SELECT at FROM seen_time';
    return connection.read(() => prepare<readonly [number]>(connection.database, find).get()?.[0]);
  }

  async noteTime(at: number): Promise<void> {
    const { connection } = this.#context;
    const note = `INSERT INTO seen_time (only, at) VALUES (1, ?)
      ON CONFLICT (only) DO UPDATE SET at = excluded.at WHERE excluded.at > seen_time.at`;
    await connection.write(() => prepare(connection.database, note).run(at));
  }

  async checkWritable(): Promise<void> {
    await this.#context.connection.write(() => this.#context.checkWrite());
  }

  /** Only where the store was opened with it: the threads that work for it have none. */
  get search(): SearchIndex {
    if (this.#search === undefined) throw new TypeError('Nothing is searched here.');
    return this.#search;
  }

  async close(): Promise<void> {
    await this.#search?.close();
    await this.#sweeper.close();
    await this.#context.connection.close();
    this.#release();
  }
}
