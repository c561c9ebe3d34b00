/** The book of the settings of locations, over the tables of a store. */
import { SETTINGS } from '../../core/objects/location-settings.ts';
import { isZone } from '../../core/schema/fields/kinds/time-zone.ts';
import type { SettingsChange, StoredSettings } from '../promises/account-book.ts';
import { Book, inOrder } from './book.ts';
import { is, says } from './sql/lists.ts';
import { statements } from './tables.ts';

type ZoneRow = readonly [unique_identifier: string, time_zone: string];
type Row = readonly [unique_identifier: string, account: string, ...set: (string | null)[]];

const NAMES = SETTINGS.join(', ');
const FOUND = `SELECT unique_identifier, of_account, ${NAMES} FROM location_settings`;

export const sql = statements({
  settingsOf: ({ among }) => `${FOUND} WHERE ${among('unique_identifier', '$1')}`,
  settingsWithRegion: ({ among }) => `${FOUND} WHERE ${among('of_account', '$1')} AND region <> ''`,
  zones: `SELECT unique_identifier, time_zone FROM location_settings WHERE time_zone <> ''`,
  /** Takes unique identifier, account and the members: an empty text is stored, since NULL leaves what is there. */
  changeSettings: `INSERT INTO location_settings AS known (unique_identifier, of_account, ${NAMES})
    VALUES ($1, $2, ${SETTINGS.map((_, at) => `$${at + 3}`).join(', ')})
    ON CONFLICT (unique_identifier) DO UPDATE
      SET ${SETTINGS.map((name) => `${name} = coalesce(excluded.${name}, known.${name})`).join(', ')}`,
});

export class LocationSettingsBook extends Book {
  /** The settings of these locations and accounts, in any order, without those that never had any. */
  readonly of = (unique_identifiers: readonly string[]) =>
    this.all(toSettings, sql.settingsOf, unique_identifiers);

  /** Lists settings of locations of these accounts, by unique identifier, after that one. */
  readonly list = (accounts: readonly string[], after: string, limit: number) =>
    this.along(
      toSettings,
      FOUND,
      accounts.map((account) => ({
        ...{ table: 'location_settings', order: ['unique_identifier'], limit },
        lead: [is('of_account', account), is('unique_identifier', after, '>')],
        rest: [says('unique_identifier <> of_account')],
      })),
    );

  /** Lists settings of these accounts and their locations, where a region is set. */
  readonly regions = (accounts: readonly string[]) =>
    this.all(toSettings, sql.settingsWithRegion, accounts);

  /** Locations and accounts whose stored time zone is none by which times can be reckoned. */
  async withoutUsableZone(): Promise<readonly ZoneRow[]> {
    const all = await this.tables.rows<ZoneRow>(sql.zones);
    return all.filter(([, zone]) => !isZone(zone));
  }

  /** In one commit. Changes of one location that come together are all merged. */
  async change(changes: readonly SettingsChange[]): Promise<void> {
    const sorted = inOrder(changes, (one) => one.unique_identifier);
    await this.tables.write(
      sorted.map(({ unique_identifier, account, ...set }) => {
        const values = SETTINGS.map((name) => set[name] ?? null);
        return [sql.changeSettings, unique_identifier, account, ...values];
      }),
    );
  }
}

/** A zone by which nothing can be reckoned counts as none: what is above, or UTC, is in its place. */
function toSettings([unique_identifier, account, ...set]: Row): StoredSettings {
  const [zone = null, region = null, state = null] = set;
  const time_zone = zone && !isZone(zone) ? '' : zone;
  return { unique_identifier, account, time_zone, region, state };
}
