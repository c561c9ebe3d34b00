/** Delivers to one endpoint for as long as this process holds its lease. */
import type { Principal } from '../../auth/principal.ts';
import type { Feed } from '../../changes/feed.ts';
import type { WebhookBook, WebhookEndpoint, WebhookStatus } from '../../store/webhooks.ts';
import type { WebhookNotices } from '../notices.ts';
import type { Sender } from './sender.ts';
import type { ChangeSource } from './source.ts';

export interface WorkerParts {
  readonly book: WebhookBook;
  readonly source: ChangeSource;
  readonly sender: Sender;
  readonly feed: Pick<Feed, 'next' | 'reached'>;
  /** The rights with which the endpoint reads; `undefined` if its key has ended, or may no longer have webhooks. */
  readonly principalOf: (endpoint: WebhookEndpoint) => Promise<Principal | undefined>;
  readonly lease: string;
  /** Milliseconds that are left of the lease. */
  readonly left: () => number;
  readonly identify: () => string;
  readonly now: () => number;
  readonly notices: WebhookNotices;
}

export interface Worker {
  /** Ends when the endpoint is delivered to no longer, or by `stop`. */
  readonly ended: Promise<void>;
  /** When the oldest change was done that the endpoint has not been told of, as far as it was read. */
  readonly waitingSince: number | undefined;
  /** Ends soon: what is under way is waited for, up to so many milliseconds. */
  stop(ms: number): Promise<void>;
}

/** Why delivery to an endpoint ends. */
export interface Ending {
  readonly status: Extract<WebhookStatus, 'paused' | 'disabled'>;
  readonly reason:
    | 'key_ended'
    | 'gone'
    | 'failing_too_long'
    | 'changes_expired'
    | 'changes_rewound';
}

/** Sleeps until it is woken, or for a while. */
export class Alarm {
  #ring: (() => void) | undefined;
  #isRung = false;

  ring(): void {
    this.#isRung = true;
    this.#ring?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(ms, 1));
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#ring = undefined;
    this.#isRung = false;
  }
}
