/** A store in a PostgreSQL database: two connections that commit drafts, and a few for all else. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordShape } from '../../schema/shape.ts';

import type { BackupBook } from '../backup-book.ts';

import type { ImportBook } from '../imports.ts';

import type { KeyRing } from '../keys.ts';
import type { ChangeLog } from '../log.ts';
import type { RequestBook } from '../requests.ts';
import type { SearchIndex } from '../search.ts';
import type { Snapshot } from '../snapshot.ts';
import type { StaffBook } from '../staff.ts';
import { StaffOfStore } from '../staff-book.ts';
import type {
  AccountBook,
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
import type { Context } from './context.ts';
import { commitDrafts, commitEach } from './fast/commit.ts';
import { Imports } from './imports.ts';
import { Keys } from './keys.ts';
import { LoggedChanges } from './log.ts';
import { nameDrafts, receiptName } from './names.ts';
import { purgeReceipts } from './purge.ts';
import { Reading } from './reading.ts';
import { findReceipts } from './receipts.ts';
import { removeRecord } from './removal.ts';
import { Requests } from './requests.ts';
import { checkEachWritable } from './schema/distribution.ts';
import { Search } from './search.ts';
import { takeSnapshot } from './snapshot.ts';
import { StaffRows } from './staff.ts';
import { checkWrite } from './statements/commits.ts';
import { InOrder } from './turn/in-order.ts';
import { confirm } from './turn/in-turn.ts';
import { Webhooks } from './webhooks.ts';
import { call, type Session } from './wire/session.ts';
import type { Sessions } from './wire/sessions.ts';

/** How long closing waits for what receipts take to be noted. */
const SETTLING_MS = 500;

interface OwnSessions {
  /** Commit drafts: some write while the server works for the others. */
  readonly writer: Sessions;
  /** For work that takes as long as it takes. */
  readonly untimed: Sessions;
  /** Opens one for the caller alone, for the same. */
  readonly open: () => Promise<Session>;
}

export class PostgresStore implements Store {
  readonly processes = 'many';
  readonly place: string;
  readonly accounts: AccountBook;
  readonly keys: KeyRing;
  readonly log: ChangeLog;
  readonly requests: RequestBook;
  readonly backups: BackupBook;
  readonly imports: ImportBook;
  readonly webhooks: WebhookBook;
  readonly staff: StaffBook;
  readonly search: SearchIndex;
  readonly #context: Context;
  readonly #own: OwnSessions;
  readonly #reading: Reading;
  readonly #inOrder = new InOrder();

  constructor(place: string, context: Context, own: OwnSessions, historyDays: number) {
    this.place = place;
    this.#context = context;
    this.#own = own;
    this.#reading = new Reading(context);
    this.accounts = new Accounts(context, own.untimed);
    this.keys = new Keys(context);
    this.log = new LoggedChanges(context, historyDays);
    this.requests = new Requests(context);
    this.backups = new Backups(context.sessions);
    this.imports = new Imports(context);
    this.webhooks = new Webhooks(context);
    this.staff = new StaffOfStore(new StaffRows(context), context);
    this.search = new Search(context, this);
  }

  async commit(drafts: readonly Draft[], options: CommitOptions = {}): Promise<readonly Outcome[]> {
    const batch = nameDrafts(drafts);
    return this.#inOrder.run(batch.pairs, () =>
      commitDrafts(this.#context, this.#own.writer, batch, options),
    );
  }

  commitEach(batches: readonly (readonly Draft[])[]): readonly Promise<readonly Outcome[]>[] {
    const named = batches.map(nameDrafts);
    return commitEach(this.#context, this.#own.writer, this.#inOrder, named);
  }

  async remove(removal: Removal): Promise<Removed | Refused | Repeated> {
    return removeRecord(this.#context, removal);
  }

  async find(
    shape: RecordShape,
    unique_identifier: string,
    scope: Scope,
  ): Promise<StoredRecord | undefined> {
    const [record] = await this.#reading.findAll(shape, [unique_identifier], scope);
    return record;
  }

  async findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    scope: Scope,
  ): Promise<readonly StoredRecord[]> {
    return this.#reading.findAll(shape, unique_identifiers, scope);
  }

  async findPair(shape: RecordShape, pair: Pair): Promise<StoredRecord | undefined> {
    return this.#reading.findPair(shape, pair);
  }

  async list(query: ListQuery): Promise<Page | undefined> {
    return this.#reading.list(query);
  }

  async receipt(name: ReceiptName): Promise<KeptReceipt | undefined> {
    const { sessions, now } = this.#context;
    const { kept } = await sessions.use((session) => findReceipts(session, [name], now()));
    const found = kept.get(receiptName(name));
    if (found !== undefined) await confirm(this.#context, name.accounts);
    return found;
  }

  async purgeReceipts(): Promise<boolean> {
    return purgeReceipts(this.#context);
  }

  async snapshot(): Promise<Snapshot> {
    const { tables, now, distribution } = this.#context;
    const shapes = [...tables.values()].map(({ shape }) => shape);
    return takeSnapshot(this.#own.open, shapes, now, distribution !== undefined);
  }

  async checkWritable(): Promise<void> {
    const { sessions, now, distribution } = this.#context;
    await sessions.use(async (session) => {
      if (distribution !== undefined) await checkEachWritable(session, now());
      else await session.run(call(checkWrite, now()));
    });
  }

  async close(): Promise<void> {
    const { writer, untimed } = this.#own;
    const { sessions, rooms } = this.#context;
    await Promise.all([writer.close(), untimed.close()]);
    await Promise.race([
      rooms.unsettled && sessions.use((session) => rooms.settle(session)).catch(() => undefined),
      pause(SETTLING_MS, undefined, { ref: false }),
    ]);
    await sessions.close();
  }
}
