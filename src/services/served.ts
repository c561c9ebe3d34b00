/** The parts that features give to the program that serves. */
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import type { Resource } from '../core/schema/define.ts';
import type { Store } from '../store/promises/store.ts';
import type { Task } from './upkeep.ts';
import type { WebhookEndpoints } from './webhooks/endpoints.ts';

export interface ServeParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly now: () => number;
  readonly gauge?: Metrics['gauge'] | undefined;
  readonly endpoints?: Pick<WebhookEndpoints, 'onTest'>;
}

export interface Served {
  /** Does the work of its operations. */
  readonly service: object;
  /** Runs while the clock can be trusted. */
  readonly upkeep?: readonly Task[];
}
