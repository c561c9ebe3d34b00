/** The store's contract for accounts: creating, naming, closing, emptying and removing them; for the settings of their locations, and who sends to them. */
import type { SetMembers } from '../../core/objects/location-settings.ts';
import type { SourceWriter, StoredSource } from '../../core/objects/source.ts';
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
  beginEmptying(unique_identifier: string, isToGo: boolean): Promise<boolean>;
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

/**
 * The settings of a removed location stay, so that undoing the removal restores them. Callers look the location up
 * first.
 */
export interface LocationSettingsBook {
  /** The settings of these locations and accounts, in any order, without those that never had any. */
  of(unique_identifiers: readonly string[]): Promise<readonly StoredSettings[]>;
  /** Of locations of these accounts, by unique identifier, after that one. */
  list(
    accounts: readonly string[],
    after: string,
    limit: number,
  ): Promise<readonly StoredSettings[]>;
  /** Of these accounts and their locations, where a region is set. */
  regions(accounts: readonly string[]): Promise<readonly StoredSettings[]>;
  /** In one commit. Changes of one location that come together are all merged. */
  change(changes: readonly SettingsChange[]): Promise<void>;
}

/** Why a source cannot be renamed or merged. */
export type SourceRefused = 'missing' | 'name_taken' | 'same' | 'other_account';

export interface SourceBook {
  /**
   * The number of the source of those who write in an account: of an API key, a person or an import, by its unique
   * identifier. It is made when it is first needed, and then known without a promise: nothing is looked up per write.
   */
  numberOf(account: string, by: string): number | Promise<number>;
  /** Makes the source of that name the one of a new writer in an account. It is made if there is none. */
  assign(account: string, writer: string, name: string): Promise<number>;
  /** Gives a new writer the sources of another one. */
  inherit(writer: string, from: string): Promise<void>;
  /** Sources of these accounts by number, those that were merged into others included. */
  list(accounts: readonly string[]): Promise<readonly StoredSource[]>;
  /** Whose writes are theirs. */
  writers(accounts: readonly string[]): Promise<readonly SourceWriter[]>;
  /** The sources of those who have written in an account, by their unique identifiers; seconds old at the most. */
  of(
    account: string,
    by: Iterable<string | null>,
  ): Promise<ReadonlyMap<string | null, StoredSource>>;
  rename(unique_identifier: string, name: string): Promise<StoredSource | SourceRefused>;
  /** The one that began a sync. */
  ofSync(unique_identifier: string): Promise<StoredSource | undefined>;
  /** Makes a source part of another one of the account: from then on its records and writers are of that one. */
  merge(unique_identifier: string, into: string): Promise<StoredSource | SourceRefused>;
}

/** Marks of what was seen: 64 bits of each, one after the other. */
export type SeenMarks = BigUint64Array;

/** The most marks of one sync. */
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

export interface SyncBook {
  /** Replaces, in the same commit, open ones of these sources for the same resource and place: there is never more than one. */
  begin(sync: StoredSync, sources: readonly number[]): Promise<void>;
  find(unique_identifier: string, accounts: readonly string[]): Promise<StoredSync | undefined>;
  /** The newest first. */
  list(query: SyncsQuery): Promise<readonly StoredSync[]>;
  /** Those whose removals are under way, or are undone, or were when a process ended. */
  going(): Promise<readonly StoredSync[]>;
  /** Stores a sync, without `seen`, unless it was changed since it was read. Returns it as it is then. */
  put(sync: StoredSync): Promise<StoredSync | undefined>;
  /** Stores marks of what was seen: on disk when it resolves. `false`: the sync is not open any more, or has `MAX_SEEN`. */
  see(sync: SyncName, marks: SeenMarks): Promise<boolean>;
  /** All marks of a sync, in batches. */
  seen(sync: SyncName): AsyncIterable<SeenMarks>;
  /** Removes some marks of syncs that take no more, and syncs of long ago. Returns whether there may be more. */
  purge(): Promise<boolean>;
}
