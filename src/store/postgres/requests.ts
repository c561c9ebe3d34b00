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
import type { PredicateOn } from './statements/requests.ts';
import * as statements from './statements/requests.ts';
import { inTransaction } from './turn/transaction.ts';
import { call, type Session, type Statement } from './wire/session.ts';
import { numberArray, textArray } from './wire/values.ts';

/** Bounded, so that nobody waits long for it. */
const PURGED_AT_ONCE = 500;

/** A condition with its value. */
type Bound = readonly [condition: PredicateOn, value: unknown];

export class Requests implements RequestBook {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async note(refused: readonly RefusedRequest[], activity: readonly Activity[]): Promise<void> {
    await inTransaction(this.#context.sessions, (session) =>
      Promise.all([
        ...(refused.length === 0 ? [] : [noteRefused(session, refused)]),
        ...(activity.length === 0 ? [] : [noteActivity(session, activity)]),
      ]),
    );
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
      ...when((id) => `request_id = ${id}`, request_id),
      ...when((one) => `strpos(codes, ${one}) > 0`, code && spaced(code)),
      ...when(
        (some) => `EXISTS (SELECT FROM unnest(${some}::text[]) mark WHERE strpos(codes, mark) > 0)`,
        marks && textArray(marks.map(spacedMark)),
      ),
      ...when((one) => `status = ${one}::int`, status),
      ...when((one) => `starts_with(path, ${one})`, path),
      ...when((who) => `starts_with(key, 'stf_') = (${who} = 'staff')`, by),
      ...when(
        (last) => `(time, request_id) < (((${last}::text[])[1])::bigint, (${last}::text[])[2])`,
        after && textArray([String(after.time), after.request_id]),
      ),
    ];
    const rows = await this.#rows(
      statements.listRefused(where.map(([condition]) => condition)),
      where,
      limit,
    );
    return rows.map(toRefused);
  }

  async activity({ anchor, after, limit, ...query }: ActivityQuery): Promise<readonly Activity[]> {
    const where = [
      ...shared('hour', query),
      ...when((one) => `anchor = ${one}`, anchor),
      ...when(
        (last) =>
          `(of_account, hour, key, anchor, resource, outcome) < (${ACTIVITY_ORDER.map(
            (name, index) => {
              const member = `(${last}::text[])[${index + 1}]`;
              return name === 'hour' ? `(${member})::bigint` : member;
            },
          ).join(', ')})`,
        after && textArray(ACTIVITY_ORDER.map((name) => String(after[name]))),
      ),
    ];
    const rows = await this.#rows(
      statements.listActivity(where.map(([condition]) => condition)),
      where,
      limit,
    );
    return rows.map(toActivity);
  }

  async purge(): Promise<boolean> {
    const { sessions, now } = this.#context;
    const before = now() - REQUESTS_KEPT_MS;
    const purged = await sessions.use(async (session) => [
      await session.run(call(statements.purgeRefused, before, PURGED_AT_ONCE)),
      await session.run(call(statements.purgeActivity, before, PURGED_AT_ONCE)),
    ]);
    return purged.some(({ count }) => count === PURGED_AT_ONCE);
  }

  #rows<Row extends readonly unknown[]>(
    statement: Statement<Row>,
    where: readonly Bound[],
    limit: number,
  ): Promise<readonly Row[]> {
    const values = where.map(([, value]) => value);
    return this.#context.sessions.rows(call(statement, ...values, limit));
  }
}

async function noteRefused(session: Session, refused: readonly RefusedRequest[]): Promise<void> {
  const rows = refused.map((one) => [...refusedRow(one), codesOf(one)] as const);
  const keys = [...new Set(refused.map(({ key }) => key ?? ''))];
  await Promise.all([
    session.run(call(statements.refuse, ...columnsOf(rows))),
    session.run(call(statements.trim, textArray(keys), MAX_REFUSED_KEPT)),
  ]);
}

async function noteActivity(session: Session, activity: readonly Activity[]): Promise<void> {
  const rows = activity.map(activityRow).sort((one, other) => (named(one) < named(other) ? -1 : 1));
  await session.run(call(statements.count, ...columnsOf(rows)));
}
const named = (row: readonly unknown[]): string => row.slice(0, ACTIVITY_ORDER.length).join();

/** Rows as one array for each column. */
function columnsOf(rows: readonly (readonly (string | number | null)[])[]): (Buffer | string)[] {
  const [first = []] = rows;
  return first.map((_, column) => {
    const values = rows.map((row) => row[column] ?? null);
    return typeof first[column] === 'number'
      ? numberArray(values as (number | null)[])
      : textArray(values as (string | null)[]);
  });
}

/** The conditions that both lists share. */
function shared(
  time: 'time' | 'hour',
  query: Omit<ActivityQuery, 'limit' | 'anchor' | 'after'>,
): Bound[] {
  return [
    ...when(statements.seenBy, query.seenBy && textArray([...query.seenBy])),
    ...when(statements.ofAccount, query.account),
    ...when((key) => `key = ${key}`, query.key),
    ...when((from) => `${time} >= ${from}`, query.from),
    ...when((to) => `${time} < ${to}`, query.to),
  ];
}

function when(condition: PredicateOn, value: unknown): Bound[] {
  return value === undefined ? [] : [[condition, value]];
}
