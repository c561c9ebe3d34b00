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
  ...{ status: 'enabled', reason: null, failing_since: null, next_at: null, strikes: 0 },
} as WebhookEndpoint;

const started: DeliveryEvent = { is: 'started' };
type Ending = 'delivered' | 'refused' | 'unanswered' | 'gone';
const tried = (is: Ending, at = 0, retryAfterMs = 0): DeliveryEvent => ({
  ...{ is, at, elapsed: at, retryAfterMs, isForAll: true, random: 0 },
});
/** A try after the other. */
const tries = (count: number, is: Ending, at = 0, retryAfterMs = 0): DeliveryEvent[] =>
  Array.from({ length: count }, () => [started, tried(is, at, retryAfterMs)]).flat();
/** One every five minutes. */
const MINUTES = 300_000;
const overDays = (count: number, is: Ending): DeliveryEvent[] =>
  Array.from({ length: count }, (_, at) => [started, tried(is, at * MINUTES)]).flat();
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
      events: tries(5, 'refused'),
      is: { is: 'sending', atOnce: 1, failures: 5 },
      opens: 0,
    },
    {
      it: 'has failed since the first failure after a success',
      events: [
        ...tries(1, 'refused', 5),
        ...tries(1, 'delivered', 6),
        ...tries(2, 'unanswered', 7),
      ],
      is: { status: 'enabled', failing_since: 7, failures: 2 },
      opens: 0,
    },
    {
      it: 'has room again where a try was discarded',
      events: [...all(4, started), { is: 'discarded' }],
      is: { inFlight: 3, failures: 0 },
      opens: 0,
    },
    {
      it: 'loses nothing of its standing where there is nothing left to send',
      events: [...tries(5, 'refused'), { is: 'emptied' }],
      is: { is: 'sending', failures: 5 },
      opens: 0,
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

describe('An endpoint that refuses', () => {
  check([
    {
      it: 'is failing after ten refusals in a row, and is sent what follows all the same',
      events: tries(10, 'refused', 1_000),
      is: { is: 'sending', status: 'failing', failing_since: 1_000 },
      opens: 0,
    },
    {
      it: 'is so after a thousand',
      events: tries(1_000, 'refused'),
      is: { is: 'sending', status: 'failing', strikes: 1 },
      opens: 0,
    },
    {
      it: 'is not failing after nine, nor where one is taken between',
      events: [...tries(9, 'refused'), ...tries(1, 'delivered'), ...tries(9, 'refused')],
      is: { is: 'sending', status: 'enabled' },
      opens: 0,
    },
    {
      it: 'works after one success',
      events: [...tries(30, 'refused'), ...tries(1, 'delivered')],
      is: { is: 'sending', status: 'enabled', failing_since: null, failures: 0, strikes: 0 },
      opens: 0,
    },
  ]);
});

describe('An endpoint that asks for a pause', () => {
  check([
    {
      it: 'gets what follows after one or two that asked for it: they spoke for themselves',
      events: tries(2, 'refused', 1_000, 60_000),
      is: { is: 'sending', status: 'enabled' },
      opens: 0,
    },
    {
      it: 'gets nothing until then after the third in a row, and is enabled meanwhile',
      events: tries(3, 'refused', 1_000, 60_000),
      is: { is: 'waiting', until: 61_000, status: 'enabled' },
      opens: 61_000,
    },
    {
      it: 'gets what follows however often it asks for a pause in an answer that speaks for one notification',
      events: all(3, {
        ...(tried('refused', 1_000, 60_000) as object),
        isForAll: false,
      } as DeliveryEvent),
      is: { is: 'sending', asked: 0 },
      opens: 0,
    },
    {
      it: 'so does a gateway',
      events: tries(3, 'unanswered', 1_000, 60_000),
      is: { is: 'waiting', until: 61_000, status: 'enabled' },
      opens: 61_000,
    },
    {
      it: 'is asked after a day at the latest',
      events: tries(3, 'refused', 0, 90 * DAY),
      is: { is: 'waiting', until: DAY },
      opens: DAY,
    },
    {
      it: 'waits although a try succeeds that was under way',
      events: [...all(4, started), ...all(3, tried('refused', 0, 60_000)), tried('delivered', 10)],
      is: { is: 'waiting', until: 60_000, failing_since: null },
      opens: 60_000,
    },
    {
      it: 'waits no longer where one succeeds that was begun meanwhile',
      events: [...tries(3, 'refused', 0, 60_000), ...tries(1, 'delivered', 10)],
      is: { is: 'sending', failing_since: null },
      opens: 0,
    },
    {
      it: 'waits as long as before where one fails that was begun meanwhile',
      events: [...tries(3, 'refused', 0, 60_000), ...tries(1, 'refused', 10)],
      is: { is: 'waiting', until: 60_000 },
      opens: 60_000,
    },
    {
      it: 'waits for the rest of its pause after a restart',
      events: [],
      endpoint: { next_at: 60_000 },
      is: { is: 'waiting', until: 60_000 },
      opens: 60_000,
    },
  ]);
});

describe('An endpoint that answers nothing', () => {
  check([
    {
      it: 'is not failing after nine tries in a row',
      events: [...tries(9, 'unanswered'), ...tries(1, 'delivered'), ...tries(9, 'unanswered')],
      is: { is: 'sending', status: 'enabled' },
      opens: 0,
    },
    {
      it: 'is failing after ten, and is tried again five seconds later',
      events: tries(10, 'unanswered', 1_000),
      is: { is: 'down', until: 6_000, status: 'failing', failing_since: 1_000 },
      opens: 6_000,
    },
    {
      it: 'is not down where it answers between, whatever that is',
      events: [...tries(9, 'unanswered'), ...tries(1, 'refused'), ...tries(9, 'unanswered')],
      is: { is: 'sending', status: 'failing' },
      opens: 0,
    },
    {
      it: 'counts only the last of those that were under way when it began to be down',
      events: [...tries(9, 'unanswered'), ...all(4, started), ...all(3, tried('unanswered'))],
      is: { is: 'down', failures: 10, inFlight: 1 },
      opens: NEVER,
    },
    {
      it: 'is tried less and less often',
      events: tries(13, 'unanswered'),
      is: { is: 'down', until: 40_000 },
      opens: 40_000,
    },
    {
      it: 'is tried at least every five minutes, however long it has been down',
      events: tries(500, 'unanswered'),
      is: { until: 300_000 },
      opens: 300_000,
    },
    {
      it: 'gets one try at a time',
      events: [...tries(10, 'unanswered'), started],
      is: { is: 'down', inFlight: 1 },
      opens: NEVER,
    },
    {
      it: 'works again after one success',
      events: [...tries(30, 'unanswered'), ...tries(1, 'delivered')],
      is: { is: 'sending', status: 'enabled', failing_since: null, failures: 0 },
      opens: 0,
    },
    {
      it: 'is down no longer where it refuses: it answers',
      events: [...tries(30, 'unanswered'), ...tries(1, 'refused')],
      is: { is: 'sending', status: 'failing', unanswered: 0 },
      opens: 0,
    },
    {
      it: 'is tried at once after a restart, and is down after one more',
      events: tries(1, 'unanswered'),
      endpoint: failing,
      is: { is: 'down', status: 'failing', failing_since: 0, until: 5_000 },
      opens: 5_000,
    },
    {
      it: 'is sent what comes next where nothing is left to try, and stays failing until a success',
      events: [...tries(12, 'unanswered'), { is: 'emptied' }, ...tries(1, 'unanswered')],
      is: { is: 'sending', status: 'failing', failures: 1 },
      opens: 0,
    },
  ]);
});

describe('An endpoint at which nothing succeeds', () => {
  for (const is of ['refused', 'unanswered'] as const)
    check([
      {
        it: `is disabled after 1,440 that were ${is}, five minutes apart`,
        events: overDays(1_440, is),
        is: { is: 'ended', status: 'disabled', reason: 'failing_too_long', failing_since: 0 },
        opens: NEVER,
      },
      {
        it: `is not after one less of those that were ${is}`,
        events: overDays(1_439, is),
        is: { status: 'failing', strikes: 1_439 },
        opens: is === 'refused' ? 0 : 1_438 * MINUTES + MINUTES,
      },
      {
        it: `is not disabled by how long ago it worked, of those that were ${is}`,
        events: [...tries(1, is, 1), ...tries(1, is, 1 + 30 * DAY)],
        is: { status: 'enabled', strikes: 2 },
        opens: 0,
      },
    ]);
  check([
    {
      it: 'has its count after a restart',
      events: tries(1, 'unanswered', 5),
      endpoint: { ...failing, strikes: 1_439 },
      is: { is: 'ended', status: 'disabled', reason: 'failing_too_long' },
      opens: NEVER,
    },
  ]);
});
