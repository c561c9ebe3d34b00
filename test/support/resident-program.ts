/**
 * Runs commands of the program in one process, one after the other, for a whole run of tests: reading the code is most
 * of what a short command takes. Each has the folder, the environment and the output that a process of its own has.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { RELEASE } from './release.ts';

export interface Asked {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ENTRY = join(import.meta.dirname, 'resident.ts');
/** Where a whole run of tests has what the program does with its words. */
const COMMANDS =
  RELEASE === undefined ? process.env.TEST_COMMANDS : join(RELEASE, 'program', 'cli-run.mjs');
/** What only a start of Node heeds. */
const OF_NODE = /^(?:NODE_|TZ$|LC_)/;

let resident: ChildProcess | undefined;
/** What to do with what becomes of the command that is running. */
let running: { done(printed: Printed): void; failed(error: Error): void } | undefined;

/** `undefined` where the command wants a process of its own, or another one is running. */
export async function runResident(asked: Asked): Promise<Printed | undefined> {
  const { env } = asked;
  if (COMMANDS === undefined || running !== undefined) return undefined;
  if (Object.keys(env).some((name) => OF_NODE.test(name))) return undefined;
  const child = resident ?? begin(COMMANDS);
  resident = child;
  const printed = new Promise<Printed>((done, failed) => {
    running = { done, failed };
  });
  // It keeps this process running only while it is waited for.
  child.channel?.ref();
  child.send(asked);
  try {
    return await printed;
  } finally {
    running = undefined;
    child.channel?.unref();
  }
}

function begin(commands: string): ChildProcess {
  // A warning would be of the process, such as of the listeners of all commands, and not of one of them.
  const child = fork(ENTRY, [commands], { execArgv: ['--no-warnings'] });
  child.on('message', (printed) => running?.done(printed as Printed));
  child.on('exit', (code, signal) => {
    resident = undefined;
    running?.failed(new Error(`The process of commands ended, with ${code ?? signal}.`));
  });
  child.unref();
  return child;
}
