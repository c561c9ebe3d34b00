/** What the words of a tick do not tell, a person says once, for cards that are there and for those that come. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';
const TICKS = '/v1/ticks';

describe('What a tick means', () => {
  const on = world({ settings: keyed() }, async ({ read }) => void (await read(TICKS)));
  const { service } = on;
  let made = 0;
  const numbers = new Map<string, string>();
  const card = async (ticks: object): Promise<Body> => {
    made += 1;
    const phone_number1 = `415555${String(1_000 + made).padStart(4, '0')}`;
    const one = await on.made('direct_mail_replies', `card ${made}`, {
      respondent_person: { full_name: `Person ${made}`, phone_number1 },
      additional_metadata: ticks,
    });
    numbers.set(one.unique_identifier, phone_number1);
    return one;
  };
  const followUps = async (record: string): Promise<readonly Body[]> =>
    (await on.read(`${PATH}?record=${record}`)).data;
  const entries = async ({ unique_identifier: id }: Body): Promise<readonly Body[]> =>
    (await on.read(`/v1/do_not_contact?phone_number=${numbers.get(id)}`)).data;
  const ticks = async (query = ''): Promise<readonly Body[]> =>
    (await on.read(`${TICKS}?limit=1000${query}`)).data;
  const unsaid = () => ticks('&meaning=unsaid');
  const leftOut = async () => (await on.read(PATH)).left_out;
  const named = async (name: string): Promise<Body> => {
    const found = async () => (await ticks()).find((one) => one.name === name);
    await until(async () => (await found()) !== undefined);
    return (await found()) as Body;
  };
  const say = (id: string, meaning: string, key = on.officer) =>
    service.send('PATCH', `${TICKS}/${id}`, {
      key,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ meaning }),
    });
  const said = async (name: string, meaning: string): Promise<Body> => {
    const { unique_identifier: id } = await named(name);
    const answer = await say(id, meaning);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  /** All that was sent before is followed once a card that asks for a call is. */
  const followed = async (): Promise<void> => {
    const { unique_identifier } = await card({ 'Please call me': 'x' });
    await until(async () => (await followUps(unique_identifier)).length === 1);
  };

  it('is asked once for each name, however it is spelt', async () => {
    const spelt = ['Home phone', 'home_phone', 'HOME-PHONE', ' home  phone! '];
    for (const name of spelt) await card({ [name]: 'x' });
    await card({ 'Home phone': 'no', 'Likes coffee': 'x', 'Please call me': 'x' });
    await followed();
    const all = await unsaid();
    assert.deepEqual(
      all.map(({ cards, meaning, said_by }) => ({ cards, meaning, said_by })),
      [{ cards: spelt.length, meaning: null, said_by: null }],
    );
    assert.deepEqual(await leftOut(), { unclear: spelt.length });
  });

  it('is a wish for a call on cards that are there, and on those that come', async () => {
    const earlier = await card({ 'Phone number is right': 'yes' });
    const other = await card({ 'Phone number is right': 'yes', 'Do not contact me': 'x' });
    const none = await card({ 'Phone number is right': 'no' });
    const one = await said('Phone number is right', 'call');
    assert.equal(one.meaning, 'call');
    assert.ok(one.said_by.startsWith('key_') && one.said_at !== null);
    const later = await card({ phone_number_is_right: '✓' });
    for (const { unique_identifier: id } of [earlier, later]) {
      await until(async () => (await followUps(id)).length === 1);
      assert.equal((await followUps(id))[0]?.reason, 'asked_for_call');
    }
    for (const { unique_identifier: id } of [other, none])
      assert.deepEqual(await followUps(id), []);
    // What was closed stays so, whatever is said anew.
    const [begun] = await followUps(earlier.unique_identifier);
    await on.ok(`${PATH}/${begun?.unique_identifier}/close`, { outcome: 'done' }, on.officer);
    await said('phone_number_is_right', 'nothing');
    await said('phone_number_is_right', 'call');
    await followed();
    const state = async () => (await followUps(earlier.unique_identifier)).map((it) => it.state);
    assert.deepEqual(await state(), ['closed']);
  });

  for (const [meaning, channels] of [
    ['no_call', ['calls']],
    ['no_contact', null],
  ] as const)
    it(`is a refusal for all who ticked it: ${meaning}`, async () => {
      const name = `Number to phone on ${meaning === 'no_call' ? 'Sundays' : 'Mondays'}`;
      const earlier = await card({ [name]: 'x' });
      const read = { [name]: 'x', 'Please call me': 'x' };
      const asking = await card(read);
      await until(async () => (await followUps(asking.unique_identifier)).length === 1);
      assert.deepEqual(await entries(earlier), []);
      await said(name, meaning);
      const later = await card({ [name.toUpperCase()]: 'x' });
      for (const one of [earlier, asking, later]) {
        await until(async () => (await entries(one)).length === 1);
        const [entry] = await entries(one);
        assert.deepEqual([entry?.channels, entry?.source], [channels, 'record']);
      }
      assert.deepEqual(await followUps(later.unique_identifier), []);
      assert.equal((await followUps(asking.unique_identifier))[0]?.state, 'closed');
    });

  it('is nothing where that is said, and is no longer counted', async () => {
    const before = (await leftOut()).unclear ?? 0;
    const one = await card({ 'Already called': 'x' });
    await named('Already called');
    assert.equal((await leftOut()).unclear, before + 1);
    await said('Already called', 'nothing');
    assert.equal((await leftOut()).unclear ?? 0, before);
    await followed();
    assert.deepEqual(await followUps(one.unique_identifier), []);
    assert.deepEqual(await entries(one), []);
  });

  it('is done for every page of earlier cards', async () => {
    const all: Body[] = [];
    for (let lot = 0; lot < 25; lot += 1)
      all.push(
        ...(await Promise.all(Array.from({ length: 20 }, () => card({ 'Work phone': 'x' })))),
      );
    await until(async () => (await named('Work phone')).cards === all.length);
    await said('Work phone', 'call');
    for (const { unique_identifier: id } of all)
      await until(async () => (await followUps(id)).length === 1);
  });

  it('outlives its cards; an erasure takes the text, and no other', async () => {
    const alone = 'Phone of the neighbour';
    const one = await card({ [alone]: 'x' });
    await named(alone);
    await on.erase(one.unique_identifier);
    assert.ok(
      !(await ticks()).some(
        ({ name, record }) => name === alone || record === one.unique_identifier,
      ),
    );
    const last = await card({ 'Home phone': 'x' });
    const home = await named('Home phone');
    assert.equal(home.record, last.unique_identifier);
    await said('Home phone', 'nothing');
    await on.erase(last.unique_identifier);
    assert.equal(
      (await ticks()).find(({ name }) => name === 'Home phone'),
      undefined,
    );
    await card({ 'HOME PHONE': 'x' });
    assert.equal((await named('HOME PHONE')).meaning, 'nothing');
  });

  it('is said by whoever sees all cards of the account', async () => {
    const { unique_identifier: id } = await named('Work phone');
    const may = { permissions: ['read'], allow: ['follow_up'] } as const;
    const limits = [
      { ...may, anchors: [on.location] },
      { ...may, resources: ['direct_mail_replies'] },
    ];
    for (const limit of limits) {
      const { secret } = await service.newKey(limit);
      assert.equal((await say(id, 'nothing', secret)).body.error?.code, 'whole_account_needed');
      const listed = await service.send('GET', TICKS, { key: secret });
      assert.equal(listed.status, 403);
    }
    const answer = await say(id, 'perhaps');
    assert.equal(answer.body.error?.param, 'meaning');
    assert.equal((await say('tck_0350hLTg4Qw7ghih1EWE8N', 'call')).status, 404);
  });

  it('takes any text for a name, and asks about no more than 500', async () => {
    const odd = ['phone \u0001 \u202e?', 'téléphone\n\t№ 5', 'phone '.repeat(80), 'phone 📞'];
    for (const name of odd) await card({ [name]: 'x' });
    await followed();
    const before = (await ticks()).length;
    for (let lot = 0; lot < 6; lot += 1)
      await card(
        Object.fromEntries(Array.from({ length: 95 }, (_, at) => [`phone ${lot * 100 + at}`, 'x'])),
      );
    await followed();
    assert.ok(before >= odd.length);
    // One of them has no text any more.
    assert.equal((await ticks()).length, 499);
    assert.ok((await leftOut()).unclear > 500);
  });
});
