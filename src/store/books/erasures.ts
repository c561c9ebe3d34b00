/** The books of erasures and of erased records, over the tables of a store. */
import type { FailureWatch } from '../../core/each-account.ts';
import { erasure, type StoredErasure } from '../../core/objects/records/erasure.ts';
import type { ErasedFingerprints } from '../erased-fingerprints.ts';
import { named } from '../images.ts';
import { quoteName } from '../names.ts';
import {
  type Asking,
  type DroppedHistory,
  ENDED_MS,
  type ErasedDraft,
  type ErasedRecord,
  type ErasedTrace,
  type EraseOutcome,
  type EraseRequest,
  type ErasureQuery,
  type ErasureSummary,
  NOT_IN_JOURNAL,
} from '../promises/erasing/book.ts';
import { Book } from './book.ts';
import { inserted, newRow, renewed, rowReader, selected } from './rows/own-rows.ts';
import { among, is } from './sql/lists.ts';
import { type BookParts, type BookTables, erasing, statements } from './tables.ts';

const toErasure = rowReader(erasure);
const toLooking = ([account, unique_identifier, by]: readonly [string, string, string]) => {
  return { account, unique_identifier, group: `${account} ${by}` };
};
const toCounts = named<{ readonly open: number; readonly all: number }>('open', 'all');
const select = `SELECT ${selected(erasure)} FROM erasure`;
/** Without their traces: up to some hundred kilobytes of each. */
const brief = select.replace(`erasure.${quoteName('traces')}`, 'NULL');
const PURGED_AT_ONCE = 100;
/** Statuses of those that are to do, and of those that ended. */
const OPEN = ['ready', 'running', 'waiting'];
const ENDED = ['done', 'closed'];
const isOpen = `status IN ('${OPEN.join("', '")}')`;

export const erasureStatements = statements({
  add: `${inserted(erasure)} ON CONFLICT (unique_identifier) DO NOTHING`,
  replace: renewed(erasure),
  find: `${select} WHERE unique_identifier = $1`,
  running: `${brief} WHERE status IN ('running', 'waiting') ORDER BY unique_identifier`,
  looking: `SELECT of_account, unique_identifier, "by" FROM erasure WHERE look_place IS NOT NULL
    ORDER BY unique_identifier LIMIT 1000`,
  counts: `SELECT count(*) FILTER (WHERE ${isOpen}), count(*)
    FROM erasure WHERE of_account = $1 AND "by" = $2`,
  summary: `SELECT status, count(*), count(*) FILTER (WHERE due_at < $1 AND ${isOpen})
    FROM erasure GROUP BY status`,
  purge: erasing(
    ({ limit }) => `DELETE FROM erasure WHERE unique_identifier IN (
    SELECT unique_identifier FROM erasure
    WHERE status IN ('done', 'closed') AND updated_at < $1 LIMIT ${limit('$2')})`,
  ),
});

export class ErasureBook extends Book {
  readonly add = (one: StoredErasure) => this.did(erasureStatements.add, ...newRow(erasure, one));

  /** `false`, with nothing done, if it was changed since it was read. */
  readonly replace = (one: StoredErasure) =>
    this.did(erasureStatements.replace, ...newRow(erasure, one, 1));

  readonly find = (unique_identifier: string) =>
    this.first(toErasure, erasureStatements.find, unique_identifier);

  /** Some of those that are still looked for everywhere; those who began them are served in turn. */
  readonly looking = () => this.all(toLooking, erasureStatements.looking);

  /** The newest first, before that one; `open`: only those that are to do, or only those that ended. Without `traces`. */
  async list(accounts: readonly string[], { open, before, limit }: ErasureQuery) {
    const statuses = [...(open === false ? [] : OPEN), ...(open === true ? [] : ENDED)];
    return this.along(
      toErasure,
      brief,
      accounts.map((account) => ({
        ...{ table: 'erasure', order: ['unique_identifier'], descending: true, limit },
        lead: [is('of_account', account), is('unique_identifier', before, '<')],
        rest: [among('status', statuses)],
      })),
    );
  }

