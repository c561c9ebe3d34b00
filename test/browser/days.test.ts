/** Days and clocks of any time zone are those that the calendar has, also when clocks change at midnight. */
// needs: browser
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { daysBetween, midnight, momentIn, withOffset } from '../../console/src/values/days.ts';

/** Clocks that change at midnight or by half an hour, that skipped a day, and whole hours and less from UTC. */
const ZONES = [
  ...['America/New_York', 'America/Havana', 'Asia/Beirut', 'Australia/Lord_Howe', 'Pacific/Apia'],
  ...['America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/Santiago', 'UTC'],
];
const zones = fc.constantFrom(...ZONES);
const seconds = fc.integer({ min: Date.UTC(1990) / 1000, max: Date.UTC(2037) / 1000 });

it('a day begins at its first moment, wherever clocks change', () => {
  fc.assert(
    fc.property(zones, seconds, fc.integer({ min: -30, max: 30 }), (zone, second, days) => {
      const now = new Date(second * 1000);
      const day = Temporal.Instant.fromEpochMilliseconds(now.getTime())
        .toZonedDateTimeISO(zone)
        .toPlainDate()
        .add({ days });
      const begins = day.toZonedDateTime(zone);
      // The day that Apia skipped has no beginning.
      if (begins.toPlainDate().equals(day)) {
        assert.equal(midnight(zone, now, days).getTime(), begins.epochMilliseconds);
        assert.equal(daysBetween(now.getTime(), midnight(zone, now, days), zone), days);
      }
    }),
  );
});

it('a time has the offset of its zone, and is read as it is written', () => {
  fc.assert(
    fc.property(zones, seconds, (zone, second) => {
      const time = new Date(second * 1000);
      const zoned = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone);
      const text = withOffset(time, zone);
      assert.equal(text.slice(0, 19), zoned.toPlainDateTime().toString({ smallestUnit: 'second' }));
      assert.equal(text.slice(19), zoned.offset === '+00:00' ? 'Z' : zoned.offset);
      const local = zoned.toPlainDateTime().toString({ smallestUnit: 'minute' });
      const { epochMilliseconds } = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
      assert.equal(momentIn(zone, local).getTime(), epochMilliseconds);
    }),
  );
});

it('a time that clocks skip is an hour later, and one that they show twice the first', () => {
  const at = (text: string): string => momentIn('America/New_York', text).toISOString();
  assert.equal(at('2027-03-14T02:30'), '2027-03-14T07:30:00.000Z');
  assert.equal(at('2027-11-07T01:30'), '2027-11-07T05:30:00.000Z');
});
