/** Time zones, by their names in the IANA database. */
import { BoundedMap } from '../../../bounded.ts';
import { type Kind, refusals, refuse } from '../kind.ts';
import { nearestName } from '../members.ts';
import { ofText } from './text.ts';

/** Names that people use, most of them in the United States. */
const SPOKEN = [
  [/^(?:eastern\b|e[sd]?t$)/i, 'America/New_York'],
  [/^(?:central\b|c[sd]?t$)/i, 'America/Chicago'],
  [/^(?:mountain\b|m[sd]?t$)/i, 'America/Denver'],
  [/^(?:pacific\b|p[sd]?t$)/i, 'America/Los_Angeles'],
  [/^(?:gmt|z|zulu|uct)$/i, 'UTC'],
] as const;

const NO_ZONES = 'a schema does not know the time zones';

/**
 * A name such as `America/New_York`, in any case; or `UTC`. It comes back as it was set: an older name of a zone, such as
 * `US/Eastern`, is not replaced by a newer one, since programs that set it compare.
 */
export function timeZone(): Kind<string> {
  return {
    name: 'time zone',
    limit: 'a name of the IANA database',
    ...ofText((value, at, reading) =>
      isZoneName(value)
        ? value
        : refuse(reading, at, 'time_zone_unknown', () => `${at} ${noZone(value)}`),
    ),
    schema: { type: 'string' },
    shown: { type: 'string' },
    samples: () => ({
      accepted: [
        { send: 'America/New_York' },
        { send: 'america/chicago' },
        ...['US/Eastern', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC', 'Etc/UTC'].map((send) => ({
          send,
        })),
      ],
      refused: [
        // EST has no summer time.
        ...refusals('time_zone_unknown', ['America/New York', 'EST', '-05:00'], NO_ZONES),
        ...refusals('time_zone_unknown', ['Etc/GMT+5', 'etc/gmt-14', 'GMT'], NO_ZONES),
        // Part of the platform knows it, and part does not.
        ...refusals('time_zone_unknown', ['SystemV/EST5'], NO_ZONES),
        ...refusals('time_zone_unknown', ['x'.repeat(10_000)], NO_ZONES),
        ...refusals('type_invalid', [-5]),
      ],
    }),
  };
}

/**
 * Offsets that have the form of a place. Their sign is the reverse of what people mean by it: `Etc/GMT+5` is behind UTC.
 * One of zero, such as `Etc/GMT0`, is UTC.
 */
const OFFSET = /^etc\/gmt(?<sign>[+-])(?<hours>[1-9]\d?)$/i;

/** Whether the database has that name, and it is not an offset or an abbreviation: those know no summer time. */
export function isZoneName(text: string): boolean {
  if (text.toUpperCase() === 'UTC') return true;
  return text.includes('/') && !OFFSET.test(text) && isZone(text);
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
  const { sign, hours } = OFFSET.exec(word)?.groups ?? {};
  if (sign !== undefined)
    return `must not be an offset: ${word} is ${hours} h ${sign === '+' ? 'behind' : 'ahead of'} UTC, the reverse of its sign, and has no summer time. Send the name of a place's zone, such as America/New_York.`;
  const [, spoken] = SPOKEN.find(([pattern]) => pattern.test(word)) ?? [];
  const near = spoken ?? zoneNear(word.replaceAll(/\s+/g, '_'));
  const meant = near === undefined ? 'Send for example America/New_York.' : `Did you mean ${near}?`;
  return `is not the name of a time zone. ${meant}`;
}

/** The place alone is enough: `Chicago`. */
function zoneNear(word: string): string | undefined {
  const isWhole = word.includes('/');
  const known = new Map(
    Intl.supportedValuesOf('timeZone')
      .filter((name) => !OFFSET.test(name))
      .map((name) => {
        const said = isWhole ? name : name.slice(name.lastIndexOf('/') + 1);
        return [said.toLowerCase(), name];
      }),
  );
  return known.get(nearestName(word, [...known.keys()]) ?? '');
}
