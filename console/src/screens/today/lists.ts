/** The lists of the first screen: short, and of these days. */

import { storedZoneOf, storedZones } from '../../places/stored.ts';
import { anchor, filterBy, resourceNamed } from '../../records/description.ts';
import { serviceNow } from '../../service/time.ts';
import { midnight, withOffset } from '../../values/days.ts';

/** Services of two days; a group with more shows its list. */
const MAX_SERVICES = 30;
export const MAX_SHOWN = 6;
/** Visits on a page of them, of which some are of these days. */
const MAX_VISITS = 50;
/** What came in the last days is new. */
export const NEW_DAYS = 7;

/** The path of a resource, and the query of its list. */
export type ShortList = readonly [path: string, params: object];

/** `location`: only what is there. */
export function listsOf(
  location: string | undefined,
): readonly [
  services: ShortList,
  replies: ShortList,
  arrangements: ShortList,
  interested: ShortList,
] {
  const at = locationFilter(location);
  const usual = storedZoneOf(location);
  const now = serviceNow();
  const begins = (days: number) => (zone: string) => midnight(zone, now, days).getTime();
  const zones = location === undefined ? storedZones() : [usual];
  // From where the day begins first until where it ends last.
  const from = new Date(Math.min(...zones.map(begins(0))));
  const until = new Date(Math.max(...zones.map(begins(2))));
  const lately = {
    limit: MAX_SHOWN,
    ...at,
    'inserted_at[gte]': withOffset(midnight(usual, now, -NEW_DAYS), usual),
  };
  const services = {
    limit: MAX_SERVICES,
    ...at,
    order: 'event_datetime',
    'event_datetime[gte]': withOffset(from, usual),
    'event_datetime[lt]': withOffset(until, usual),
    expand: [anchor?.name],
  };
  return [
    ['events', services],
    ['direct_mail_replies', lately],
    ['online_arrangements', lately],
    [
      'event_check_in_records',
      {
        ...lately,
        limit: MAX_VISITS,
        visitor_interested_in_pre_planning: true,
        expand: ['event', ...saidOf('event_check_in_record')],
      },
    ],
  ];
}

/** What features say of records of a resource. */
export const saidOf = (name: string): readonly string[] =>
  resourceNamed(name)?.says.map((one) => one.name) ?? [];

/** The parameter that limits lists to the location that is looked at. */
function locationFilter(location: string | undefined): Readonly<Record<string, string>> {
  const events = resourceNamed('event');
  const param = anchor && events && filterBy(events, anchor.name);
  return param === undefined || location === undefined ? {} : { [param]: location };
}
