/** Whether somebody waits for what a transaction of PostgreSQL has locked. */
import type { Client } from 'pg';

/** Also where the locks lie on several servers. */
const WAITING =
  process.env.TEST_DISTRIBUTION === 'citus'
    ? 'SELECT FROM citus_lock_waits WHERE blocking_gpid = citus_backend_gpid()'
    : 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';

/** To be asked on the connection that holds the locks, within its transaction. */
export async function isWaitedFor(holder: Client): Promise<boolean> {
  return ((await holder.query(WAITING)).rowCount ?? 0) > 0;
}
