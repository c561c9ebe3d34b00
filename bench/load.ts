/** Runs wrk for one round and reads its result. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { KNOWN } from './world.ts';

export interface Load {
  readonly url: string;
  /** One a line, as the template: requests take them in turn. */
  readonly authorization: string;
  readonly contentType: string;
  /** The body, with `@ID@` where the external identifier goes and `@N@` where a number goes. */
  readonly template: string;
  /** How many records of each authorization are there; `KNOWN` where not said. */
  readonly known?: number;
  /** Whether every request has an Idempotency-Key of its own. */
  readonly keyed?: true;
  readonly connections: number;
  readonly seconds: number;
  /** Threads of the load generator; 1 where not said. */
  readonly threads?: number;
  /** Makes the identifiers of new records this round's own. */
  readonly prefix: string;
}

export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Requests that were refused, or had no answer. */
  readonly failed: number;
  /** Answers of another status than 200, per second. */
  readonly refusedPerSecond: number;
  /** Processor seconds of the load generator, per second. */
  readonly loadCpu: number;
}

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

/** One round of load. Throws where wrk is not there, with the way to get it. */
export async function runLoad(load: Load): Promise<Round> {
  const { url, connections, seconds, threads = 1, authorization, contentType } = load;
  const wrk = [
    `-t${threads}`,
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    SCRIPT,
    url,
  ];
  const keyed = load.keyed ? ['keyed'] : [];
  const { template, prefix, known = KNOWN } = load;
  const args = ['--', authorization, contentType, template, prefix, String(known), ...keyed];
  // The shell's own `times` tells what processor time its children took.
  const command = 'ulimit -Sn "$(ulimit -Hn)"; wrk "$@" && times';
  const output = await run('sh', ['-c', command, 'sh', ...wrk, ...args]);
  const found = /^RESULT (.*)$/m.exec(output);
  if (found === null) throw new Error(`wrk gave no result:\n${output}`);
  const { requests, durationUs, p50Us, p99Us, maxUs, non2xx, socketErrors } = JSON.parse(
    found[1] as string,
  );
  const elapsed = durationUs / 1e6;
  return {
    perSecond: requests / elapsed,
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
    maxMs: maxUs / 1000,
    failed: non2xx + socketErrors,
    refusedPerSecond: non2xx / elapsed,
    loadCpu: childrenSeconds(output) / elapsed,
  };
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else if (code === 127)
        reject(new Error('wrk is not installed. On Debian: apt-get install wrk'));
      else reject(new Error(`wrk ended with ${code}:\n${output}`));
    });
  });
}

/** The last line of `times`: user and system time of the children, as 0m1.50s 0m0.75s. */
function childrenSeconds(output: string): number {
  const times = [...output.matchAll(/(\d+)m([\d.]+)s/g)].slice(-2);
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
