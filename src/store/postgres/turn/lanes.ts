/**
 * A lane for each account: one commit is under way there and one more waits for
 * its lock. All others wait here, and keep no session from other accounts.
 */
import { Places } from './places.ts';

const WIDTH = 2;

export class Lanes {
  readonly #patienceMs: number;
  readonly #lanes = new Map<string, Places>();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Whether the account is idle in this process. */
  isFree(account: string): boolean {
    return !this.#lanes.has(account);
  }

  /** Does the work when there is a place in the lanes of all accounts, which are in the order of their names. */
  async take<T>([account, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    if (account === undefined) return work();
    const lane = this.#lanes.get(account) ?? new Places(WIDTH, this.#patienceMs);
    this.#lanes.set(account, lane);
    try {
      return await lane.take(() => this.take(others, work));
    } finally {
      if (lane.used === 0) this.#lanes.delete(account);
    }
  }
}
