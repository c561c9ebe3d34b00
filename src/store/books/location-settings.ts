/** The book of the settings of locations, over the tables of a store. */
import { SETTINGS } from '../../core/objects/location-settings.ts';
import type { SettingsChange, StoredSettings } from '../promises/account-book.ts';
import { Book, inOrder } from './book.ts';
import { statements } from './tables.ts';

type Row = readonly [unique_identifier: string, account: string, ...set: (string | null)[]];

const NAMES = SETTINGS.join(', ');
const FOUND = `SELECT unique_identifier, of_account, ${NAMES} FROM location_settings`;

export const sql = statements({
  settingsOf: ({ among }) => `${FOUND} WHERE ${among('unique_identifier', '$1')}`,
  listSettings: ({ among, limit }) => `${FOUND}
    WHERE ${among('of_account', '$1')} AND unique_identifier > $2 AND unique_identifier <> of_account
    ORDER BY unique_identifier LIMIT ${limit('$3')}`,
  settingsWithRegion: ({ among }) => `${FOUND} WHERE ${among('of_account', '$1')} AND region <> ''`,
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
    this.all(toSettings, sql.listSettings, accounts, after, limit);

  /** Lists settings of these accounts and their locations, where a region is set. */
  readonly regions = (accounts: readonly string[]) =>
    this.all(toSettings, sql.settingsWithRegion, accounts);

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

function toSettings([unique_identifier, account, ...set]: Row): StoredSettings {
  const [time_zone = null, region = null, state = null] = set;
  return { unique_identifier, account, time_zone, region, state };
}
