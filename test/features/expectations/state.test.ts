/** A source is late and silent by the clock of its location: over closed days, changes of clocks, and outages that are ours. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { next } from '../../../src/features/expectations/serves/watch.ts';

const ZONE = 'America/New_York';
/** A time of the clock in New York. */
const at = (text: string): number =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds;
const MINUTE = 60_000;

type Expected = Parameters<typeof next>[0];
type Moment = Parameters<typeof next>[2];

const expected = (more: Partial<Expected> = {}): Expected => ({
  ...{ hours: 'mon-fri 8-18', closed_days: '', every: 'hour', silent_after: 3, updated_at: 0 },
  ...{ state: 'on_time', since: 0, silent_since: null, last_at: null, refused_at: null },
  ...more,
});
const NIGHTLY = expected({ hours: 'mon-sun 2-4', every: 'day', silent_after: 2 });
const nothing = { last_at: null, refused_at: null };
const moment = (now: number) => ({ now, zone: ZONE, outages: [] });

/** The states at each of these times, from one look to the next, where something came or was refused at those times. */
function walk(
  what: Expected,
  looks: readonly string[],
  {
    came = [],
    refused = [],
    outages = [],
  }: Partial<Moment> & { came?: string[]; refused?: string[] },
): readonly string[] {
  let one = what;
  return looks.map((look) => {
    const now = at(look);
    const last = (times: readonly string[]): number | null =>
      times.map(at).findLast((time) => time <= now) ?? null;
    const seen = { last_at: last(came), refused_at: last(refused) };
    one = { ...what, ...next(one, seen, { ...moment(now), outages }) };
    return one.state;
  });
}

describe('A source that is expected every hour', () => {
  // A Monday.
  const came = ['2026-11-16T09:50'];

  it('is late after one and a half hours, silent after three, and back with the first record', () => {
    const looks = ['10:30', '11:15', '11:25', '12:30', '12:55', '13:30'];
    const states = walk(
      expected(),
      looks.map((time) => `2026-11-16T${time}`),
      { came: [...came, '2026-11-16T13:20'] },
    );
    assert.deepEqual(states, ['on_time', 'on_time', 'late', 'late', 'silent', 'back']);
  });

  it('is back for a day, and on time then', () => {
    const looks = ['2026-11-16T13:00', '2026-11-16T13:30', '2026-11-17T09:00', '2026-11-17T14:00'];
    const states = walk(expected(), looks, {
      came: [...came, '2026-11-16T13:20', '2026-11-17T08:30', '2026-11-17T13:30'],
    });
    assert.deepEqual(states, ['silent', 'back', 'back', 'on_time']);
  });

  it('is not missed at night, over a weekend or on a closed day', () => {
    const friday = ['2026-11-20T17:55'];
    const looks = ['2026-11-20T23:00', '2026-11-22T12:00', '2026-11-23T08:30', '2026-11-23T09:40'];
    assert.deepEqual(walk(expected(), looks, { came: friday }), [
      ...['on_time', 'on_time', 'on_time', 'late'],
    ]);
    for (const closed_days of ['11-23', '2026-11-23']) {
      assert.deepEqual(
        walk(expected({ closed_days }), [...looks, '2026-11-24T09:40'], { came: friday }),
        ['on_time', 'on_time', 'on_time', 'on_time', 'late'],
        'the day after it counts',
      );
    }
    const elsewhere = expected({ closed_days: '2027-11-23' });
    assert.equal(walk(elsewhere, looks, { came: friday }).at(-1), 'late', 'of another year');
  });

  it('is judged by the clock of the location when clocks change', () => {
    // Clocks go back at 2:00 on the 1st of November: the night is an hour longer.
    const autumn = expected({ hours: 'mon-sun 0-4', silent_after: 4 });
    const night = { came: ['2026-10-31T03:59'] };
    assert.deepEqual(walk(autumn, ['2026-11-01T02:30', '2026-11-01T02:58'], night), [
      ...['late', 'late'],
    ]);
    const [hour] = walk(
      expected({ hours: 'mon-sun 0-4', silent_after: 3 }),
      ['2026-11-01T02:10'],
      night,
    );
    assert.equal(hour, 'silent', 'the hour that comes twice counts twice');
    // Clocks go forward at 2:00 on the 14th of March: 2 to 3 is not there.
    const spring = expected({ hours: 'mon-sun 2-3', every: 'day', silent_after: 1 });
    const days = ['2027-03-14T12:00', '2027-03-15T12:00'];
    assert.deepEqual(walk(spring, days, { came: ['2027-03-13T02:30'] }), ['on_time', 'silent']);
    const eight = { came: ['2027-03-13T17:00'] };
    assert.deepEqual(
      walk(expected({ hours: 'mon-sun 8-18' }), ['2027-03-14T08:20', '2027-03-14T08:40'], eight),
      ['on_time', 'late'],
      'eight is eight on both days',
    );
  });

  it('is not blamed for hours in which the service was down', () => {
    const outage = { from: at('2026-11-16T10:00'), until: at('2026-11-17T10:00') };
    const looks = ['2026-11-17T10:01', '2026-11-17T11:10', '2026-11-17T11:40', '2026-11-17T13:00'];
    assert.deepEqual(walk(expected(), looks, { came, outages: [outage] }), [
      ...['on_time', 'on_time', 'late', 'silent'],
    ]);
  });

  it('misses nothing before it was set', () => {
    const set = expected({ updated_at: at('2026-11-17T11:00') });
    const looks = ['2026-11-17T11:30', '2026-11-17T14:30'];
    assert.deepEqual(walk(set, looks, { came }), ['on_time', 'silent']);
  });
});

