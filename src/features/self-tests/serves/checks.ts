/** The twelve checks of a self-test: what a program should do, and what was observed. */
import { equalJson } from '../../../core/schema/json/json.ts';
import type { Json, JsonObject } from '../../../core/schema/values.ts';
import type { CheckResult } from '../declares.ts';

/** The notes on the requests of a run. */
export type Observation =
  /** A request was refused for the test: with that status, and a retry after that many seconds. */
  | (Provoked & { readonly kind: 'provoked'; readonly seconds: number })
  /** It was retried after this many milliseconds; for the feed, its next request. */
  | (Provoked & { readonly kind: 'again'; readonly waited: number })
  /** A write was refused because of its content; `print` identifies it. */
  | { readonly kind: 'refused'; readonly print: string; readonly code: string }
  /** A write changed nothing, or something. */
  | { readonly kind: 'written'; readonly outcome: 'unchanged' | 'updated' }
  /** A page of changes was read after that position. */
  | { readonly kind: 'read'; readonly after: string | null }
  /** A notification was sent, with a signature that is right or forged. */
  | { readonly kind: 'notified'; readonly forged: boolean; readonly status: number | null };

/** Why a request was refused for the test. */
export type Purpose = 'rate_limited' | 'unavailable' | 'token' | 'feed';

interface Provoked {
  readonly purpose: Purpose;
  readonly print: string;
  /** A hash of its Idempotency-Key. */
  readonly token: string | null;
  readonly after: string | null;
}

export const LOCATION = 'self-test';
export const EVENTS = [1, 2, 3, 4, 5].map((number) => `self-test-${number}`);
const [FIRST = ''] = EVENTS;
/** It must be sent without a name. */
const BAD = 'self-test-3';

const WANTED = {
  full_name: 'Zoë Müller-Nuñez 🕊',
  event_datetime: '2027-03-20T14:30:00Z',
  additional_event_metadata: { flowers: ['lilies', 'roses'], seating: { rows: 12, aisle: true } },
};
/** A clock that reads whole milliseconds, and a timer that ends a little early. */
const EARLY_MS = 100;

interface Sights {
  readonly seen: readonly Observation[];
  /** The events of the self-test that there are, as they are read, by their external_identifier. */
  readonly events: ReadonlyMap<string, JsonObject>;
}

/** `undefined`: not yet. */
type Judged = readonly [passed: boolean | undefined, seen: string];

interface Check {
  readonly name: string;
  readonly does: string;
  readonly judge: (sights: Sights) => Judged;
}

