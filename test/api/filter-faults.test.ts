/** Filters that cannot be read, and what is said about them (decisions, "All faults at once", "Unknown fields"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf } from '../support/scenario.ts';
import { world } from '../support/world.ts';

const stage = world();
const CHECK_INS = 'event_check_in_records';

describe('A filter that cannot be read is 400', () => {
  for (const [path, query, ...faults] of [
    ['events', 'event_datetime=2027-01-01', ['event_datetime', 'datetime_invalid']],
    [
      'events',
      'event_datetime[gte]=2027-01-01T00:00:00',
      ['event_datetime.gte', 'datetime_offset_missing'],
    ],
    ['events', 'event_datetime[gte]=', ['event_datetime.gte', 'value_invalid']],
    ['events', 'event_datetime=', ['event_datetime', 'value_invalid']],
    ['events', 'event_datetime[from]=x', ['event_datetime.from', 'parameter_unknown']],
    ['events', 'event_datetime[]=2027-01-01T00:00:00Z', ['event_datetime', 'type_invalid']],
    [
      'events',
      'inserted_at[gte]=yesterday&updated_at[lt]=1',
      ['inserted_at.gte', 'datetime_invalid'],
      ['updated_at.lt', 'datetime_invalid'],
    ],
    [
      'events',
      'inserted_at[gt]=2027-01-01T00:00:00+01:00',
      ['inserted_at.gt', 'datetime_offset_missing'],
    ],
    ['events', 'event_name=x', ['event_name', 'parameter_unknown']],
    ['events', 'event_unique_identifier=x', ['event_unique_identifier', 'parameter_unknown']],
    ['events', 'external_identifier=', ['external_identifier', 'value_invalid']],
    [
      'events',
      'external_identifier=a&external_identifier=b',
      ['external_identifier', 'parameter_repeated'],
    ],
    [
      CHECK_INS,
      'visitor_phone_number=+14155550123',
      ['visitor_phone_number', 'phone_number_invalid'],
    ],
    [
      CHECK_INS,
      'visitor_phone_number=4155550123',
      ['visitor_phone_number', 'phone_number_invalid'],
    ],
    [CHECK_INS, 'visitor_phone=x', ['visitor_phone', 'parameter_unknown']],
    [
      'direct_mail_replies',
      'respondent_person[phone_number1]=555-0123',
      ['respondent_person.phone_number1', 'phone_number_invalid'],
    ],
    [
      'direct_mail_replies',
      'respondent_person[full_name]=x',
      ['respondent_person.full_name', 'parameter_unknown'],
    ],
    [
      CHECK_INS,
      'visitor_interested_in_pre_planning=false',
      ['visitor_interested_in_pre_planning', 'value_invalid'],
    ],
    [
      'online_arrangements',
      'additional_cart_metadata[is_abandoned_cart]=yes',
      ['additional_cart_metadata.is_abandoned_cart', 'type_invalid'],
    ],
    ['events', 'order=event_name', ['order', 'choice_invalid']],
    ['events', 'order=', ['order', 'value_invalid']],
    ['events', 'order=--event_datetime', ['order', 'choice_invalid']],
    ['locations', 'order=location_name', ['order', 'choice_invalid']],
    ['online_arrangements', 'order=name', ['order', 'parameter_unknown']],
    ['direct_mail_replies', 'respondent_person=x', ['respondent_person', 'type_invalid']],
    [
      'direct_mail_replies',
      'respondent_person[email_address]=%00',
      ['respondent_person.email_address', 'text_invalid'],
    ],
    ['accounts', 'external_identifier=x', ['external_identifier', 'parameter_unknown']],
    ['accounts', 'name=x', ['name', 'parameter_unknown']],
  ] as const) {
    it(`${path}?${query}`, async () => {
      const answer = await stage.service.get(`/v1/${path}?${query}`);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
    });
  }

  it('says of a field that it is no filter, and which are', async () => {
    for (const [path, query, named, filters] of [
      [
        'events',
        'event_name=x',
        'event_name',
        'location_unique_identifier, external_identifier, event_datetime, proposed, inserted_at and updated_at',
      ],
      ['events', 'person[full_name]=x', 'person', 'event_datetime'],
      ['events', 'account_unique_identifier=x', 'account_unique_identifier', 'event_datetime'],
      ['locations', 'name=x', 'name', 'external_identifier'],
      ['locations', 'unique_identifier=x', 'unique_identifier', 'external_identifier'],
      ['accounts', 'name=x', 'name', 'inserted_at and updated_at'],
      [
        'direct_mail_replies',
        'respondent_person[full_name]=x',
        'respondent_person.full_name',
        'respondent_person[phone_number1]',
      ],
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
