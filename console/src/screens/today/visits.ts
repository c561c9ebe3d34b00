/** Visits of these days, by when they were. */
import { now } from '../../clock.ts';
import { storedZoneOf } from '../../places/stored.ts';
import { parentOf, type Shown } from '../../records/records.ts';
import { midnight } from '../../values/days.ts';
import { NEW_DAYS } from './lists.ts';

/** When a visit was, where its service says so: what was imported today is of then. */
export function happenedAt(record: Shown): string {
  const began = parentOf(record, 'event')?.event_datetime;
  const arrived = String(record.inserted_at);
  return typeof began === 'string' && Date.parse(began) < Date.parse(arrived) ? began : arrived;
}

export function isOfTheseDays(record: Shown, location: string | undefined): boolean {
  const from = midnight(storedZoneOf(location), now(), -NEW_DAYS);
  return Date.parse(happenedAt(record)) >= from.getTime();
}
