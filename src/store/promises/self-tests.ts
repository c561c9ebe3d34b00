/** The store's contract for self-tests of partners' programs: the runs, and the observations of each. */

/** A run of the self-test, which observes the requests of one key for a while. */
export interface SelfTestRun {
  readonly unique_identifier: string;
  readonly account: string;
  readonly key: string;
  readonly inserted_at: number;
  /** The time from which nothing is noted. */
  readonly expires_at: number;
}

/** An observation in a run; `data` is JSON text. */
export interface Sighting {
  readonly kind: string;
  readonly at: number;
  readonly data: string;
}

export interface SelfTestBook {
  /** Begins a run. Ends the key's open one, and deletes old runs of the account. */
  open(run: SelfTestRun): Promise<void>;
  /** The open run of the key. */
  openOf(key: string): Promise<SelfTestRun | undefined>;
  find(unique_identifier: string): Promise<SelfTestRun | undefined>;
  /** The stored ones, newest first. */
  list(account: string): Promise<readonly SelfTestRun[]>;
  /** In the order in which they were noted. */
  seen(unique_identifier: string): Promise<readonly Sighting[]>;
  /** Notes an observation; after 500 of a run, nothing. */
  note(unique_identifier: string, sighting: Sighting): Promise<void>;
}
