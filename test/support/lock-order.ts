/**
 * The order in which a transaction locks rows on PostgreSQL, which prevents deadlocks. In tests, sessions check the classes
 * at each statement of a transaction. Rows of one class are sent in
 * order, or read with ORDER BY: where a plan takes them otherwise, the server ends one of the two,
 * which begins again. Migrating holds one advisory lock and restoring all tables, before anything else;
 * emptying an account locks rows of one table in each transaction.
 */
import { type Call, Session, type Statement } from '../../src/store/postgres/wire/session.ts';
import { expectedOf } from './expected.ts';

/** Rows of an earlier class are locked before those of a later one; several of one class in the order of their keys. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  // A line is added before the marks of erased records that it tells of: a second process finds its number taken,
  // and changes nothing.
  erasure_journal: ['erasure_journal'],
  // A commit first locks the rows of its accounts, in the order of their names, and takes its number under that
  // lock: an account has one writer at a time. A shared commit skips accounts that are locked.
  account: ['account', 'commit'],
  // Keys are locked in their order before they are changed, and no commit of records locks one.
  key: ['api_key'],
  // Records of all resources, their log, their answers, the marks of erased records and holds, in any order: only
  // the writer that has locked the account changes them. Sweeps remove only old rows of the log and of answers,
  // holds are released by their one statement, and only erasures empty the contents of erased records.
  record: ['change', 'gone', 'answered', 'erased', 'hold'],
  // Locked last in a commit, and when they are purged.
  receipt: ['receipt'],
  // It moves to another state before the endpoints that are told of it: a second process finds it moved, and tells
  // nothing.
  expectation: ['expectation'],
  ...expectedOf('locks'),
  // A worker locks the endpoint before it settles deliveries. Endpoints are removed with their account.
  webhook_endpoint: ['webhook_endpoint'],
  // Written under the endpoint, whose row is locked.
  webhook_delivery: ['webhook_delivery'],
  // A change to people locks their rows first.
  staff: ['staff'],
  // Removed with the person, whose row is locked.
  sign_in: ['staff_passkey', 'staff_identity', 'staff_session', 'staff_ceremony'],
  // New rows, then the oldest of the same keys, before the counts: no other transaction waits for new rows.
  refused_request: ['refused_request'],
  // The counts that all processes add to are locked last, for the shortest time.
  request_activity: ['request_activity'],
  // Each process adds to chains of its own: no other transaction waits for new rows.
  audit_entry: ['audit_entry'],
  // Those of one account, by its one key.
  self_test: ['self_test', 'self_test_sighting'],
  // Those of one commit in the order of their names.
  location_settings: ['location_settings'],
  // Each in a transaction of its one statement, by which the row of a writer is made from that of its source.
  source: ['source', 'source_writer'],
  // The row of a sync is locked while marks of what it saw are added, so that none is added once it is being
  // finished, and when the first sync of its source is noted.
  sync: ['sync', 'sync_seen', 'sync_doubt', 'first_sync'],
  // Those of one commit in the order of their names.
  erasure_note: ['erasure_note', 'follower'],
  // A run is written before the rule that it stops, and runs are removed before theirs.
  retention: ['retention_run', 'retention_rule'],
  // The position of the index of an account moves first: a second feeder finds it moved, and changes nothing.
  search_mark: ['search_mark'],
  // Written under the mark, whose row is locked.
  search_row: ['search_record', 'search_term'],
  // Each in a transaction of its one statement.
  single: [
    ...['receipt_room', 'erasure', 'write_check', 'search_feeder'],
    ...['checked_backup', 'seen_time', 'followed_backup', 'store_identity', 'expectation_watch'],
    'job',
  ],
};
export const LOCK_ORDER = Object.entries(CLASSES).map(([name, tables]) => ({ name, tables }));

/** The tables that a statement locks, as ranks in the order. A table that is not in the order holds records. */
export interface Locks {
  readonly first: number;
  readonly last: number;
}

/** Outside of a transaction nothing stays locked. */
export const OUTSIDE = -1;
const BEGINS: Locks = { first: Number.POSITIVE_INFINITY, last: 0 };
const ENDS: Locks = { first: Number.POSITIVE_INFINITY, last: OUTSIDE };

const LOCKED =
  /\b(?:INSERT INTO|DELETE FROM|(?<!\b(?:FOR|KEY|DO) )UPDATE)\s+"?([^\s"(]+)|\bFROM "?(\w+)"?\s+WHERE(?:(?!\bFROM\b).)*\bFOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/gs;

const rankOf = (name: string): number => LOCK_ORDER.findIndex((one) => one.name === name) + 1;
const ranks = new Map(
  LOCK_ORDER.flatMap(({ name, tables }) => tables.map((table) => [table, rankOf(name)] as const)),
);

/** Read from a statement once, when it is made. */
export function locksOf(text: string): Locks | undefined {
  if (text.startsWith('BEGIN')) return BEGINS;
  if (text === 'COMMIT' || text === 'ROLLBACK') return ENDS;
  const found = [...text.matchAll(LOCKED)].map(
    ([, written, read]) => ranks.get(written ?? read ?? '') ?? rankOf('record'),
  );
  if (found.length === 0) return undefined;
  return { first: Math.min(...found), last: Math.max(...found) };
}

/** The last rank that a transaction has locked, after one more statement. Throws where that comes too late. */
export function afterLocking(held: number, { first, last }: Locks): number {
  if (first < held) {
    const [early, late] = [first, held].map((rank) => LOCK_ORDER[rank - 1]?.name);
    throw new TypeError(`A transaction locks "${early}" after "${late}": see lock-order.ts.`);
  }
  return held === OUTSIDE && last > 0 ? OUTSIDE : last;
}

/** By session: the last rank that the transaction under way has locked. */
const held = new WeakMap<Session, number>();
const known = new Map<string, Locks | undefined>();

/** Lets all sessions of this process check the order of what they send. */
export function checkLockOrder(): void {
  const { run, bundle } = Session.prototype;
  Session.prototype.run = async function checked<Row extends readonly unknown[]>(
    this: Session,
    call: Call<Row>,
  ) {
    note(this, call.statement);
    return run.call(this, call) as ReturnType<typeof run<Row>>;
  };
  Session.prototype.bundle = async function checked(this: Session, calls) {
    for (const { statement } of calls) note(this, statement);
    return bundle.call(this, calls);
  };
}

/** What is sent once, such as to migrate or to restore, locks in an order of its own; parts of a table have other names. */
function note(session: Session, { name, named, text }: Statement<readonly unknown[]>): void {
  if (name === undefined || named) return;
  if (!known.has(text)) known.set(text, locksOf(text));
  const locks = known.get(text);
  if (locks !== undefined) held.set(session, afterLocking(held.get(session) ?? OUTSIDE, locks));
}