const checks: readonly Check[] = [
  {
    name: 'nested_fields',
    does: `Send the event "${FIRST}" with additional_event_metadata ${JSON.stringify(WANTED.additional_event_metadata)}.`,
    judge: ({ events }) =>
      field(events, ['additional_event_metadata'], WANTED.additional_event_metadata),
  },
  {
    name: 'text_kept',
    does: `Send it with person.full_name ${JSON.stringify(WANTED.full_name)}.`,
    judge: ({ events }) => field(events, ['person', 'full_name'], WANTED.full_name),
  },
  {
    name: 'time_zone',
    does: 'Let it begin on 20 March 2027 at half past nine in the morning in Chicago.',
    judge: ({ events }) => field(events, ['event_datetime'], WANTED.event_datetime),
  },
  {
    name: 'resend_unchanged',
    does: 'Send a record that is there already once more, as your nightly run does.',
    judge: ({ seen }) => {
      const written = seen.filter((one) => one.kind === 'written');
      if (written.some(({ outcome }) => outcome === 'unchanged'))
        return [true, 'A record was sent again, and unchanged.'];
      return written.length > 0
        ? [
            false,
            'A record was sent again with other values: nothing in it may differ from send to send.',
          ]
        : [undefined, 'No record was sent again.'];
    },
  },
  {
    name: 'bad_row_skipped',
    does: `Send the events "${EVENTS[1]}" to "${EVENTS[4]}", and "${BAD}" among them without an event_name.`,
    judge: ({ events }) => {
      const [there, absent] = [true, false].map((is) =>
        EVENTS.filter((name) => name !== BAD && events.has(name) === is),
      );
      return absent?.length === 0
        ? [true, `The others are there, and "${BAD}" was refused.`]
        : [
            undefined,
            `There are ${there?.length} of the 4 events; missing: ${absent?.join(', ')}.`,
          ];
    },
  },
  {
    name: 'error_not_retried',
    does: 'Send a wrong request, and do not repeat it: what was refused with 400 stays refused.',
    judge: ({ seen }) => {
      const refused = seen.filter((one) => one.kind === 'refused');
      const prints = refused.map(({ print }) => print);
      const again = refused.find(({ print }, at) => prints.indexOf(print) < at);
      if (again !== undefined)
        return [false, `A request that was refused with ${again.code} was sent again as it was.`];
      return refused.length > 0
        ? [true, `${refused.length} refused, none of them sent again.`]
        : [undefined, 'No request of one record was refused.'];
    },
  },
  {
    name: 'rate_limit_retried',
    does: 'Your first write is answered 429: send it again when Retry-After has passed.',
    judge: ({ seen }) => retried(seen, 'rate_limited', 429),
  },
  {
    name: 'unavailable_retried',
    does: 'Another write is answered 503: send it again when Retry-After has passed.',
    judge: ({ seen }) => retried(seen, 'unavailable', 503),
  },
  {
    name: 'idempotency_key_repeated',
    does: 'Send a write with an Idempotency-Key: it is answered 503, and the repetition must have the same key.',
    judge: ({ seen }) => {
      const [provoked, again] = provokedFor(seen, 'token');
      if (provoked === undefined)
        return [undefined, 'No write with an Idempotency-Key came after the first two.'];
      if (again === undefined) return [undefined, 'It was refused, and has not come again.'];
      return again.token === provoked.token
        ? [true, 'It came again with the same Idempotency-Key.']
        : [
            false,
            'It came again with another Idempotency-Key, or none: it could have been done twice.',
          ];
    },
  },
  {
    name: 'signature_verified',
    does: 'Test your webhook endpoint (POST …/test): it gets a signed notification and a forged one. Take the first, and refuse the other with 400.',
    judge: ({ seen }) => {
      const sent = seen.filter((one) => one.kind === 'notified');
      const [forged, right] = [true, false].map((is) => sent.findLast((one) => one.forged === is));
      if (forged === undefined || right === undefined)
        return [undefined, 'No endpoint was tested.'];
      if (forged.status !== null && forged.status < 300)
        return [false, `The forged notification was taken (${forged.status}).`];
      if (right.status === null || right.status >= 300)
        return [false, `The signed notification was answered ${right.status ?? 'not at all'}.`];
      return forged.status === null
        ? [undefined, 'The forged notification was not answered.']
        : [true, `The signed one was answered ${right.status}, the forged one ${forged.status}.`];
    },
  },
  {
    name: 'feed_followed',
    does: 'Read /v1/changes from the position that the page before gave you.',
    judge: ({ seen }) => {
      const reads = seen.filter((one) => one.kind === 'read');
      return reads.some(({ after }) => after?.startsWith('chg_'))
        ? [true, 'Changes were read from a position.']
        : [undefined, `${reads.length} pages were read, none from a position.`];
    },
  },
  {
    name: 'feed_resumed',
    does: 'Your second read of /v1/changes is answered 503: go on from the same position.',
    judge: ({ seen }) => {
      const [provoked, again] = provokedFor(seen, 'feed');
      if (provoked === undefined) return [undefined, 'Changes were not read twice.'];
      if (again === undefined) return [undefined, 'They were not read again after the 503.'];
      return again.after === provoked.after
        ? [true, 'They were read on from the same position.']
        : [
            false,
            `They were read on from ${again.after ?? 'the beginning'}, not ${provoked.after ?? 'the beginning'}.`,
          ];
    },
  },
];

export function judge(sights: Sights): readonly CheckResult[] {
  return checks.map(({ name, does, judge }) => {
    const [passed, seen] = judge(sights);
    const status = passed === undefined ? 'missing' : passed ? 'passed' : 'failed';
    return { name, does, status, seen };
  });
}

function field(
  events: ReadonlyMap<string, JsonObject>,
  path: readonly string[],
  wanted: Json,
): Judged {
  const event = events.get(FIRST);
  if (event === undefined) return [undefined, `There is no event "${FIRST}" at "${LOCATION}".`];
  let found: Json | undefined = event;
  for (const name of path) found = (found as JsonObject | undefined)?.[name];
  if (found === undefined) return [undefined, `It has no ${path.join('.')}.`];
  return equalJson(found, wanted)
    ? [true, `${path.join('.')} arrived as it should.`]
    : [false, `${path.join('.')} is ${JSON.stringify(found).slice(0, 200)}.`];
}

/** The request that was refused for that, and its repetition. */
function provokedFor(seen: readonly Observation[], purpose: Purpose) {
  const provoked = seen.filter((one) => one.kind === 'provoked');
  const again = seen.filter((one) => one.kind === 'again');
  const isFor = (one: Provoked): boolean => one.purpose === purpose;
  return [provoked.find(isFor), again.find(isFor)] as const;
}

function retried(seen: readonly Observation[], purpose: Purpose, status: number): Judged {
  const [provoked, again] = provokedFor(seen, purpose);
  if (provoked === undefined) return [undefined, `No write was answered ${status} yet.`];
  const header = `Retry-After: ${provoked.seconds}`;
  if (again === undefined)
    return [undefined, `A write was answered ${status} with ${header}, and has not come again.`];
  const waited = `after ${(again.waited / 1000).toFixed(1)} s, with ${header}`;
  return again.waited >= provoked.seconds * 1000 - EARLY_MS
    ? [true, `The write came again ${waited}.`]
    : [false, `The write came again too early, ${waited}.`];
}
