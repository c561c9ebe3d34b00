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
  MAX_REFUSED,
  REQUESTS_MS,
  type RefusedQuery,
} from '../../promises/requests.ts';
import { Book, inOrder } from '../book.ts';
import { columnTypes, newRow, rowReader, selected } from '../rows/own-rows.ts';
import {
  among,
  begins,
  beyond,
  holds,
  is,
  isOfStaff,
  list,
  namesOf,
  ofAccount,
  ofRows,
  type Predicate,
  parametersOf,
  seenBy,
  when,
} from '../sql/lists.ts';
import { statements } from '../tables.ts';

/** The columns of both tables, each with its type. */
const REFUSED_COLUMNS = { ...columnTypes(refusedRequest), codes: 'text' } as const;
const ACTIVITY_COLUMNS = columnTypes(entries);

const ACTIVITY_NAME = entries.key.join(', ');
const ACTIVITY_BACKWARDS = entries.key.map((name) => `${name} DESC`).join(', ');

const toRefused = rowReader(refusedRequest);
const toActivity = rowReader(entries);

/** The last number of a key. */
const lastOf = (key: string) =>
  `(SELECT nth FROM refused_request AS own WHERE own.key = ${key} ORDER BY nth DESC LIMIT 1)`;

const refused = namesOf(REFUSED_COLUMNS);
const counted = namesOf(ACTIVITY_COLUMNS);
const counting = (greatest: string) => `ON CONFLICT (${ACTIVITY_NAME}) DO UPDATE SET
  count = known.count + excluded.count, last_at = ${greatest}(known.last_at, excluded.last_at)`;

export const sql = statements({
  accountsAmong: ({ among }) =>
    `SELECT unique_identifier FROM account WHERE ${among('unique_identifier', '$1')}`,
  readsOf: `SELECT of_account, key, anchor, resource, count FROM request_activity
    WHERE hour = $1 AND substr(key, 1, 4) = 'key_' AND outcome = 'read' ORDER BY of_account, key, anchor, resource`,
  /** Takes the columns of a request, then all codes. */
  refuse: ofRows(
    REFUSED_COLUMNS,
    `INSERT INTO refused_request (${refused}, nth)
     VALUES (${parametersOf(REFUSED_COLUMNS)}, coalesce(${lastOf('$3')}, 0) + 1)
     ON CONFLICT (request_id) DO NOTHING`,
    `INSERT INTO refused_request (${refused}, nth)
     SELECT ${refused}, coalesce(${lastOf('noted.key')}, 0)
       + row_number() OVER (PARTITION BY key ORDER BY time, request_id) FROM NOTED
     ON CONFLICT (request_id) DO NOTHING`,
  ),
  trim: ofRows(
    { key: 'text' },
    `DELETE FROM refused_request WHERE key = $1 AND nth <= ${lastOf('$1')} - ${MAX_REFUSED}`,
    `DELETE FROM refused_request USING (
       SELECT noted.key, ${lastOf('noted.key')} - ${MAX_REFUSED} AS last FROM NOTED) AS old
     WHERE refused_request.key = old.key AND nth <= old.last`,
  ),
  count: ofRows(
    ACTIVITY_COLUMNS,
    `INSERT INTO request_activity AS known (${counted})
     VALUES (${parametersOf(ACTIVITY_COLUMNS)}) ${counting('max')}`,
    `INSERT INTO request_activity AS known (${counted})
     SELECT ${counted} FROM NOTED ${counting('greatest')}`,
  ),
  purgeRefused: ({ limit }) => `DELETE FROM refused_request WHERE request_id IN (
    SELECT request_id FROM refused_request WHERE time < $1 LIMIT ${limit('$2')})`,
  purgeActivity: ({ limit }) => `DELETE FROM request_activity WHERE (${ACTIVITY_NAME}) IN (
    SELECT ${ACTIVITY_NAME} FROM request_activity WHERE hour < $1 LIMIT ${limit('$2')})`,
});

const READS = ['account', 'key', 'anchor', 'resource', 'count'] as const;
const toReads = named<Pick<Activity, (typeof READS)[number]>>(...READS);

/** Small enough that no writer waits for it long. */
const PURGED_AT_ONCE = 500;

