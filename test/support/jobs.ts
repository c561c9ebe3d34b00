/** Runs test files in several processes, and reports them as one run. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { COUNTS, Gathering, type Outcome, Outcomes, type TestEvent } from './outcomes.ts';
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
  /** Whether a file that fails is run once more; by default it is. */
  readonly again?: boolean;
  /** What has failed before. */
  readonly faults?: readonly string[];
}

/** One process, with the files that it begins with. */
interface Job {
  readonly files: readonly string[];
  readonly store: StoreName;
  readonly env: NodeJS.ProcessEnv;
}

/** What Node's runner says at the end of each process. */
const COUNT = new RegExp(`^(${COUNTS.join('|')}|duration_ms) [\\d.]+$`);
/** Of what a failed test says, in characters. */
const MOST_SAID = 1_000;
/** How `together.ts` says where it runs, and what. */
const PROCESS = /^tests run in process (\d+)\n$/;
const RUNS = /^(\S+) runs\n$/;

/**
 * Runs files in their order, and prints the results of each when it is done. A file that fails is run once more by itself
 * when all others are done, and what failed is listed at the end. Returns whether all passed, a few of them only then.
 */
export async function runFiles(entries: readonly Entry[], options: Options): Promise<boolean> {
  const began = performance.now();
  const report = new PassThrough({ objectMode: true });
  const printed = report.compose(spec);
  printed.pipe(process.stdout);
  const say = (message: string) =>
    report.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
  const outcomes = new Outcomes();
  for (const one of options.faults ?? []) outcomes.fault(one);
  const print = (event: TestEvent): void => {
    report.write(unlisted(event));
    const why = whyOf(event);
    // The list comes at the end, which a run that is ended does not reach.
    if (why !== undefined) report.write(why);
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
      const { ended, faults } = await runJob({ files, store, env }, options, print);
      running[store] -= 1;
      for (const one of ended) outcomes.add(one);
      for (const one of faults) outcomes.fault(one);
      // Another one like it would end as soon.
      if (ended.length === 0) return;
    }
  };
  const { waiting, working } = options.atOnce;
  await Promise.all([
    ...Array.from({ length: working }, () => begin(false)),
    ...Array.from({ length: waiting }, () => begin(true)),
  ]);
  for (const { path } of [...alone, ...queue.left()]) outcomes.fault(`not run: ${path}`);
  queue.remove();

  for (const first of options.again === false ? [] : outcomes.toRunAgain()) {
    say(`once more, by itself: ${first.path}`);
    const { path, store } = first;
    const { ended, faults } = await runJob({ files: [path], store, env: {} }, options, print);
    for (const one of ended) outcomes.addAgain(first, one);
    for (const one of faults) outcomes.fault(one);
  }

  for (const [name, count] of Object.entries(outcomes.counts())) say(`${name} ${count}`);
  say(`duration_ms ${Math.round(performance.now() - began)}`);
  report.end();
  await new Promise((resolve) => printed.once('end', resolve));
  process.stdout.write(outcomes.list());
  return outcomes.passed;
}

/** The store with the most files for each process that runs them. */
function mostLeft(left: readonly Waiting[], running: Record<StoreName, number>): StoreName {
  const share = (store: StoreName) =>
    left.filter((one) => one.store === store).length / (running[store] + 1);
  return STORES.reduce((most, one) => (share(one) > share(most) ? one : most));
}

/**
 * Returns what became of the files that it has run, and what failed beside them. A process of which a file takes longer
 * than its limit is ended with every process that it has started, and the file has failed.
 */
