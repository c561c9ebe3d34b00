/** The store's contract for accounts: creating, naming, closing, emptying and removing them; for the settings of their locations, and who sends to them. */
import type { SetMembers } from '../../core/objects/location-settings.ts';
import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { Account } from './stored.ts';

/** Each method that takes an identifier returns `undefined` when the account does not exist. */
export interface AccountBook {
  /** An account is live or test for good. */
  create(account: { readonly name: string; readonly livemode: boolean }): Promise<Account>;
  /** Read where that account is: what hinders others hinders this one not. */
  find(unique_identifier: string): Promise<Account | undefined>;
  /** All accounts, closed ones included, by name. */
  list(): Promise<readonly Account[]>;
  rename(unique_identifier: string, name: string): Promise<Account | undefined>;
  /** Whether what people change of its records is pinned. */
  pins(unique_identifier: string, isOn: boolean): Promise<Account | undefined>;
  /** No key can see a closed account, and nothing is written under it. Closing twice changes nothing. */
  close(unique_identifier: string): Promise<Account | undefined>;
  reopen(unique_identifier: string): Promise<Account | undefined>;
  /**
   * Closes the account until `emptySome` has removed every record under it and everything that contains one, and the
   * account itself with all that belongs to it if it becomes `gone`. It cannot be reopened before. `false` if it does not exist. Throws `record_held` while a hold of the account lasts.
   */
  beginEmptying(unique_identifier: string, isRemoved: boolean): Promise<boolean>;
  /** Counts the records under the account, by resource, parents before children. */
  contents(unique_identifier: string): Promise<ReadonlyMap<string, number>>;
  /**
   * Removes some of the content, briefly enough not to hold up writers. Returns how many records; `undefined` once
   * nothing is left, and in an account that is not being emptied.
   */
  emptySome(unique_identifier: string): Promise<number | undefined>;
}

/** The stored settings of one location or account. */
export interface StoredSettings extends SetMembers {
  readonly unique_identifier: string;
  readonly account: string;
}

/** `''` takes a member away; what is left out stays. */
export interface SettingsChange extends Partial<SetMembers> {
  readonly unique_identifier: string;
  readonly account: string;
}

/** Why a source cannot be renamed or merged. */
export type SourceRefused = 'missing' | 'name_taken' | 'same' | 'other_account';

/** A record that a row names, and a checksum of what the row says; `null`: it says nothing that counts. */
export type SeenFingerprint = readonly [mark: string, content: number | null];

/** The most rows of one sync. */
export const MAX_SEEN = 10_000_000;

export type SyncName = Pick<StoredSync, 'account' | 'unique_identifier'>;

export interface SyncsQuery {
  readonly accounts: readonly string[];
  /** Only those at these. */
  readonly locations: readonly string[] | undefined;
  /** Only those of these, by name. */
  readonly resources: readonly string[];
  readonly limit: number;
  /** Only those that are older than this one. */
  readonly before: string | undefined;
}
