/** Follows the log of changes while the page is visible. */
import { useEffect, useRef } from 'preact/hooks';
import { belowAccounts } from '../records/description.ts';
import { noteChanged } from './ahead.ts';
import { api, isRefusal } from './api.ts';
import { session, signedInFor } from './session.ts';

/** Seconds that the service waits for a change. */
const WAIT = 25;
/** Between two looks, so that a busy feed costs one request in this time. */
const PAUSE_MS = 3_000;
const AFTER_FAILURE_MS = 15_000;
/** Accounts that one page follows: each is a request that waits. */
const MAX_ACCOUNTS = 2;
/**
 * Requests of all pages of a browser that wait at once. A browser keeps six connections to a service over HTTP/1.1, and
 * what people do must never stand behind those that wait.
 */
const WAITING = 2;

export interface Followed {
  readonly resources: readonly string[];
  /** What became of records; all of it where this is left out. */
  readonly outcomes?: readonly string[];
  readonly pauseMs?: number;
}

/** Calls back after anything became of a record: what the screen that is shown by then does. */
export function useFollowed(pauseMs: number, changed: () => void): void {
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(() => {
    const resources = belowAccounts.map(({ name }) => name);
    return follow({ resources, pauseMs }, () => latest.current());
  }, [pauseMs]);
}

/** Calls back after something became of such records; gives what ends it. */
export function follow(
  followed: Followed,
  changed: (signal: AbortSignal) => Promise<void> | void,
): () => void {
  const ended = new AbortController();
  let begun = false;
  // A list may be there before it is known who looks at it.
  const stop = session.subscribe((entered) => {
    if (entered === undefined || begun) return;
    begun = true;
    for (const { unique_identifier } of entered.accounts.slice(0, MAX_ACCOUNTS))
      void followOne(unique_identifier, followed, changed, ended.signal);
  });
  return () => {
    stop();
    ended.abort();
  };
}

async function followOne(
  account: string,
  { resources, outcomes, pauseMs = PAUSE_MS }: Followed,
  changed: (signal: AbortSignal) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  const read = (from: string, wait = 0) =>
    // An idle page also shows when the session has ended.
    signedInFor(() =>
      api.changes
        .list(
          {
            account,
            resource: resources as never,
            ...(outcomes === undefined ? {} : { outcome: outcomes as never }),
            starting_after: from,
            wait,
            limit: 1,
          },
          { signal },
        )
        .page(),
    );
  let position: string | undefined;
  while (!signal.aborted) {
    try {
      await visible(signal);
      const from = position;
      const page = await (from === undefined
        ? read('now')
        : turnToWait((mayWait) => read(from, mayWait ? WAIT : 0)));
      if (signal.aborted) return;
      position = page.position ?? undefined;
      if (page.data.length > 0) {
        noteChanged();
        // One change says that there is something to look at: however many there are, none of the others is read.
        position = (await read('now')).position ?? undefined;
        await changed(signal);
      }
      const after = page.data.length > 0 ? pauseMs : PAUSE_MS;
      await pause(position === undefined ? AFTER_FAILURE_MS : after, signal);
    } catch (error) {
      if (signal.aborted) return;
      // What may not be followed is not requested again; the list is there without it.
      if (
        isRefusal(error) &&
        error.status !== undefined &&
        error.status < 500 &&
        error.status !== 410
      )
        return;
      position = undefined;
      await pause(AFTER_FAILURE_MS, signal);
    }
  }
}

/**
 * Tells whether the request may wait, which it does for as long as `work` takes. Where the browser shares no locks, as
 * over plain HTTP, none waits: each page asks after every pause.
 */
async function turnToWait<T>(work: (mayWait: boolean) => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  for (let turn = 0; locks !== undefined && turn < WAITING; turn += 1) {
    const done = await locks.request(
      `ledgerstone waits ${turn}`,
      { ifAvailable: true },
      async (lock) => lock && { answer: await work(true) },
    );
    if (done !== null) return done.answer;
  }
  return work(false);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A hidden page sends no requests. */
function visible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve());
  });
}
