/** Filters that cannot be read, and what is said about them (decisions, "All faults at once", "Unknown fields"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf } from '../support/scenario.ts';
import { world } from '../support/world.ts';

const stage = world();
const [CHECK_INS, REPLIES] = ['event_check_in_records', 'direct_mail_replies'];
const TIMES = 'inserted_at and updated_at';

describe('A filter that cannot be read is 400', () => {
  const local = 'event_datetime[gte]=2027-01-01T00:00:00';
  const times = 'inserted_at[gte]=yesterday&updated_at[lt]=1';
  const [phone, interest] = ['phone_number1', 'visitor_interested_in_pre_planning'];
  const email = 'respondent_person[email_address]=%00';
  for (const [path, query, ...faults] of [
    ['events', local, ['event_datetime.gte', 'datetime_offset_missing']],
    ['events', 'event_datetime[gte]=', ['event_datetime.gte', 'value_invalid']],
    ['events', 'event_datetime[from]=x', ['event_datetime.from', 'parameter_unknown']],
    [
      'events',
      times,
      ['inserted_at.gte', 'datetime_invalid'],
      ['updated_at.lt', 'datetime_invalid'],
    ],
    [
      REPLIES,
      `respondent_person[${phone}]=555-0123`,
      [`respondent_person.${phone}`, 'phone_number_invalid'],
    ],
    [CHECK_INS, `${interest}=false`, [interest, 'value_invalid']],
    ['online_arrangements', 'order=name', ['order', 'parameter_unknown']],
    [REPLIES, email, ['respondent_person.email_address', 'text_invalid']],
  ] as const)
    it(`${path}?${query}`, async () => {
      const answer = await stage.service.get(`/v1/${path}?${query}`);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
    });

  it('says of a field that it is no filter, and which are', async () => {
    const ofEvents = `location_unique_identifier, external_identifier, event_datetime, proposed, ${TIMES}`;
    const name = 'respondent_person[full_name]=x';
    for (const [path, query, named, filters] of [
      ['events', 'event_name=x', 'event_name', ofEvents],
      ['events', 'person[full_name]=x', 'person', 'event_datetime'],
      ['events', 'account_unique_identifier=x', 'account_unique_identifier', 'event_datetime'],
      ['locations', 'name=x', 'name', 'external_identifier'],
      ['locations', 'unique_identifier=x', 'unique_identifier', 'external_identifier'],
      ['accounts', 'name=x', 'name', TIMES],
      [REPLIES, name, 'respondent_person.full_name', 'respondent_person[phone_number1]'],
    ] as const) {
      const { body } = await stage.service.get(`/v1/${path}?${query}`);
      const { message } = body.error;
      assert.ok(message.startsWith(`${named} is not a parameter here`), message);
      assert.match(message, /not filtered by it/);
      assert.ok(message.includes(filters), message);
    }
  });

  it('names the nearest filter', async () => {
    for (const [path, query, nearest] of [
      [CHECK_INS, 'visitor_phone=x', 'visitor_phone_number'],
      ['events', 'location=x', 'location_unique_identifier'],
      ['events', 'insertedat[gte]=x', 'inserted_at'],
      ['events', 'inserted_at[get]=x', 'inserted_at.gte'],
    ] as const) {
      const { body } = await stage.service.get(`/v1/${path}?${query}`);
      assert.ok(body.error.message.includes(nearest), body.error.message);
    }
  });
});
