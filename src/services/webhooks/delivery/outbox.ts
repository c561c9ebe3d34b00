/** An outbox: the deliveries to one endpoint and their results, of each change or of signals. */
import type { BackgroundPace } from '../../../core/pace.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import type { Regions } from '../../../records/auth/region.ts';
import type { Feed } from '../../../records/changes/feed.ts';
import type { MarkLost } from '../../../store/promises/log.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../../store/promises/webhooks.ts';
import type { WebhookNotices } from '../notices.ts';
import type { Attempt, Notification, Sender } from './sender.ts';
import type { ChangeSource, SourceChange } from './source.ts';
import type { DeliveryState, TryPolicy } from './state.ts';

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

export interface Outbox {
  readonly policy: TryPolicy;
  /** Deliveries to store, by change. */
  readonly changed: Map<string, WebhookDelivery>;
  /** The change up to which everything is delivered, or stored as pending. */
  readonly position: string | null;
  /** The time of the oldest change in the log so far that is not delivered. */
  readonly waitingSince: number | undefined;
  /** Whether the log may have unread changes. */
  hasMore: boolean;
  readonly isEmpty: boolean;
  /** Loads pending deliveries from the store. */
  load(): Promise<void>;
  /** Reads more of the log if there is room. */
  read(principal: Principal, state: DeliveryState): Promise<MarkLost | undefined>;
  /** The deliveries that can be tried now. */
  due(state: DeliveryState): readonly OutboxTask[];
  /** The time of the next read or try. */
  wakesAt(state: DeliveryState): number;
  /** Makes the notification of a task; `undefined` if there is nothing to send. */
  prepare(principal: Principal, task: OutboxTask): Promise<Notification | undefined>;
  /** Notes the end of a try. The task's delivery has its figures already. */
  note(task: OutboxTask, attempt: Attempt, before: DeliveryState, after: DeliveryState): void;
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