  /** Lists erasures in which records are left to erase, also where they wait for a hold; without `traces`. */
  readonly running = () => this.all(toErasure, erasureStatements.running);

  /** How many somebody has begun, and how many of these are neither done nor closed. */
  readonly counts = async ({ account, by }: Asking) =>
    (await this.first(toCounts, erasureStatements.counts, account, by)) ?? { open: 0, all: 0 };

  /** How many there are by status, and how many of these are open and were due by now. */
  async summary(): Promise<ErasureSummary> {
    type Row = readonly [status: string, count: number, overdue: number];
    const rows = await this.tables.rows<Row>(erasureStatements.summary, this.now());
    return {
      statuses: new Map(rows.map(([status, count]) => [status, count])),
      overdue: rows.reduce((sum, [, , overdue]) => sum + overdue, 0),
    };
  }

  /** Removes some that ended long enough ago; returns whether there may be more. */
  readonly purge = () =>
    this.purged(erasureStatements.purge, this.now() - ENDED_MS, PURGED_AT_ONCE);
}

const LIFTED_AT_ONCE = 1_000;

const COLUMNS = [
  ...(['account', 'record', 'resource', 'anchor', 'parent', 'erasure', 'erased_at'] as const),
];
const toProgress = named<{ readonly erased: number; readonly left: number }>('erased', 'left');
const toErased = named<ErasedRecord>(...COLUMNS);
const toTrace = named<ErasedTrace>('resource', 'record', 'position', 'copies');
const toName = named<Pick<ErasedRecord, 'account' | 'record'>>('account', 'record');

export const erasedStatements = statements({
  find: ({ among }) =>
    `SELECT ${COLUMNS.join(', ')} FROM erased WHERE ${among('account', '$2')} AND ${among('record', '$1')}`,
  lift: 'DELETE FROM erased WHERE account = $1 AND record = $2',
  /** Selects records that rule $1 removed in accounts $2, at most $3, without those that the log still has changes of. */
  aged: ({ among, limit }) =>
    `SELECT account, record FROM erased WHERE erasure = $1 AND ${among('account', '$2')}
      AND line = ${NOT_IN_JOURNAL} AND unforgotten = 0 LIMIT ${limit('$3')}`,
  liftAged: ({ among }) => `DELETE FROM erased WHERE erasure = $1 AND account = $2
    AND ${among('record', '$3')} AND line = ${NOT_IN_JOURNAL} AND unforgotten = 0`,
  countBelow: ({ among }) =>
    `SELECT count(*) FROM erased WHERE parent = $1 AND resource = $2 AND key <> '' AND ${among('account', '$3')}`,
  progress: `SELECT count(*), count(*) FILTER (WHERE unforgotten > 0) FROM erased WHERE erasure = $1`,
  traces: ({ copies, as, limit }) => `SELECT resource, record, position, ${copies} FROM erased
    WHERE account = $1 AND erasure = $2 AND record > ${as('$3', 'text')}
    ORDER BY record LIMIT ${limit('$4')}`,
  keys: "SELECT DISTINCT key FROM erased WHERE key <> ''",
  markedBy: ({ among }) => `SELECT count(*) FROM erased WHERE ${among('key', '$1')}`,
  giveUp: ({ among }) =>
    `UPDATE erased SET key = '', probe = '', mark = '' WHERE ${among('key', '$1')}`,
});

/** Erased records, as far as reading and lifting them needs no lock of their accounts. */
export class ErasedRows extends Book {
  readonly #marks: ErasedFingerprints;

  constructor(tables: BookTables, parts: BookParts, marks: ErasedFingerprints) {
    super(tables, parts);
    this.#marks = marks;
  }

  /** The external identifiers that a record with this one may have since it was redacted. */
  sealedAs(resource: string, external_identifier: string): readonly string[] {
    const { keys, sealed } = this.#marks;
    return keys.map((key) => sealed(key, [resource, external_identifier]));
  }

  /** Finds which of these unique identifiers were erased in one of the accounts. */
  readonly find = (records: readonly string[], accounts: readonly string[]) =>
    this.all(toErased, erasedStatements.find, records, accounts);

