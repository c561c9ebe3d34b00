/** Who refuses calls on a card is in the register of whom nobody is to contact, and what its words do not tell is said to be left out. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedIn } from '../../support/console.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';

describe('A refusal on a card', () => {
  const on = world({ settings: keyed() }, async ({ read }) => void (await read(PATH)));
  const { service } = on;
  let made = 0;
  const number = () => `415555${String(1_000 + made).padStart(4, '0')}`;
  const card = (ticks: object, more: object = {}): Promise<Body> => {
    made += 1;
    const respondent_person = { full_name: `Person ${made}`, phone_number1: number(), ...more };
    return on.made('direct_mail_replies', `card ${made}`, {
      respondent_person,
      additional_metadata: ticks,
    });
  };
  const followUps = async (record: string): Promise<readonly Body[]> =>
    (await on.read(`${PATH}?record=${record}`)).data;
  const entries = async (phone: string): Promise<readonly Body[]> =>
    (await on.read(`/v1/do_not_contact?phone_number=${phone}`)).data;
  /** All that was sent before is followed once a card that asks for a call is. */
  const followed = async (): Promise<void> => {
    const { unique_identifier } = await card({ 'Please call me': 'x' });
    await until(async () => (await followUps(unique_identifier)).length === 1);
  };

  it('opens nothing, and is entered with their number, for calls or for all', async () => {
    const cases: Readonly<Record<string, readonly string[] | null>> = {
      'Do not call': ['calls'],
      'No phone calls please': ['calls'],
      "Don't phone me": ['calls'],
      no_llamar: ['calls'],
      'Ne pas appeler': ['calls'],
      keineAnrufe: ['calls'],
      'Do not contact me': null,
    };
    for (const [name, channels] of Object.entries(cases)) {
      const { unique_identifier: record } = await card({ [name]: 'X' });
      const phone = number();
      await until(async () => (await entries(phone)).length > 0);
      const [entry] = await entries(phone);
      assert.deepEqual(
        [entry?.source, entry?.record, entry?.channels],
        ['record', record, channels],
        name,
      );
      assert.deepEqual(await followUps(record), []);
      const path = `/v1/direct_mail_replies/${record}?expand[]=do_not_contact`;
      assert.equal((await on.read(path)).do_not_contact, true);
      // Their number is theirs on every record.
      const { unique_identifier: visitor } = await on.visit(name, {
        visitor_phone_number: `+1${phone}`,
      });
      const claim = await service.json(PATH, { record: visitor }, { key: on.officer });
      assert.equal(claim.body.error?.code, 'do_not_contact', claim.text);
    }
  });

  it('is heard from whoever reads it, and of a number that is read later', async () => {
    const person = await signedIn(service);
    const { unique_identifier: record } = await card({}, { phone_number1: null });
    const path = `/v1/direct_mail_replies/${record}`;
    const patch = async (body: Body) =>
      assert.equal((await person.send('PATCH', path, body)).status, 200);
    await patch({ additional_metadata: { 'Do not call': '✓' } });
    const isSaid = async () => (await on.read(`${path}?expand[]=do_not_contact`)).do_not_contact;
    await until(async () => (await isSaid()) === true);
    await patch({ respondent_person: { phone_number1: '4155552999' } });
    await until(async () => (await entries('4155552999')).length === 1);
  });

  it('stays lifted whatever else is written to the card', async () => {
    const { unique_identifier: record } = await card({ 'Do not call': 'x' });
    const phone = number();
    await until(async () => (await entries(phone)).length === 1);
    const [entry] = await entries(phone);
    const lifted = await service.json(
      `/v1/do_not_contact/${entry?.unique_identifier}/lift`,
      { reason: 'They called us' },
      { key: on.officer },
    );
    assert.equal(lifted.status, 200, lifted.text);
    const path = `/v1/direct_mail_replies/${record}`;
    await service.patch(path, { additional_metadata: { Veteran: 'x' } });
    await service.patch(path, { respondent_person: { full_name: 'Another Name' } });
    await followed();
    assert.deepEqual(await entries(phone), []);
  });

  it('is none where it is not ticked, and what the words do not tell is left out by that reason', async () => {
    const before = (await on.read(PATH)).left_out.unclear ?? 0;
    const quiet = [
      await card({ 'Do not call': 'no' }),
      await card({ 'Do not call': '' }),
      await card({ 'Home phone': 'x' }),
      await card({ 'Do not call before 9': 'x' }),
    ];
    const phones = [0, 1, 2, 3].map((at) => `415555${1_000 + made - at}`);
    await followed();
    for (const phone of phones) assert.deepEqual(await entries(phone), []);
    for (const { unique_identifier } of quiet)
      assert.deepEqual(await followUps(unique_identifier), []);
    assert.equal((await on.read(PATH)).left_out.unclear - before, 2);
  });
});
