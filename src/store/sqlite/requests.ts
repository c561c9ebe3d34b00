/** The log of requests. */
import {
  activityRow,
  codesOf,
  refusedRow,
  spaced,
  spacedMark,
  toActivity,
  toRefused,
} from '../request-rows.ts';
import {
  ACTIVITY_ORDER,
  type Activity,
  type ActivityQuery,
  MAX_REFUSED_KEPT,
  REQUESTS_KEPT_MS,
  type RefusedQuery,
  type RefusedRequest,
  type RequestBook,
} from '../requests.ts';
import type { Context } from './context.ts';
import {
  listActivity,
  listRefused,
  ofAccount,
  type Predicate,
  requestStatements,
  seenBy,
} from './statements/requests.ts';

/** Small enough that no writer waits for it long. */
const PURGED_AT_ONCE = 500;

export class Requests implements RequestBook {
  readonly #context: Context;
  readonly #statements: ReturnType<typeof requestStatements>;

  constructor(context: Context) {
    this.#context = context;
    this.#statements = requestStatements(context.connection.database);
  }

  async note(refused: readonly RefusedRequest[], activity: readonly Activity[]): Promise<void> {
    const { refuse, trim, count } = this.#statements;
    await this.#context.connection.write(() => {
      for (const one of refused) refuse.run(...refusedRow(one), codesOf(one));
      for (const key of new Set(refused.map((one) => one.key ?? '')))
        trim.run(key, MAX_REFUSED_KEPT);
      for (const one of activity) count.run(...activityRow(one));
    });
  }

  async refused({
    request_id,
    code,
    marks,
    status,
    path,
    by,
    after,
    limit,
    ...query
  }: RefusedQuery): Promise<readonly RefusedRequest[]> {
    const where = [
      ...shared('time', query),
      ...when(request_id, (id): Predicate => ['request_id = ?', id]),
      ...when(code, (one): Predicate => ['instr(codes, ?) > 0', spaced(one)]),
      ...when(
        marks,
        (some): Predicate => [
          some.map(() => 'instr(codes, ?) > 0').join(' OR '),
          ...some.map(spacedMark),
        ],
      ),
      ...when(status, (one): Predicate => ['status = ?', one]),
      ...when(path, (one): Predicate => ['substr(path, 1, length(?)) = ?', one, one]),
      ...when(by, (who): Predicate => [`substr(key, 1, 4) ${who === 'staff' ? '=' : '<>'} 'stf_'`]),
      ...when(
        after,
        (last): Predicate => ['(time, request_id) < (?, ?)', last.time, last.request_id],
      ),
    ];
    const { connection } = this.#context;
    return connection.read(() =>
      listRefused(connection.database, where)
        .all(...valuesOf(where), limit)
        .map(toRefused),
    );
  }

  async activity({ anchor, after, limit, ...query }: ActivityQuery): Promise<readonly Activity[]> {
    const where = [
      ...shared('hour', query),
      ...when(anchor, (one): Predicate => ['anchor = ?', one]),
      ...when(
        after,
        (last): Predicate => [
          '(of_account, hour, key, anchor, resource, outcome) < (?, ?, ?, ?, ?, ?)',
          ...ACTIVITY_ORDER.map((name) => last[name]),
        ],
      ),
    ];
    const { connection } = this.#context;
    return connection.read(() =>
      listActivity(connection.database, where)
        .all(...valuesOf(where), limit)
        .map(toActivity),
    );
  }

  async purge(): Promise<boolean> {
    const { connection, now } = this.#context;
    const before = now() - REQUESTS_KEPT_MS;
    const { purgeRefused, purgeActivity } = this.#statements;
    return connection.write(() =>
      [purgeRefused, purgeActivity]
        .map((purge) => Number(purge.run(before, PURGED_AT_ONCE).changes))
        .includes(PURGED_AT_ONCE),
    );
  }
}

/** The conditions of both lists. */
function shared(
  time: 'time' | 'hour',
  query: Omit<ActivityQuery, 'limit' | 'anchor' | 'after'>,
): Predicate[] {
  return [
    ...when(query.seenBy, (accounts) => seenBy([...accounts])),
    ...when(query.account, ofAccount),
    ...when(query.key, (key): Predicate => ['key = ?', key]),
    ...when(query.from, (from): Predicate => [`${time} >= ?`, from]),
    ...when(query.to, (to): Predicate => [`${time} < ?`, to]),
  ];
}

function when<T>(value: T | undefined, condition: (value: T) => Predicate): Predicate[] {
  return value === undefined ? [] : [condition(value)];
}

function valuesOf(where: readonly Predicate[]): (string | number)[] {
  return where.flatMap(([, ...values]) => values);
}
