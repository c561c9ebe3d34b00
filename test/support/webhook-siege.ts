/** Webhooks under siege: a receiver that fails, stalls and says 410, while whoever delivers is killed. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { readChangeId } from '../../src/core/schema/id.ts';
import { call } from './cli-service.ts';
import type { Body } from './service.ts';
import { until } from './until.ts';
import type { Received, Receiver } from './webhook-receiver.ts';

const RECORDS = 12;
/** Longer than any test that watches a position. */
const WATCHED_MS = 1_200_000;

/** A service that may be away at the moment. */
export interface Besieged {
  readonly account: string;
  readonly location: string;
  /** With the right to have webhooks. */
  readonly secret: string;
  /** Where it may be reached now. */
  url(): string;
}

/** An answer; it is asked for until the service is there to give one. */
export async function ask(
  { url, secret }: Besieged,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  let answer: Awaited<ReturnType<typeof call>> | undefined;
  await until(async () => {
    answer = await call(url(), secret, path, body, { method }).catch(() => undefined);
    return answer !== undefined && answer.status < 500;
  });
  assert.equal(answer?.status, 200, `${answer?.text}`);
  return JSON.parse(answer?.text ?? '{}');
}

/** Changes events, some of them again and again; each write is one change. */
export async function writeEvents(to: Besieged, writes: number, everyMs: number): Promise<void> {
  for (let at = 0; at < writes; at++) {
    await ask(to, 'POST', '/v1/events/upsert', {
      location_unique_identifier: to.location,
      external_identifier: `event ${at % RECORDS}`,
      event_name: `Name ${at}`,
      event_datetime: '2026-11-20T14:30:00Z',
    });
    await pause(everyMs);
  }
}

/** The changes of events so far, in their order. */
export async function changesOf(to: Besieged): Promise<readonly string[]> {
  const { data } = await ask(to, 'GET', '/v1/changes?resource[]=event&limit=1000');
  return data.map((change: Body) => change.unique_identifier);
}

type Trouble = ReturnType<typeof makeTrouble>;

/** Lets a receiver fail, wait a while, and once wait for longer than a try may take. */
export function makeTrouble(receiver: Receiver) {
  const trouble = {
    /** Identifiers of notifications that were answered 200. */
    taken: new Set<string>(),
    /** 410 from now on, whatever comes. */
    isGone: false,
  };
  // None fails twice: the third try would come after five minutes.
  const failed = new Set<string>();
  let hasStalled = false;
  receiver.answer = async ({ id, gone }) => {
    if (trouble.isGone) {
      failed.add(id);
      return 410;
    }
    const chance = Math.random();
    if (!failed.has(id)) {
      if (!hasStalled && receiver.received.length > 30) {
        hasStalled = true;
        failed.add(id);
        // What gives the try up hangs up.
        await gone;
        return 200;
      }
      if (chance < 0.02) {
        failed.add(id);
        return 500;
      }
    }
    await pause(chance < 0.1 ? 400 : 5);
    trouble.taken.add(id);
    return 200;
  };
  return trouble;
}

/** Says 410 until the endpoint is disabled, and enables it again when more was written meanwhile, or all of it. */
export async function goneAndBack(
  to: Besieged,
  endpoint: string,
  trouble: Trouble,
  writes: number,
): Promise<void> {
  const path = `/v1/webhook_endpoints/${endpoint}`;
  trouble.isGone = true;
  await until(async () => (await ask(to, 'GET', path)).status === 'disabled', 60_000);
  assert.equal((await ask(to, 'GET', path)).disabled_reason, 'gone');
  trouble.isGone = false;
  const before = (await changesOf(to)).length;
  await until(async () => (await changesOf(to)).length >= Math.min(before + 10, writes));
  assert.equal((await ask(to, 'PATCH', path, { status: 'enabled' })).status, 'enabled');
}

/** Looks at the position until it is told to end; gives how often it went back. */
export function watchPosition(to: Besieged, endpoint: string): () => Promise<number> {
  let isWatching = true;
  let backwards = 0;
  let last = 0;
  const watching = until(async () => {
    const { position } = await ask(to, 'GET', `/v1/webhook_endpoints/${endpoint}`);
    const at = position === null ? 0 : (readChangeId(to.account, position)?.position ?? 0);
    if (at < last) backwards += 1;
    last = at;
    return !isWatching;
  }, WATCHED_MS).then(() => backwards);
  watching.catch(() => {});
  return () => {
    isWatching = false;
    return watching;
  };
}

/** Wants all changes of events to have been taken, and nothing to be left over. */
export async function wantAll(
  to: Besieged,
  endpoint: string,
  { taken }: Trouble,
  writes: number,
): Promise<void> {
  const wanted = await changesOf(to);
  assert.equal(wanted.length, writes);
  const path = `/v1/webhook_endpoints/${endpoint}`;
  await until(() => wanted.every((id) => taken.has(id)), 120_000).catch(async () => {
    const missing = wanted.filter((id) => !taken.has(id));
    const pending = await ask(to, 'GET', `${path}/deliveries?status=pending`);
    assert.fail(
      `${missing.length} of ${writes} were never taken, from the ${wanted.indexOf(missing[0] ?? '')}. on. ${JSON.stringify(await ask(to, 'GET', path))} ${JSON.stringify(pending.data.slice(-3))}`,
    );
  });
  const last = wanted.at(-1);
  await until(async () => (await ask(to, 'GET', path)).position === last, 60_000);
  await until(async () => {
    const { data } = await ask(to, 'GET', `${path}/deliveries?status=pending`);
    return data.length === 0;
  });
  const failed = await ask(to, 'GET', `${path}/deliveries?status=failed`);
  assert.deepEqual(failed.data, []);
}

/** What was tried, by the order in which it was first tried: a record has no gap, and never goes back. */
export function wantOrder(received: readonly Received[]): void {
  const first = new Map<string, number>();
  const tried = new Set<string>();
  for (const { id, body } of received) {
    if (tried.has(id)) continue;
    tried.add(id);
    const { record, version } = body.data;
    assert.equal(version, (first.get(record) ?? 0) + 1, 'a record has a gap, or went back');
    first.set(record, version);
  }
}
