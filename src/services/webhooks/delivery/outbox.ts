/** An outbox: the deliveries to one endpoint and their results. */
import type { BackgroundPace } from '../../../core/pace.ts';
import type { Regions } from '../../../records/auth/region.ts';
import type { Feed } from '../../../records/changes/feed.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../../store/promises/webhooks.ts';
import type { WebhookNotices } from '../notices.ts';
import type { Sender } from './sender.ts';
import type { ChangeSource, SourceChange } from './source.ts';

export interface DeliveryParts {
  readonly store: Store;
  readonly regions: Regions;
  readonly source: ChangeSource;
  readonly sender: Sender;
  readonly feed: Pick<Feed, 'next' | 'reached'>;
  readonly isOpen: (account: string) => Promise<boolean>;
  readonly identify: (prefix: string) => string;
  readonly now: () => number;
  readonly pace: BackgroundPace;
  readonly notices: WebhookNotices;
}

export interface OutboxTask {
  /** The change, if it was just read; otherwise it is looked up. */
  readonly found?: SourceChange;
  /** The delivery as it is, or will be, stored. */
  delivery: WebhookDelivery;
  /** Whether it is stored, or will be with the position, so that the position may pass it. */
  isStored: boolean;
  isInFlight: boolean;
}

export function newTask(
  { identify, now }: DeliveryParts,
  { unique_identifier: endpoint }: WebhookEndpoint,
  found: SourceChange,
  [type, attempts]: readonly [type: string, attempts: number],
): OutboxTask {
  const { position, place, record } = found.change;
  const delivery: WebhookDelivery = {
    ...{ unique_identifier: identify('dlv_'), endpoint, change: found.id, position, place, type },
    ...{ record, status: 'pending', attempts, next_at: null },
    ...{ status_code: null, error: null, duration_ms: null },
    ...{ inserted_at: now(), updated_at: now() },
  };
  return { found, delivery, isStored: false, isInFlight: false };
}
