/** Time zones to choose from, as people of a country call them. */
import { locale } from '../messages.ts';
import type { Option } from '../parts/select.tsx';
import { readersZone } from './format.ts';

/** Where the group's homes most likely are. */
const NEAR = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
];

/** Zones of the reader and of the country first, by what they are called there; then all others by their places. */
export const zoneOptions: readonly Option[] = [
  ...[...new Set([readersZone, ...NEAR])].map((zone): Option => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' });
    const name = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value;
    return [zone, name === undefined ? placeIn(zone) : `${name} (${placeOf(zone)})`];
  }),
  ...['UTC', ...Intl.supportedValuesOf('timeZone')]
    .filter((zone) => zone !== readersZone && !NEAR.includes(zone))
    .map((zone): Option => [zone, placeIn(zone)]),
];

function placeIn(zone: string): string {
  return zone.replaceAll('_', ' ').replaceAll('/', ' / ');
}

function placeOf(zone: string): string {
  return placeIn(zone.slice(zone.lastIndexOf('/') + 1));
}
