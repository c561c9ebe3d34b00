/** A pool of sessions, each used by one piece of work at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import { FairSlots } from '../../../core/fair/slots.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import type { Patience } from './address.ts';
import { asUnavailable, isLost, isOutOfReach, patienceOf } from './failure.ts';
import type { Call, Result, Session } from './session.ts';

/** How long work that has begun may take once the pool is closing. */
const CLOSING_MS = 2_000;

export interface Pool {
  readonly open: () => Promise<Session>;
  /** The most sessions. */
  readonly most: number;
  readonly patience: Patience;
  /** Sessions that are not used for so long are closed. */
  readonly idleMs?: number;
}

export class Sessions {
  readonly #pool: Pool;
  readonly #idle: Session[] = [];
  readonly #slots: FairSlots;
  readonly #resting: NodeJS.Timeout | undefined;
  #used = false;
  #closed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
    const { most, patience } = pool;
    const waits = patienceOf(patience.turnMs);
    this.#slots = new FairSlots({ slots: most, ofGroup: most, patience: waits });
    if (pool.idleMs !== undefined) {
      this.#resting = setInterval(() => this.#rest(), pool.idleMs).unref();
    }
  }

  /**
   * Does the work with a session of its own, in the order of the requests. Work that finds its connection lost is done
   * once more on a new one: it must have changed nothing then, or throw another error than `Lost`. Throws
   * `StoreUnavailable` where something hinders the server, or where the work of others takes too long.
   */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailable('The store is closed.');
    try {
      return await this.#slots.run('', () => this.#work(work));
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Runs one statement by itself. */
  run<Row extends readonly unknown[]>(call: Call<Row>): Promise<Result<Row>> {
    return this.use((session) => session.run(call));
  }

  /** Makes a call for its rows. */
  rows<Row extends readonly unknown[]>(call: Call<Row>): Promise<readonly Row[]> {
    return this.use((session) => session.rows(call));
  }

  /** Waits for the requested work. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#resting);
    const until = performance.now() + CLOSING_MS;
    while (!this.#slots.isIdle('') && performance.now() < until) await pause(5);
    await Promise.all(this.#idle.splice(0).map((session) => session.close()));
  }

  #rest(): void {
    if (!this.#used) for (const session of this.#idle.splice(0)) void session.close();
    this.#used = false;
  }

  async #work<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const kept = this.#keptSession();
    if (kept !== undefined) {
      try {
        return await this.#with(kept, work);
      } catch (error) {
        if (!isLost(error)) throw error;
        // If one connection is gone the others are, too, unless the server has lost one of its own servers.
        if (!isOutOfReach(error)) for (const session of this.#idle.splice(0)) session.destroy();
      }
    }
    return await this.#with(await this.#pool.open(), work);
  }

  async #with<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    this.#used = true;
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
