/** The log of requests, over the tables of a store. */

import {
  ACTIVITY_ORDER,
  type Activity,
  activity as entries,
} from '../../../core/objects/requests/activity.ts';
import {
  type RefusedRequest,
  refusedRequest,
} from '../../../core/objects/requests/refused-request.ts';
import { named } from '../../images.ts';
import {
  ACTIVITY_MS,
  type ActivityQuery,
  type LastSeen,
  REQUESTS_MS,
  type RefusedQuery,
} from '../../promises/requests.ts';
import { Book } from '../book.ts';
import { newRow } from '../rows/own-rows.ts';
import {
  ACTIVITY_NAME,
  codesOf,
  spaced,
  spacedMark,
  toActivity,
  toRefused,
} from '../rows/request-rows.ts';
import {
  among,
  before,
  begins,
  holds,
  is,
  isOfStaff,
  listActivity,
  listRefused,
  ofAccount,
  type Predicate,
  seenBy,
  requestStatements as sql,
  when,
} from '../sql/request-sql.ts';

const HOUR = ['key', 'anchor', 'hour', 'last_at'] as const;
const toHour = named<Pick<Activity, (typeof HOUR)[number]>>(...HOUR);
const READS = ['account', 'key', 'anchor', 'resource', 'count'] as const;
const toReads = named<Pick<Activity, (typeof READS)[number]>>(...READS);
const SEEN = ['account', 'key', 'anchor', 'refused', 'last_at'] as const;
const toSeen = named<Omit<LastSeen, 'refused'> & { readonly refused: number }>(...SEEN);

/** Small enough that no writer waits for it long. */
const PURGED_AT_ONCE = 500;

export class RequestBook extends Book {
  /**
   * Adds to the log, in one commit. Refused requests that are already stored stay as they are; counts are added up. The
   * newest `MAX_REFUSED` of each key stay.
   */
  async note(refused: readonly RefusedRequest[], activity: readonly Activity[]): Promise<void> {
    // Rows are locked in the order of their names, as by all processes.
    const keys = [...new Set(refused.map(({ key }) => key ?? ''))].sort();
    const counted = [...activity].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    const refusedRows = refused.map((one) => [...newRow(refusedRequest, one), codesOf(one)]);
    await this.tables.write([
      { statement: sql.refuse, rows: refusedRows },
      { statement: sql.trim, rows: keys.map((key) => [key]) },
      { statement: sql.count, rows: counted.map((one) => newRow(entries, one)) },
    ]);
  }

  /** Finds which of the accounts exist, open or closed. */
  readonly accountsAmong = (accounts: readonly string[]) =>
    this.column<string>(sql.accountsAmong, accounts);

  /** The newest first. */
  async refused(query: RefusedQuery): Promise<readonly RefusedRequest[]> {
    const { request_id, code, marks, status, path, by, after, limit } = query;
    const { statement, values } = listRefused(
      [
        ...shared('time', query),
        ...when(request_id, (id) => is('request_id', id)),
        ...when(code, (one) => holds([spaced(one)])),
        ...when(marks, (some) => holds(some.map(spacedMark))),
        ...when(status, (one) => is('status', one)),
        ...when(path, (start) => begins('path', start)),
        ...when(by, (who) => isOfStaff('key', who === 'staff')),
        ...when(after, (last) => before('time, request_id', [last.time, last.request_id])),
      ],
      limit,
    );
    return this.all(toRefused, statement, ...values);
  }

  /** By account, the newest hour first. */
  async activity(query: ActivityQuery): Promise<readonly Activity[]> {
    const { anchor, anchors, after, limit } = query;
    const { statement, values } = listActivity(
      [
        ...shared('hour', query),
        ...when(anchor, (one) => is('anchor', one)),
        ...when(anchors, (some) => among('anchor', some)),
        ...when(after, (last) =>
          before(
            ACTIVITY_NAME,
            ACTIVITY_ORDER.map((name) => last[name]),
          ),
        ),
      ],
      limit,
    );
    return this.all(toActivity, statement, ...values);
  }

  /** Counts the writes of API keys, and the refused ones, in the hours from that one on. */
  async lastSeen(hour: number): Promise<readonly LastSeen[]> {
    const seen = await this.all(toSeen, sql.lastSeen, hour);
    return seen.map(({ refused, ...one }) => ({ ...one, refused: refused > 0 }));
  }

  /** In which hours from one on, before another, API keys have written at locations of the account. */
  readonly hoursSeen = (account: string, from: number, to: number) =>
    this.all(toHour, sql.hoursSeen, account, from, to);

  /** How much API keys read in that hour. */
  readonly readsOf = (hour: number) => this.all(toReads, sql.readsOf, hour);

  /** Removes some entries that are older than the log is stored; returns whether there may be more. */
  async purge(): Promise<boolean> {
    const now = this.now();
    const counts = await this.tables.write([
      [sql.purgeRefused, now - REQUESTS_MS, PURGED_AT_ONCE],
      [sql.purgeActivity, now - ACTIVITY_MS, PURGED_AT_ONCE],
    ]);
    return counts.includes(PURGED_AT_ONCE);
  }
}

const nameOf = (one: Activity): string => ACTIVITY_ORDER.map((member) => one[member]).join();

/** The conditions of both lists. */
function shared(
  time: 'time' | 'hour',
  query: Pick<ActivityQuery, 'seenBy' | 'account' | 'key' | 'from' | 'to'>,
): readonly Predicate[] {
  return [
    ...when(query.seenBy, (accounts) => seenBy([...accounts])),
    ...when(query.account, ofAccount),
    ...when(query.key, (key) => is('key', key)),
    ...when(query.from, (from) => is(time, from, '>=')),
    ...when(query.to, (to) => is(time, to, '<')),
  ];
}
