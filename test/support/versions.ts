/** Programs of other versions, and the stores of releases that they serve. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import about from '../../package.json' with { type: 'json' };
import { compareReleases } from '../../src/store/records/planner.ts';
import { whenOver } from './at-end.ts';
import { ownFolder, programIn } from './cli-program.ts';
import { storeEnv } from './service-ground.ts';
import { findServer, postgresGround } from './store-postgres.ts';
import { until } from './until.ts';

export const PROJECT = join(import.meta.dirname, '../..');
const FILES = join(PROJECT, 'test/releases');
/** The versions of which there are files, the oldest first. */
export const RELEASES = globSync('*/rows.json', { cwd: FILES })
  .map((file) => basename(join(file, '..')))
  .toSorted();

/** Those before this version, whose programs the history has. */
export const EARLIER = RELEASES.filter((release) => compareReleases(release, about.version) < 0);

export type Kind = 'sqlite' | 'postgres';

const programs = new Map<string, string>();

/**
 * The source of a release, which runs as it is: the last one before `package.json` names another version. Its packages are
 * those of this version. Throws, and says why, where the history of this clone does not have it.
 */
export function programOf(release: string): string {
  return programs.getOrInsertComputed(release, () => {
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-C', PROJECT, ...words], { maxBuffer: 2 ** 30 });
    const named = `-S"version": "${release}"`;
    const next = git('log', '-1', '--format=%H', named, '--', 'package.json').toString().trim();
    if (next === '') throw new Error(`This clone has no commit of ${release}: fetch its history.`);
    // Node strips no types below `node_modules`, where what is built is kept otherwise.
    const folder = mkdtempSync(join(tmpdir(), `ledgerstone-${release}-`));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', `${next}^`) });
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.equal(version, release);
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  });
}

export interface At {
  readonly cwd: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The store of a release; of several servers, its backup restored there. */
export async function storeOf(release: string, kind: Kind): Promise<At> {
  const files = join(FILES, release);
  const cwd = ownFolder();
  cpSync(join(files, 'secret-key'), join(cwd, 'secret-key'));
  const unpacked = (name: string) => gunzipSync(readFileSync(join(files, name)));
  const SECRET_KEY_FILE = join(cwd, 'secret-key');
  if (kind === 'sqlite') {
    writeFileSync(join(cwd, 'ledgerstone.db'), unpacked('ledgerstone.db.gz'), { mode: 0o600 });
    const url = `sqlite:${join(cwd, 'ledgerstone.db')}`;
    return { cwd, url, env: { DATABASE_URL: url, SECRET_KEY_FILE } };
  }
  const ground = await postgresGround(await findServer());
  const env = { ...storeEnv(ground), SECRET_KEY_FILE };
  if (ground.distribution === undefined) {
    const client = new Client({ connectionString: ground.url });
    await client.connect();
    await client.query(unpacked('postgres.sql.gz').toString());
    await client.end();
  } else {
    const journal = ['--erasures', join(files, 'erasures.ndjson')];
    const words = ['restore', join(files, 'backup'), ...journal];
    assert.equal((await programIn(cwd, env).run(...words)).code, 0);
  }
  return { cwd, url: ground.url, env };
}

export interface Running {
  readonly child: ChildProcess;
  /** What it has printed, and of that what is no message. */
  readonly log: () => string;
  readonly output: () => string;
}

/** Starts the program whose source is in a folder. */
export function run(project: string, words: readonly string[], { cwd, env }: At): Running {
  const child = spawn(process.execPath, [join(project, 'src/main.ts'), ...words], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  whenOver(() => child.kill('SIGKILL'));
  let [text, output] = ['', ''];
  child.stdout.on('data', (more) => {
    text += String(more);
    output += String(more);
  });
  child.stderr.on('data', (more) => (text += String(more)));
  return { child, log: () => text, output: () => output };
}

/** Runs it to its end, and gives what it printed; wants that it goes well unless another code is given. */
export async function ran(
  project: string,
  words: readonly string[],
  at: At,
  code = 0,
): Promise<string> {
  const { child, log, output } = run(project, words, at);
  await once(child, 'close');
  assert.equal(child.exitCode, code, `${words.join(' ')}: ${log()}`);
  return code === 0 ? output() : log();
}

export async function serve(project: string, at: At) {
  const { child, log } = run(project, ['serve', '--port', '0'], at);
  await until(() => log().includes('"listening"') || child.exitCode !== null);
  const [, address = ''] = /"address":"([^"]+)"/.exec(log()) ?? [];
  assert.notEqual(address, '', log());
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await once(child, 'exit');
  };
  return { address, log, stop: () => ended('SIGTERM'), kill: () => ended('SIGKILL') };
}

/** The rows of a statement of SQL, on a connection of its own. */
export async function rowsOf({ url }: At, sql: string): Promise<Record<string, unknown>[]> {
  if (url.startsWith('sqlite:')) {
    using database = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    return database.prepare(sql).all();
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}
