/** Points in time and calendar dates (decisions, "`event_datetime`", "Dates"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf, play, scene } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';

const stage = scene();

describe('event_datetime', () => {
  const on = 'events';
  const taken: readonly (readonly [sent: string, answered: string])[] = [
    ['2026-11-20T14:30:00Z', '2026-11-20T14:30:00Z'],
    ['2026-11-20T14:30:00z', '2026-11-20T14:30:00Z'],
    ['2026-11-20t14:30:00Z', '2026-11-20T14:30:00Z'],
    ['2026-11-20 14:30:00Z', '2026-11-20T14:30:00Z'],
    ['2026-11-20T14:30Z', '2026-11-20T14:30:00Z'],
    ['2026-11-20T14:30:00.999999999Z', '2026-11-20T14:30:00Z'],
    ['2026-11-20T14:30:59.9Z', '2026-11-20T14:30:59Z'],
    ['2026-11-20T09:30:00-05:00', '2026-11-20T14:30:00Z'],
    ['2026-11-20T09:30:00-0500', '2026-11-20T14:30:00Z'],
    ['2026-11-20T09:30:00-05', '2026-11-20T14:30:00Z'],
    ['2026-11-20 09:30-05', '2026-11-20T14:30:00Z'],
    ['2026-11-20T20:00:00+05:30', '2026-11-20T14:30:00Z'],
    ['2026-11-20T20:15:00+0545', '2026-11-20T14:30:00Z'],
    ['2026-11-20T14:30:00+00:00', '2026-11-20T14:30:00Z'],
    ['2026-11-20T14:30:00-00:00', '2026-11-20T14:30:00Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00Z'],
    ['2027-01-01T00:30:00+01:00', '2026-12-31T23:30:00Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
    ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00Z'],
    ['2026-11-20T14:30:00+23:59', '2026-11-19T14:31:00Z'],
    ['2026-11-20T14:30:00-23:59', '2026-11-21T14:29:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00-01:00', '0001-01-01T01:00:00Z'],
    ['0099-12-31T23:30:00-01:00', '0100-01-01T00:30:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    ['9999-12-31T23:59:59.999+00:01', '9999-12-31T23:58:59Z'],
    ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59Z'],
  ];
  const invalid = [
    '', // replaced below: a missing parameter
    '2026-11-20',
    '2026-11-20Z',
    '14:30:00Z',
    '2026-11-20T14Z',
    '20261120T143000Z',
    '2026-W47-5T14:30:00Z',
    '2026-324T14:30:00Z',
    '26-11-20T14:30:00Z',
    '2026-1-2T14:30:00Z',
    '2026/11/20T14:30:00Z',
    '11/20/2026 2:30 PM',
    '2026-11-20T24:00:00Z',
    '2026-11-20T14:60:00Z',
    '2026-11-20T14:30:60Z',
    '2026-12-31T23:59:60Z',
    '2026-11-20T14:30:00,5Z',
    '2026-11-20T14:30:00.Z',
    '2026-11-20T14:30:00+24:00',
    '2026-11-20T14:30:00+05:60',
    '2026-11-20T14:30:00+5',
    '2026-11-20T14:30:00+05:3',
    '2026-11-20T14:30:00 Z',
    '2026-11-20  14:30:00Z',
    '2026-11-20_14:30:00Z',
    '2026-11-20T14:30:00EST',
    '2026-11-20T14:30:00UTC',
    '2026-11-20T14:30:00[UTC]',
    '2026-11-20T14:30:00Z ',
    ' 2026-11-20T14:30:00Z',
    '2026-11-20T14:30:00Z\n',
    '2026-11-31T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '0000-06-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    '+002026-11-20T14:30:00Z',
    '10000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '٢٠٢٦-11-20T14:30:00Z',
    'tomorrow',
    '1795185000',
    'now',
  ].slice(1);
  play(stage, [
    ...taken.map(([sent, answered]) => ({
      rule: `${sent} is ${answered}`,
      on,
      json: { event_datetime: sent },
      contains: { event_datetime: answered },
    })),
    ...invalid.map((sent) => ({
      rule: `${JSON.stringify(sent)} is refused`,
      on,
      json: { event_datetime: sent },
      faults: [['event_datetime', 'datetime_invalid']] as const,
    })),
    ...['2026-11-20T14:30:00', '2026-11-20 14:30', '2026-11-20T14:30:00.123'].map((sent) => ({
      rule: `${sent} has no offset, and the error says why that matters`,
      on,
      json: { event_datetime: sent },
      faults: [['event_datetime', 'datetime_offset_missing']] as const,
      says: /offset/,
    })),
    {
      rule: 'by form, with its plus percent-encoded',
      on,
      form: 'event_datetime=2026-11-20T15:30:00%2B01:00',
      contains: { event_datetime: '2026-11-20T14:30:00Z' },
    },
    {
      rule: 'by form, with its plus lost, never taken for a time without an offset',
      on,
      form: 'event_datetime=2026-11-20T15:30:00+01:00',
      status: 400,
      says: /%2B/,
    },
  ]);
});

describe('A death before the birth', () => {
  const person = (dates: Body): Body => ({ person: { full_name: 'A', ...dates } });
  const fault = ['person.date_of_death', 'date_too_early'];

  it('is refused by an upsert, in the same request or against what is stored, and by a PATCH', async () => {
    const born = { date_of_birth: '1948-02-29' };
    const died = { date_of_death: '1948-02-28' };
    const both = await stage.upsert('events', { as: 'order', json: person({ ...born, ...died }) });
    assert.equal(both.status, 400, both.text);
    assert.deepEqual(faultsOf(both), [fault]);
    assert.match(both.body.error.message, /1948-02-28, which is before date_of_birth, 1948-02-29/);
    const stored = await stage.upsert('events', { as: 'order', json: person(born) });
    assert.equal(stored.status, 200, stored.text);
    const later = await stage.upsert('events', { as: 'order', json: person(died) });
    assert.deepEqual(faultsOf(later), [fault]);
    const headers = { 'Content-Type': 'application/json' };
    const at = `/v1/events/${stored.body.unique_identifier}`;
    const body = JSON.stringify(person(died));
    const patched = await stage.service.send('PATCH', at, { headers, body });
    assert.deepEqual(faultsOf(patched), [fault]);
    const same = await stage.upsert('events', {
      as: 'order',
      json: person({ date_of_death: '1948-02-29' }),
    });
    assert.equal(same.status, 200, 'a child may die on the day of its birth');
  });
});

describe('dates', () => {
  const taken = [
    '1948-02-29',
    '2000-02-29',
    '0001-01-01',
    '2026-04-30',
    new Date().toISOString().slice(0, 10),
  ];
  const refused = [
    '1949-02-29',
    '1900-02-29',
    '2100-02-29',
    '9999-12-31',
    '2126-01-01',
    new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10),
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '10000-01-01',
    '-0001-01-01',
    '26-01-01',
    '2026-1-1',
    '20260101',
    '2026/01/01',
    '01/02/2026',
    '2026-01',
    '2026',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01 ',
    '2026-01-01\n',
    '٢٠٢٦-01-01',
    'May 1st',
    'x',
  ];
  const codeOf = (date: string): string => {
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return 'date_invalid';
    const isReal = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true;
    return isReal && date > '2026' ? 'date_in_future' : 'date_not_real';
  };
  const fields: readonly (readonly [on: string, object: string, name: string, beside: Body])[] = [
    ['events', 'person', 'date_of_birth', { full_name: 'A' }],
    ['events', 'person', 'date_of_death', { full_name: 'A' }],
    ['online_arrangements', 'additional_person_metadata', 'birth_date', {}],
  ];
  for (const [on, object, name, beside] of fields) {
    play(stage, [
      ...taken.map((date) => ({
        rule: `${name} takes ${date}`,
        on,
        json: { [object]: { ...beside, [name]: date } },
        gives: { [object]: { ...beside, [name]: date } },
      })),
      ...refused.map((date) => ({
        rule: `${name} refuses ${JSON.stringify(date)}`,
        on,
        json: { [object]: { ...beside, [name]: date } },
        faults: [[`${object}.${name}`, codeOf(date)]] as const,
      })),
    ]);
  }
  play(
    stage,
    ['May 1st, 1950', ' 5/1/50 ', '0000-99-99', '1950?', '\u4e8c\u6708', '-', '1949-02-29'].map(
      (birth_date) => ({
        rule: `the birth_date of a reply is any text: ${birth_date}`,
        on: 'direct_mail_replies',
        json: { respondent_person: { birth_date } },
        gives: { respondent_person: { birth_date } },
      }),
    ),
  );
});
