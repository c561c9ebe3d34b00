/** Activity: counts of requests and rows by hour, key and location. */
import { text } from '../../schema/fields/index.ts';
import type { Json } from '../../schema/values.ts';
import { count, identifier, instant } from '../kinds.ts';
import { derived, field, type ObjectOf, optional, ownObject } from '../own-object.ts';

/** The identity of an entry, in the order of lists, backwards. */
export const ACTIVITY_ORDER = ['account', 'hour', 'key', 'anchor', 'resource', 'outcome'] as const;

export const activity = ownObject({
  name: 'activity',
  says: 'How many requests and rows one key sent in one hour to one location.',
  path: '/v1/activity',
  table: 'request_activity',
  key: ['of_account', 'hour', 'key', 'anchor', 'resource', 'outcome'],
  indexes: { hour: 'hour' },
  goesWith: 'account',
  backup: 'activity',
  ends: true,
  holds: 'Counts of requests, by the hour',
  goes: 'After 45 days, or when the account is removed',
  nothing: 'resource outcome',
  // There is an index of the hours.
  since: (moment) => `hour > CAST(${moment} AS bigint) - 3600000 AND last_at > ${moment}`,
  fields: {
    hour: field(instant(), 'When the hour began', { example: '2026-11-21T02:00:00.000Z' }),
    /** The account of the records, or of the key where it has one alone. */
    account: optional(
      identifier('acct_'),
      'The account of the records; omitted if the request was for several',
      { column: 'of_account' },
    ),
    key: field(
      identifier('key_'),
      'The API key; of a file that was imported as a source of its own, the import',
    ),
    /** The record that rights can be limited to. */
    anchor: optional(identifier('loc_'), 'The location of the records; omitted if there is none', {
      as: 'location',
    }),
    resource: optional(text(), 'The resource', { example: 'event' }),
    outcome: field(text(), 'What was done, `read` or `refused`', { example: 'created' }),
    count: field(count(), 'Number of requests or rows', { example: 199 }),
    last_at: field(instant(), 'When the last one was answered', {
      example: '2026-11-21T02:00:07.125Z',
    }),
    cursor: derived(text(), 'Send it as `starting_after` to continue after this entry', cursorOf, {
      example:
        'WyJhY2N0XzAzNTB1UzlkUjA5Q25BUTA0V3ZNY0oiLDE3OTUyMjY0MDAwMDAsImtleV8wMzUwdVNwV2NDbEdQZWFxQ1FPZEZMIiwibG9jXzAzNTB1VDc2N05CNTEwbFl1bXhscW0iLCJldmVudCIsImNyZWF0ZWQiXQ',
    }),
  },
});

/** Times are milliseconds since 1970; what is not known is `''`. */
export type Activity = ObjectOf<typeof activity.fields>;

export type ActivityName = Pick<Activity, (typeof ACTIVITY_ORDER)[number]>;

/** Names an entry, so that a list can go on after it. */
function cursorOf(entry: Readonly<Record<(typeof ACTIVITY_ORDER)[number], Json>>): string {
  const name = JSON.stringify(ACTIVITY_ORDER.map((member) => entry[member]));
  return Buffer.from(name).toString('base64url');
}

/** The name in a cursor; `undefined` where it is not a cursor. */
export function nameIn(cursor: string): ActivityName | undefined {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(values) || values.length !== ACTIVITY_ORDER.length) return undefined;
  const name = Object.fromEntries(ACTIVITY_ORDER.map((member, index) => [member, values[index]]));
  const isName = Object.entries(name).every(([member, value]) =>
    member === 'hour'
      ? Number.isSafeInteger(value)
      : typeof value === 'string' && !value.includes('\0'),
  );
  return isName ? (name as unknown as ActivityName) : undefined;
}
