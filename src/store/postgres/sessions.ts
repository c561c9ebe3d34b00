/** Some sessions that are used again and again, each by one piece of work at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../store.ts';
import type { Patience } from './address.ts';
import { asUnavailable, isLost } from './failure.ts';
import type { Session } from './session.ts';

/** How long work that has begun may take once the sessions are to be closed. */
const CLOSING_MS = 2_000;

export interface Pool {
  readonly open: () => Promise<Session>;
  /** How many sessions there are at the most. */
  readonly most: number;
  readonly patience: Patience;
}

export class Sessions {
  readonly #pool: Pool;
  readonly #idle: Session[] = [];
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #closed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Does the work with a session of its own, in the order in which it was
   * asked for. Work that finds its connection lost is done once more on a new
   * one: it must have changed nothing then, or throw another error than `Lost`.
   * Throws `StoreUnavailable` where something hinders the server, or where the
   * work of others takes too long.
   */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailable('The store is closed.');
    if (this.#used >= this.#pool.most) await this.#turn();
    else this.#used += 1;
    try {
      return await this.#work(work);
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#used -= 1;
      else next();
    }
  }

  /** Waits for the work that was asked for. */
  async close(): Promise<void> {
    this.#closed = true;
    const until = performance.now() + CLOSING_MS;
    while (this.#used > 0 && performance.now() < until) await pause(5);
    await Promise.all(this.#idle.splice(0).map((session) => session.close()));
  }

  /** Waits until a session is free for this work. */
  #turn(): Promise<void> {
    const { turnMs } = this.#pool.patience;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(come), 1);
        reject(
          new StoreUnavailable('The store cannot be used now: too much is being asked of it.'),
        );
      };
      const timer = turnMs === 0 ? undefined : setTimeout(giveUp, turnMs);
      const come = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(come);
    });
  }

  async #work<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const kept = this.#keptSession();
    if (kept !== undefined) {
      try {
        return await this.#with(kept, work);
      } catch (error) {
        if (!isLost(error)) throw error;
        // Where one connection is gone the others are, too.
        for (const session of this.#idle.splice(0)) session.destroy();
      }
    }
    return await this.#with(await this.#pool.open(), work);
  }

  async #with<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    session.wantAnswers(this.#pool.patience.answerMs);
    session.renewPlans();
    try {
      return await work(session);
    } finally {
      session.wantAnswers(0);
      if (session.usable) this.#idle.push(session);
      else session.destroy();
    }
  }

  #keptSession(): Session | undefined {
    for (;;) {
      const session = this.#idle.pop();
      if (session === undefined || session.usable) return session;
    }
  }
}
