/** How delivery to an endpoint stands, by what has happened: no clock, no network, no store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebhookEndpoint } from '../../../src/features/webhooks/declares.ts';
import {
  begin,
  type DeliveryEvent,
  type DeliveryState,
  next,
  opensAt,
} from '../../../src/features/webhooks/serves/state.ts';

const DAY = 86_400_000;
const NEVER = Number.POSITIVE_INFINITY;
const ENDPOINT = {
  ...{ status: 'enabled', reason: null, failing_since: null, position: null },
} as WebhookEndpoint;

const started: DeliveryEvent = { is: 'started' };
const tried = (is: 'delivered' | 'failed' | 'gone', at = 0, retryAfterMs = 0): DeliveryEvent => ({
  ...{ is, at, mayEnd: true, retryAfterMs, random: 0 },
});
/** A try after the other. */
const tries = (count: number, is: 'delivered' | 'failed', at = 0): DeliveryEvent[] =>
  Array.from({ length: count }, () => [started, tried(is, at)]).flat();
const all = (count: number, event: DeliveryEvent): DeliveryEvent[] => Array(count).fill(event);

const after = (
  events: readonly DeliveryEvent[],
  endpoint: Partial<WebhookEndpoint> = {},
): DeliveryState =>
  events.reduce((state, event) => next(state, event), begin({ ...ENDPOINT, ...endpoint }));

interface Row {
  readonly it: string;
  readonly events: readonly DeliveryEvent[];
  readonly endpoint?: Partial<WebhookEndpoint>;
  readonly is: Partial<DeliveryState> & { readonly until?: number };
  /** From when on a try may begin. */
  readonly opens: number;
}

function check(rows: readonly Row[]): void {
  for (const { it: name, events, endpoint = {}, is, opens } of rows) {
    it(name, () => {
      const state = after(events, endpoint);
      assert.partialDeepStrictEqual(state, is);
      assert.equal(opensAt(state), opens);
    });
  }
}

const failing = { status: 'failing', failing_since: 0 } as const;

describe('An endpoint that gets each change', () => {
  check([
    {
      it: 'begins with four tries at once',
      events: all(3, started),
      is: { is: 'sending', inFlight: 3, atOnce: 4, status: 'enabled', failing_since: null },
      opens: 0,
    },
    { it: 'has no fifth', events: all(4, started), is: { inFlight: 4 }, opens: NEVER },
    {
      it: 'gets one more after each success, up to sixteen',
      events: tries(20, 'delivered'),
      is: { atOnce: 16, inFlight: 0 },
      opens: 0,
    },
    {
      it: 'gets half as many after a failure, and at least one',
      events: tries(5, 'failed'),
      is: { is: 'sending', atOnce: 1, failures: 5 },
      opens: 0,
    },
    {
      it: 'has failed since the first failure after a success',
      events: [...tries(1, 'failed', 5), ...tries(1, 'delivered', 6), ...tries(2, 'failed', 7)],
      is: { status: 'enabled', failing_since: 7, failures: 2 },
      opens: 0,
    },
    {
      it: 'gets no try before Retry-After is over, and is enabled meanwhile',
      events: [started, tried('failed', 1_000, 60_000)],
      is: { is: 'waiting', until: 61_000, status: 'enabled' },
      opens: 61_000,
    },
    {
      it: 'waits for Retry-After although a try succeeds that was under way',
      events: [started, started, tried('failed', 0, 60_000), tried('delivered', 10)],
      is: { is: 'waiting', until: 60_000, failing_since: null },
      opens: 60_000,
    },
    {
      it: 'is not failing after nine failures in a row',
      events: [...tries(9, 'failed'), ...tries(1, 'delivered'), ...tries(9, 'failed')],
      is: { is: 'sending', status: 'enabled' },
      opens: 0,
    },
    {
      it: 'is failing after ten, and is tried again five seconds later',
      events: tries(10, 'failed', 1_000),
      is: { is: 'failing', until: 6_000, status: 'failing', failing_since: 1_000 },
      opens: 6_000,
    },
    {
      it: 'counts only the last of those that were under way when it began to fail',
      events: [...tries(9, 'failed'), ...all(4, started), ...all(3, tried('failed'))],
      is: { is: 'failing', failures: 10, inFlight: 1 },
      opens: NEVER,
    },
    {
      it: 'is tried less and less often while it is failing',
      events: tries(13, 'failed'),
      is: { is: 'failing', until: 40_000 },
      opens: 40_000,
    },
    {
      it: 'is tried at least every five minutes, however long it has been failing',
      events: tries(500, 'failed'),
      is: { until: 300_000 },
      opens: 300_000,
    },
    {
      it: 'gets one try at a time while it is failing',
      events: [...tries(10, 'failed'), started],
      is: { is: 'failing', inFlight: 1 },
      opens: NEVER,
    },
    {
      it: 'works again after one success',
      events: [...tries(30, 'failed'), ...tries(1, 'delivered')],
      is: { is: 'sending', status: 'enabled', failing_since: null, failures: 0 },
      opens: 0,
    },
    {
      it: 'is tried at once after a restart, where it was failing',
      events: [],
      endpoint: failing,
      is: { is: 'failing', status: 'failing', failing_since: 0 },
      opens: 0,
    },
    {
      it: 'is sent what comes next where it is failing and nothing is left to try, and stays failing until a success',
      events: [{ is: 'emptied' }, ...tries(1, 'failed')],
      endpoint: failing,
      is: { is: 'sending', status: 'failing', failures: 1 },
      opens: 0,
    },
    {
      it: 'loses nothing of its standing where there is nothing left to send',
      events: [...tries(5, 'failed'), { is: 'emptied' }],
      is: { is: 'sending', failures: 5 },
      opens: 0,
    },
    {
      it: 'has room again where a try was discarded',
      events: [...all(4, started), { is: 'discarded' }],
      is: { inFlight: 3, failures: 0 },
      opens: 0,
    },
    {
      it: 'is disabled after five days without a success',
      events: [...tries(10, 'failed', 1), ...tries(1, 'failed', 1 + 5 * DAY)],
      is: { is: 'ended', status: 'disabled', reason: 'failing_too_long', failing_since: 1 },
      opens: NEVER,
    },
    {
      it: 'is not disabled a moment earlier',
      events: [...tries(10, 'failed', 1), ...tries(1, 'failed', 5 * DAY)],
      is: { is: 'failing', status: 'failing' },
      opens: 5 * DAY + 10_000,
    },
    {
      it: 'is disabled by 410',
      events: [started, tried('gone')],
      is: { is: 'ended', status: 'disabled', reason: 'gone' },
      opens: NEVER,
    },
    {
      it: 'is paused when its key ends, although tries are under way',
      events: [started, { is: 'key_ended' }, tried('delivered')],
      is: { is: 'ended', status: 'paused', reason: 'key_ended' },
      opens: NEVER,
    },
    ...(['expired', 'rewound'] as const).map((how) => ({
      it: `is disabled where its changes are ${how}`,
      events: [{ is: 'changes_lost', how } as const],
      is: { is: 'ended', status: 'disabled', reason: `changes_${how}` } as const,
      opens: NEVER,
    })),
  ]);
});
