/** Self-tests of partners' programs: the runs, and what was seen in each. */

/** A run: what the requests of one key are checked for, for a while. */
export interface SelfTestRun {
  readonly unique_identifier: string;
  readonly account: string;
  readonly key: string;
  readonly inserted_at: number;
  /** Nothing is noted from then on. */
  readonly expires_at: number;
}

/** Something that was seen in a run; `data` is JSON text. */
export interface Sighting {
  readonly kind: string;
  readonly at: number;
  readonly data: string;
}

export interface SelfTestBook {
  /** Ends what the key has open, and drops old runs of the account. */
  open(run: SelfTestRun): Promise<void>;
  /** The run that the key has open. */
  openOf(key: string): Promise<SelfTestRun | undefined>;
  find(unique_identifier: string): Promise<SelfTestRun | undefined>;
  /** The stored ones, newest first. */
  list(account: string): Promise<readonly SelfTestRun[]>;
  /** In the order in which it was noted. */
  seen(unique_identifier: string): Promise<readonly Sighting[]>;
  /** Beyond 500 of a run nothing is noted. */
  note(unique_identifier: string, sighting: Sighting): Promise<void>;
}
