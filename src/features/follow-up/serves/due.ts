/** When somebody is to have tried: in the working hours of the home. */
import { readHours, type WeekHours } from '../../../core/schema/present/expected-hours.ts';

const HOURS = readHours('mon-fri 9-17') as WeekHours;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 8;
/** Working hours, by the reason. */
const WITHIN: Readonly<Record<string, number>> = {
  arrangement_begun: 1,
  asked_for_call: DAY_HOURS,
  by_hand: DAY_HOURS,
  interested: 3 * DAY_HOURS,
};

/** Adds the working hours of a reason to a time, by the clock of that zone. */
export function dueAt(reason: string, from: number, zone: string): number {
  let left = (WITHIN[reason] ?? DAY_HOURS) * HOUR_MS;
  let day = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate();
  for (;;) {
    const span = HOURS[day.dayOfWeek - 1];
    if (span !== undefined) {
      const at = (hour: number) =>
        day.toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(hour) })
          .epochMilliseconds;
      const begins = Math.max(from, at(span.from));
      const lasts = Math.max(0, at(span.until) - begins);
      if (left <= lasts) return begins + left;
      left -= lasts;
    }
    day = day.add({ days: 1 });
  }
}
