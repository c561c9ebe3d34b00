/** Upserts of one record that arrive together are all merged, none is lost (decisions, "Merge"). */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shapes } from '../../src/core/registry.ts';
import { examples } from '../support/bodies.ts';
import { optionalsOf } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { barrier, exchange, type RawAnswer, rawRequest } from '../support/wire.ts';
import { type Sending, world } from '../support/world.ts';

const stage = world();
const SOCKETS = 100;

/** The record at a path, and what is sent of it. */
type Patch = readonly [on: string, as: string, members?: Body, key?: string | undefined];
const data = (index: number) => ({ additional_data: { [`k${index}`]: index } });
const metadata = (index: number, is: unknown = index) => ({
  additional_event_metadata: { [`k${index}`]: is },
});
/** Upserts on sockets of their own, which all send their last byte in the same moment. */
function many(patch: (index: number) => Patch): Promise<RawAnswer[]> {
  const { service, text } = stage;
  const together = barrier(SOCKETS);
  return Promise.all(
    Array.from({ length: SOCKETS }, async (_, index) => {
      const [on, as, members = {}, key = service.key] = patch(index);
      const body = text(on, members, as);
      const headers = {
        ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        'Content-Length': `${Buffer.byteLength(body)}`,
      };
      const line = `POST /v1/${on}/upsert`;
      const request = rawRequest(service, line, headers, body.slice(0, -1));
      const [answer] = await exchange(service.url, [request, body.slice(-1)], { together });
      assert.ok(answer !== undefined);
      return answer;
    }),
  );
}

function outcomesOf(answers: readonly RawAnswer[]): Record<string, number> {
  const groups = Object.groupBy(answers, ({ headers }) => headers['ledgerstone-outcome'] ?? 'none');
  return Object.fromEntries(
    Object.entries(groups).map(([outcome, all]) => [outcome, all?.length ?? 0]),
  );
}

/** How often the store has changed it. */
async function versionOf(resource: string, external_identifier: string) {
  const shape = shapes.find((one) => one.resource === resource);
  assert.ok(shape !== undefined);
  const { account, location: parent } = stage.parents;
  const pair = { account, parent, external_identifier };
  return (await stage.service.app.store.findPair(shape, pair))?.version;
}

describe('many sockets patch one record at once', () => {
  it('none of their members is lost, and every answer is the record as that patch left it', async () => {
    const on = 'online_arrangements';
    const first = await stage.upsert(on, { as: 'patched' });
    const { unique_identifier } = first.body;
    const answers = await many((index) => [on, 'patched', data(index)]);
    assert.deepEqual(outcomesOf(answers), { updated: SOCKETS });
    const sizes = new Set<number>();
    for (const [index, { status, body }] of answers.entries()) {
      assert.equal(status, 200);
      const { inserted_at } = first.body;
      assert.partialDeepStrictEqual(body, { unique_identifier, inserted_at, ...data(index) });
      sizes.add(Object.keys(body.additional_data).length);
    }
    // One after the other, in some order: each saw one member more than the one before.
    assert.equal(sizes.size, SOCKETS);
    const { body } = await stage.upsert(on, { as: 'patched' });
    const all = Array.from({ length: SOCKETS }, (_, index) => [`k${index}`, index]);
    assert.deepEqual(body.additional_data, Object.fromEntries(all));
    assert.equal(await versionOf('online_arrangement', 'patched'), 1 + SOCKETS);
  });

  it('documented objects, scalars and content of one record, by JSON and by form', async () => {
    const on = 'direct_mail_replies';
    const members = ['city', 'county', 'state', 'country', 'postal_code'];
    const ofPerson = ['full_name', 'email_address', 'birth_date'];
    const sent: Sending[] = [
      ...members.map((member) => ({ json: { respondent_address: { [member]: member } } })),
      ...ofPerson.map((member) => ({ form: `respondent_person[${member}]=${member}` })),
      ...members.map((key) => ({ json: { additional_metadata: { [key]: '' } } })),
    ];
    await Promise.all(sent.map((sending) => stage.upsert(on, { ...sending, as: 'parts' })));
    const { body } = await stage.upsert(on, { as: 'parts' });
    const named = (names: readonly string[], is = (name: string) => name) =>
      Object.fromEntries(names.map((name) => [name, is(name)]));
    assert.deepEqual(optionalsOf(on, body), {
      ...{ respondent_address: named(members), respondent_person: named(ofPerson) },
      additional_metadata: named(members, () => ''),
    });
  });

  it('what is the same from all is one change', async () => {
    const json = { event_name: 'Changed once' };
    await stage.upsert('events', { as: 'same' });
    const answers = await many(() => ['events', 'same', json]);
    assert.deepEqual(outcomesOf(answers), { updated: 1, unchanged: SOCKETS - 1 });
    assert.equal(await versionOf('event', 'same'), 2);
    for (const { body } of answers) assert.deepEqual(body, answers[0]?.body);
  });

  it('a patch that is refused touches no other', async () => {
    const on = 'online_arrangements';
    const additional_cart_metadata = { cart_value_in_cents: 1, cart_currency: 'USD' };
    await stage.upsert(on, { json: { additional_cart_metadata }, as: 'refused' });
    const answers = await many((index) => {
      const lost = {
        additional_data: { lost: index },
        additional_cart_metadata: { cart_currency: null },
      };
      return [on, 'refused', index % 2 === 0 ? data(index) : lost];
    });
    for (const [index, { status }] of answers.entries())
      assert.equal(status, index % 2 === 0 ? 200 : 400);
    const { body } = await stage.upsert(on, { as: 'refused' });
    assert.deepEqual(body.additional_cart_metadata, additional_cart_metadata);
    assert.equal(Object.keys(body.additional_data).length, SOCKETS / 2);
    assert.ok(!Object.hasOwn(body.additional_data, 'lost'));
    assert.equal(await versionOf('online_arrangement', 'refused'), 1 + SOCKETS / 2);
  });

  it('the limit holds for what all of them give together', async () => {
    const answers = await many((index) => ['events', 'limit', metadata(index, 'x'.repeat(1000))]);
    const taken = answers.filter(({ status }) => status === 200).length;
    // Each takes its key, its text, quotes, colon and comma: ten of them fit into 10,240 bytes.
    assert.equal(taken, 10);
    for (const { status, body } of answers) {
      if (status !== 200) assert.equal(body.error.code, 'value_too_large');
    }
    const { body } = await stage.upsert('events', { as: 'limit' });
    assert.equal(Object.keys(body.public_data.additional_event_metadata).length, 10);
  });
});

