/** Settings of a location beyond its record: time zone, region and state, its own or its account's. */
import { text, timeZone } from '../schema/fields/index.ts';
import { identifier, texts } from './kinds.ts';
import { field, given, nullable, ownObject } from './own-object.ts';

/** The members that are set, in the order in which they are shown. */
export const SETTINGS = ['time_zone', 'region', 'state'] as const;

/** The settings of one location, or of an account: `null` or `''` if not set. */
export type SetMembers = Readonly<Record<(typeof SETTINGS)[number], string | null>>;

/** The time zone of a location for which none is set, nor for its account. */
export const UNSET_ZONE = 'UTC';

export interface LocationSettings extends SetMembers {
  readonly unique_identifier: string;
  readonly account: string;
  readonly time_zone: string;
  readonly inherited: readonly string[];
}

export const locationSettings = ownObject({
  name: 'location_settings',
  says: 'Time zone, region and state of a location, or of an account for all of its locations that have none of their own.',
  path: '/v1/location_settings',
  table: 'location_settings',
  indexes: { account: 'of_account, unique_identifier' },
  goesWith: 'content',
  backup: 'location_settings',
  holds: 'Time zones and regions of locations',
  identifiers: 'unique_identifier',
  nothing: 'time_zone region state',
  fields: {
    unique_identifier: field(text(), 'Identifier of the location, or of the account', {
      example: 'loc_0350hLTg4Qw7ghih1EWE8N',
    }),
    account: field(identifier('acct_'), 'The account of the location, or the account itself', {
      column: 'of_account',
    }),
    time_zone: field(timeZone(), 'IANA name of the time zone; `UTC` if none is set', {
      example: 'America/New_York',
      orNull: true,
    }),
    region: nullable(text(), 'Its region, in your words', { example: 'Northeast' }),
    state: nullable(text(), 'Its state or province', { example: 'NY' }),
    inherited: given(
      texts(),
      'Which of `time_zone`, `region` and `state` are not set here: a location inherits them from its account',
      { example: ['state'] },
    ),
  },
});

/** The effective settings of a location or an account, from its own and its account's. */
export function effectiveSettings(
  { unique_identifier, account }: Pick<LocationSettings, 'unique_identifier' | 'account'>,
  setFor: (unique_identifier: string) => SetMembers | undefined,
): LocationSettings {
  const own = setFor(unique_identifier);
  const above = setFor(account);
  const of = (name: keyof SetMembers): string | null => own?.[name] || above?.[name] || null;
  return {
    unique_identifier,
    account,
    time_zone: of('time_zone') ?? UNSET_ZONE,
    region: of('region'),
    state: of('state'),
    inherited: SETTINGS.filter((name) => !own?.[name]),
  };
}
