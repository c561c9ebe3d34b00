/** Time zones, by their names in the IANA database. */
import { BoundedMap } from '../../../bounded.ts';
import { type Kind, refusals, refuse } from '../kind.ts';
import { nearestName } from '../members.ts';
import { ofText } from './text.ts';

/** Names that people of the United States use. */
const SPOKEN = [
  [/^(?:eastern\b|e[sd]?t$)/i, 'America/New_York'],
  [/^(?:central\b|c[sd]?t$)/i, 'America/Chicago'],
  [/^(?:mountain\b|m[sd]?t$)/i, 'America/Denver'],
  [/^(?:pacific\b|p[sd]?t$)/i, 'America/Los_Angeles'],
] as const;

const NO_ZONES = 'a schema does not know the time zones';

/** A name such as `America/New_York`, in any case; or `UTC`. */
export function timeZone(): Kind<string> {
  return {
    name: 'time zone',
    limit: 'a name of the IANA database',
    ...ofText(
      (value, at, reading) =>
        zoneNamed(value) ??
        refuse(reading, at, 'time_zone_unknown', () => `${at} ${noZone(value)}`),
    ),
    schema: { type: 'string' },
    shown: { type: 'string' },
    samples: () => ({
      accepted: [
        { send: 'America/New_York' },
        { send: 'america/chicago', stored: 'America/Chicago' },
        { send: 'UTC' },
      ],
      refused: [
        // EST has no summer time.
        ...refusals('time_zone_unknown', ['America/New York', 'EST', '-05:00'], NO_ZONES),
        // Part of the platform knows it, and part does not.
        ...refusals('time_zone_unknown', ['SystemV/EST5'], NO_ZONES),
        ...refusals('time_zone_unknown', ['x'.repeat(10_000)], NO_ZONES),
        ...refusals('type_invalid', [-5]),
      ],
    }),
  };
}

/** The name as the database has it; `undefined` where it has none: offsets and abbreviations know no summer time. */
function zoneNamed(text: string): string | undefined {
  if (text.toUpperCase() === 'UTC') return 'UTC';
  if (!text.includes('/')) return undefined;
  try {
    // `Intl` knows the names by which others call a zone, and `Temporal` reckons with fewer.
    const name = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    return isZone(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

const usable = new BoundedMap<string, boolean>(1_000);

/** Whether times can be reckoned by a zone of that name: a stored one may be of a version that knew others. */
export function isZone(name: string): boolean {
  return usable.getOrInsertComputed(name, () => {
    try {
      Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
      return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
    } catch {
      return false;
    }
  });
}

/** The message for a text that is not a time zone, with the name that may be meant. */
function noZone(text: string): string {
  const word = text.trim();
  const [, spoken] = SPOKEN.find(([pattern]) => pattern.test(word)) ?? [];
  const near = spoken ?? zoneNear(word.replaceAll(/\s+/g, '_'));
  const meant = near === undefined ? 'Send for example America/New_York.' : `Did you mean ${near}?`;
  return `is not the name of a time zone. ${meant}`;
}

/** The place alone is enough: `Chicago`. */
function zoneNear(word: string): string | undefined {
  const isWhole = word.includes('/');
  const known = new Map(
    Intl.supportedValuesOf('timeZone').map((name) => {
      const said = isWhole ? name : name.slice(name.lastIndexOf('/') + 1);
      return [said.toLowerCase(), name];
    }),
  );
  return known.get(nearestName(word, [...known.keys()]) ?? '');
}
