/** The parts that features give to the program that serves. */
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import type { BackgroundPace } from '../core/pace.ts';
import type { Resource } from '../core/schema/define.ts';
import type { Store } from '../store/promises/store.ts';
import type { JobSubject, Jobs } from './jobs.ts';
import type { Task } from './upkeep.ts';
import type { WebhookEndpoints } from './webhooks/endpoints.ts';

export interface ServeParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly now: () => number;
  /** Whether there is a key to know removed records by. */
  readonly isKeyed?: boolean;
  /** Whether the clock can be trusted for removing what is old. */
  readonly trustsClock?: () => Promise<boolean>;
  readonly pace?: BackgroundPace;
  readonly figure?: Metrics['figure'] | undefined;
  readonly endpoints?: Pick<WebhookEndpoints, 'onTest'>;
}

export interface Served {
  readonly service: object;
  /** Runs while the clock can be trusted. */
  readonly upkeep?: readonly Task[];
  /** Done by the first of several processes on a machine. */
  readonly jobs?: readonly Jobs<JobSubject>[];
}
