/** Queues in this process: work waits here before it waits for a lock of the server. */
import { FairSlots } from '../../../core/fair/slots.ts';
import { patienceOf } from '../wire/failure.ts';

/** One commit of an account is under way and one more waits for its lock: all others keep no session from other accounts. */
const OF_ACCOUNT = 2;

export type AccountQueues = ReturnType<typeof createAccountQueues>;

/** `patienceMs` is how long a commit waits; 0: as long as it takes. */
export function createAccountQueues(patienceMs: number) {
  const patience = patienceOf(patienceMs);
  const slots = new FairSlots({ slots: Number.POSITIVE_INFINITY, ofGroup: OF_ACCOUNT, patience });

  /** Does the work when all accounts have a place for it; they are in the order of their names. */
  function run<T>([first, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    return first === undefined ? work() : slots.run(first, () => run(others, work));
  }

  return { run, isFree: (account: string) => slots.isIdle(account) };
}

interface Work {
  readonly pairs: ReadonlySet<string>;
  readonly done: Promise<unknown>;
}

export type PairQueue = ReturnType<typeof createPairQueue>;

/** Runs work concurrently, but work on the same pairs one at a time. */
export function createPairQueue() {
  /**
   * Few, and so looked through. One map by the names of all pairs would change with every one of them, and V8 retains
   * what such a map contained, with all that hangs on it, long after it is gone.
   */
  let underWay: readonly Work[] = [];

  return {
    /** Whether no work in progress touches any of them. */
    isFree(pairs: ReadonlySet<string>): boolean {
      return underWay.every((other) => pairs.isDisjointFrom(other.pairs));
    },
    /** Runs the work when all earlier work on one of these pairs has ended, successfully or not. */
    run<T>(pairs: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
      const before = underWay.filter((other) => !pairs.isDisjointFrom(other.pairs));
      const done =
        before.length === 0
          ? work()
          : Promise.allSettled(before.map((other) => other.done)).then(work);
      const own: Work = { pairs, done };
      underWay = [...underWay, own];
      const forget = (): void => {
        underWay = underWay.filter((other) => other !== own);
      };
      done.then(forget, forget);
      return done;
    },
  };
}
