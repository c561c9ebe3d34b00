/** Callers who create, update, remove and bring back records through any of the processes, and note what was answered. */
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world.ts';

const AT_ONCE = 8;
const EVENTS = 40;
/** The time of a caller between two removals of an event with all its check-ins. */
const REMOVAL_MS = 400;
const ANSWER_MS = 10_000;

export interface Written {
  /** When a version of a record was answered, by the change that made it: `evt_… 3`. */
  readonly answered: ReadonlyMap<string, number>;
  /** Requests that got no answer, or one that asks to try again: what they did is not known. */
  readonly unsure: number;
}

interface Caller {
  readonly base: () => string;
  readonly authorization: string;
}

/** Writes until the signal is aborted. `answered` can be looked at meanwhile. */
export function startWriting(
  world: World,
  base: () => string,
  signal: AbortSignal,
): { readonly answered: ReadonlyMap<string, number>; readonly end: Promise<Written> } {
  const answered = new Map<string, number>();
  const caller = { base, authorization: world.authorization };
  let unsure = 0;
  const send = async (method: string, path: string, body?: object): Promise<string | undefined> => {
    const done = await request(caller, method, path, body);
    if (done === undefined) unsure += 1;
    else if (done.version !== undefined && done.outcome !== 'unchanged') {
      answered.set(`${done.record} ${done.version}`, performance.now());
    }
    if (done === undefined) await pause(20);
    return done?.record;
  };
  const write = async (worker: number): Promise<void> => {
    let removedAt = performance.now();
    for (let count = 0; !signal.aborted; count++) {
      const event = await send('POST', '/v1/events/upsert', {
        location_unique_identifier: world.location,
        external_identifier: `followed ${(worker + count) % EVENTS}`,
        event_name: `by ${worker}, ${count}`,
        event_datetime: '2027-03-20T14:30:00Z',
      });
      if (event === undefined) continue;
      for (let visitor = 0; visitor < 8; visitor++) {
        await send('POST', '/v1/event_check_in_records/upsert', {
          event_unique_identifier: event,
          external_identifier: `visitor ${worker} ${visitor}`,
          visitor_full_name: `Visitor ${count}`,
          visitor_phone_number: '+14155550123',
        });
      }
      if (performance.now() - removedAt < REMOVAL_MS) continue;
      removedAt = performance.now();
      await send('DELETE', `/v1/events/${event}?cascade=true`);
      if (count % 2 === 0) await send('POST', `/v1/events/${event}/restore`, { version: 1 });
    }
  };
  const end = Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => write(worker)));
  return { answered, end: end.then(() => ({ answered, unsure })) };
}

interface Done {
  readonly record: string;
  readonly outcome: string | null;
  /** That was made, where one is told. */
  readonly version: number | undefined;
}

async function request(
  { base, authorization }: Caller,
  method: string,
  path: string,
  body: object | undefined,
): Promise<Done | undefined> {
  try {
    const answer = await fetch(base() + path, {
      method,
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { unique_identifier = '' } = (await answer.json()) as { unique_identifier?: string };
    if (answer.status >= 500) return undefined;
    const tag = /^"(\d+)"$/.exec(answer.headers.get('ETag') ?? '')?.[1];
    const version = answer.ok && tag !== undefined ? Number(tag) : undefined;
    const outcome = answer.headers.get('Ledgerstone-Outcome');
    return { record: unique_identifier, outcome, version };
  } catch {
    return undefined;
  }
}
