/** Runs test files in several processes, and reports them as one run. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { killTree } from './process-tree.ts';
import { Queue, STORES, type StoreName, type Waiting } from './queue.ts';

const TOGETHER = join(import.meta.dirname, 'together.ts');

/** A file that needs a process of its own says so. */
export interface Entry extends Waiting {
  readonly isAlone: boolean;
}

export interface Options {
  readonly env: NodeJS.ProcessEnv;
  /** How many processes run at a time, of those that prefer files that wait, and of the others. */
  readonly atOnce: { readonly waiting: number; readonly working: number };
  /** What takes long on this machine takes several times as long on a busy one. */
  readonly limits: { readonly test_ms: number; readonly file_ms: number };
}

/** One process, with the files that it begins with. */
interface Job {
  readonly files: readonly string[];
  readonly store: StoreName;
  readonly env: NodeJS.ProcessEnv;
}

/** What `spec` prints at the end of each run. */
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];
const COUNT = new RegExp(`^(${COUNTS.join('|')}|duration_ms) [\\d.]+$`);
/** How `together.ts` says what it runs. */
const RUNS = /^(\S+) runs in process (\d+)\n$/;

/** Runs files in their order, and prints the results of each when it is done. Returns whether all passed. */
export async function runFiles(entries: readonly Entry[], options: Options): Promise<boolean> {
  const began = performance.now();
  const report = new PassThrough({ objectMode: true });
  const printed = report.compose(spec);
  printed.pipe(process.stdout);
  const sums = new Map(COUNTS.map((name) => [name, 0]));
  const say = (message: string) =>
    report.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
  let passed = true;
  const fail = (message: string): void => {
    passed = false;
    sums.set('fail', (sums.get('fail') ?? 0) + 1);
    report.write(fault(message));
  };
  const note = (event: TestEvent): void => {
    if (event.type === 'test:fail') passed = false;
    const [, name = '', count = ''] = /^(\w+) (\S+)$/.exec(messageOf(event)) ?? [];
    const isCount = COUNT.test(messageOf(event));
    if (isCount && sums.has(name)) sums.set(name, (sums.get(name) ?? 0) + Number(count));
    // The spec reporter repeats all failures at the end of the whole run.
    if (!isCount && !endsRun(event)) report.write(event);
  };

  const alone = entries.filter(({ isAlone }) => isAlone);
  const queue = Queue.of(entries.filter(({ isAlone }) => !isAlone));
  const running: Record<StoreName, number> = { sqlite: 0, postgres: 0, release: 0 };
  /** Those for a process of their own begin where files work, so that most other files run beside them. */
  const begin = async (waits: boolean): Promise<void> => {
    for (;;) {
      const left = queue.left();
      const own = waits && left.length > 0 ? undefined : alone.shift();
      if (own === undefined && left.length === 0) return;
      const store = own?.store ?? mostLeft(left, running);
      const files = own === undefined ? [] : [own.path];
      const more = own === undefined && { TEST_QUEUE: queue.folder };
      const env = { ...more, ...(waits && { TEST_WAITS: '1' }) };
      running[store] += 1;
      const { ended, lost } = await runJob({ files, store, env }, options, note);
      running[store] -= 1;
      for (const path of lost) fail(`no result of ${path}`);
      // Another one like it would end as soon.
      if (ended === 0) return;
    }
  };
  const { waiting, working } = options.atOnce;
  await Promise.all([
    ...Array.from({ length: working }, () => begin(false)),
    ...Array.from({ length: waiting }, () => begin(true)),
  ]);
  for (const { path } of [...alone, ...queue.left()]) fail(`not run: ${path}`);
  queue.remove();

  for (const [name, count] of sums) say(`${name} ${count}`);
  say(`duration_ms ${Math.round(performance.now() - began)}`);
  report.write({ type: 'test:summary', data: {} });
  report.end();
  await new Promise((resolve) => printed.once('end', resolve));
  return passed;
}

/** The store with the most files for each process that runs them. */
function mostLeft(left: readonly Waiting[], running: Record<StoreName, number>): StoreName {
  const share = (store: StoreName) =>
    left.filter((one) => one.store === store).length / (running[store] + 1);
  return STORES.reduce((most, one) => (share(one) > share(most) ? one : most));
}

interface TestEvent {
  readonly type: string;
  readonly data: object;
}

/**
 * Returns how many files have ended, and which have not. A process of which a file takes longer than its limit is ended with every process
 * that it has started, and has failed.
 */
async function runJob(
  { files, store, env: own }: Job,
  { env, limits }: Options,
  note: (event: TestEvent) => void,
): Promise<{ readonly ended: number; readonly lost: readonly string[] }> {
  const results = run({
    files: [TOGETHER],
    argv: [...files],
    // What a test has left open keeps no process from ending when all of its tests have.
    execArgv: [`--test-timeout=${limits.test_ms}`, '--test-force-exit'],
    env: { ...process.env, ...env, ...own, TEST_STORE: store },
  });
  let events: TestEvent[] = [];
  let pid: number | undefined;
  /** Files whose results have not come, and those whose have: of a quick one, before the line that says that it runs. */
  const begun = new Set<string>();
  const ended = new Set<string>();
  const limit = setTimeout(() => {
    events.push(fault(`ended after ${limits.file_ms} ms: ${[...begun].join(', ')}`));
    if (pid !== undefined) killTree(pid);
  }, limits.file_ms);
  for await (const event of results) {
    const said = RUNS.exec(messageOf(event));
    if (said !== null) {
      const [, path = ''] = said;
      if (!ended.has(path)) begun.add(path);
      pid = Number(said[2]);
      continue;
    }
    const name = nameOf(event);
    // It has found nothing left.
    if (event.type === 'test:pass' && name === TOGETHER) continue;
    events.push(event);
    if (name === undefined || !/^test:(?:pass|fail)$/.test(event.type)) continue;
    ended.add(name);
    begun.delete(name);
    limit.refresh();
    for (const one of events) note(one);
    events = [];
  }
  clearTimeout(limit);
  for (const one of events) note(one);
  return { ended: ended.size, lost: [...begun] };
}

function fault(message: string): TestEvent {
  return { type: 'test:diagnostic', data: { nesting: 0, message, level: 'error' } };
}

function endsRun({ type, data }: TestEvent): boolean {
  return type === 'test:summary' && !('file' in data && data.file !== undefined);
}

/** What a run says of itself, and not of one of its tests. */
function messageOf({ type, data }: TestEvent): string {
  const isOwn = type === 'test:diagnostic' && 'nesting' in data && data.nesting === 0;
  return (isOwn || type === 'test:stderr') && 'message' in data ? String(data.message) : '';
}

/** The name of a suite or test outside of all others: the path of a test file. */
function nameOf({ data }: TestEvent): string | undefined {
  const isOutermost = 'nesting' in data && data.nesting === 0;
  return isOutermost && 'name' in data ? String(data.name) : undefined;
}
