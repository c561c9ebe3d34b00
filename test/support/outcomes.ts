/** What became of test files in a run, and the list that ends it. */
import { inspect } from 'node:util';
import type { StoreName } from './queue.ts';

/** What a run tells: https://nodejs.org/api/test.html#class-testsstream. */
export interface TestEvent {
  readonly type: string;
  readonly data: object;
}

/** One test that failed: the names of its suites and its own, and its error as it is printed. */
export interface Failure {
  readonly names: readonly string[];
  readonly error: string;
}

/** One run of one file. */
export interface Outcome {
  readonly path: string;
  readonly store: StoreName;
  readonly failures: readonly Failure[];
  readonly counts: Counts;
  /** Whether it was ended because it took too long: nobody waits for that twice. */
  readonly isEnded: boolean;
  /** Whether its process died in a later file, and its results with it: it has failed only where it is not run again. */
  readonly isLost: boolean;
}

/** The names of the counts at the end of each run, as Node's own runner prints them. */
export const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const;
export type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** The most files that may pass only by themselves: more of them are no bad luck. */
const MOST_ALONE = 3;
/** The most files that are run again: where more fail, the change is at fault. */
const MOST_AGAIN = 10;
const CANCELLED = ['cancelledByParent', 'testAborted', 'testTimeoutFailure'];

interface TestData {
  readonly nesting?: number;
  readonly name?: string;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details?: {
    readonly type?: string;
    readonly error?: Error & { readonly failureType?: string };
  };
}

const noCounts = (): Record<keyof Counts, number> => ({
  ...{ tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 },
});

/** Gathers what is told of one file into its outcome. */
export class Gathering {
  readonly #failures: Failure[] = [];
  readonly #counts = noCounts();
  #is = { isEnded: false, isLost: false };
  /** Failures of tests whose suites are not over yet, by how deep they are, innermost last. */
  #open: { nesting: number; readonly names: string[]; readonly error: string }[] = [];

  note({ type, data }: TestEvent): void {
    if (type !== 'test:pass' && type !== 'test:fail') return;
    const { nesting = 0, name = '', skip, todo, details = {} } = data as TestData;
    // A suite is told after its tests.
    for (const one of this.#open)
      if (one.nesting > nesting) {
        one.names.unshift(name);
        one.nesting = nesting;
      }
    if (nesting === 0) this.#failures.push(...this.#open.splice(0));
    const failureType = details.error?.failureType ?? '';
    const failed = type === 'test:fail' && failureType !== 'subtestsFailed' && todo === undefined;
    if (failed) {
      const failure = { nesting, names: [name], error: printed(details.error) };
      if (nesting === 0) this.#failures.push(failure);
      else this.#open.push(failure);
    }
    const counts = this.#counts;
    if (details.type === 'suite') {
      counts.suites += 1;
      if (failed) counts.fail += 1;
    } else {
      counts.tests += 1;
      if (skip !== undefined) counts.skipped += 1;
      else if (todo !== undefined) counts.todo += 1;
      else if (CANCELLED.includes(failureType)) counts.cancelled += 1;
      else if (type === 'test:pass') counts.pass += 1;
      else counts.fail += 1;
    }
  }

  /** A fault of the file itself, and of none of its tests. */
  fail(error: string, is: Partial<Pick<Outcome, 'isEnded' | 'isLost'>> = {}): void {
    this.#failures.push({ names: [], error });
    this.#counts.fail += 1;
    this.#is = { ...this.#is, ...is };
  }

  outcome(path: string, store: StoreName): Outcome {
    return {
      ...{ path, store, failures: [...this.#failures, ...this.#open] },
      ...{ counts: this.#counts, ...this.#is },
    };
  }
}

/** The outcomes of a run: of each file once, and of some once more by themselves. */
export class Outcomes {
  readonly #first: Outcome[] = [];
  readonly #again = new Map<Outcome, Outcome>();
  /** What failed and is no test: a check before, or what tests need. */
  readonly #faults: string[] = [];

  add(outcome: Outcome): void {
    this.#first.push(outcome);
  }

  fault(text: string): void {
    this.#faults.push(text);
  }

  /** Those that failed and are worth running once more by themselves. */
  toRunAgain(): readonly Outcome[] {
    const [lost = [], failed = []] = [true, false].map((is) =>
      this.#first.filter((one) => hasFailed(one) && one.isLost === is),
    );
    const again = failed.length > MOST_AGAIN ? [] : failed.filter(({ isEnded }) => !isEnded);
    return [...lost, ...again];
  }

  addAgain(first: Outcome, again: Outcome): void {
    this.#again.set(first, again);
  }

  /** Whether all passed, or all but a few, and those by themselves. */
  get passed(): boolean {
    const isTooMany = this.#passedAlone().length > MOST_ALONE;
    return this.#faults.length === 0 && this.#failed().length === 0 && !isTooMany;
  }

  /** What counts: of a file that was run again, its second run. */
  counts(): Counts {
    const sums = noCounts();
    for (const first of this.#first) {
      const { counts } = this.#again.get(first) ?? first;
      for (const name of COUNTS) sums[name] += counts[name];
    }
    sums.fail += this.#faults.length;
    return sums;
  }

  /** The one list that ends a run: everything that failed, with its file and error, and what passed only by itself. */
  list(): string {
    const failing = [
      ...this.#faults,
      ...this.#failed().flatMap(({ path, store, failures }) =>
        failures.map((one) => described(path, store, one)),
      ),
    ];
    const alone = this.#passedAlone();
    const parts = [
      ...(failing.length === 0 ? [] : ['✖ failing tests:', ...failing]),
      ...(alone.length === 0
        ? []
        : [
            'Passed only alone:',
            ...alone.map(({ path, store, failures: [first] }) =>
              first === undefined ? path : described(path, store, first),
            ),
            ...(alone.length > MOST_ALONE
              ? [`More than ${MOST_ALONE} files passed only alone, so the run has failed.`]
              : []),
          ]),
    ];
    return parts.map((part) => `\n${part}\n`).join('');
  }

  #failed(): readonly Outcome[] {
    return this.#first.filter(hasFailed).flatMap((first) => {
      const again = this.#again.get(first);
      return again === undefined ? [first] : hasFailed(again) ? [again] : [];
    });
  }

  #passedAlone(): readonly Outcome[] {
    return [...this.#again].flatMap(([first, again]) =>
      first.isLost || hasFailed(again) ? [] : [first],
    );
  }
}

const hasFailed = ({ failures }: Outcome): boolean => failures.length > 0;

function described(path: string, store: StoreName, { names, error }: Failure): string {
  const [file, ...inner] = names[0] === path ? names : [path, ...names];
  return [`${[file, ...inner].join(' › ')} (${store})`, indented(error)].join('\n');
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

/** The error that a test has thrown, as Node prints it. */
function printed(error: (Error & { readonly failureType?: string }) | undefined): string {
  const { cause = error } = error ?? {};
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 4 });
}
