/**
 * The settings that every session of ours relies on, whatever the server, the database or the role has for others. A pooler lets
 * transactions of one client run in different sessions of the server: there each transaction begins with it.
 */
/** How long a statement may run, and a transaction wait for its next one, in milliseconds; 0: without limit. */
export interface Limits {
  readonly statementMs: number;
  readonly idleMs: number;
}

export const FIXED: Readonly<Record<string, string>> = {
  // Of statements that are transactions of their own; others say it when they begin.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // Whoever waits for a lock is ended as every statement is, and sessions that rest are kept.
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  // Warnings about commits are heard.
  client_min_messages: 'notice',
  // How values are written.
  bytea_output: 'hex',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '1',
  // How statements and arrays are read.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  // An error is of its statement alone.
  exit_on_error: 'off',
  transform_null_equals: 'off',
};

/** Every commit waits for the disk; what is stricter stays. */
const DURABLE = `CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
  ELSE current_setting('synchronous_commit') END`;

/** Columns that set it all, until the transaction ends where `local`, as SQL, is true. */
function setting({ statementMs, idleMs }: Limits, local: string): string {
  const all = Object.entries({
    ...FIXED,
    statement_timeout: `${statementMs}`,
    idle_in_transaction_session_timeout: `${idleMs}`,
  });
  const each = all.map(
    // Older servers do not have all of them.
    ([name, value]) =>
      `CASE WHEN current_setting('${name}', true) IS NOT NULL THEN set_config('${name}', '${value}', ${local}) END`,
  );
  return [...each, `set_config('synchronous_commit', ${DURABLE}, ${local})`].join(', ');
}

/** Sets it for the session, unless the server says that it is not the one in which `process` is: then a pooler is between. */
export function setSession(limits: Limits, process: number): string {
  const isPooled = `pg_backend_pid() <> ${process}`;
  return `SELECT ${isPooled}, ${setting(limits, isPooled)}`;
}

/** Sets it for the transaction. */
export function setTransaction(limits: Limits) {
  const { statementMs, idleMs } = limits;
  return {
    name: `ledgerstone_settings_${statementMs}_${idleMs}`,
    text: `SELECT ${setting(limits, 'true')}`,
  };
}
