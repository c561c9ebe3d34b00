/** Retries what may succeed the next time. */
import { ConnectionError, LedgerstoneError } from './error.ts';

const LONGEST_ASKED_SECONDS = 60;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

export interface Retries {
  readonly tries: number;
  /** Not after connection errors, where it may have been done. */
  readonly isOnce: boolean;
}

/** Runs `attempt` up to `tries` times: after connection errors, 429 and 503. */
export async function retrying<T>(
  { tries, isOnce }: Retries,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pause = made < tries ? pauseAfter(error, made, isOnce) : undefined;
      if (pause === undefined) throw error;
      await wait(pause, signal);
    }
  }
}

/** Milliseconds to wait before the next try; `undefined` where there is none. */
function pauseAfter(error: unknown, made: number, isOnce: boolean): number | undefined {
  if (!(error instanceof LedgerstoneError)) return undefined;
  const { status, retryAfter = 0 } = error;
  // A proxy that does not reach the service answers 502 or 504 itself; a page of somebody else stays one.
  const isUnreachable =
    error instanceof ConnectionError && !isOnce && [undefined, 502, 504].includes(status);
  const mayPass = isUnreachable || status === 429 || status === 503;
  if (!mayPass || retryAfter > LONGEST_ASKED_SECONDS) return undefined;
  // The chance in it keeps a thousand callers from coming back in the same moment.
  return retryAfter * 1000 + Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (made - 1));
}

/** Ends early with the reason of the signal. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}
