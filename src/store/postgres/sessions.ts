/** Some sessions that are used again and again, each by one piece of work at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../store.ts';
import { asUnavailable, isLost } from './failure.ts';
import type { Session } from './session.ts';

/** After a connection could not be had, none is tried for so long. */
const RESPITE_MS = 100;
/** How long work that has begun may take once the sessions are to be closed. */
const CLOSING_MS = 10_000;

export class Sessions {
  readonly #open: () => Promise<Session>;
  readonly #most: number;
  readonly #idle: Session[] = [];
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  #closed = false;

  constructor(open: () => Promise<Session>, most: number) {
    this.#open = open;
    this.#most = most;
  }

  /**
   * Does the work with a session of its own, in the order in which it was
   * asked for. Work that finds its connection lost is done once more on a new
   * one: it must have changed nothing then, or throw another error than `Lost`.
   * Throws `StoreUnavailable` where something hinders the server.
   */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailable('The store is closed.');
    if (this.#used >= this.#most) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#used += 1;
    }
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
    return await this.#with(await this.#newSession(), work);
  }

  async #with<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    session.renewPlans();
    try {
      return await work(session);
    } finally {
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

  async #newSession(): Promise<Session> {
    const failed = this.#failed;
    if (failed !== undefined && performance.now() - failed.at < RESPITE_MS) throw failed.error;
    try {
      const session = await this.#open();
      this.#failed = undefined;
      return session;
    } catch (error) {
      this.#failed = { error, at: performance.now() };
      throw error;
    }
  }
}
