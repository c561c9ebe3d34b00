/**
 * The order in which a transaction locks rows on PostgreSQL, which prevents deadlocks. In tests, sessions check the classes
 * at each statement of a transaction. Rows of one class are sent in
 * order, or read with ORDER BY: where a plan takes them otherwise, the server ends one of the two,
 * which begins again. Migrating holds one advisory lock and restoring all tables, before anything else;
 * emptying an account locks rows of one table in each transaction.
 */
import { type Call, Session, type Statement } from '../../src/store/postgres/wire/session.ts';

interface LockClass {
  readonly name: string;
  readonly tables: readonly string[];
  readonly why: string;
}

/** Rows of an earlier class are locked before those of a later one; several of one class in the order of their keys. */
export const LOCK_ORDER: readonly LockClass[] = [
  {
    name: 'erasure_journal',
    tables: ['erasure_journal'],
    why: 'A line is added before the marks of erased records that it tells of: a second process finds its number taken, and changes nothing.',
  },
  {
    name: 'account',
    tables: ['account', 'commit'],
    why: 'A commit first locks the rows of its accounts, in the order of their names, and takes its number under that lock: an account has one writer at a time. A shared commit skips accounts that are locked.',
  },
  {
    name: 'key',
    tables: ['api_key'],
    why: 'Keys are locked in their order before they are changed, and no commit of records locks one.',
  },
  {
    name: 'record',
    tables: ['change', 'gone', 'answered', 'erased', 'hold'],
    why: 'Records of all resources, their log, their answers, the marks of erased records and holds, in any order: only the writer that has locked the account changes them. Sweeps remove only old rows of the log and of answers, holds are released by their one statement, and only erasures empty the contents of erased records.',
  },
  {
    name: 'receipt',
    tables: ['receipt'],
    why: 'Locked last in a commit, and when they are purged.',
  },
  {
    name: 'expectation',
    tables: ['expectation'],
    why: 'It moves to another state before the endpoints that are told of it: a second process finds it moved, and tells nothing.',
  },
  {
    name: 'webhook_endpoint',
    tables: ['webhook_endpoint'],
    why: 'A worker locks the endpoint before it settles deliveries. Endpoints are removed with their account.',
  },
  {
    name: 'webhook_delivery',
    tables: ['webhook_delivery'],
    why: 'Written under the endpoint, whose row is locked.',
  },
  { name: 'staff', tables: ['staff'], why: 'A change to people locks their rows first.' },
  {
    name: 'sign_in',
    tables: ['staff_passkey', 'staff_identity', 'staff_session', 'staff_ceremony'],
    why: 'Removed with the person, whose row is locked.',
  },
  {
    name: 'refused_request',
    tables: ['refused_request'],
    why: 'New rows, then the oldest of the same keys, before the counts: no other transaction waits for new rows.',
  },
  {
    name: 'request_activity',
    tables: ['request_activity'],
    why: 'The counts that all processes add to are locked last, for the shortest time.',
  },
  {
    name: 'audit_entry',
    tables: ['audit_entry'],
    why: 'Each process adds to chains of its own: no other transaction waits for new rows.',
  },
  {
    name: 'self_test',
    tables: ['self_test', 'self_test_sighting'],
    why: 'Those of one account, by its one key.',
  },
  {
    name: 'location_settings',
    tables: ['location_settings'],
    why: 'Those of one commit in the order of their names.',
  },
  {
    name: 'source',
    tables: ['source', 'source_writer'],
    why: 'Each in a transaction of its one statement, by which the row of a writer is made from that of its source.',
  },
  {
    name: 'sync',
    tables: ['sync', 'sync_seen'],
    why: 'The row of a sync is locked while marks of what it saw are added, so that none is added once it is being finished.',
  },
  {
    name: 'erasure_note',
    tables: ['erasure_note', 'follower'],
    why: 'Those of one commit in the order of their names.',
  },
  {
    name: 'retention',
    tables: ['retention_run', 'retention_rule'],
    why: 'A run is written before the rule that it stops, and runs are removed before theirs.',
  },
  {
    name: 'search_mark',
    tables: ['search_mark'],
    why: 'The position of the index of an account moves first: a second feeder finds it moved, and changes nothing.',
  },
  {
    name: 'search_row',
    tables: ['search_record', 'search_term'],
    why: 'Written under the mark, whose row is locked.',
  },
  {
    name: 'single',
    tables: [
      ...['receipt_room', 'import_run', 'erasure', 'write_check', 'search_feeder'],
      ...['checked_backup', 'seen_time', 'followed_backup', 'expectation_watch'],
      'job',
    ],
    why: 'Each in a transaction of its one statement.',
  },
];

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
