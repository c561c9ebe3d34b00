/**
 * Has the server learn of tables that have grown to many times of what it knows. It looks by itself from time to time, or
 * never where autovacuum is off. Of a table that it knows to be empty, with pages that were filled once, it expects no
 * row whatever its size, and then reads an account from end to end as soon as it finds one record by its key.
 */
import { performance } from 'node:perf_hooks';
import { prepared } from './statements/prepare.ts';
import { call } from './wire/session.ts';
import type { Sessions } from './wire/sessions.ts';

/** Smaller tables are read quickly, whatever is known of them. */
const LEAST_ROWS = 1_000;
const TIMES = 10;
/** After that a table is tried again of which the server has not learned, such as that of another owner. */
const AGAIN_MS = 600_000;

const grown = prepared<readonly [table: string]>`SELECT format('%I.%I', schemaname, counted.relname)
  FROM pg_stat_user_tables AS counted JOIN pg_class AS known ON known.oid = relid
  WHERE schemaname = ANY (current_schemas(false)) AND reltuples >= 0
    AND n_live_tup > ${LEAST_ROWS} AND n_live_tup > ${TIMES} * reltuples
  ORDER BY n_live_tup`;

/** `learn` has it learn of one table; returns whether there may be more. */
export function createStatistics(sessions: Sessions) {
  const tried = new Map<string, number>();

  return async function learn(): Promise<boolean> {
    const now = performance.now();
    for (const [table, at] of tried) if (at < now - AGAIN_MS) tried.delete(table);
    return sessions.use(async (session) => {
      const tables = await session.rows(call(grown));
      const next = tables.find(([table]) => !tried.has(table));
      if (next === undefined) return false;
      const [table] = next;
      tried.set(table, now);
      await session.query(`ANALYZE ${table}`);
      return true;
    });
  };
}
