/** The store's contract for accounts: creating, naming, closing, emptying and removing them. */
import type { Account } from './stored.ts';

/** The result of one step of emptying. */
export interface EmptyingStep {
  /** Records, by resource. */
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
  /** A closed account is seen by no key, and nothing is written under it. Closing twice changes nothing. */
  close(unique_identifier: string): Promise<Account | undefined>;
  reopen(unique_identifier: string): Promise<Account | undefined>;
  /**
   * Removes every record under the account and everything that holds one, piece by
   * piece; the account, which is closed meanwhile, and its keys stay.
   */
  wipe(unique_identifier: string, progress?: ReportProgress): Promise<EmptyingResult | undefined>;
  /**
   * Closes the account until `emptySome` has removed what it holds, and the account itself
   * where it is to go. It is not reopened before. `false` where there is none.
   */
  beginEmptying(unique_identifier: string, isToGo: boolean): Promise<boolean>;
  /** Removes some, so briefly that no writer waits for it long; does nothing in an account that is not being emptied. */
  emptySome(unique_identifier: string): Promise<EmptyingStep>;
}
