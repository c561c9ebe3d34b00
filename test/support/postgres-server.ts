/** A real PostgreSQL server of a test's own, with the durable settings that it comes with. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answers, freePort, HOST, keepProgram } from './kept-program.ts';
import { copyPrograms, type Major, type Programs } from './postgres-programs.ts';
import { killTree } from './process-tree.ts';

export interface PostgresServer {
  /** The address of the superuser, in the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /**
   * Starts it again on the same data and port, after `halt` or `kill`; resolves when it answers.
   * As a standby, which only reads until it is promoted, where that is wanted.
   */
  start(as?: 'standby'): Promise<void>;
  /** Ends it as an operator does who does not wait for sessions. */
  halt(): Promise<void>;
  /** Ends all of its processes with SIGKILL. */
  kill(): Promise<void>;
  /** Stops it for as long as it takes to copy its files, and starts a standby called `standby`, which follows it. */
  standby(): Promise<PostgresServer>;
  /** Ends it and removes its files. While it runs, it also goes with this process, however that ends. */
  remove(): Promise<void>;
}

/** Makes and starts a server. Throws, and says why, where there can be none. */
export async function startPostgres(major: Major): Promise<PostgresServer> {
  const password = randomBytes(16).toString('hex');
  return startServer(major, password, (programs) => makeCluster(programs, password));
}

/** A server whose files `make` brings. */
async function startServer(
  major: Major,
  password: string,
  make: (programs: Programs) => Promise<unknown>,
): Promise<PostgresServer> {
  const { folder, runner } = copyPrograms(major);
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const port = await freePort();
  const url = `postgres://postgres:${password}@${HOST}:${port}/postgres`;
  const words = ['-D', data, '-p', `${port}`, '-h', HOST];
  // Several files of tests may share it.
  const settings = ['-c', 'unix_socket_directories=', '-c', 'max_connections=300'];
  const command = [join(folder, 'bin', 'postgres'), ...words, ...settings];
  const program = keepProgram({ command, folder, log, runner, signal: 'INT' });
  const { halt, remove } = program;

  const start = async (as?: 'standby'): Promise<void> => {
    if (as === 'standby') writeFileSync(join(data, 'standby.signal'), '');
    program.start();
    await answers(url, () => {
      const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
      return said.includes('database system is shut down') ? said : undefined;
    });
  };

  try {
    await make({ folder, runner });
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    port,
    start,
    halt,
    async kill() {
      const server = Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10);
      killTree(server);
      await halt();
    },
    async standby() {
      await halt();
      return startServer(major, password, async (programs) => {
        const copy = join(programs.folder, 'data');
        const primary = `host=${HOST} port=${port} user=postgres password=${password} application_name=standby`;
        await promisify(execFile)('cp', ['-a', data, copy]);
        appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
        writeFileSync(join(copy, 'standby.signal'), '');
        await start();
      });
    },
    remove,
  };
}

async function makeCluster({ folder, runner }: Programs, password: string): Promise<void> {
  const run = promisify(execFile);
  const secret = join(folder, 'password');
  const options = { ...runner, cwd: folder };
  await run('sh', ['-c', 'umask 077; printf %s "$2" >"$1"', 'sh', secret, password], options);
  const words = [
    ...['--pgdata', join(folder, 'data'), '--username', 'postgres', '--pwfile', secret],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
  ];
  await run(join(folder, 'bin', 'initdb'), words, options);
}
