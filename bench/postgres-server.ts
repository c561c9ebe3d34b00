/** A PostgreSQL server for the bench: Debian's, on a cluster of its own, with durable settings. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type ServerProcess, startServer } from './server-process.ts';

export interface BenchPostgres {
  /** The address of the superuser and an empty database. */
  readonly url: string;
  /** The folder of psql, pgbench and the like. */
  readonly programs: string;
  readonly version: string;
  /** Writes out what is dirty, so that a round begins like the others, with files of the log at hand. */
  checkpoint(): Promise<void>;
  stop(): Promise<void>;
  /** Processor seconds used so far, by all of its processes. */
  cpuSeconds(): number;
}

/** A server beside others. */
export interface PostgresPart {
  /** Its folder. */
  readonly name: string;
  readonly port: number;
  /** One that others have, too, lets them connect to each other. */
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
}

const PORT = 18_082;
/** Files of the log, of 16 MiB, which the server keeps and writes over: several rounds' worth. */
const LOG_FILES = 64;
const VERSIONS = '/usr/lib/postgresql';
const HOW = 'On Debian: apt-get install postgresql';

/** Starts it in the folder. Throws, with the way to get it, where it is not installed. */
export async function startPostgres(
  folder: string,
  { name = 'postgres', port = PORT, password = newPassword(), ...part }: Partial<PostgresPart> = {},
): Promise<BenchPostgres> {
  const programs = findPrograms();
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  const runner = findRunner();
  const own = join(folder, name);
  const data = join(own, 'data');
  const secret = join(own, 'password');
  const passwords = join(own, 'pgpass');
  mkdirSync(own);
  writeFileSync(secret, password, { mode: 0o600 });
  writeFileSync(passwords, `*:*:*:*:${password}`, { mode: 0o600 });
  if (runner !== undefined) {
    // The runner must get to what is its own, through a folder that is not.
    execFileSync('chmod', ['711', folder]);
    execFileSync('chown', ['-R', runner.name, own]);
  }
  execFileSync(
    join(programs, 'initdb'),
    [
      ...['--pgdata', data, '--username', 'bench', '--pwfile', secret],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
    ],
    { ...runner, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // It refuses those who come before it is ready, and ends what works for itself, as fatal: neither is a failure.
    log_min_messages: 'panic',
    fsync: 'on',
    synchronous_commit: 'on',
    max_connections: 400,
    // What its documentation advises for a machine of its own.
    shared_buffers: `${Math.min(4096, Math.floor(totalmem() / 2 ** 20 / 4))}MB`,
    max_wal_size: '8GB',
    min_wal_size: `${16 * LOG_FILES}MB`,
    ...part.settings,
  };
  const server: ServerProcess = await startServer(
    join(programs, 'postgres'),
    [
      ...['-D', data, '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    port,
    { PGPASSFILE: passwords },
    runner,
  );
  const url = `postgres://bench:${password}@127.0.0.1:${port}/postgres`;
  await answers(url);
  await makeLogFiles(url);
  return {
    url,
    programs,
    version: version.trim(),
    checkpoint: () => onServer(url, checkpoint),
    // It ends the sessions that there are, and writes everything out.
    stop: () => server.stop('SIGINT'),
    cpuSeconds: server.allCpuSeconds,
  };
}

export function newPassword(): string {
  return randomBytes(16).toString('hex');
}

/**
 * A server that has run for a while writes over files of its log that it no longer needs. A new one
 * makes each, and fills it with zeros, while everybody waits: tens of milliseconds, each second or so.
 */
async function makeLogFiles(url: string): Promise<void> {
  await onServer(url, async (client) => {
    for (let made = 0; made < LOG_FILES; made++) {
      // Without a record in it no file is ended.
      await client.query("SELECT pg_logical_emit_message(false, 'bench', '')");
      await client.query('SELECT pg_switch_wal()');
    }
    await checkpoint(client);
  });
}

async function checkpoint(client: Client): Promise<void> {
  await client.query('CHECKPOINT');
}

/** Does the work on a connection of its own. */
export async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** It listens a little before it lets anyone in. */
async function answers(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await onServer(url, async () => {});
    } catch (error) {
      if (tries === 100) throw error;
      await pause(50);
    }
  }
}

function findPrograms(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  const newest = Math.max(...versions.filter(Number.isInteger));
  const programs = join(VERSIONS, String(newest), 'bin');
  for (const name of ['initdb', 'postgres', 'pgbench']) {
    if (!existsSync(join(programs, name)))
      throw new Error(`PostgreSQL's ${name} is not installed. ${HOW}`);
  }
  return programs;
}

/** PostgreSQL does not run as root: then the user whom Debian's package makes for it does. */
function findRunner(): { name: string; uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (what: string): number =>
    Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { name: 'postgres', uid: id('-u'), gid: id('-g') };
}
