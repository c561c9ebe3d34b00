/** The state of delivery to one endpoint: `next`, without clock, network or store, gives the state after an event. */

import type { CursorLost } from '../../../store/promises/log.ts';
import type { WebhookEndpoint, WebhookState } from '../declares.ts';

/** The limit on tries in flight, at first and at most. A success raises it by one, a failure halves it. */
const FIRST_AT_ONCE = 4;
const MOST_AT_ONCE = 16;
/** Failures in a row, whatever they were, that make the endpoint failing. */
const FAILS_FROM = 10;
/** Tries in a row that nothing answered, after which it is down: each is then followed by a pause, which doubles. */
const DOWN_FROM = 10;
/** Answers in a row that ask for a pause, after which all of it gets one: a single one speaks for its notification. */
const ASKS_FROM = 3;

export type DeliveryState = Standing &
  (
    | { readonly is: 'sending' }
    /** It asked for a pause: nothing before that time, but for kinds that were not tried since. `under`: tries that were under way then. */
    | { readonly is: 'waiting'; readonly until: number; readonly under: number }
    /** It answers nothing: one try at a time, not before that time. */
    | { readonly is: 'down'; readonly until: number }
    | { readonly is: 'ended'; readonly reason: string }
  );

/** Figures that are stored, and those of a process. `failing_since` and `strikes` stay until a success. */
interface Standing extends Pick<WebhookState, 'status' | 'reason' | 'failing_since' | 'strikes'> {
  /** Tries in flight, and their limit. */
  readonly inFlight: number;
  readonly atOnce: number;
  /** Counts, each of what came in a row. */
  readonly failures: number;
  readonly unanswered: number;
  readonly asked: number;
  /** When the last strike was counted, by a stopwatch. */
  readonly struckAt: number;
}

interface Tried {
  /** `refused`: an answer, to this notification. `unanswered`: none, or that of a gateway before the receiver. */
  readonly is: 'delivered' | 'refused' | 'unanswered' | 'gone';
  readonly at: number;
  /** By a stopwatch. */
  readonly elapsed: number;
  readonly retryAfterMs: number;
  /** Whether that pause speaks for more than one notification: 429 and 503 do. */
  readonly isForAll: boolean;
  /** From 0 to 1: spreads retries over time. */
  readonly random: number;
}

export type DeliveryEvent =
  | Tried
  /** `discarded`: a try ended before anything was sent. `emptied`: the outbox is empty. */
  | { readonly is: 'started' | 'discarded' | 'emptied' | 'key_ended' }
  | { readonly is: 'changes_lost'; readonly how: CursorLost };

type Beginning = Pick<
  WebhookEndpoint,
  'status' | 'reason' | 'failing_since' | 'strikes' | 'next_at'
>;

export function begin({
  status,
  reason,
  failing_since,
  strikes,
  next_at,
}: Beginning): DeliveryState {
  const isFailing = status === 'failing';
  const standing = {
    ...{ status, reason, failing_since, strikes, inFlight: 0, asked: 0 },
    atOnce: isFailing ? 1 : FIRST_AT_ONCE,
    failures: isFailing ? FAILS_FROM : 0,
    // The first try says whether it answers by now.
    unanswered: isFailing ? DOWN_FROM - 1 : 0,
    struckAt: Number.NEGATIVE_INFINITY,
  };
  return next_at === null
    ? { ...standing, is: 'sending' }
    : { ...standing, is: 'waiting', until: next_at, under: 0 };
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
      return state.is === 'down' ? { ...state, is: 'sending', failures: 0, unanswered: 0 } : state;
    case 'key_ended':
      return { ...state, is: 'ended', status: 'paused', reason: 'key_ended' };
    case 'changes_lost':
      return { ...state, is: 'ended', status: 'disabled', reason: `changes_${event.how}` };
    case 'gone':
      return { ...state, is: 'ended', status: 'disabled', reason: 'gone' };
    case 'delivered':
      return delivered({ ...state, inFlight: inFlight - 1 });
    default:
      return failed({ ...state, inFlight: inFlight - 1 }, event);
  }
}

function delivered(state: DeliveryState): DeliveryState {
  const atOnce = Math.min(MOST_AT_ONCE, state.atOnce + 1);
  const none = { failures: 0, unanswered: 0, asked: 0, strikes: 0 };
  const works = { ...state, ...none, atOnce, status: 'enabled', failing_since: null } as const;
  // What was under way when it asked for a pause says nothing of that.
  return works.is === 'waiting' && works.under > 0
    ? { ...works, under: works.under - 1 }
    : { ...works, is: 'sending' };
}

function failed(state: DeliveryState, tried: Tried): DeliveryState {
  const { at, elapsed, retryAfterMs, isForAll, random } = tried;
  const isUnanswered = tried.is === 'unanswered';
  // Of those under way when it began to be down, only the last one counts.
  const counts = state.is === 'down' && state.inFlight > 0 ? 0 : 1;
  const isStrike = elapsed - state.struckAt >= LONGEST_PROBE_MS;
  const after = {
    ...state,
    failures: state.failures + counts,
    unanswered: isUnanswered ? state.unanswered + counts : 0,
    asked: retryAfterMs > 0 && isForAll ? state.asked + 1 : 0,
    failing_since: state.failing_since ?? at,
    strikes: state.strikes + (isStrike ? 1 : 0),
    struckAt: isStrike ? elapsed : state.struckAt,
    atOnce: Math.max(1, state.atOnce >> 1),
  };
  if (after.strikes >= GIVE_UP_AT)
    return { ...after, is: 'ended', status: 'disabled', reason: 'failing_too_long' };
  const standing =
    after.failures >= FAILS_FROM ? ({ ...after, status: 'failing' } as const) : after;
  if (after.asked >= ASKS_FROM) {
    const until = at + Math.min(retryAfterMs, DAY);
    return state.is === 'waiting'
      ? {
          ...standing,
          is: 'waiting',
          until: Math.max(until, state.until),
          under: underAfter(state),
        }
      : { ...standing, is: 'waiting', until, under: state.inFlight };
  }
  if (state.is === 'waiting' && state.until > at)
    return { ...standing, is: 'waiting', until: state.until, under: underAfter(state) };
  if (isUnanswered && (state.is === 'down' || after.unanswered >= DOWN_FROM)) {
    const until = at + probeAfter(Math.max(0, after.unanswered - DOWN_FROM), retryAfterMs, random);
    return { ...standing, is: 'down', until };
  }
  return { ...standing, is: 'sending' };
}

const underAfter = ({ under }: { readonly under: number }): number => Math.max(0, under - 1);

/** The time from which a try may begin; infinite if another must end first. */
export function opensAt(state: DeliveryState): number {
  const most = state.is === 'ended' ? 0 : state.is === 'down' ? 1 : state.atOnce;
  if (state.inFlight >= most) return Number.POSITIVE_INFINITY;
  return state.is === 'waiting' || state.is === 'down' ? state.until : 0;
}

/** When it is tried next, where that is later than for what there is to send. */
export function triedNext(state: DeliveryState): number | null {
  return state.is === 'waiting' || state.is === 'down' ? state.until : null;
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

const FIRST_PROBE_MS = 5 * SECOND;
const LONGEST_PROBE_MS = 5 * MINUTE;
/**
 * Failures without a success after which an endpoint is disabled. Only one in five minutes counts, so that takes five days
 * at least, of a service that ran and had something to send.
 */
const GIVE_UP_AT = (5 * DAY) / LONGEST_PROBE_MS;

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
