/** The store's contract for self-tests of partners' programs: the runs, and the observations of each. */

import type { SelfTestRun } from '../../core/objects/self-test.ts';

export type { SelfTestRun } from '../../core/objects/self-test.ts';

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
