/** Changes tables that others are using, without standing in the way of those who come after. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnusable } from '../../promises/store.ts';
import { isLocked } from '../wire/failure.ts';
import type { Session } from '../wire/session.ts';

/**
 * How long a table is waited for at a time: whoever asks for it meanwhile, the process that serves included, stands in
 * line behind.
 */
const TURN_MS = 500;
/** How long others have the tables to themselves before the next turn. */
const BETWEEN_MS = 1_000;

/** How long it is tried in all: as long as anybody waits for a service to start. */
export const PATIENCE_MS = 60_000;

/** Within a transaction: from here on nothing waits longer than a turn. */
export const beginTurn = `SET LOCAL lock_timeout = ${TURN_MS}`;

interface Waiting {
  readonly place: string;
  readonly patienceMs?: number | undefined;
  /** Is told in a sentence who has the tables, each time that this changes. */
  readonly waits?: ((why: string) => void) | undefined;
}

/** Does the work, a transaction that changes tables, as soon as nobody else holds them. Throws `StoreUnusable` where that is too late. */
export async function inTurns<T>(
  session: Session,
  { place, patienceMs = PATIENCE_MS, waits }: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  let told = '';
  for (const until = performance.now() + patienceMs; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error)) throw error;
      const who = (await session.query<readonly [who: string]>(holders)).flat().join('; ');
      const held = `Tables of the store at ${place} cannot be changed while others hold them (${who || 'nobody any more'}).`;
      if (performance.now() >= until) {
        throw new StoreUnusable(
          `${held} Nothing was changed. End these transactions, for example with SELECT pg_terminate_backend(PID), and start again.`,
          { cause: error },
        );
      }
      if (held !== told) waits?.(`${held} It is tried again.`);
      told = held;
    }
    await pause(BETWEEN_MS);
  }
}

/**
 * Who holds tables of the store, whoever has done so for longest first. Of what they do only the first word: the rest
 * may have values of records. Without the right to see others' sessions, only their numbers.
 */
const holdersWhere = (who: string): string => `SELECT DISTINCT ON (xact_start, who) who FROM (
    SELECT xact_start, CASE WHEN of_lock.pid IS NULL THEN 'a prepared transaction: see pg_prepared_xacts'
      ELSE concat_ws(', ', 'process ' || of_lock.pid,
        CASE WHEN application_name <> '' THEN quote_literal(left(application_name, 63)) END,
        upper(substring(query FROM '^\\s*([A-Za-z]+)\\M')), state,
        'since ' || to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) END AS who
    FROM pg_locks AS of_lock JOIN pg_class ON pg_class.oid = relation
    LEFT JOIN pg_stat_activity AS activity ON activity.pid = of_lock.pid
    WHERE granted AND locktype = 'relation' AND relnamespace = current_schema()::regnamespace
      AND of_lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND of_lock.pid IS DISTINCT FROM pg_backend_pid()
      AND coalesce(xact_start < clock_timestamp() - interval '${TURN_MS} ms', true)
      AND ${who}
  ) AS held ORDER BY xact_start, who LIMIT 5`;

const holders = holdersWhere('true');

/** Holders that are neither processes of the store nor the server's own, such as autovacuum, which gives way. */
export const otherHolders = holdersWhere(
  `coalesce(application_name <> current_setting('application_name')
    AND coalesce(backend_type, 'client backend') = 'client backend', true)`,
);
