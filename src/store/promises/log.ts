/** The log of changes, as it is read: what each commit did, to which record. */
import type { FailureWatch } from '../../core/each-account.ts';
import type { Cursor } from '../../core/schema/id.ts';

const OUTCOMES = [
  ...(['created', 'updated', 'proposed', 'deleted', 'restored', 'erased', 'wiped'] as const),
];

/** The logged part of a change, without its time and its commit. */
export interface LogEntry {
  readonly resource: string;
  readonly record: string;
  readonly anchor: string | null;
  /**
   * `proposed`: an update by which a source proposes other values for what staff corrected. `erased`: follows a removal,
   * for good, `by` the erasure. `expired`: only its mark and its time are left, and no page shows it.
   */
  readonly outcome: (typeof OUTCOMES)[number] | 'expired';
  /** The record's version after the change; of a removal, the one after the last. */
  readonly version: number;
  /** The position of the record's change before this one; 0: this one made it. */
  readonly before: number;
  readonly by: string | undefined;
  /**
   * The earlier state of the record: of an update a merge patch (RFC 7396), of a removal the document, as JSON. `null`
   * where there is none, or no content is stored.
   */
  readonly content: string | null;
}

export type ChangeCursor = Cursor;

export interface TimedCursor extends ChangeCursor {
  readonly occurred_at: number;
}

export interface LoggedChange extends ChangeCursor, Omit<LogEntry, 'by'> {
  readonly account: string;
  readonly by: string | null;
  readonly occurred_at: number;
  /**
   * Set if the stored row is not the one that was written: only the mark and the time are sure,
   * the rest may be wrong. It has no content.
   */
  readonly damaged?: true;
}

export interface ChangesQuery {
  readonly account: string;
  /** Left out: from the first that is stored. */
  readonly after?: ChangeCursor | undefined;
  readonly limit: number;
  /** Bytes of content after which the page ends; it has one change at least. */
  readonly bytes: number;
  /** Whether removals have their documents, too. */
  readonly documents?: boolean;
}

export interface ChangesPage {
  /** The changes in the order in which they were done, without records that went with a removed one. */
  readonly changes: readonly LoggedChange[];
  readonly more: boolean;
}

/**
 * Why nothing can be read after a mark: it is older than the log, or it belongs to a commit that this store does not
 * have, since it was restored to an older state.
 */
export type CursorLost = 'expired' | 'rewound';

export interface RecordChanges {
  readonly account: string;
  readonly record: string;
  readonly position: number;
  readonly limit: number;
  readonly bytes: number;
}

/** Commits after a position, by the time at which they were done. */
export interface DoneSince {
  readonly account: string;
  readonly after: number;
  readonly time: number;
  readonly limit: number;
}

/** A removed record, unless the log of changes has a later change of it. */
export interface Tombstone {
  readonly account: string;
  readonly record: string;
  /** The position of the commit that logged its removal. */
  readonly position: number;
  /** Names what it belonged to, which may be removed as well; `undefined`: it is gone for good. */
  readonly parent: string | undefined;
  readonly external_identifier: string;
  readonly inserted_at: number;
  /** Position of the commit that removed it, or the record that it went with. */
  readonly removal: number;
  /** How many records went with it; `null`: it went with another one. */
  readonly below: number | null;
  /** The number of the source that made it; `null`: unknown. */
  readonly created_by: number | null;
}

/** A removed record with what the log says of its removal, the document in `content`. */
export interface RemovedRecord extends Tombstone {
  readonly change: LoggedChange;
}

export interface RemovalsQuery {
  readonly account: string;
  /** Only removals at positions below this one. */
  readonly before: number;
  readonly limit: number;
}

