/** A repeated request has the answer of the first one, whatever was done to its record since: it comes from the log. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createReplay } from '../../src/records/ingest/one/replay.ts';
import { followed } from '../../src/store/follow.ts';
import type { LoggedChange } from '../../src/store/promises/log.ts';
import type { StoredRecord } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { keyed } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import { type Answer, joinService, type Service } from '../support/service.ts';
import { refused, world } from '../support/world.ts';

const PATH = '/v1/event_check_in_records';
const HEADERS = ['ledgerstone-outcome', 'ledgerstone-kept', 'ledgerstone-removed', 'etag'];

let count = 0;
function newName(): string {
  count += 1;
  return `replayed-${count}`;
}

function assertReplayOf(first: Answer, again: Answer, what: string): void {
  assert.equal(again.status, 200, `${what}: ${again.text}`);
  assert.equal(again.text, first.text, what);
  for (const name of HEADERS)
    assert.equal(again.headers.get(name), first.headers.get(name), `${what}: ${name}`);
  assert.equal(again.headers.get('idempotent-replayed'), 'true', what);
}

const members = fc.record(
  {
    visitor_full_name: fc.constantFrom('Ann Example', 'Bo Example', 'Cy Example'),
    visitor_phone_number: fc.constantFrom('+14155550123', '+14155550199', null),
    visitor_relationship_to_deceased: fc.constantFrom('friend', 'niece', '', null),
    visitor_address: fc.option(
      fc.record({ city: fc.constantFrom('Austin', 'Reno') }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: [] },
);
const step = fc.record({
  what: fc.constantFrom('upsert', 'patch', 'correct', 'remove', 'restore', 'decide', 'lift'),
  which: fc.nat(1),
  sent: members,
  nth: fc.nat(9),
  isKeyed: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

/** Carries out steps, and gives what repeats each request that was answered 200, with its answer. */
async function done(service: Service, steps: readonly Step[]) {
  const event = await service.event(await service.location());
  const { secret: staff } = await service.newKey({ allow: ['pin'] });
  const names = ['a', 'b'].map((name) => `${name} ${newName()}`);
  const ids: string[] = [];
  const sendings: { what: string; first: Answer; again: () => Promise<Answer>; id: string }[] = [];
  for (const { what, which, sent, nth, isKeyed } of steps) {
    const id = ids[which];
    const headers = isKeyed ? { 'Idempotency-Key': newName() } : {};
    const key = what === 'correct' ? staff : service.key;
    const whole: Readonly<Record<string, () => Promise<Answer>>> = {
      upsert: () => {
        const row = visitorBody(event, names[which] ?? '', { visitor_full_name: 'Ann', ...sent });
        return service.json(`${PATH}/upsert`, row, { headers });
      },
      patch: () => service.patch(`${PATH}/${id}`, sent, { headers }),
      correct: () => service.patch(`${PATH}/${id}`, sent, { key, headers }),
      remove: () => service.send('DELETE', `${PATH}/${id}`, { headers }),
      restore: () => service.json(`${PATH}/${id}/restore`, { version: 1 + nth }, { headers }),
      decide: async () => {
        const { body } = await service.get(`/v1/proposals?record=${id}`);
        const proposal = body.data[nth]?.unique_identifier;
        const as = nth % 2 === 0 ? 'accept' : 'reject';
        return service.send('POST', `/v1/proposals/${proposal}/${as}`, { key: staff });
      },
      lift: () => service.send('DELETE', `${PATH}/${id}/pins/visitor_phone_number`, { key: staff }),
    };
    if (id === undefined && what !== 'upsert') continue;
    const again = whole[what] as () => Promise<Answer>;
    const first = await again();
    if (first.status !== 200) continue;
    if (what === 'upsert') ids[which] = first.body.unique_identifier;
    const isRepeatable = isKeyed && what !== 'decide' && what !== 'lift';
    const of = ids[which] as string;
    if (isRepeatable) sendings.push({ what, first, again, id: of });
  }
  return sendings;
}

