/**
 * A lane for each account: one commit is under way there and one more waits for
 * its lock. All others wait here, and keep no session from other accounts.
 */
import { FairSlots } from '../../../core/fair/slots.ts';
import { patienceOf } from '../wire/failure.ts';

const WIDTH = 2;

export class Lanes {
  readonly #slots: FairSlots;

  /** `patienceMs` is how long a commit waits; 0: as long as it takes. */
  constructor(patienceMs: number) {
    const patience = patienceOf(patienceMs);
    this.#slots = new FairSlots({ slots: Number.POSITIVE_INFINITY, ofGroup: WIDTH, patience });
  }

  /** Whether the account is idle in this process. */
  isFree(account: string): boolean {
    return this.#slots.isIdle(account);
  }

  /** Does the work when there is a place in the lanes of all accounts, which are in the order of their names. */
  take<T>([account, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    return account === undefined ? work() : this.#slots.run(account, () => this.take(others, work));
  }
}
