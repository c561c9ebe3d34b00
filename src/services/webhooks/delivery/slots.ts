/** Slots for sending: many tries at once, of which slow ones do not delay the others. */
import { FairSlots } from '../../../core/fair/slots.ts';
import { SendingPace } from './pace.ts';

/** After this long a try moves to a slot for slow tries, if one is free, and leaves its own to another. */
const SLOW_MS = 1_000;

export class SendingSlots {
  /** One account gets fewer than all, so that some are left to others, however slow its endpoints are. */
  readonly #fresh = new FairSlots({ slots: 64, ofGroup: 48 });
  readonly #slow = new FairSlots({ slots: 512, ofGroup: 128 });
  readonly #pace = new SendingPace();

  async run<T>(
    account: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    let release = await this.#fresh.acquire(account);
    // An aborted try ends soon, so it need not wait.
    if (signal?.aborted !== true) await this.#pace.wait(account);
    const timer = setTimeout(() => {
      const slow = this.#slow.tryAcquire(account);
      if (slow === undefined) return;
      release();
      release = slow;
    }, SLOW_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}
