/** The store's contract for accounts: creating, naming, closing, emptying and removing them; for the settings of their locations, and who sends to them. */
import type { SetMembers } from '../../core/objects/location-settings.ts';
import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { Account } from './stored.ts';

/** The result of one step of emptying. */
export interface EmptyingStep {
  /** Removed records, by resource. */
  readonly removed: ReadonlyMap<string, number>;
  readonly more: boolean;
}

export interface EmptyingResult {
  /** Records that this run has removed, by resource, parents before children. */
  readonly removed: ReadonlyMap<string, number>;
}

/** Called with how many records are removed so far. */
export type ReportProgress = (records: number) => void;

/** Each method that takes an identifier returns `undefined` when the account does not exist. */
export interface AccountBook {
  /** An account is live or test for good. */
  create(account: { readonly name: string; readonly livemode: boolean }): Promise<Account>;
  /** All accounts, closed ones included, by name. */
  list(): Promise<readonly Account[]>;
  rename(unique_identifier: string, name: string): Promise<Account | undefined>;
  /** Whether what people change of its records is pinned. */
  pins(unique_identifier: string, isOn: boolean): Promise<Account | undefined>;
  /** No key can see a closed account, and nothing is written under it. Closing twice changes nothing. */
  close(unique_identifier: string): Promise<Account | undefined>;
  reopen(unique_identifier: string): Promise<Account | undefined>;
  /**
   * Removes every record under the account and everything that contains one, step by step. The account, which is closed
   * meanwhile, and its keys stay.
   */
  wipe(unique_identifier: string, progress?: ReportProgress): Promise<EmptyingResult | undefined>;
  /**
   * Closes the account until `emptySome` has removed its content, and the account itself if it becomes `gone`. It
   * cannot be reopened before. `false` if it does not exist. Throws `record_held` while a hold of the account lasts.
   */
  beginEmptying(unique_identifier: string, isRemoved: boolean): Promise<boolean>;
  /**
   * Removes some of the content, briefly enough not to hold up writers. Does nothing in an account that is not being
   * emptied.
   */
  emptySome(unique_identifier: string): Promise<EmptyingStep>;
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
export type SeenMark = readonly [mark: string, content: number | null];

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