describe('A request that is repeated', () => {
  it('after any other changes, removals, corrections and restores', async () => {
    const service = await joinService();
    const run = async (steps: readonly Step[]): Promise<void> => {
      for (const { what, first, again, id } of await done(service, steps)) {
        const isThere = (await service.get(`${PATH}/${id}`)).status === 200;
        if (isThere || what === 'remove') assertReplayOf(first, await again(), what);
        else refused(await again(), 404, 'resource_missing');
      }
    };
    const steps = fc.array(step, { minLength: 20, maxLength: 60 });
    const first = { what: 'upsert', which: 0, sent: {}, nth: 0, isKeyed: true } as const;
    await fc.assert(
      fc.asyncProperty(steps, (some) => run([first, ...some])),
      { numRuns: ALL ? 60 : 12, endOnFailure: true },
    );
  });

  it('a restore: it left the same corrected members, whatever became of those since', async () => {
    const service = await joinService();
    const { secret: staff } = await service.newKey({ allow: ['pin'] });
    const event = await service.event(await service.location());
    const sent = { visitor_full_name: 'Ann Example', visitor_relationship_to_deceased: 'friend' };
    const corrected = {
      visitor_full_name: 'Ann Sample',
      visitor_relationship_to_deceased: 'niece',
    };
    for (const isConditional of [false, true]) {
      const row = visitorBody(event, newName(), sent);
      const { body } = await service.json(`${PATH}/upsert`, row);
      const path = `${PATH}/${body.unique_identifier}`;
      const change = (json: Record<string, unknown>, version: number) =>
        service.patch(path, json, { key: staff, headers: { 'If-Match': `"${version}"` } });
      assert.equal((await change(corrected, 1)).status, 200);
      const phone = { visitor_phone_number: '+14155550123' };
      assert.equal((await service.patch(path, phone)).status, 200);
      const only = isConditional ? { 'If-Match': '"3"' } : undefined;
      const headers = { 'Idempotency-Key': newName(), ...only };
      const again = () => service.json(`${path}/restore`, { version: 1 }, { headers });
      const first = await again();
      assert.equal(first.status, 200, first.text);
      const kept = Object.keys(corrected).join(', ');
      assert.equal(first.headers.get('ledgerstone-kept'), kept);
      for (const [at, name] of Object.keys(corrected).entries()) {
        assertReplayOf(first, await again(), `restored, ${at}`);
        const { [name as keyof typeof sent]: was } = sent;
        assert.equal((await change({ [name]: was }, 4 + at)).status, 200);
      }
      assertReplayOf(first, await again(), 'restored, with nothing corrected any more');
    }
  });

  it('beyond what one request may read: it has the record as it is now', async () => {
    const now = { account: 'acct_1', unique_identifier: 'evt_1', document: '{"a":"now"}' };
    const record = { ...now, version: 30_000, position: 30_000, inserted_at: 1 } as StoredRecord;
    let read = 0;
    const of = async ({ position, limit }: { position: number; limit: number }) => {
      read += limit;
      return Array.from({ length: limit }, (_, at): LoggedChange => {
        const version = position - at;
        const change = { outcome: 'updated', version, before: version - 1, content: '{"a":"x"}' };
        return change as LoggedChange;
      });
    };
    const replay = createReplay({ log: followed({ of } as never), erasing: {} } as never);
    assert.equal((await replay('key_1', { record, version: 29_000 }))?.document, '{"a":"x"}');
    read = 0;
    const found = await replay('key_1', { record, version: 1 });
    assert.deepEqual([found?.document, found?.version], ['{"a":"now"}', 30_000]);
    assert.ok(read <= 10_100, `${read} changes were read`);
  });
});