async function runJob(
  { files, store, env: own }: Job,
  { env, limits }: Options,
  print: (event: TestEvent) => void,
): Promise<{ readonly ended: readonly Outcome[]; readonly faults: readonly string[] }> {
  const results = run({
    files: [TOGETHER],
    argv: [...files],
    // What a test has left open keeps no process from ending when all of its tests have.
    execArgv: [`--test-timeout=${limits.test_ms}`, '--test-force-exit'],
    env: { ...process.env, ...env, ...own, TEST_STORE: store },
  });
  const events: TestEvent[] = [];
  let pid: number | undefined;
  let isEnded = false;
  /** Files whose results have not come, and those whose have: of a quick one, before the line that says that it runs. */
  const begun = new Set<string>();
  const ended = new Map<string, Outcome>();
  const faults: string[] = [];
  let gathering = new Gathering();
  const limit = setTimeout(() => {
    isEnded = true;
    if (pid !== undefined) killTree(pid);
  }, limits.file_ms);
  for await (const event of results) {
    const begins = PROCESS.exec(messageOf(event));
    if (begins !== null) pid = Number(begins[1]);
    const path = RUNS.exec(messageOf(event))?.[1];
    if (path !== undefined && !ended.has(path)) begun.add(path);
    if (begins !== null || path !== undefined) continue;
    if (endsRun(event) || isCount(event)) continue;
    const name = nameOf(event);
    const isOver = name !== undefined && /^test:(?:pass|fail)$/.test(event.type);
    // The process itself: it has found nothing left, or one of its files has failed, or it has.
    if (name === TOGETHER) {
      const fault = isOver ? ownFault(event) : undefined;
      if (fault !== undefined && begun.size === 0)
        faults.push(`${fault}\n  on ${store}, after ${[...ended.keys()].join(', ') || 'no file'}`);
      continue;
    }
    events.push(event);
    gathering.note(event);
    if (!isOver) continue;
    ended.set(name, gathering.outcome(name, store));
    gathering = new Gathering();
    begun.delete(name);
    limit.refresh();
    for (const one of events.splice(0)) print(one);
  }
  clearTimeout(limit);
  for (const one of events.splice(0)) print(one);
  const last = [...begun].at(-1);
  for (const path of begun) {
    const why = isEnded ? `ended after ${limits.file_ms} ms: ${path}` : `no result of ${path}`;
    print({ type: 'test:diagnostic', data: { nesting: 0, message: why, level: 'error' } });
    gathering.fail(why, path === last ? { isEnded } : { isLost: true });
    ended.set(path, gathering.outcome(path, store));
    gathering = new Gathering();
  }
  return { ended: [...ended.values()], faults };
}

/** A failure as `spec` prints it in its place, and does not list at the end, where `Outcomes` does. */
function unlisted(event: TestEvent): TestEvent {
  if (event.type !== 'test:fail' || !('details' in event.data)) return event;
  const { details } = event.data as { readonly details: { readonly error?: object } };
  const error = Object.assign(Object.create(details.error ?? null), {
    failureType: 'subtestsFailed',
  });
  return { ...event, data: { ...event.data, details: { ...details, error } } };
}

/** The beginning of what a test says that has failed itself, to stand below it. */
function whyOf({ type, data }: TestEvent): TestEvent | undefined {
  if (type !== 'test:fail' || !('nesting' in data)) return undefined;
  const { details, nesting } = data as {
    readonly nesting: number;
    readonly details?: { readonly error?: Error & { failureType?: string } };
  };
  const { failureType, cause, message } = details?.error ?? {};
  if (failureType === 'subtestsFailed') return undefined;
  const said = cause instanceof Error ? cause.message : String(cause ?? message ?? '');
  if (said === '') return undefined;
  const shown = { nesting, message: said.slice(0, MOST_SAID), level: 'error' as const };
  return { type: 'test:diagnostic', data: shown } as TestEvent;
}

/** Why a process has failed, where none of its tests has. */
function ownFault({ type, data }: TestEvent): string | undefined {
  if (type !== 'test:fail') return undefined;
  const { details } = data as { readonly details?: { readonly error?: { failureType?: string } } };
  const error = details?.error;
  return error?.failureType === 'subtestsFailed' ? undefined : `a process of tests: ${error}`;
}

function isCount(event: TestEvent): boolean {
  return COUNT.test(messageOf(event));
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
