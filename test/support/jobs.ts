/** Runs jobs, each some files of tests in a process of its own, and reports them as one run. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const TOGETHER = join(import.meta.dirname, 'together.ts');
/** None may hang for ever; what takes long on this machine takes several times as long on a busy one. */
const TIMEOUT_MS = 600_000;
/** Nor may a process that one of its tests has left something open in. */
const JOB_TIMEOUT_MS = 1_800_000;

export interface Job {
  /** Several run in one process, one after the other. */
  readonly files: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Whether they wait more than they work: for programs that start and are killed, for clocks, for connections. */
  readonly waits: boolean;
}

export interface AtOnce {
  readonly waiting: number;
  readonly working: number;
}

/** What `spec` prints at the end of each run. */
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];
const COUNT = new RegExp(`^(${COUNTS.join('|')}|duration_ms) [\\d.]+$`);

/**
 * Begins jobs in their order, so many at once of those that wait and of those that work; where none of one kind are
 * left, more of the other. Prints what comes of each when it is done; tells whether all went well.
 */
export async function runJobs(jobs: readonly Job[], atOnce: AtOnce): Promise<boolean> {
  const began = performance.now();
  const report = new PassThrough({ objectMode: true });
  const printed = report.compose(spec);
  printed.pipe(process.stdout);
  const sums = new Map(COUNTS.map((name) => [name, 0]));
  const say = (message: string) =>
    report.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
  let well = true;

  const waiting = jobs.filter(({ waits }) => waits);
  const working = jobs.filter(({ waits }) => !waits);
  const begin = async (first: Job[], then: Job[]) => {
    const next = () => first.shift() ?? then.shift();
    for (let job = next(); job !== undefined; job = next()) {
      const events = await runJob(job);
      for (const event of events) {
        if (event.type === 'test:fail') well = false;
        const [, name = '', count = ''] = /^(\w+) (\S+)$/.exec(messageOf(event)) ?? [];
        const isCount = COUNT.test(messageOf(event));
        if (isCount && sums.has(name)) sums.set(name, (sums.get(name) ?? 0) + Number(count));
        // Its failures are told once more at the end of all, where they are looked for.
        if (!isCount && !endsRun(event)) report.write(event);
      }
    }
  };
  await Promise.all([
    ...Array.from({ length: atOnce.waiting }, () => begin(waiting, working)),
    ...Array.from({ length: atOnce.working }, () => begin(working, waiting)),
  ]);

  for (const [name, count] of sums) say(`${name} ${count}`);
  say(`duration_ms ${Math.round(performance.now() - began)}`);
  report.write({ type: 'test:summary', data: {} });
  report.end();
  await new Promise((resolve) => printed.once('end', resolve));
  return well;
}

interface TestEvent {
  readonly type: string;
  readonly data: object;
}

async function runJob({ files, env }: Job): Promise<readonly TestEvent[]> {
  const results = run({
    files: [TOGETHER],
    argv: [...files],
    execArgv: [`--test-timeout=${TIMEOUT_MS}`],
    timeout: JOB_TIMEOUT_MS,
    env: { ...process.env, ...env },
  });
  const events: TestEvent[] = [];
  for await (const event of results) events.push(event);
  return events;
}

function endsRun({ type, data }: TestEvent): boolean {
  return type === 'test:summary' && !('file' in data && data.file !== undefined);
}

/** What a run says of itself, and not of one of its tests. */
function messageOf({ type, data }: TestEvent): string {
  if (type !== 'test:diagnostic') return '';
  return 'nesting' in data && data.nesting === 0 && 'message' in data ? String(data.message) : '';
}