  /** Lets records be made again that a retention rule removed, of those in these accounts; some at a time. */
  async liftAged(rule: string, accounts: readonly string[], records?: readonly string[]) {
    const { aged, liftAged } = erasedStatements;
    const found =
      records === undefined
        ? await this.all(toName, aged, rule, accounts, LIFTED_AT_ONCE)
        : (await this.find(records, accounts)).filter(({ erasure }) => erasure === rule);
    let lifted = 0;
    for (const [account, own] of Map.groupBy(found, (one) => one.account)) {
      const identifiers = own.map(({ record }) => record);
      lifted += (await this.tables.change(liftAged, rule, account, identifiers)).count;
    }
    const has_more = records === undefined && found.length === LIFTED_AT_ONCE;
    return { account: found[0]?.account, lifted, has_more };
  }

  /** How many records of a resource below that parent were erased. */
  readonly countBelow = (resource: string, parent: string, accounts: readonly string[]) =>
    this.counted(erasedStatements.countBelow, parent, resource, accounts);

  /** Whether records were erased by a key that the store was opened without: they would not be known again. */
  async hasLostKeys(): Promise<boolean> {
    return (await this.#lostKeys()).length > 0;
  }

  async #lostKeys(): Promise<readonly string[]> {
    const keys = await this.column<string>(erasedStatements.keys);
    return keys.filter((key) => !this.#marks.keys.includes(key));
  }

  /** How many records were erased by a key that the store was opened without. */
  async countLost(): Promise<number> {
    const keys = await this.#lostKeys();
    return keys.length === 0 ? 0 : this.counted(erasedStatements.markedBy, keys);
  }

  /** Lets records be made again that were erased by such a key, since nobody knows them again. Returns how many. */
  async giveUpLost(): Promise<number> {
    const keys = await this.#lostKeys();
    return keys.length === 0 ? 0 : (await this.tables.change(erasedStatements.giveUp, keys)).count;
  }

  /** Where to read again what was stored of erased records: by unique identifier, after that one. */
  readonly traces = (account: string, erasure: string, after: string, limit: number) =>
    this.all(toTrace, erasedStatements.traces, account, erasure, after, limit);

  /** How many records of an erasure are erased, and of how many the log still holds something. */
  async progress(erasure: string): Promise<{ readonly erased: number; readonly left: number }> {
    const found = await this.first(toProgress, erasedStatements.progress, erasure);
    return found ?? { erased: 0, left: 0 };
  }
}

export interface ErasingBook
  extends Pick<
    ErasedRows,
    | 'liftAged'
    | 'countBelow'
    | 'find'
    | 'sealedAs'
    | 'hasLostKeys'
    | 'countLost'
    | 'giveUpLost'
    | 'progress'
    | 'traces'
  > {
  /**
   * Erases the first of these records and as many of the next as hold up no writer, each in a commit of its own, which
   * may share a sync of the disk; returns their outcomes. A record goes with its row, its answers, what its removal has
   * kept. The log says `deleted`, and its earlier contents there are hidden at once and forgotten by `forget`. Once more
   * does nothing. A record that others need is redacted, if its shape says how: the log says `updated`, its external
   * identifier is `sealedAs`, and no draft changes it.
   */
  erase(requests: readonly EraseRequest[]): Promise<readonly EraseOutcome[]>;
  /**
   * Forgets some of what the log holds of erased records, briefly enough not to hold up writers; returns whether there
   * may be more. An account for which it fails rests, as `watch` is told.
   */
  forget(watch?: FailureWatch): Promise<boolean>;
  /**
   * Forgets some of what a record held before: what the log holds of its changes from that position back, and what it
   * was answered as. Returns the position to go on from; 0: that was all. Throws `record_held`.
   */
  dropHistory(dropped: DroppedHistory): Promise<number>;
  /** Drops what this process remembers of records, which any process may have erased. */
  dropRemembered?(): void;
  /** The erasure for which a commit would refuse to make this record, if it would. */
  refuses(draft: ErasedDraft): Promise<string | undefined>;
  /** The rule by which a record is too young to be removed, if there is one. */
  keeperOf(of: Pick<EraseRequest, 'resource' | 'account' | 'record'>): Promise<string | undefined>;
}
