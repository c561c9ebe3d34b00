/** Whatever becomes of a receiver, of its endpoint and of the service: each notification that still means something arrives, in its record's order. */
// needs: both stores with --all, waits, long

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../support/all.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { until } from '../support/until.ts';
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { world } from '../support/world.ts';

const PATH = '/v1/webhook_endpoints';
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** What a receiver does not take. */
const DISLIKES: Readonly<Record<string, (told: Body) => boolean>> = {
  nothing: () => false,
  everything: () => true,
  created: ({ type }) => type.endsWith('.created'),
  updated: ({ type }) => type.endsWith('.updated'),
  'one record': ({ data }) => data.record_now?.external_identifier.endsWith('0') === true,
  long: ({ data }) => (data.record_now?.event_name?.length ?? 0) > 100,
};
const ANSWERS = [400, 404, 413, 422, 429, 500, 502, 503] as const;

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('write'), which: fc.nat(3), long: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove'), which: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('erase'), which: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('dislike'),
      what: fc.constantFrom(...Object.keys(DISLIKES)),
      says: fc.constantFrom(...ANSWERS),
      pause: fc.constantFrom(undefined, '60', '7200'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('wait'), minutes: fc.constantFrom(1, 10, 300) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom('rotate', 'move', 'stop', 'restart', 'lose') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

/** What a page of plain code expects of all that was told, and of what became of the rest. */
function assertTold(
  changes: readonly Body[],
  taken: readonly Received[],
  failed: readonly Body[],
): void {
  const byRecord = Map.groupBy(changes, ({ record }) => record);
  const first = new Map<string, number>();
  for (const [at, { id }] of taken.entries()) if (!first.has(id)) first.set(id, at);
  const given = new Map(failed.map((one) => [one.change, one]));
  for (const [record, own] of byRecord) {
    let last = -1;
    for (const [nth, change] of own.entries()) {
      const { unique_identifier: id, outcome } = change;
      const at = first.get(id);
      if (at !== undefined) {
        assert.ok(at > last, `${record}: ${outcome} came before what was done earlier`);
        last = at;
        continue;
      }
      const why = given.get(id);
      assert.ok(why, `${record}: ${outcome} was neither taken nor given up`);
      const isOver = own.slice(nth + 1).some((one) => /deleted|erased/.test(one.outcome));
      const isSpent = why.attempts === 10;
      assert.ok(isOver || isSpent, `${record}: ${outcome} was given up: ${JSON.stringify(why)}`);
    }
  }
}

describe('An endpoint', () => {
  let clock = 0;
  const on = world({ settings: keyed(), now: () => Date.now() + clock, store: serviceGround });

  async function run(steps: readonly Step[], nth: number): Promise<void> {
    const { service } = on;
    const taken: Received[] = [];
    let dislikes = (_: Body): boolean => false;
    let answer: number | { status: number; headers: Record<string, string> } = 400;
    const receivers: Receiver[] = [];
    const receive = async (): Promise<Receiver> => {
      const receiver = await startReceiver();
      receiver.answer = (one) => {
        if (dislikes(one.body)) return answer;
        taken.push(one);
        return 204;
      };
      receivers.push(receiver);
      return receiver;
    };
    const { url } = await receive();
    const { position } = await on.read('/v1/changes?starting_after=now');
    const made = await on.ok(
      PATH,
      { url, payload: 'full', notifications: ['event.*'] },
      on.officer,
    );
    const at = `${PATH}/${made.unique_identifier}`;
    const patch = (body: Body) => on.ok(at, body, on.officer, 'PATCH');
    const listed = async (status: string): Promise<Body[]> =>
      (await on.read(`${at}/deliveries?limit=1000&status=${status}`)).data;
    const ids: string[] = [];
    let name = 0;
    for (const one of steps as readonly Body[]) {
      const id = ids[one.which];
      if (one.does === 'write') {
        name += 1;
        const event_name = `Name ${name}${one.long ? 'x'.repeat(200) : ''}`;
        const row = eventBody(on.location, `model-${nth}-${one.which}`, { event_name });
        const { status, body } = await service.json('/v1/events/upsert', row);
        if (status === 200) ids[one.which] = body.unique_identifier;
        else assert.equal(body.error.code, 'record_erased');
      } else if (one.does === 'remove' && id !== undefined) {
        await service.send('DELETE', `/v1/events/${id}`);
      } else if (one.does === 'erase' && id !== undefined) {
        if ((await service.get(`/v1/events/${id}`)).status === 200) await on.erase(id);
      } else if (one.does === 'dislike') {
        dislikes = DISLIKES[one.what] as typeof dislikes;
        answer =
          one.pause === undefined
            ? one.says
            : { status: one.says, headers: { 'Retry-After': one.pause } };
      } else if (one.does === 'wait') clock += one.minutes * MINUTE;
      else if (one.does === 'rotate') await on.ok(`${at}/rotate_secret`, {}, on.officer);
      else if (one.does === 'move') await patch({ url: (await receive()).url });
      else if (one.does === 'stop') {
        await patch({ status: 'paused' });
        await patch({ status: 'enabled' });
      } else if (one.does === 'restart') await on.restart();
      // As after a kill: nothing that was not stored is known by who goes on.
      else if (one.does === 'lose') await service.app.store.webhooks.releaseAll();
    }
    dislikes = () => false;
    const feed = await on.read('/v1/changes?starting_after=now');
    await until(async () => {
      // Whatever waits for its next try, or for the end of a pause.
      if ((await on.read(at)).status === 'disabled') await patch({ status: 'enabled' });
      if ((await listed('pending')).length > 0) clock += DAY;
      return (
        (await listed('pending')).length === 0 && (await on.read(at)).position === feed.position
      );
    });
    const changes: Body[] = [];
    for (let from = position; from !== feed.position; ) {
      const page = await on.read(`/v1/changes?resource[]=event&limit=1000&starting_after=${from}`);
      changes.push(...page.data);
      from = page.position;
      if (page.data.length === 0) break;
    }
    assertTold(changes, taken, await listed('failed'));
    await service.send('DELETE', at, { key: on.officer });
    for (const receiver of receivers) await receiver.close();
  }

  it('is sent each notification that still means something, in its order', async () => {
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) =>
        run(steps, ++nth),
      ),
      { numRuns: ALL ? 100 : 10, endOnFailure: true },
    );
  });
});
