/** Retries what may succeed the next time: when, how often, and after which pause. */
import { ConnectionError, LedgerstoneError } from './error.ts';
import { Limit } from './limit.ts';
import { wait } from './wait.ts';

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

export interface Retries {
  /** How many attempts there are in all; an attempt that a limit refused does not count. */
  readonly tries: number;
  /** For how long after the first failure a request is tried again, in milliseconds. */
  readonly patience: number;
  /** For how long a request waits for the limits of its key, in milliseconds. */
  readonly limitPatience: number;
  /** Only what was certainly not done is sent again. */
  readonly isOnce: boolean;
  /** Shared by the requests that wait for one another. */
  readonly limit?: Limit | undefined;
}

/** Runs `attempt` until it succeeds, fails for good, or has had its tries and its time. */
export async function retrying<T>(
  { tries, patience, limitPatience, isOnce, limit = new Limit() }: Retries,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const self = {};
  let failures = 0;
  /** By a clock that nobody sets. */
  let failingSince = 0;
  let limited = 0;
  try {
    for (;;) {
      await limit.reached(self, signal);
      try {
        return await attempt();
      } catch (error) {
        if (!isPassing(error) || (isOnce && !isUndone(error))) throw error;
        const wanted = Math.max(0, error.retryAfter ?? 0) * 1000;
        if (error.status === 429 && error.retryAfter !== undefined) {
          // The service answers: what failed before is over.
          failures = 0;
          if (tries <= 1 || limited + wanted > limitPatience) throw error;
          if (!limit.join(self)) continue;
          const pause = pauseAfter(wanted, 1);
          limited += pause;
          await wait(pause, signal);
        } else {
          failures += 1;
          if (failures === 1) failingSince = performance.now();
          const pause = pauseAfter(wanted, failures);
          const isOver = performance.now() - failingSince + pause > patience;
          if (failures >= tries || isOver) throw error;
          await wait(pause, signal);
        }
      }
    }
  } finally {
    limit.leave(self);
  }
}

/** Ways in which a connection fails until somebody acts. */
const LASTING: ReadonlySet<string> = new Set([
  'address_redirects',
  'name_unknown',
  'certificate_untrusted',
  'tls_unavailable',
]);

/** Whether the same request may succeed soon: no answer, 408, 429 and 5xx, unless somebody must act first. */
export function isPassing(error: unknown): error is LedgerstoneError {
  if (!(error instanceof LedgerstoneError)) return false;
  const { status, code } = error;
  if (code === 'store_refused' || LASTING.has(code)) return false;
  if (status === undefined) return error instanceof ConnectionError;
  return status === 408 || status === 429 || status >= 500;
}

function isUndone({ status }: LedgerstoneError): boolean {
  return status === 408 || status === 429 || status === 503;
}

/** Milliseconds. The chance in it keeps a thousand callers from coming back in the same moment. */
function pauseAfter(wanted: number, failures: number): number {
  const delay = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
  return wanted + delay * (0.5 + Math.random() / 2);
}