describe('many sockets create one pair at once', () => {
  for (const path of ['locations', 'events', 'event_administrators', 'online_arrangements']) {
    it(`${path}: there is one record, and exactly one answer says created`, async () => {
      const { secret } = await stage.service.newKey();
      const answers = await many((index) => [
        path,
        'created at once',
        {},
        index % 2 === 0 ? undefined : secret,
      ]);
      assert.deepEqual(outcomesOf(answers), { created: 1, unchanged: SOCKETS - 1 });
      for (const { body } of answers) assert.deepEqual(body, answers[0]?.body);
    });
  }

  it('each with something of its own: all of it is in the one record', async () => {
    const answers = await many((index) => ['events', 'mixed', metadata(index)]);
    assert.deepEqual(outcomesOf(answers), { created: 1, updated: SOCKETS - 1 });
    assert.equal(new Set(answers.map(({ body }) => body.unique_identifier)).size, 1);
    const { body } = await stage.upsert('events', { as: 'mixed' });
    assert.equal(Object.keys(body.public_data.additional_event_metadata).length, SOCKETS);
    assert.equal(await versionOf('event', 'mixed'), SOCKETS);
  });
});

describe('many sockets create many records at once', () => {
  it('each is made, with an identifier of its own', async () => {
    const answers = await many((index) => [
      'locations',
      `many ${index}`,
      { location_name: `Chapel ${index}` },
    ]);
    assert.deepEqual(outcomesOf(answers), { created: SOCKETS });
    assert.equal(new Set(answers.map(({ body }) => body.unique_identifier)).size, SOCKETS);
    for (const [index, { body }] of answers.entries()) {
      assert.deepEqual(
        [body.external_identifier, body.location_name],
        [`many ${index}`, `Chapel ${index}`],
      );
    }
    const { body } = await stage.service.get('/v1/locations?limit=1000');
    const listed = new Set(body.data.map((one: Body) => one.unique_identifier));
    for (const answer of answers) assert.ok(listed.has(answer.body.unique_identifier));
  });

  it('identifiers of one process ascend', async () => {
    const made: string[] = [];
    for (let index = 0; index < 30; index += 1)
      made.push((await stage.made('events', `ascending ${index}`)).unique_identifier);
    assert.deepEqual(made, made.toSorted());
  });

  it('an answered write is visible to the next request of any client', async () => {
    const locations = await many((index) => ['locations', `next ${index}`]);
    const events = await many((index) => {
      const location_unique_identifier = locations[index]?.body.unique_identifier;
      return ['events', `next ${index}`, { location_unique_identifier }];
    });
    assert.deepEqual(outcomesOf(events), { created: SOCKETS });
  });

  it('of all resources, with refused ones among them: each gets its own answer', async () => {
    const paths = examples.map(({ path }) => path);
    const answers = await many((index) => {
      const on = paths[index % paths.length] ?? '';
      return [on, `of all ${index}`, index % 7 === 0 ? { unknown: 1 } : {}];
    });
    for (const [index, { status, body }] of answers.entries()) {
      assert.equal(status, index % 7 === 0 ? 400 : 200);
      if (status === 200) assert.equal(body.external_identifier, `of all ${index}`);
    }
  });
});
