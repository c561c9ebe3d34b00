/** The real program, started as a person starts it: `bin/ledgerstone` in a process of its own. */

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenOver } from './at-end.ts';
import { RELEASE } from './release.ts';
import { runResident } from './resident-program.ts';

/** What people start. */
export const LAUNCHER = join(RELEASE ?? join(import.meta.dirname, '../..'), 'bin', 'ledgerstone');

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
}

/** Whether this machine has another program that a test wants. */
export function isThere(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A folder of the test's own, gone when the test is over. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone cli '));
  whenOver(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Starts the program; nothing of the settings of whoever runs the tests reaches it. */
export function start(
  words: readonly string[],
  { cwd, env, program = LAUNCHER }: Start,
  options: SpawnOptions = {},
): ChildProcess {
  return spawn(program, words, { cwd, env: environment(env), ...options });
}

/** Runs the program to its end; in a process that is there for commands, where a whole run of tests has one. */
export async function run(words: readonly string[], options: Start): Promise<Finished> {
  const { cwd, env, program } = options;
  const asked = { words, cwd, env: environment(env) };
  // What is loaded before a program needs a process of its own.
  const isOwn = program !== undefined || env?.LD_PRELOAD !== undefined;
  const printed = isOwn ? undefined : await runResident(asked);
  if (printed !== undefined) return { signal: null, ...printed };
  return finish(start(words, options, { stdio: ['ignore', 'pipe', 'pipe'] }));
}

function environment(given: Start['env']): Record<string, string> {
  const { PATH, HOME, TMPDIR } = process.env;
  const own = Object.entries({ PATH, HOME, TMPDIR, ...given });
  return Object.fromEntries(own.filter((one): one is [string, string] => one[1] !== undefined));
}

/** What a process printed, and how it ended; `printed` holds meanwhile what it has printed so far. */
export function finish(
  child: ChildProcess,
  printed = { stdout: '', stderr: '' },
): Promise<Finished> {
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...printed }));
  });
}

/** Starts the program, and gives what it has printed so far; it ends with the test. */
export function watch(words: readonly string[], options: Start) {
  const child = start(words, options, { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  const end = finish(child, printed);
  const stop = (signal: NodeJS.Signals = 'SIGINT'): Promise<Finished> => {
    child.kill(signal);
    return end;
  };
  whenOver(() => stop('SIGKILL'));
  return { child, printed, end, stop };
}

/** Words of a command: in one text, where none of them has a blank. */
type Words = string | readonly string[];

function wordsOf(words: Words): readonly string[] {
  return typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;
}

/** A shell bound to one folder: runs commands of the program there, and wants them to go well. */
export function programIn(cwd: string, env: Start['env'] = {}) {
  const ok = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(words, { cwd, env });
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  const json = async <T = { readonly unique_identifier: string }>(...words: string[]): Promise<T> =>
    JSON.parse(await ok(...words, '--json'));
  /** What a command says that fails, and prints nothing. */
  const fails = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(words, { cwd, env });
    assert.deepEqual([code, stdout], [1, ''], words.join(' '));
    return stderr;
  };
  return {
    run: (...words: string[]) => run(words, { cwd, env }),
    /** What a command prints that goes well. */
    ok,
    fails,
    /** Wants that each of the commands, whose first words are always the same, fails with one line like that. */
    async mistakes(first: string, rows: readonly (readonly [Words, RegExp])[]): Promise<void> {
      for (const [words, says] of rows) {
        const stderr = await fails(...wordsOf(first), ...wordsOf(words));
        assert.match(stderr, /^ledgerstone: [^\n]+\n$/, String(words));
        assert.match(stderr, says);
      }
    },
    /** The one JSON document that a command prints. */
    json,
    /** A new key of that account. */
    newKey: (account: string, ...words: string[]) =>
      json<KeyJson>('keys', 'create', '--account', account, ...words),
  };
}

export interface AccountJson {
  readonly unique_identifier: string;
  readonly name: string;
  readonly livemode: boolean;
  readonly inserted_at: string;
  readonly updated_at: string;
  readonly closed_at?: string;
}

export interface KeyJson {
  readonly unique_identifier: string;
  readonly secret: string;
  readonly accounts: readonly string[];
  readonly locations: readonly string[] | null;
  readonly permissions: readonly string[];
  readonly allow: readonly string[];
  readonly expires_at: string | null;
  readonly [member: string]: unknown;
}