export class RequestBook extends Book {
  /**
   * Adds to the log, in one commit. Refused requests that are already stored stay as they are; counts are added up. The
   * newest `MAX_REFUSED` of each key stay.
   */
  async note(refused: readonly RefusedRequest[], activity: readonly Activity[]): Promise<void> {
    const keys = [...new Set(refused.map(({ key }) => key ?? ''))].sort();
    const counted = inOrder(activity, (one) => ACTIVITY_ORDER.map((name) => one[name]).join());
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
    const walk = {
      table: 'refused_request',
      order: ['time', 'request_id'],
      descending: true,
      lead: [...shared('time', query), ...when(request_id, (id) => is('request_id', id))],
      rest: [
        ...when(code, (one) => holds([spaced(one)])),
        ...when(marks, (some) => holds(some.map(spacedMark))),
        ...when(status, (one) => is('status', one)),
        ...when(path, (start) => begins('path', start)),
        ...when(by, (who) => isOfStaff('key', who === 'staff')),
      ],
      after: after && [after.time, after.request_id],
      limit,
    };
    return this.along(toRefused, `SELECT ${selected(refusedRequest)} FROM refused_request`, [walk]);
  }

  /** Since when requests are kept, of those that are not too many. */
  readonly keptSince = (): number => this.now() - REQUESTS_MS;

  /** When the newest request was answered after which refusals of a record may be missing among those that marks find; `undefined`: none may. */
  async lastUnnamed(query: Omit<RefusedQuery, 'limit'>): Promise<number | undefined> {
    const walk = {
      table: 'refused_request',
      order: ['time', 'request_id'],
      descending: true,
      lead: shared('time', query),
      rest: [...when(query.by, (who) => isOfStaff('key', who === 'staff')), mayHideRecords],
      limit: 1,
    };
    const select = `SELECT ${selected(refusedRequest)} FROM refused_request`;
    return (await this.along(toRefused, select, [walk]))[0]?.time;
  }

  /** By account, the newest hour first. */
  async activity(query: ActivityQuery): Promise<readonly Activity[]> {
    const { anchors, after, limit } = query;
    const { statement, values } = list(
      `SELECT ${selected(entries)} FROM request_activity`,
      [
        ...shared('hour', query),
        ...when(anchors, (some) => among('anchor', some)),
        ...when(after, (last) =>
          beyond(
            ACTIVITY_NAME,
            '<',
            ACTIVITY_ORDER.map((name) => last[name]),
          ),
        ),
      ],
      { order: ACTIVITY_BACKWARDS, limit },
    );
    return this.all(toActivity, statement, ...values);
  }

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

/** Marks of a request of which all refused records are found, and of one with others. */
const NAMED = '.';
const UNNAMED = '*';

/** Bulk requests of 1.0 do not say whether they have more records than marks. The last one that is kept of a key hides what went before it. */
const mayHideRecords: Predicate = {
  values: [UNNAMED, NAMED].map(spacedMark),
  says: ({ position }, unnamed = '', named = '') => `${position}(codes, ${unnamed}) > 0
    OR (${position}(path, '/upsert_many') > 0 AND ${position}(codes, ${named}) = 0)
    OR (${position}(path, '/upsert') > 0 AND ${position}(codes, ' =') = 0)
    OR nth = ${lastOf('refused_request.key')} - ${MAX_REFUSED - 1}`,
};

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

/** A code as it is looked for among all of a request. */
function spaced(code: string): string {
  return ` ${code} `;
}

/** A mark as it stands among the codes, of which none begins so. */
function spacedMark(mark: string): string {
  return spaced(`=${mark}`);
}

/** All that a request is found by: codes of its answer, its faults and its rows, and marks. */
function codesOf({ code, faults, rows, marks = [], unnamed }: RefusedRequest): string {
  const isNamed = unnamed === undefined ? [] : [unnamed ? UNNAMED : NAMED];
  const codes = [
    ...[code, ...faults.map((fault) => fault.code), ...Object.keys(rows?.counts ?? {})],
    ...[...marks, ...isNamed].map((mark) => `=${mark}`),
  ];
  return spaced([...new Set(codes)].join(' '));
}
