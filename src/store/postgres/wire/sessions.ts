/** A pool of sessions, each used by one piece of work at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import { FairSlots } from '../../../core/fair/slots.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import type { Patience } from './address.ts';
import { asUnavailable, isLost, isOutOfReach, patienceOf } from './failure.ts';
import type { Call, Session } from './session.ts';

/** How long work that has begun may take once the pool is closing. */
const CLOSING_MS = 2_000;

interface Pool {
  readonly open: () => Promise<Session>;
  readonly maxSessions: number;
  readonly patience: Patience;
  /** Sessions that are not used for so long are closed. */
  readonly idleMs?: number;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ open, maxSessions, patience, idleMs }: Pool) {
  const idle: Session[] = [];
  const limits = { slots: maxSessions, ofGroup: maxSessions };
  const slots = new FairSlots({ ...limits, patience: patienceOf(patience.queueMs) });
  let wasUsed = false;
  let isClosed = false;
  const resting = idleMs === undefined ? undefined : setInterval(rest, idleMs).unref();

  function rest(): void {
    if (!wasUsed) for (const session of idle.splice(0)) void session.close();
    wasUsed = false;
  }

  async function workOnce<T>(work: (session: Session) => Promise<T>): Promise<T> {
    let session = idle.pop();
    while (session?.usable === false) session = idle.pop();
    if (session !== undefined) {
      try {
        return await workOn(session, work);
      } catch (error) {
        if (!isLost(error)) throw error;
        // If one connection is gone the others are, too, unless the server has lost one of its own servers.
        if (!isOutOfReach(error)) for (const session of idle.splice(0)) session.destroy();
      }
    }
    return await workOn(await open(), work);
  }

  async function workOn<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    wasUsed = true;
    session.answerWithin(patience.answerMs);
    session.renewPlans();
    try {
      return await work(session);
    } finally {
      session.answerWithin(0);
      if (session.usable) idle.push(session);
      else session.destroy();
    }
  }

  /**
   * Does the work with a session of its own, in the order of the requests. Work that finds its connection lost is done
   * once more on a new one: it must have changed nothing then, or throw another error than `Lost`. Throws
   * `StoreUnavailable` where something hinders the server, or where the work of others takes too long.
   */
  async function use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (isClosed) throw new StoreUnavailable('The store is closed.');
    try {
      return await slots.run('', () => workOnce(work));
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  return {
    use,
    rows: <Row extends readonly unknown[]>(call: Call<Row>): Promise<readonly Row[]> =>
      use((session) => session.rows(call)),
    /** Waits for the requested work. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(resting);
      const until = performance.now() + CLOSING_MS;
      while (!slots.isIdle('') && performance.now() < until) await pause(5);
      await Promise.all(idle.splice(0).map((session) => session.close()));
    },
  };
}
