/** A moment of a PostgreSQL store: one transaction that only reads, on a connection of its own. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { type ChangeImageRow, toChangeImage } from '../../images.ts';
import type { Batches, Snapshot } from '../../promises/snapshot.ts';
import type { StoredRecord } from '../../promises/store.ts';
import { type RecordRow, toRecord } from '../../records/records.ts';
import { type SnapshotOf, WholeSnapshot } from '../../whole-snapshot.ts';
import * as statements from '../statements/snapshot.ts';
import { asUnavailable } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';

/** How many rows are fetched at a time: of the largest documents, some megabytes. */
const FETCHED = 200;
/** Accounts whose records the server merges: it holds a page of each. With more, it sorts all records. */
const MERGED = 100;

/** `shapes` are parents before children, the root first. */
export async function takeSnapshot(
  open: () => Promise<Session>,
  shapes: readonly RecordShape[],
  now: () => number,
  isSpread: boolean,
): Promise<Snapshot> {
  let session: Session | undefined;
  try {
    session = await open();
    const { beginSnapshot, beginRead, beginReadSpread } = statements;
    for (const text of [...beginSnapshot, ...(isSpread ? beginReadSpread : beginRead)]) {
      await session.run(call({ text }));
    }
    const own = session;
    return new PostgresSnapshot(session, { shapes, isSpread, taken_at: now() }, () => own.close());
  } catch (error) {
    session?.destroy();
    throw asUnavailable(error);
  }
}

export interface ReadMoment extends SnapshotOf {
  /** Whether tables are spread over several servers. */
  readonly isSpread: boolean;
}

/** Reads in the transaction of a session. */
export class PostgresSnapshot extends WholeSnapshot {
  readonly #session: Session;
  readonly #isSpread: boolean;
  #cursors = 0;
  protected readonly release: () => Promise<void>;

  constructor(session: Session, of: ReadMoment, release: () => Promise<void> = async () => {}) {
    super(statements, of);
    this.#session = session;
    this.#isSpread = of.isSpread;
    this.release = release;
  }

  protected async *pages(sql: string, values: readonly unknown[]) {
    this.#cursors += 1;
    const cursor = `read_${this.#cursors}`;
    try {
      await this.all(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, ...values);
      for (let isFull = true; isFull; ) {
        const rows = await this.all(`FETCH ${FETCHED} FROM ${cursor}`);
        isFull = rows.length === FETCHED;
        yield rows;
      }
    } finally {
      if (this.#session.usable) await this.all(`CLOSE ${cursor}`).catch(() => undefined);
    }
  }

  protected few(text: string, values: readonly unknown[]) {
    return this.#session.rows<readonly unknown[]>(call({ text }, ...values));
  }

  protected texts(list: Iterable<string> | undefined) {
    return list === undefined ? null : textArray([...list]);
  }

  protected toChanges(row: ChangeImageRow) {
    return [toChangeImage(row)];
  }

  protected asUnavailable(error: unknown): unknown {
    return asUnavailable(error);
  }

  async changesAt(records: Parameters<Snapshot['changesAt']>[0]) {
    const rows = await this.all<ChangeImageRow>(
      statements.changesAt,
      textArray(records.map(({ account }) => account)),
      numberArray(records.map(({ position }) => position)),
      textArray(records.map(({ unique_identifier }) => unique_identifier)),
    );
    const wanted = new Set(
      records.map(({ account, position, unique_identifier }) =>
        JSON.stringify([account, position, unique_identifier]),
      ),
    );
    return rows
      .map(toChangeImage)
      .filter(({ account, position, record }) =>
        wanted.has(JSON.stringify([account, position, record])),
      );
  }

  /** By account, where these are few enough to be merged. */
  protected override async *everyRecord(shape: RecordShape): Batches<StoredRecord> {
    const rows = this.#isSpread
      ? []
      : await this.all<readonly [account: string]>(statements.someAccounts, MERGED + 1);
    if (rows.length === 0 || rows.length > MERGED) return yield* super.everyRecord(shape);
    const text = statements.recordsOfEach(shape, rows.length);
    yield* this.read<RecordRow, StoredRecord>(toRecord, text, ...rows.flat());
  }

  async damage(): Promise<readonly string[]> {
    const rows = await this.all<readonly [name: string]>(statements.invalidIndexes);
    return rows.map(([name]) => `the index ${name} is not valid: rebuild it with REINDEX`);
  }
}
