/** The deliveries to an endpoint and their results: each change, or signals. */
import type { Principal } from '../../../records/auth/principal.ts';
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
  readonly source: ChangeSource;
  readonly sender: Sender;
  readonly feed: Pick<Feed, 'next' | 'reached'>;
  readonly isOpen: (account: string) => Promise<boolean>;
  readonly identify: (prefix: string) => string;
  readonly now: () => number;
  readonly notices: WebhookNotices;
}

export interface OutboxTask {
  /** The change, if it was read just now; otherwise it is looked up. */
  readonly found?: SourceChange;
  /** As it is, or will be, in the store. */
  delivery: WebhookDelivery;
  /** Whether the store has it, or is about to, so that the position may pass it. */
  isStored: boolean;
  isUnderWay: boolean;
}

export interface Outbox {
  readonly policy: TryPolicy;
  /** By change, what must be stored. */
  readonly changed: Map<string, WebhookDelivery>;
  /** Up to where all is delivered, or stored to be. */
  readonly position: string | null;
  /** When the oldest change was made that is not delivered, as far as the log was read. */
  readonly waitingSince: number | undefined;
  /** Whether the log may have changes that were not read. */
  hasMore: boolean;
  readonly isEmpty: boolean;
  /** Takes over what is pending. */
  load(): Promise<void>;
  /** Reads on in the log where there is room for more. */
  read(principal: Principal, state: DeliveryState): Promise<MarkLost | undefined>;
  /** The deliveries that can be tried now. */
  due(state: DeliveryState): readonly OutboxTask[];
  /** When there is something to read or to try. */
  wakesAt(state: DeliveryState): number;
  /** `undefined` where nothing is left to send. */
  prepare(principal: Principal, task: OutboxTask): Promise<Notification | undefined>;
  /** A try is over; its figures stand in the task. */
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
  return { found, delivery, isStored: false, isUnderWay: false };
}
