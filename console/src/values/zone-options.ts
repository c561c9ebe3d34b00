/** Time zones to choose from, as people of a country call them. */
import { now } from '../clock.ts';
import { locale } from '../messages.ts';
import type { Option } from '../parts/select.tsx';
import { hasZone } from './days.ts';
import { cityOf, readersZone } from './format.ts';

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

/** The zones that can be set: a place, or UTC. */
function isOffered(zone: string): boolean {
  return zone === 'UTC' || !/^etc\//i.test(zone);
}

/** The zone that most likely is meant by somebody who looks at this browser. */
export const offeredZone =
  isOffered(readersZone) && readersZone.includes('/') ? readersZone : 'UTC';

const first = [...new Set([offeredZone, ...NEAR])].filter(
  (zone) => zone !== 'UTC' && hasZone(zone),
);

/** Zones of the reader and of the country first, by what they are called there; then all others by their places. */
const all: readonly Option[] = [
  ...first.map((zone): Option => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' });
    const name = format.formatToParts(now()).find(({ type }) => type === 'timeZoneName')?.value;
    return [zone, name === undefined ? placeIn(zone) : `${name} (${cityOf(zone)})`];
  }),
  ...['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
    .filter((zone) => !first.includes(zone) && isOffered(zone))
    .map((zone): Option => [zone, placeIn(zone)]),
];

/** With the one that is set, which may have another name here, or none. */
export function zoneOptions(set: string | null | undefined): readonly Option[] {
  const isThere = !set || all.some(([zone]) => zone === set);
  return isThere ? all : [[set, placeIn(set)], ...all];
}

function placeIn(zone: string): string {
  return zone.replaceAll('_', ' ').replaceAll('/', ' / ');
}
