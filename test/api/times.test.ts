/** Points in time and calendar dates (decisions, "`event_datetime`", "Dates"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf, play } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

describe('event_datetime', () => {
  play(stage, 'events', [
    {
      rule: 'any offset is turned into UTC, and parts of a second go',
      json: { event_datetime: '2026-11-20 09:30:00.999-05' },
      contains: { event_datetime: '2026-11-20T14:30:00Z' },
    },
    {
      rule: 'words are refused',
      json: { event_datetime: 'tomorrow' },
      faults: [['event_datetime', 'datetime_invalid']],
    },
    ...['2026-11-20T14:30:00', '2026-11-20 14:30', '2026-11-20T14:30:00.123'].map((sent) => ({
      rule: `${sent} has no offset, and the error says why that matters`,
      json: { event_datetime: sent },
      faults: [['event_datetime', 'datetime_offset_missing']] as const,
      says: /offset/,
    })),
    {
      rule: 'by form, with its plus percent-encoded',
      form: 'event_datetime=2026-11-20T15:30:00%2B01:00',
      contains: { event_datetime: '2026-11-20T14:30:00Z' },
    },
    {
      rule: 'by form, with its plus lost, never taken for a time without an offset',
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
    const at = `/v1/events/${stored.body.unique_identifier}`;
    const patched = await stage.service.patch(at, person(died));
    assert.deepEqual(faultsOf(patched), [fault]);
    const json = person({ date_of_death: '1948-02-29' });
    const same = await stage.upsert('events', { as: 'order', json });
    assert.equal(same.status, 200, 'a child may die on the day of its birth');
  });
});

describe('dates', () => {
  const taken = ['1948-02-29', '0001-01-01'];
  const refused = {
    '1949-02-29': 'date_not_real',
    '9999-12-31': 'date_in_future',
    '01/02/2026': 'date_invalid',
  };
  for (const [on, object, name, beside] of [
    ['events', 'person', 'date_of_birth', { full_name: 'A' }],
    ['events', 'person', 'date_of_death', { full_name: 'A' }],
    ['online_arrangements', 'additional_person_metadata', 'birth_date', {}],
  ] as const) {
    const json = (date: string) => ({ [object]: { ...beside, [name]: date } });
    play(stage, on, [
      ...taken.map((date) => ({
        ...{ rule: `${name} takes ${date}`, json: json(date), gives: json(date) },
      })),
      ...Object.entries(refused).map(([date, code]) => ({
        ...{ rule: `${name} refuses ${date}`, json: json(date) },
        faults: [[`${object}.${name}`, code]] as const,
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
