/** Whose turn it is to send: many at once, and those that wait long for an answer do not hold up the others. */
import { FairSlots } from '../../fair/slots.ts';
import { SendingPace } from './pace.ts';

/** Tries under way in one process that began a moment ago; accounts take turns. */
const AT_ONCE = 64;
/** Of one account: some are left to the others, however slow its endpoints are. */
const OF_ACCOUNT = 48;
/** After so long a try makes room for another one, and waits for its answer beside it. */
const SLOW_MS = 1_000;
/** So many may wait beside the others, and of one account; beyond that a slow one keeps its place. */
const MAX_SLOW = 512;
const MAX_SLOW_OF_ONE = 128;

export class Turns {
  readonly #fresh = new FairSlots({ slots: AT_ONCE, ofGroup: OF_ACCOUNT });
  readonly #pace = new SendingPace();
  readonly #slow = new Map<string, number>();
  #slowInAll = 0;

  async run<T>(
    account: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const release = await this.#fresh.acquire(account);
    // What is given up meanwhile ends soon.
    if (signal?.aborted !== true) await this.#pace.turn(account);
    let isSlow = false;
    const timer = setTimeout(() => {
      const own = this.#slow.get(account) ?? 0;
      if (this.#slowInAll >= MAX_SLOW || own >= MAX_SLOW_OF_ONE) return;
      isSlow = true;
      this.#slow.set(account, own + 1);
      this.#slowInAll += 1;
      release();
    }, SLOW_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      if (isSlow) this.#noLonger(account);
      release();
    }
  }

  #noLonger(account: string): void {
    const left = (this.#slow.get(account) ?? 1) - 1;
    if (left === 0) this.#slow.delete(account);
    else this.#slow.set(account, left);
    this.#slowInAll -= 1;
  }
}
