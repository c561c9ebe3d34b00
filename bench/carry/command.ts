/** Commands of ours and of others, with what they took. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const LAUNCHER = fileURLToPath(new URL('../../bin/ledgerstone', import.meta.url));
const LOOK_MS = 20;

export interface Took {
  readonly seconds: number;
  /** The most memory of the process; 0 where the system does not say. */
  readonly peakMiB: number;
}

export interface Start {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Nothing that it prints is read; what it says of errors is shown. */
export function startCommand(program: string, words: readonly string[], { cwd, env }: Start) {
  const child = spawn(program, words, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  process.on('exit', end);
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-2_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', end);
      resolve(code);
    });
  });
  return { child, ended, said: () => said };
}

/** Runs it to its end. Throws what it said unless it exits with 0. */
export async function timed(
  program: string,
  words: readonly string[],
  options: Start,
): Promise<Took> {
  const began = performance.now();
  const { child, ended, said } = startCommand(program, words, options);
  let peakMiB = 0;
  const looking = setInterval(() => {
    peakMiB = Math.max(peakMiB, peakOf(child));
  }, LOOK_MS);
  const code = await ended;
  clearInterval(looking);
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}:\n${said()}`);
  return { seconds: (performance.now() - began) / 1000, peakMiB };
}

function peakOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
