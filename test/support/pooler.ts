/** A PgBouncer of the tests' own before a server, with the settings that docs/beyond-one-server.md names. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, freePort, HOST, keepProgram } from './kept-program.ts';
import { findRunner } from './postgres-programs.ts';

export interface Pooler {
  readonly port: number;
  /** Starts it again at the same port, after `kill`; resolves when it serves. */
  start(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

export interface Pooling {
  readonly mode: 'transaction' | 'session';
  /** How many prepared statements of a connection it keeps; versions before 1.21 keep none. */
  readonly prepared: number;
}

const AS_TOLD: Pooling = { mode: 'transaction', prepared: 200 };

/** Whether that PgBouncer can keep prepared statements. */
export function keepsPrepared(program: string): boolean {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Starts the program before the server with that superuser's address; it lasts as long as this process. */
export async function startPooler(
  program: string,
  server: string,
  { mode, prepared } = AS_TOLD,
): Promise<Pooler> {
  const { username, password, hostname, port: behind, pathname } = new URL(server);
  const runner = findRunner();
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-pooler-'));
  const file = (name: string): string => join(folder, name);
  const port = await freePort();
  const newer = [`auth_dbname = ${pathname.slice(1)}`, `max_prepared_statements = ${prepared}`];
  if (!keepsPrepared(program)) newer.length = 0;
  const settings = `
[databases]
* = host=${hostname} port=${behind || 5432}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${port}
unix_socket_dir =
pidfile = ${file('pid')}
auth_type = scram-sha-256
auth_file = ${file('users')}
auth_user = ${username}
max_client_conn = 1000
pool_mode = ${mode}
${newer.join('\n')}
query_wait_timeout = 2
server_connect_timeout = 2
server_login_retry = 1
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
`;
  writeFileSync(file('ini'), settings);
  writeFileSync(file('users'), `"${username}" "${decodeURIComponent(password)}"\n`, {
    mode: 0o600,
  });
  if (runner.uid !== undefined) {
    execFileSync('chown', ['-R', `${runner.uid}:${runner.gid}`, folder]);
  }
  const log = file('log');
  const kept = keepProgram({
    command: [program, file('ini')],
    folder,
    log,
    runner,
    signal: 'QUIT',
  });
  const url = new URL(server);
  url.host = `${HOST}:${port}`;
  const start = async (): Promise<void> => {
    kept.start();
    await answers(url.href, () => {
      const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
      return / FATAL |not found/.test(said) ? said : undefined;
    });
  };
  await start();
  return {
    port,
    start,
    async kill() {
      process.kill(Number.parseInt(readFileSync(file('pid'), 'utf8'), 10), 'SIGKILL');
      await kept.halt();
    },
  };
}
