/** The state of delivery to one endpoint: `next`, without clock, network or store, gives the state after an event. */

import type { CursorLost } from '../../../store/promises/log.ts';
import type { WebhookEndpoint, WebhookState } from '../declares.ts';

/** The limit on tries in flight, at first and at most. A success raises it by one, a failure halves it. */
const FIRST_AT_ONCE = 4;
const MOST_AT_ONCE = 16;
/** Consecutive failures that make the endpoint failing. Each is then followed by a pause, which doubles. */
const FAILS_FROM = 10;

export type DeliveryState = Standing &
  (
    | { readonly is: 'sending' }
    | { readonly is: 'waiting'; readonly until: number }
    /** One try at a time, not before that time. */
    | { readonly is: 'failing'; readonly until: number }
    | { readonly is: 'ended'; readonly reason: string }
  );

/** `status`, `reason` and `failing_since` are stored. `failing_since` stays set until a success. */
interface Standing extends Pick<WebhookState, 'status' | 'reason' | 'failing_since'> {
  /** Tries in flight, and their limit. */
  readonly inFlight: number;
  readonly atOnce: number;
  readonly failures: number;
}

interface Tried {
  readonly is: 'delivered' | 'failed' | 'gone';
  readonly at: number;
  /** Whether the clock can be trusted to end something. */
  readonly mayEnd: boolean;
  readonly retryAfterMs: number;
  /** From 0 to 1: spreads retries over time. */
  readonly random: number;
}

export type DeliveryEvent =
  | Tried
  /** `discarded`: a try ended before anything was sent. `emptied`: the outbox is empty. */
  | { readonly is: 'started' | 'discarded' | 'emptied' | 'key_ended' }
  | { readonly is: 'changes_lost'; readonly how: CursorLost };

export function begin({ status, reason, failing_since }: WebhookEndpoint): DeliveryState {
  const standing = { status, reason, failing_since, inFlight: 0, atOnce: FIRST_AT_ONCE };
  return status === 'failing'
    ? { ...standing, is: 'failing', until: 0, failures: FAILS_FROM }
    : { ...standing, is: 'sending', failures: 0 };
}

export function next(state: DeliveryState, event: DeliveryEvent): DeliveryState {
  const { inFlight } = state;
  if (state.is === 'ended') return state;
  switch (event.is) {
    case 'started':
      return { ...state, inFlight: inFlight + 1 };
    case 'discarded':
      return { ...state, inFlight: inFlight - 1 };
    case 'emptied':
      // With nothing left to probe with, the next notification is sent as if the endpoint worked.
      return state.is === 'failing' ? { ...state, is: 'sending', failures: 0 } : state;
    case 'key_ended':
      return { ...state, is: 'ended', status: 'paused', reason: 'key_ended' };
    case 'changes_lost':
      return { ...state, is: 'ended', status: 'disabled', reason: `changes_${event.how}` };
    case 'gone':
      return { ...state, is: 'ended', status: 'disabled', reason: 'gone' };
    case 'delivered':
      return delivered({ ...state, inFlight: inFlight - 1 });
    case 'failed':
      return failed({ ...state, inFlight: inFlight - 1 }, event);
  }
}

function delivered(state: DeliveryState): DeliveryState {
  const atOnce = Math.min(MOST_AT_ONCE, state.atOnce + 1);
  const works = { ...state, atOnce, failures: 0, status: 'enabled', failing_since: null } as const;
  return works.is === 'waiting' ? works : { ...works, is: 'sending' };
}

function failed(state: DeliveryState, { at, mayEnd, retryAfterMs, random }: Tried): DeliveryState {
  // Of those in flight when the endpoint began to fail, only the last one counts.
  const failures = state.failures + (state.is === 'failing' && state.inFlight > 0 ? 0 : 1);
  const failing_since = state.failing_since ?? at;
  const after = { ...state, failures, failing_since, atOnce: Math.max(1, state.atOnce >> 1) };
  if (mayEnd && at - failing_since >= GIVE_UP_MS)
    return { ...after, is: 'ended', status: 'disabled', reason: 'failing_too_long' };
  const until = at + probeAfter(Math.max(0, failures - FAILS_FROM), retryAfterMs, random);
  if (state.is === 'failing' || failures >= FAILS_FROM)
    return { ...after, is: 'failing', status: 'failing', until };
  return retryAfterMs > 0 ? { ...after, is: 'waiting', until } : after;
}

/** The time from which a try may begin; infinite if another must end first. */
export function opensAt(state: DeliveryState): number {
  const most = state.is === 'ended' ? 0 : state.is === 'failing' ? 1 : state.atOnce;
  if (state.inFlight >= most) return Number.POSITIVE_INFINITY;
  return state.is === 'waiting' || state.is === 'failing' ? state.until : 0;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The delay before each try; the first is immediate. */
const DELAYS = [
  ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
];
/** Between two tries, also where an endpoint asks for a longer pause. */
export const LONGEST_DELAY_MS = 1.2 * DAY;
/** How many tries a delivery has. */
export const MAX_ATTEMPTS = DELAYS.length;
/** An endpoint is disabled after this long without a success. */
const GIVE_UP_MS = 5 * DAY;

const FIRST_PROBE_MS = 5 * SECOND;
const LONGEST_PROBE_MS = 5 * MINUTE;

/** Up to a fifth longer, so that deliveries that failed together are not retried together. */
function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 + random / 5));
}

/** Milliseconds until the next try, after this many; `undefined` after the last. */
export function delayAfter(attempts: number, retryAfterMs = 0): number | undefined {
  const delay = DELAYS[attempts];
  return delay === undefined
    ? undefined
    : Math.max(jittered(delay, Math.random()), Math.min(retryAfterMs, DAY));
}

/** Milliseconds until a failing endpoint is tried again, after this many probes; `random` is 0 to 1. */
export function probeAfter(failures: number, retryAfterMs: number, random: number): number {
  const delay = Math.min(FIRST_PROBE_MS * 2 ** Math.min(failures, 10), LONGEST_PROBE_MS);
  return Math.max(jittered(delay, random), Math.min(retryAfterMs, DAY));
}

/** `Retry-After`, seconds or a date, in milliseconds from now; 0 if it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
