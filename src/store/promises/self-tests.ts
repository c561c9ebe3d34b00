/** The store's contract for self-tests of partners' programs: the runs, and the observations of each. */

export type { SelfTestRun } from '../../core/objects/self-test.ts';

/** An observation in a run; `data` is JSON text. */
export interface Sighting {
  readonly kind: string;
  readonly at: number;
  readonly data: string;
}