describe('A source that is expected every night', () => {
  const came = ['2026-11-16T02:40'];

  it('is late when the hours of a night are over, and silent after the second one', () => {
    const looks = ['2026-11-17T01:00', '2026-11-17T04:05', '2026-11-18T03:55', '2026-11-18T04:05'];
    assert.deepEqual(walk(NIGHTLY, looks, { came }), ['on_time', 'late', 'late', 'silent']);
  });

  it('may come hours early', () => {
    const early = [...came, '2026-11-16T22:30'];
    const looks = ['2026-11-17T04:05', '2026-11-18T04:05'];
    assert.deepEqual(walk(NIGHTLY, looks, { came: early }), ['on_time', 'late']);
  });

  it('is not blamed for nights in which the service was down', () => {
    const night = { from: at('2026-11-17T01:00'), until: at('2026-11-17T09:00') };
    const looks = ['2026-11-17T09:01', '2026-11-18T04:05', '2026-11-19T04:05'];
    assert.deepEqual(walk(NIGHTLY, looks, { came, outages: [night] }), [
      ...['on_time', 'late', 'silent'],
    ]);
    const restart = { from: at('2026-11-17T03:00'), until: at('2026-11-17T03:20') };
    assert.equal(walk(NIGHTLY, looks, { came, outages: [restart] })[1], 'silent');
  });
});

describe('Every source', () => {
  it('is new until something has come, and failing while all that comes is refused', () => {
    const looks = ['2026-11-16T10:00', '2026-11-16T12:00', '2026-11-16T13:00'];
    const states = walk(expected(), looks, {
      refused: ['2026-11-16T11:50'],
      came: ['2026-11-16T12:59'],
    });
    assert.deepEqual(states, ['new', 'failing', 'on_time']);
  });

  it('is failing in place of late and silent while it tries, and silent once it gives up', () => {
    const looks = ['10:20', '11:40', '14:00', '17:00'].map((time) => `2026-11-16T${time}`);
    const states = walk(expected(), looks, {
      came: ['2026-11-16T09:50'],
      refused: ['2026-11-16T10:10', '2026-11-16T11:30', '2026-11-16T13:50'],
    });
    assert.deepEqual(states, ['on_time', 'failing', 'failing', 'silent']);
  });

  it('does not become better by itself, whatever the clock does', () => {
    const silent = expected({
      ...{ state: 'silent', since: at('2026-11-16T13:00'), silent_since: at('2026-11-16T13:00') },
      last_at: at('2026-11-16T09:50'),
    });
    for (const now of ['2026-11-16T09:00', '2026-11-16T20:00', '2026-12-24T20:00'])
      assert.equal(next(silent, nothing, moment(at(now))).state, 'silent', now);
  });

  it('is heard again after a clock was put back', () => {
    // The last record seems to come only tomorrow.
    const ahead = expected({ last_at: at('2026-11-17T15:00') });
    let one = ahead;
    const states = ['10:00', '10:30', '11:00', '11:30', '12:00', '13:05'].map((time) => {
      const seen = { last_at: ahead.last_at, refused_at: null };
      one = { ...ahead, ...next(one, seen, moment(at(`2026-11-16T${time}`))) };
      return one.state;
    });
    assert.ok(
      states.every((state) => state === 'on_time'),
      String(states),
    );
    const later = moment((one.last_at ?? 0) + 200 * MINUTE);
    assert.equal(next(one, nothing, later).state, 'silent');
  });
});
