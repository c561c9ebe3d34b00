/** What is expected is learned of what was kept on nearly all days, and of nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hoursText,
  readClosedDays,
  readHours,
} from '../../../src/core/schema/present/expected-hours.ts';
import { learn } from '../../../src/features/expectations/serves/learning.ts';

const ZONE = 'America/New_York';
/** A Monday, three weeks after clocks went back. */
const NOW = at(Temporal.PlainDate.from('2026-11-23'), 12);

function at(day: Temporal.PlainDate, hour: number): number {
  return day.toZonedDateTime({ timeZone: ZONE, plainTime: new Temporal.PlainTime(hour) })
    .epochMilliseconds;
}

/** The hours of the last days in which something came: of each day those that are given. */
function history(
  days: number,
  hoursOf: (day: Temporal.PlainDate, ago: number) => readonly number[],
): readonly number[] {
  const today = Temporal.PlainDate.from('2026-11-23');
  return Array.from({ length: days }, (_, at) => at + 1).flatMap((ago) => {
    const day = today.subtract({ days: ago });
    return hoursOf(day, ago).map((hour) => at(day, hour));
  });
}

const weekday = ({ dayOfWeek }: Temporal.PlainDate): boolean => dayOfWeek < 6;
const from8to18 = Array.from({ length: 10 }, (_, at) => 8 + at);

describe('What is expected', () => {
  it('is every hour of the week in which something came, by the clock of the location', () => {
    const seen = history(45, (day) => (weekday(day) ? from8to18 : []));
    assert.deepEqual(learn(seen, ZONE, NOW), {
      ...{ hours: 'mon-fri 8-18', every: 'hour', days: 30, kept: 30 },
    });
  });

  it('is once a day where it does not come every hour', () => {
    const seen = history(45, (_, ago) => [ago % 2 === 0 ? 2 : 3, 5]);
    assert.deepEqual(learn(seen, ZONE, NOW), {
      ...{ hours: 'mon-sun 2-4', every: 'day', days: 42, kept: 42 },
    });
  });

  it('leaves room for a holiday, and tells of it', () => {
    const seen = history(45, (day, ago) => (weekday(day) && ago !== 12 ? from8to18 : []));
    const learned = learn(seen, ZONE, NOW);
    assert.deepEqual([learned?.hours, learned?.days, learned?.kept], ['mon-fri 8-18', 30, 29]);
  });

  it('has other hours on other days', () => {
    const seen = history(45, (day) =>
      weekday(day) ? from8to18 : day.dayOfWeek === 6 ? [9, 10, 11] : [],
    );
    assert.equal(learn(seen, ZONE, NOW)?.hours, 'mon-fri 8-18, sat 9-12');
  });

  it('is nothing where a source comes now and then, or is known for less than two weeks', () => {
    assert.equal(learn([], ZONE, NOW), undefined);
    assert.equal(
      learn(
        history(45, (_, ago) => (ago % 3 === 0 ? [9] : [])),
        ZONE,
        NOW,
      ),
      undefined,
    );
    assert.equal(
      learn(
        history(14, () => from8to18),
        ZONE,
        NOW,
      ),
      undefined,
    );
    assert.notEqual(
      learn(
        history(15, () => from8to18),
        ZONE,
        NOW,
      ),
      undefined,
    );
    const once = history(45, (_, ago) => (ago === 30 ? from8to18 : []));
    assert.equal(learn(once, ZONE, NOW), undefined);
  });

  it('is written as it is read', () => {
    for (const text of ['mon-fri 8-18, sat 9-12', 'mon-sun 0-24', 'wed 2-3', 'mon 8-9, wed 8-9']) {
      assert.equal(hoursText(readHours(text) ?? []), text);
    }
    assert.equal(hoursText(readHours('SAT 9-12,  mon-fri 8-18') ?? []), 'mon-fri 8-18, sat 9-12');
    for (const wrong of [
      '',
      'mon',
      'mon 8',
      'mon 18-8',
      'mon 8-25',
      'fri-mon 8-9',
      'mon 8-9, mon 9-10',
      'montag 8-9',
      'mon 8:30-9',
    ])
      assert.equal(readHours(wrong), undefined, wrong);
    assert.deepEqual(readClosedDays('2026-11-27, 12-25 02-29'), ['02-29', '12-25', '2026-11-27']);
    for (const wrong of ['2026-02-29', '13-01', 'Christmas', '1-1'])
      assert.equal(readClosedDays(wrong), undefined, wrong);
  });
});
