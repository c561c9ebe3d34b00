/** Slots for sending: many tries at once, of which slow ones do not delay the others. */
import { FairSlots } from '../../../core/fair/slots.ts';

/** After this long a try moves to a slot for slow tries, if one is free, and leaves its own to another. */
const SLOW_MS = 1_000;

export class SendingSlots {
  /** One account gets fewer than all, so that some are left to others, however slow its endpoints are. */
  readonly #fresh = new FairSlots({ slots: 64, ofGroup: 48 });
  readonly #slow = new FairSlots({ slots: 512, ofGroup: 128 });

  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    let release = await this.#fresh.acquire(account);
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
