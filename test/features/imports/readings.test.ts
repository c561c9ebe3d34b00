/** Values that are not written in full are read where a person has said so, and otherwise refused, counted and shown. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Faults } from '../../../src/core/errors.ts';
import { resources } from '../../../src/core/registry.ts';
import { type NamedTarget, targetNamed } from '../../../src/features/imports/serves/amounts.ts';
import { type CellRules, readCell } from '../../../src/features/imports/serves/table/cells.ts';
import {
  isLocalTime,
  isPlainDate,
  orderIn,
} from '../../../src/features/imports/serves/table/dates.ts';
import { fieldNames } from '../../../src/features/imports/serves/table/headings.ts';
import {
  fullYear,
  hasShortYear,
  shortTime,
} from '../../../src/features/imports/serves/table/readings.ts';
import { csvParsed } from '../../support/csv-parsed.ts';
import { counts, filesFolder, rejectedIn, take } from '../../support/importing.ts';
import { world } from '../../support/world.ts';

const targets = resources.flatMap((resource) =>
  fieldNames(resource).flatMap((name) => targetNamed(resource, name) ?? []),
);
const phones = targets.filter(({ kind }) => kind.endsWith('phone number'));
const ofKind = (kind: string): NamedTarget => {
  const [found] = targets.filter((target) => target.kind === kind);
  assert.ok(found);
  return found;
};
const moment = ofKind('date and time');

function read(target: NamedTarget, text: string, rules: Partial<CellRules> = {}) {
  const faults = new Faults();
  const own = { order: 'mdy', zone: 'America/Chicago', usPhones: true, ...rules } as const;
  const value = readCell(target, { text }, own, faults);
  return faults.named[0]?.code ?? value;
}

describe('phone numbers', () => {
  const WORDS = ['(cell)', '(home)', 'cell', '- work', ', Dana', 'c', '(teléfono)', '/ daughter'];

  it('are taken without the words beside them, where these are no part of a number', () => {
    for (const target of phones)
      for (const number of ['507 555 0111', '(507) 555-0111', '507.555.0111', '+1 507 555 0111'])
        for (const word of WORDS)
          for (const text of [`${number} ${word}`, `${word.replace(/^[-,/] /, '')}: ${number}`]) {
            assert.equal(read(target, text, { takesWords: true }), '+15075550111', text);
            assert.notEqual(read(target, text), '+15075550111', text);
          }
  });

  it('of other countries are taken with their country code, and of the country of their home without it', () => {
    for (const target of phones.filter(({ kind }) => !kind.startsWith('US')))
      for (const [text, zone, number] of [
        ['+44 20 7946 0958 (home)', 'America/Chicago', '+442079460958'],
        ['020 7946 0958 (home)', 'Europe/London', '+442079460958'],
        ['22\u201112\u201134\u201156', 'Europe/Oslo', '+4722123456'],
        ['+47 22 12 34 56', 'Europe/London', '+4722123456'],
      ] as const)
        assert.equal(read(target, text, { takesWords: true, zone }), number, text);
  });

  it('with an extension, or two in a cell, are left as they are: nothing of them is dropped', () => {
    for (const target of phones)
      for (const text of [
        '507 555 0111 x12',
        '507 555 0111 ext. 12',
        '507 555 0111 / 507 555 0112',
      ])
        assert.equal(read(target, text, { takesWords: true }), text);
  });

  it('of seven digits get the area code that was said', () => {
    for (const target of phones)
      for (const text of ['555-0143', '555\u20110143', '555\u00a00143', '5550143', '555.0143']) {
        assert.equal(read(target, text, { areaCode: '507' }), '+15075550143');
        assert.equal(read(target, text), text);
      }
    for (const text of ['555-014', '55-50143', '555-01433', '555-0143 x1'])
      assert.equal(read(phones[0] ?? moment, text, { areaCode: '507' }), text);
  });
});

describe('years of two digits', () => {
  const named = (name: string, kind = 'date'): NamedTarget => ({
    ...{ name, kind, steps: [name], holds: 'text', within: undefined },
  });
  const born = named('person.date_of_birth');
  const died = named('person.date_of_death');

  it('are in the past for a birth and a death, and near today for a service', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 2020, max: 2080 }),
        (two, now) => {
          for (const target of [born, died]) assert.ok(fullYear(target, two, now) <= now);
          assert.ok(now - fullYear(born, two, now) <= 110);
          assert.ok(now - fullYear(died, two, now) < 100);
          assert.ok(Math.abs(fullYear(named('at', 'date and time'), two, now) - now) <= 50);
          for (const target of [born, died]) assert.equal(fullYear(target, two, now) % 100, two);
        },
      ),
    );
    assert.equal(fullYear(born, 50, 2026), 1950);
    assert.equal(fullYear(born, 20, 2026), 1920);
    assert.equal(fullYear(died, 25, 2026), 2025);
    assert.equal(fullYear(named('at', 'date and time'), 25, 2026), 2025);
  });

  it('are refused unless they are asked for, and days that there are not in any case', () => {
    const year = new Date().getFullYear() % 100;
    const text = (rest: string) => `${rest}/${String(year).padStart(2, '0')} 2:30 PM`;
    assert.equal(read(moment, text('6/5')), 'year_short');
    const own = read(moment, text('6/5'), { shortYears: true });
    assert.equal(own, `20${year}-06-05T14:30:00-05:00`);
    for (const rest of ['2/30', '4/31', '13/1'])
      assert.equal(read(moment, text(rest), { shortYears: true }), 'no_such_day');
  });
});

describe('days and times', () => {
  it('as they are stored leave nothing open that is looked for in others', () => {
    const digits = (from: number, to = from) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: from, maxLength: to });
    const time = fc.tuple(
      digits(2),
      fc.constant(':'),
      digits(2),
      fc.constantFrom('', ':00', ':00.5'),
    );
    const zone = fc.constantFrom('Z', 'z', '-05:00', '+0530', '', '-05', ' AM', 'p');
    const day = fc.tuple(digits(1, 4), fc.constantFrom('-', '/', '.'), digits(1, 2));
    const cell = fc
      .tuple(
        day,
        fc.constantFrom('-', '/'),
        digits(1, 4),
        fc.constantFrom('', ' ', 'T'),
        time,
        zone,
      )
      .map((parts) => parts.flat().join(''));
    let plain = 0;
    for (const one of [
      ...fc.sample(cell, 20_000),
      ...[
        '2027-03-20',
        '2027-03-20T10:00:00-04:00',
        '2027-03-20 10:00Z',
        '2027-03-20T10:00:00.123+0000',
      ],
    ]) {
      if (!isPlainDate(one)) continue;
      plain += 1;
      const open = [orderIn(one), orderIn(one, true), isLocalTime(one)];
      assert.deepEqual(
        [...open, hasShortYear(one), shortTime(one)],
        [...[undefined, undefined, false], ...[false, undefined]],
      );
    }
    assert.ok(plain > 4);
  });

  it('are read as people shorten them', () => {
    const times: Readonly<Record<string, string>> = {
      ...{ '3:00p': '15:00', '11:00a': '11:00', '9 am': '09:00', noon: '12:00', '3p': '15:00' },
      ...{ '12:30 a.m.': '00:30', '2:30 P.M.': '14:30', '2:30PM': '14:30', '14:30': '14:30' },
    };
    for (const [time, wanted] of Object.entries(times))
      assert.equal(read(moment, `12/3/2026 ${time}`), `2026-12-03T${wanted}:00-06:00`, time);
    for (const time of ['25:00', '2:75 PM', '13:00 PM', '3', 'x'])
      assert.match(String(read(moment, `12/3/2026 ${time}`)), /^time_/, time);
  });

  it('name no day that there is not, nor another day of the week', () => {
    for (const text of ['2/30/2026 2:30 PM', 'April 31, 2026 2 PM', '2026-02-29 10:00'])
      assert.equal(read(moment, text), 'no_such_day', text);
    for (const day of ['Thursday', 'Thu', 'thurs.', 'THU,']) {
      const right = `${day} 12/3/2026 2:30 PM`;
      assert.equal(read(moment, right), '2026-12-03T14:30:00-06:00', right);
      assert.equal(read(moment, right.replace('12/3', '12/4')), 'weekday_wrong');
      assert.equal(read(moment, `${day} December 4, 2026 2:30 PM`), 'weekday_wrong');
    }
  });
});

it('addresses of images stand together in a cell, with any sign between them', () => {
  const [images] = targets.filter(({ name }) => name === 'image_urls');
  assert.ok(images);
  const all = ['https://a.example/1.jpg', 'https://a.example/2,3.jpg', 'https://a.example/4.jpg'];
  for (const sign of [' ', '\n', ', ', ';', ' | ', ',\r\n'])
    assert.deepEqual(read(images, all.join(sign)), all, JSON.stringify(sign));
});

describe('a file of an office', () => {
  const stage = world();
  const files = filesFolder();

  it('is told by kinds, and taken in once a choice for each is made', async () => {
    const rows = [
      'o1,6/5/25,3:00p,"Example, Dana",5/3/50',
      'o2,6/6/25,11:00a,"Example, Kim, Jr.",1/2/31',
      'o3,6/31/25,noon,"Example, Robin",1/2/31',
    ];
    const head = 'Case #,Svc Date,Start,"Deceased (Last, First)",DOB';
    const path = files.write('office.csv', [head, ...rows].join('\n'));
    const set = { location_unique_identifier: stage.parents.location, event_name: 'Funeral' };
    const how = { resource: 'events', set, dates: 'mdy', time_zone: 'America/Chicago' } as const;
    const { store } = stage.service.app;
    const bring = (more: object) => take(store, stage.parents.account, [path], { ...how, ...more });
    const first = await bring({});
    assert.deepEqual(first.run.counts, counts(0, 0, 0, 3));
    const kinds = first.noticed.map(({ what, count }) => [what, count]);
    assert.deepEqual(kinds, [
      ['names_reversed', 3],
      ['years_short', 6],
      ['times_short', 2],
    ]);
    const unticked = await bring({ names: 'last_first', short_years: true, short_times: false });
    assert.deepEqual(unticked.run.counts, counts(0, 0, 0, 3));
    const done = await bring({ names: 'last_first', short_years: true });
    assert.deepEqual(done.run.counts, counts(2, 0, 0, 1));
    assert.match(csvParsed(rejectedIn(done.run))[1]?.[1] ?? '', /is a day that there is not/);
    const { data } = await stage.read('/v1/events?external_identifier=o1');
    assert.deepEqual(
      [data[0].event_datetime, data[0].public_data.person],
      ['2025-06-05T20:00:00Z', { full_name: 'Dana Example', date_of_birth: '1950-05-03' }],
    );
  });

  it('keeps words beside phone numbers as details, or leaves them out', async () => {
    const text =
      'Case #,Name,Phone,Images\nw1,Dana,507 555 0111 (cell),https://example.com/a.jpg\n';
    const path = files.write('replies.csv', text);
    const { store } = stage.service.app;
    const set = { location_unique_identifier: stage.parents.location };
    const map = { 'Case #': 'external_identifier' };
    for (const [phone_words, details] of [
      ['leave_out', undefined],
      ['keep', { Phone: 'cell' }],
    ] as const) {
      const how = { resource: 'direct_mail_replies', set, map, us_phones: true, phone_words };
      const { run, noticed } = await take(store, stage.parents.account, [path], how);
      assert.equal(run.counts.failed, 0, JSON.stringify(run.counts));
      const [kind, ...others] = noticed;
      assert.deepEqual(others, []);
      assert.deepEqual([kind?.what, kind?.count], ['phones_with_words', 1]);
      const text = '507 555 0111 (cell)';
      assert.deepEqual(kind?.places, [{ row: 2, column: 'Phone', text, of: 'Dana' }]);
      const { data } = await stage.read('/v1/direct_mail_replies?external_identifier=w1');
      const stored = data[0].additional_metadata ?? data[0].public_data?.additional_metadata;
      assert.deepEqual(stored ?? undefined, details, JSON.stringify(data[0]));
    }
  });
});