describe('Without the content of earlier versions', () => {
  const short = world({ settings: { history_days: '0' } });

  it('HISTORY_DAYS=0: a repetition after another change has the record as it is now', async () => {
    const headers = { 'Idempotency-Key': newName() };
    const first = await short.upsert('events', { as: 'one', headers });
    assert.equal(first.status, 200, first.text);
    const again = () => short.upsert('events', { as: 'one', headers });
    assertReplayOf(first, await again(), 'unchanged since');
    const now = await short.upsert('events', { as: 'one', json: { event_name: 'Later' } });
    assert.equal(now.headers.get('ledgerstone-outcome'), 'updated', now.text);
    const replayed = await again();
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    assert.equal(replayed.headers.get('ledgerstone-outcome'), 'created');
    assert.deepEqual(
      [replayed.text, replayed.headers.get('etag')],
      [now.text, now.headers.get('etag')],
    );
    assert.equal(
      (await short.upsert('events', { as: 'one', json: { event_name: 'Later' } })).headers.get(
        'ledgerstone-outcome',
      ),
      'unchanged',
    );
  });
});

describe('After an erasure', () => {
  const erasing = world({ settings: keyed() });
  const MARK = 'Quillfeather';
  const visit = (event: string, as: string, name: string, headers: Record<string, string>) =>
    erasing.service.json(`${PATH}/upsert`, visitorBody(event, as, { visitor_full_name: name }), {
      headers,
    });
  const named = () => ({ 'Idempotency-Key': newName() });

  it('no repetition says anything of who was erased, removed before or not', async () => {
    const { service, event } = erasing;
    const repeats: (() => Promise<Answer>)[] = [];
    const records: string[] = [];
    for (const [as, isRemoved] of [
      ['there', false],
      ['gone', true],
    ] as const) {
      let id = '';
      for (const nth of [1, 2, 3]) {
        const headers = named();
        const send = () => visit(event, as, `${MARK} ${nth}`, headers);
        const { body, status } = await send();
        assert.equal(status, 200);
        id = body.unique_identifier;
        repeats.push(send);
      }
      const headers = named();
      const change = () =>
        service.patch(`${PATH}/${id}`, { visitor_full_name: `${MARK} 4` }, { headers });
      assert.equal((await change()).status, 200);
      repeats.push(change);
      if (isRemoved) await service.send('DELETE', `${PATH}/${id}`);
      records.push(id);
    }
    assert.equal((await erasing.erase(...records)).status, 'done');
    for (const again of repeats) {
      const answer = await again();
      refused(answer, 410, 'record_erased');
      assert.ok(!answer.text.includes(MARK), answer.text);
    }
  });

  it('of a service that stays redacted, for what belongs to it', async () => {
    const { service } = erasing;
    const headers = named();
    const json = { event_name: `In memory of ${MARK}` };
    const send = () => erasing.upsert('events', { as: 'redacted', json, headers });
    const { body } = await send();
    const change = named();
    const path = `/v1/events/${body.unique_identifier}`;
    const patch = () => service.patch(path, { event_name: `For ${MARK}` }, { headers: change });
    assert.equal((await patch()).status, 200);
    assert.equal((await visit(body.unique_identifier, 'beside', 'Another', {})).status, 200);
    const left = await erasing.erase(body.unique_identifier);
    assert.equal(left.status, 'done', JSON.stringify(left));
    for (const again of [send, patch]) {
      const answer = await again();
      refused(answer, 410, 'record_erased');
      assert.ok(!answer.text.includes(MARK), answer.text);
    }
  });

  it('of the past alone: a repetition has the record as it is now', async () => {
    const { event } = erasing;
    const headers = named();
    const send = () => visit(event, 'corrected', `${MARK} wrong`, headers);
    const first = await send();
    const now = await visit(event, 'corrected', 'Right Name', {});
    const { unique_identifier: id } = first.body;
    const { unique_identifier: erasure } = await erasing.begin([id]);
    const done = await erasing.run(erasure, [id], { keep: 'current' });
    assert.deepEqual([done.status, done.past_only], ['done', [id]]);
    const again = await send();
    assert.equal(again.status, 200, again.text);
    assert.equal(again.text, now.text);
    assert.ok(!again.text.includes(MARK));
  });
});