export interface RemovedQuery {
  readonly account: string;
  /** The position of the removal. */
  readonly removal: number;
  readonly resource: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Where to read on in a log, and how much of it at a time. */
export interface FollowQuery extends Partial<Omit<ChangesQuery, 'account' | 'limit'>> {
  /** The position of the last commit; left out: to the end. */
  readonly until?: number;
  /** Asked before each piece, where it is a function. */
  readonly limit?: number | (() => number);
  /** Does a read when it may begin; nothing more is read where that gives `undefined`. */
  readonly slot?: LogSlot;
}

export type LogSlot = <Read>(read: () => Promise<Read>) => Promise<Read | undefined>;

export interface ChangeLog {
  /**
   * Yields the changes after a place in their order, a piece of at least one at a time, until there are no more; other
   * work of this thread goes on between two. Where the place is lost, it yields how, and ends.
   */
  follow(account: string, query?: FollowQuery): AsyncGenerator<ChangesPage | CursorLost, void>;
  /** The first change after a mark; `undefined`: the mark is that of the last. */
  next(account: string, after?: ChangeCursor): Promise<LoggedChange | CursorLost | undefined>;
  /** Yields what `of` finds, from there back to the first change that is stored, a piece at a time. */
  back(
    query: Omit<RecordChanges, 'limit' | 'bytes'>,
    slot?: LogSlot,
  ): AsyncGenerator<readonly LoggedChange[], void>;
  read(query: ChangesQuery): Promise<ChangesPage | CursorLost>;
  /** The last change of an account, if there is any. */
  last(account: string): Promise<ChangeCursor | undefined>;
  /** The last change of an account up to the commit at that position, and when it was done. */
  lastUpTo(account: string, position: number): Promise<TimedCursor | undefined>;
  /** Looks through some commits in their order for the first of that time or later, and says how far it has looked. */
  doneSince(query: DoneSince): Promise<{
    readonly found: number | undefined;
    /** `undefined`: there are no more. */
    readonly upTo: number | undefined;
  }>;
  /** The position of the last commit of each of these accounts that exists. */
  positions(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * The changes of a record, the newest first, from the commit at that position on: commit by commit, up to limits on
   * their number and bytes of content, and no further back than the log goes. Those before them begin at `before` of
   * the last.
   */
  of(record: RecordChanges): Promise<readonly LoggedChange[]>;
  /** The tombstone of a record of the resource in one of these accounts, while the log stores its content. */
  gone(
    resource: string,
    record: string,
    accounts: readonly string[],
  ): Promise<Tombstone | undefined>;
  /** Records that were removed by a request, the newest first, without those that went with them. */
  removals(query: RemovalsQuery): Promise<readonly RemovedRecord[]>;
  /** The record that was removed at that position, and all that went with it, of one resource: by unique identifier. */
  removed(query: RemovedQuery): Promise<readonly RemovedRecord[]>;
  /**
   * Removes some changes that are older than the log is to go back, briefly enough not to hold up writers; the mark of
   * an account's last change stays, so that a reader that has got there reads on without a gap. Returns whether there
   * may be more. An account for which it fails rests, as `watch` is told.
   */
  sweep(watch?: FailureWatch): Promise<boolean>;
}

/** A log as a store has it; `followed` gives the rest. */
export type StoredLog = Omit<ChangeLog, 'follow' | 'next' | 'back'>;

/** Makes the log show that the draft restores earlier content of a record. */
export interface Restoration {
  /**
   * Restores a removed record under its own identifier, with the draft's content: refused with `record_exists` if
   * another record has its pair by now, and with `record_changed` if its last removal was another one.
   */
  readonly gone?: {
    readonly unique_identifier: string;
    /** The removal, as the log has it. */
    readonly version: number;
    readonly position: number;
    readonly inserted_at: number;
    /** The number of the source that made it; left out: unknown. */
    readonly created_by?: number | null;
  };
}

/** The remainder of an account's last change once it is too old. */
export const EXPIRED = {
  resource: '',
  record: '',
  anchor: null,
  outcome: 'expired',
  version: 0,
  before: 0,
  by: undefined,
  content: null,
} as const satisfies LogEntry;

/** Adds the log's entries of their removals to removed records; leaves out records without one. */
export function withRemovals(
  gone: readonly Tombstone[],
  changes: readonly LoggedChange[],
): RemovedRecord[] {
  const byRecord = new Map(
    changes.map((change) => [`${change.position} ${change.record}`, change]),
  );
  return gone.flatMap((one) => {
    const change = byRecord.get(`${one.position} ${one.record}`);
    return change === undefined ? [] : [{ ...one, change }];
  });
}

/** How long changes are stored, in milliseconds. */
export function retentionMs(historyDays: number): number {
  return Math.max(historyDays, 1) * 86_400_000;
}

/** A change as stores read it: the parts of its mark, of its log entry in the order below, and its time. */
export type ChangeRow = readonly [
  ...[position: number, place: number, token: number, resource: string, record: string],
  ...[anchor: string | null, outcome: string, version: number, before: number, by: string | null],
  ...[occurred_at: number, content: string | null],
];

export function toChange(account: string, row: ChangeRow): LoggedChange {
  const change: LoggedChange = {
    account,
    position: row[0],
    place: row[1],
    token: row[2],
    resource: row[3],
    record: row[4],
    anchor: row[5],
    outcome: row[6] as LogEntry['outcome'],
    version: row[7],
    before: row[8],
    by: row[9],
    occurred_at: row[10],
    content: row[11],
  };
  return isReadable(change) ? change : asDamaged(change);
}

const READABLE: ReadonlySet<unknown> = new Set(OUTCOMES);

function isReadable({ position, outcome, version, before, content }: LoggedChange): boolean {
  // If a commit changes a record twice, both changes have its position.
  if (!READABLE.has(outcome) || !isCount(version) || !isCount(before) || before > position) {
    return false;
  }
  if (content === null) return true;
  try {
    return content.startsWith('{') && JSON.parse(content) !== null;
  } catch {
    return false;
  }
}

/** The usable part of a damaged change, so that readers can continue after it. */
export function asDamaged(change: LoggedChange): LoggedChange {
  const { position, outcome, version, before } = change;
  return {
    ...change,
    outcome: READABLE.has(outcome) ? outcome : 'updated',
    version: isCount(version) ? version : 0,
    before: isCount(before) && before < position ? before : 0,
    content: null,
    damaged: true,
  };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * The last of an account's oldest rows to remove: all before it are older than `until`. The very last one stays, as
 * `expired`: it proves that a mark belongs to this store.
 */
export function rowToSweep<
  Row extends readonly [...[number, number, occurred_at: number, expired: boolean | 0 | 1]],
>(oldest: readonly Row[], until: number) {
  const firstRetained = oldest.findIndex(([, , occurred_at]) => occurred_at >= until);
  const gone = firstRetained < 0 ? oldest.length : firstRetained;
  const expires = gone === 1 && oldest.length === 1 && !oldest[0]?.[3];
  const row = expires ? oldest[0] : oldest[Math.min(gone, oldest.length - 1) - 1];
  return row && { position: row[0], place: row[1], expires };
}

/** Reads the changes of a record that `at` finds in a commit, the newest first: commit by commit, from that position back. */
export async function changesBack(
  { position, limit, bytes }: RecordChanges,
  at: (position: number) => readonly LoggedChange[] | Promise<readonly LoggedChange[]>,
): Promise<readonly LoggedChange[]> {
  const changes: LoggedChange[] = [];
  let left = bytes;
  for (let next = position; next > 0 && changes.length < limit && left > 0; ) {
    const found = await at(next);
    changes.push(...found);
    left -= found.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    next = found.at(-1)?.before ?? 0;
  }
  return changes;
}
