/** The time zone of times without an offset, where the command names none: that of the homes, if it is the same for all. */
import type { LocationSettings } from '../../core/objects/location-settings.ts';

/** One page of settings: those of accounts, and of locations with settings of their own. */
export interface SettingsSeen {
  readonly settings: readonly Pick<
    LocationSettings,
    'unique_identifier' | 'account' | 'time_zone' | 'inherited'
  >[];
  /** Whether there are more, which may differ. */
  readonly more: boolean;
}

/** `location` is that of all rows, where it is known. `undefined`: none is set, or they differ. */
export function zoneOfHomes(
  { settings, more }: SettingsSeen,
  location: string | undefined,
): string | undefined {
  const own = settings.find(({ unique_identifier: id }) => id === location);
  if (own !== undefined && !own.inherited.includes('time_zone')) return own.time_zone;
  const isUnset = settings.some(
    ({ unique_identifier, account, inherited }) =>
      unique_identifier === account && inherited.includes('time_zone'),
  );
  const zones = new Set(settings.map(({ time_zone }) => time_zone));
  const [only] = zones;
  return more || isUnset || zones.size > 1 ? undefined : only;
}
