/**
 * The one way in which background work goes through accounts: the error of one is that account's alone. It is reported,
 * and the account rests for longer and longer, while the others go on.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type BackgroundPace, realPace } from './pace.ts';

/** Background work failed for an account: `about` says for which part of it, such as a webhook endpoint. */
export interface AccountFailure {
  readonly work: string;
  readonly account: string;
  readonly about: string;
  readonly error: unknown;
  /** How often in a row, with this one. */
  readonly times: number;
}

/** Is told of each failure, and once of each that has ended. */
export interface FailureWatch {
  readonly failed: (failure: AccountFailure) => void;
  readonly ended?: (failure: Omit<AccountFailure, 'error'>) => void;
}

/** Makes what goes through accounts for some work, by its name. */
export type EachAccounts = (work: string) => EachAccount;

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
/** The most that rest: others that fail are tried again sooner. */
const MOST_RESTING = 10_000;
/** The most notes that wait for a watch. */
const MOST_NOTED = 1_000;
/** How long a round goes on while the store is not there for one account after the other. */
const LOST_MS = 5_000;
/** The turn of an account, and how many may take longer at a time. */
const LONG_MS = 500;
const MOST_LONG = 8;
const LATE = Symbol('late');

/** Given by work that pauses before its end: it has not failed, is not done, and goes on at the next turn of its account. */
export const PAUSED = Symbol('paused');

interface Rest {
  readonly account: string;
  readonly times: number;
  readonly until: number;
}

export class EachAccount {
  readonly #work: string;
  readonly watch: FailureWatch;
  readonly #pace: BackgroundPace;
  readonly #rests = new Map<string, Rest>();
  /** Work that takes long, while the others go on. */
  readonly #long = new Map<string, Promise<unknown>>();

  constructor(work: string, watch: FailureWatch, pace: BackgroundPace = realPace) {
    this.#work = work;
    this.watch = watch;
    this.#pace = pace;
  }

  /** Accounts that rest, or take long: whatever finds work leaves them out, so that theirs does not stand before that of others. */
  get resting(): readonly string[] {
    return [...this.#long.keys(), ...[...this.#rests.keys()].filter((about) => this.rests(about))];
  }

  rests(about: string): boolean {
    return (this.#rests.get(about)?.until ?? 0) > performance.now();
  }

  /**
   * Does the work of each account that does not rest; returns whether any says that there may be more. What takes long
   * goes on while the next ones have their turn. The error of a store that is not there is everybody's: the others are
   * tried, and then it is thrown.
   */
  async through<One>(
    ones: Iterable<One>,
    accountOf: (one: One) => string,
    work: (one: One) => Promise<unknown>,
  ): Promise<boolean> {
    let isMore = false;
    let lost: { readonly error: unknown; readonly at: number } | undefined;
    for (const one of ones) {
      const account = accountOf(one);
      if (this.#long.has(account)) {
        isMore = true;
        continue;
      }
      try {
        const did = await this.#turn(account, () => this.one(account, () => work(one)));
        isMore = did === true || did === PAUSED || isMore;
      } catch (error) {
        lost ??= { error, at: performance.now() };
        if (performance.now() - lost.at > LOST_MS) break;
      }
    }
    if (lost !== undefined) throw lost.error;
    return isMore;
  }

  /** Resolves when nothing goes on any more that took long. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#long.values());
  }

  /** Gives the result of the work; `true`, that there may be more, where it takes long. */
  async #turn(account: string, work: () => Promise<unknown>): Promise<unknown> {
    if (this.#long.size >= MOST_LONG) await Promise.race(this.#long.values());
    const waiting = new AbortController();
    const working = work().finally(() => waiting.abort());
    const late = wait(LONG_MS, LATE, { signal: waiting.signal, ref: false }).catch(() => undefined);
    const did = await Promise.race([working, late.then((is) => is ?? working)]);
    if (did !== LATE) return did;
    const going = working.catch(() => undefined).finally(() => this.#long.delete(account));
    this.#long.set(account, going);
    return true;
  }

  /** Does the work of an account unless it rests; `undefined` where it does, or fails. Throws where the store is not there. */
  async one<Result>(
    account: string,
    work: () => Promise<Result>,
    about = account,
  ): Promise<Result | undefined> {
    if (this.rests(about)) return undefined;
    try {
      const result = await work();
      if (result !== PAUSED) this.done(about);
      return result;
    } catch (error) {
      if (isEverybodys(error)) throw error;
      this.failed(account, error, about);
      return undefined;
    }
  }

  /** Notes that the work of an account failed, elsewhere. */
  failed(account: string, error: unknown, about = account): void {
    const times = (this.#rests.get(about)?.times ?? 0) + 1;
    const restMs = this.#pace(Math.min(FIRST_REST_MS * 2 ** (times - 1), LONGEST_REST_MS));
    const [oldest] = this.#rests.keys();
    if (this.#rests.size >= MOST_RESTING && oldest !== undefined) this.#rests.delete(oldest);
    this.#rests.delete(about);
    this.#rests.set(about, { account, times, until: performance.now() + restMs });
    this.watch.failed({ work: this.#work, account, about, error, times });
  }

  /** Notes that it was done. */
  done(about: string): void {
    const before = this.#rests.get(about);
    if (before === undefined) return;
    this.#rests.delete(about);
    const { account, times } = before;
    this.watch.ended?.({ work: this.#work, account, about, times });
  }
}

/** The errors of a store that is not there are sentences for the log, and say nothing of an account. */
export function isEverybodys(error: unknown): boolean {
  return error instanceof Error && 'isForLog' in error && error.isForLog !== 'refused';
}

const nobody: FailureWatch = { failed: () => {} };

/** For work that reports elsewhere, or whose caller is told. */
export const eachUnwatched: EachAccounts = (work) => new EachAccount(work, nobody);

/** Notes from where nobody can be told: in another thread, or within a call that answers later. */
export type NotedFailures = readonly (AccountFailure | Omit<AccountFailure, 'error'>)[];

/** Goes through accounts in a place that cannot report: what calls it has its watch told. */
export function eachNoted(work: string) {
  let noted: NotedFailures = [];
  const note = (one: NotedFailures[number]): void => {
    noted = [...noted.slice(-MOST_NOTED), one];
  };
  const each = new EachAccount(work, { failed: note, ended: note });
  return {
    each,
    /** Tells what was noted; it waits for the next watch where there is none. */
    tell(watch: FailureWatch | undefined): void {
      if (watch === undefined) return;
      const told = noted;
      noted = [];
      tellOf(told, watch);
    },
  };
}

export function tellOf(noted: NotedFailures, watch: FailureWatch | undefined): void {
  for (const one of noted)
    if ('error' in one) watch?.failed(one);
    else watch?.ended?.(one);
}

/** A piece of work in another thread. */
export interface NotedPiece {
  readonly more: boolean;
  readonly noted: NotedFailures;
}

/** Does a piece of work in a thread for one that has the watch. */
export const noting =
  (piece: (watch: FailureWatch) => Promise<boolean>) => async (): Promise<NotedPiece> => {
    const noted: NotedFailures[number][] = [];
    const note = (one: NotedFailures[number]) => void noted.push(one);
    return { more: await piece({ failed: note, ended: note }), noted };
  };

/** Takes such notes, on the side of the one that has the watch. */
export const telling =
  (call: () => Promise<NotedPiece>) =>
  async (watch?: FailureWatch): Promise<boolean> => {
    const { more, noted } = await call();
    tellOf(noted, watch);
    return more;
  };
