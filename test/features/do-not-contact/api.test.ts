/** Whom nobody is to contact is entered, asked and lifted, and outlives the record that it was said of. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isFiller } from '../../../src/features/do-not-contact/store/fillers.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { refused, world } from '../../support/world.ts';

const PATH = '/v1/do_not_contact';
const clock = { now: Date.parse('2027-01-13T15:00:00Z') };

describe('The register of whom nobody is to contact', () => {
  const on = world({ settings: keyed(), now: () => clock.now });
  const post = (path: string, body: object, key = on.officer) =>
    on.service.json(path, body, { key });
  const enter = (body: object): Promise<Body> => on.ok(PATH, body, on.officer);
  const asked = async (query: string): Promise<readonly Body[]> =>
    (await on.read(`${PATH}?${query}`)).data;
  const visitor = async (name: string, number: string, more: object = {}): Promise<string> =>
    (await on.visit(name, { visitor_phone_number: number, ...more })).unique_identifier;
  const says = async (record: string): Promise<boolean> =>
    (await on.read(`/v1/event_check_in_records/${record}?expand[]=do_not_contact`)).do_not_contact;

  it('enters a number, an address, and the person of a record; asks of each; and lifts', async () => {
    const one = await enter({
      phone_number: '(415) 555-0101',
      reason: 'asked',
      channels: ['calls'],
    });
    assert.deepEqual(pluck([one], 'object', 'kind', 'value', 'channels', 'reason', 'source'), [
      ['do_not_contact', 'phone', '+14155550101', ['calls'], 'asked', 'request'],
    ]);
    const again = await enter({ phone_number: '+14155550101' });
    assert.equal(again.unique_identifier, one.unique_identifier);
    assert.equal(again.channels, null, 'all of them');
    for (const query of [
      'phone_number=%2B14155550101',
      'phone_number=+14155550101',
      'phone_number=4155550101',
    ])
      assert.equal((await asked(query)).length, 1, query);
    const mail = await enter({ email_address: ' Jane@Example.org ' });
    assert.equal(mail.value, 'jane@example.org');
    assert.deepEqual(pluck(await asked('email_address=JANE@example.org'), 'kind'), ['email']);
    assert.deepEqual(await asked('phone_number=4155550199'), []);

    const record = await visitor('Said', '+14155550102', {
      visitor_email_address: 'said@example.org',
    });
    const other = await visitor('Other', '+14155550102');
    const said = await enter({ record });
    assert.deepEqual(pluck([said], 'kind', 'value', 'record'), [['record', record, record]]);
    assert.equal((await asked(`record=${record}`)).length, 3);
    assert.deepEqual([await says(record), await says(other)], [true, true]);
    const [phone] = await asked('phone_number=4155550102');
    const lifted = await on.ok(
      `${PATH}/${phone?.unique_identifier}/lift`,
      { reason: 'they called' },
      on.officer,
    );
    assert.deepEqual(pluck([lifted], 'lifted_because'), ['they called']);
    assert.equal(await says(other), false);
    assert.equal(await says(record), true, 'by its address');
    assert.equal((await asked('phone_number=4155550102&lifted=true')).length, 1);
    const [address] = await asked('email_address=said@example.org');
    await on.ok(`${PATH}/${address?.unique_identifier}/lift`, { reason: 'they wrote' }, on.officer);
    assert.equal(await says(record), false);
  });

  it('says what is wrong with what is sent', async () => {
    for (const phone_number of ['none', '5555555555', '555-0123', '+1415'])
      refused(await post(PATH, { phone_number }), 400, 'value_invalid', 'phone_number');
    for (const email_address of ['N/A', 'unknown@example.com', 'a b'])
      refused(await post(PATH, { email_address }), 400, 'value_invalid', 'email_address');
    refused(await post(PATH, {}), 400, 'parameter_missing');
    const both = { phone_number: '4155550101', email_address: 'a@b.org' };
    refused(await post(PATH, both), 400, 'parameters_conflict', 'record');
    const past = { phone_number: '4155550104', until: '2020-01-01T00:00:00Z' };
    refused(await post(PATH, past), 400, 'value_invalid', 'until');
    refused(await post(PATH, { record: on.event }), 404, 'resource_missing', 'record');
  });

  it('takes a list, and names what it refuses by its place', async () => {
    const entries = [
      { phone_number: '4155550111' },
      { phone_number: 'none' },
      { email_address: 'list@example.org', reason: 'a provider' },
      { phone_number: '+14155550111' },
    ];
    const { body } = await post(`${PATH}/add_many`, { entries });
    assert.equal(body.added, 2);
    assert.deepEqual(pluck(body.refused, 'row', 'param'), [[2, 'phone_number']]);
    assert.deepEqual(pluck(await asked('phone_number=4155550111'), 'source'), ['list']);
  });

  it('ends with its time', async () => {
    const record = await visitor('Timed', '+14155550121');
    await enter({ phone_number: '+14155550121', until: '2027-02-01T00:00:00Z' });
    assert.equal(await says(record), true);
    clock.now = Date.parse('2027-02-01T00:00:00Z');
    assert.equal(await says(record), false);
    const later = await enter({ phone_number: '+14155550121' });
    assert.equal(later.until, null);
    assert.equal(await says(record), true);
  });

  it('answers callers of some locations of one person, and not all', async () => {
    const { secret } = await on.service.newKey({
      anchors: [on.location],
      allow: ['do_not_contact'],
    });
    await enter({ phone_number: '+14155550131' });
    const { status, body } = await on.service.get(PATH, { key: secret });
    assert.deepEqual([status, body.error.code], [403, 'whole_account_needed']);
    const found = await on.read(`${PATH}?phone_number=4155550131`, secret);
    assert.equal(found.data.length, 1);
    const { secret: without } = await on.service.newKey({});
    assert.equal((await on.service.get(PATH, { key: without })).status, 403);
  });

  it('keeps a hash of whom is erased, and no more, and still says no', async () => {
    const number = '+14155550141';
    const record = await visitor('Erased', number, { visitor_email_address: 'gone@example.org' });
    await enter({ record, reason: 'her daughter asked' });
    await enter({ phone_number: '+14155550142', reason: 'somebody else' });
    await on.erase(record);
    const text = JSON.stringify(await on.read(`${PATH}?limit=1000`));
    for (const one of [number, 'gone@example.org', 'daughter', record])
      assert.ok(!text.includes(one), one);
    const [entry] = await asked(`phone_number=${number.slice(2)}`);
    assert.deepEqual(pluck([entry ?? {}], 'kind', 'value', 'record', 'reason'), [
      ['phone', null, null, null],
    ]);
    assert.match(entry?.hashed_with, /^[0-9a-f]{8}$/);
    assert.equal(await says(await visitor('Again', number)), true);
    assert.equal((await asked('phone_number=4155550142'))[0]?.value, '+14155550142');
  });

  it('hashes what was entered without a record, too, when its person is erased', async () => {
    const number = '+14155550143';
    await enter({ phone_number: number, reason: 'on a list' });
    await on.erase(await visitor('On a list', number));
    const found = async () => (await asked(`phone_number=${number.slice(2)}`))[0];
    await until(async () => (await found())?.value === null);
    assert.equal((await found())?.reason, null);
    assert.equal(await says(await visitor('On it again', number)), true);
  });

  it('is known by real numbers and addresses alone', () => {
    for (const text of [
      'none',
      'n/a',
      '-',
      'no@no.com',
      'test@test.com',
      'x@example.invalid',
      'a b',
    ])
      assert.ok(isFiller(text, 'email'), text);
    for (const text of ['', '123', '0000000000', '5555555555', '1234567890'])
      assert.ok(isFiller(text, 'digits'), text);
    const word = fc.stringMatching(/^[a-z]{3,9}\.[a-z]{3,9}$/);
    fc.assert(
      fc.property(word, fc.emailAddress(), (name, address) => {
        assert.ok(!isFiller(`${name}@example.com`, 'email'), name);
        const [, domain] = address.toLowerCase().split('@');
        assert.ok(!isFiller(`${name}@${domain}`, 'email'), address);
      }),
    );
  });
});
