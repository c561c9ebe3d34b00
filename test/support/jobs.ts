/** Runs jobs, each some test files in a process of its own, and reports them as one run. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { killTree } from './process-tree.ts';

const TOGETHER = join(import.meta.dirname, 'together.ts');

export type StoreName = 'sqlite' | 'postgres';

export interface Job {
  /** Several run in one process, one after the other. */
  readonly files: readonly string[];
  readonly store: StoreName;
  /** Whether they wait more than they work: for programs that start and are killed, for clocks, for connections. */
  readonly waits: boolean;
}

export interface Options {
  readonly env: NodeJS.ProcessEnv;
  /** How many jobs run at a time. */
  readonly atOnce: { readonly waiting: number; readonly working: number };
  /** What takes long on this machine takes several times as long on a busy one. */
  readonly limits: { readonly test_ms: number; readonly job_ms: number };
}

export interface Ran {
  readonly passed: boolean;
  /** In milliseconds. */
  readonly took: readonly {
    readonly file: string;
    readonly store: StoreName;
    readonly ms: number;
  }[];
}

/** What `spec` prints at the end of each run. */
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];
const COUNT = new RegExp(`^(${COUNTS.join('|')}|duration_ms) [\\d.]+$`);
/** How `together.ts` says which process it is. */
const PROCESS = /^tests run in process (\d+)\n$/;
/** How long a job that was ended may take to be noticed. */
const NOTICE_MS = 10_000;

/**
 * Starts jobs in their order, up to the given number of those that wait and of those that work; where none of one kind
 * are left, more of the other. Prints the results of each when it is done.
 */
export async function runJobs(jobs: readonly Job[], options: Options): Promise<Ran> {
  const began = performance.now();
  const report = new PassThrough({ objectMode: true });
  const printed = report.compose(spec);
  printed.pipe(process.stdout);
  const sums = new Map(COUNTS.map((name) => [name, 0]));
  const say = (message: string) =>
    report.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
  const took: Ran['took'][number][] = [];
  let passed = true;

  const waiting = jobs.filter(({ waits }) => waits);
  const working = jobs.filter(({ waits }) => !waits);
  const begin = async (first: Job[], then: Job[]) => {
    const next = () => first.shift() ?? then.shift();
    for (let job = next(); job !== undefined; job = next()) {
      const { files, store } = job;
      for (const event of await runJob(job, options)) {
        if (event.type === 'test:fail') passed = false;
        const [, name = '', count = ''] = /^(\w+) (\S+)$/.exec(messageOf(event)) ?? [];
        const isCount = COUNT.test(messageOf(event));
        if (isCount && sums.has(name)) sums.set(name, (sums.get(name) ?? 0) + Number(count));
        const ms = durationOf(event);
        const file = files.find((path) => path === nameOf(event));
        if (file !== undefined && ms !== undefined) took.push({ file, store, ms: Math.round(ms) });
        // The spec reporter repeats all failures at the end of the whole run.
        if (!isCount && !endsRun(event)) report.write(event);
      }
    }
  };
  const { atOnce } = options;
  await Promise.all([
    ...Array.from({ length: atOnce.waiting }, () => begin(waiting, working)),
    ...Array.from({ length: atOnce.working }, () => begin(working, waiting)),
  ]);

  for (const [name, count] of sums) say(`${name} ${count}`);
  say(`duration_ms ${Math.round(performance.now() - began)}`);
  report.write({ type: 'test:summary', data: {} });
  report.end();
  await new Promise((resolve) => printed.once('end', resolve));
  return { passed, took };
}

interface TestEvent {
  readonly type: string;
  readonly data: object;
}

/** A job that takes longer than its limit is ended with every process that it has started, and has failed. */
async function runJob(
  { files, store }: Job,
  { env, limits }: Options,
): Promise<readonly TestEvent[]> {
  const results = run({
    files: [TOGETHER],
    argv: [...files],
    // What a test has left open keeps no process from ending when all of its tests have.
    execArgv: [`--test-timeout=${limits.test_ms}`, '--test-force-exit'],
    timeout: limits.job_ms + NOTICE_MS,
    env: { ...process.env, ...env, TEST_STORE: store },
  });
  const events: TestEvent[] = [];
  let pid: number | undefined;
  const limit = setTimeout(() => {
    const message = `ended after ${limits.job_ms} ms: ${files.join(', ')}`;
    events.push({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'error' } });
    if (pid !== undefined) killTree(pid);
  }, limits.job_ms);
  for await (const event of results) {
    const said = pid === undefined ? PROCESS.exec(messageOf(event)) : null;
    if (said === null) events.push(event);
    else pid = Number(said[1]);
  }
  clearTimeout(limit);
  return events;
}

function endsRun({ type, data }: TestEvent): boolean {
  return type === 'test:summary' && !('file' in data && data.file !== undefined);
}

/** What a run says of itself, and not of one of its tests. */
function messageOf({ type, data }: TestEvent): string {
  const isOwn = type === 'test:diagnostic' && 'nesting' in data && data.nesting === 0;
  return (isOwn || type === 'test:stderr') && 'message' in data ? String(data.message) : '';
}

/** The name of a suite or test outside of all others; of a test file its path. */
function nameOf({ data }: TestEvent): string | undefined {
  const isOutermost = 'nesting' in data && data.nesting === 0;
  return isOutermost && 'name' in data ? String(data.name) : undefined;
}

function durationOf({ type, data }: TestEvent): number | undefined {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  const { details } = data as { readonly details?: { readonly duration_ms?: number } };
  return details?.duration_ms;
}
