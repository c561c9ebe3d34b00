/** A real PostgreSQL server of a test's own, with the durable settings that it comes with. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { copyPrograms, type Major, type Programs } from './postgres-programs.ts';

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

const HOST = '127.0.0.1';
const START_MS = 60_000;

/**
 * Starts the server and waits until its standard input tells what to do: a line
 * means to stop it; the end means that whoever wanted it is gone, and to remove its files, too.
 */
const KEEPER = `
  folder=$1 log=$2; shift 2
  "$@" >"$log" 2>&1 </dev/null &
  server=$!
  read -r line || gone=yes
  kill -INT "$server" 2>/dev/null
  wait "$server"
  [ -z "\${gone:-}" ] || { cd / && rm -rf "$folder"; }`;

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
  const words = ['-D', data, '-p', `${port}`, '-h', HOST, '-c', 'unix_socket_directories='];
  let keeper: ChildProcess | undefined;

  const start = async (as?: 'standby'): Promise<void> => {
    if (as === 'standby') writeFileSync(join(data, 'standby.signal'), '');
    // What the last one wrote must not be taken for what this one writes.
    rmSync(log, { force: true });
    const command = [folder, log, join(folder, 'bin', 'postgres'), ...words];
    keeper = spawn('sh', ['-c', KEEPER, 'sh', ...command], {
      ...runner,
      cwd: folder,
      // A session of its own: what the terminal sends to the tests must not reach it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    keeper.unref();
    // The pipe is a socket, and must not keep our process alive either.
    if (keeper.stdin !== null && 'unref' in keeper.stdin) (keeper.stdin as Socket).unref();
    await answers(url, log);
  };
  /** Lets the keeper end, and waits for it. */
  const ended = async (tell: (stdin: Writable) => void): Promise<void> => {
    if (keeper?.stdin == null || keeper.exitCode !== null) return;
    const exit = once(keeper, 'exit');
    keeper.ref();
    tell(keeper.stdin);
    await exit;
  };
  const halt = () => ended((stdin) => stdin.write('\n'));
  const remove = async (): Promise<void> => {
    await ended((stdin) => stdin.end());
    rmSync(folder, { recursive: true, force: true });
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
      // Its children go at the same moment, and not when they miss it.
      for (const pid of [server, ...childrenOf(server)]) process.kill(pid, 'SIGKILL');
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

function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

/** A port that connections to elsewhere are not given while the server is down. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, HOST);
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

async function answers(url: string, log: string): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end) {
    await pause(20);
    const client = new Client(url);
    try {
      await client.connect();
      return;
    } catch {
      if (existsSync(log) && readFileSync(log, 'utf8').includes('database system is shut down'))
        break;
    } finally {
      await client.end();
    }
  }
  throw new Error(`PostgreSQL does not start: ${readFileSync(log, 'utf8')}`);
}
