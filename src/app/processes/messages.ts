/** Messages between the processes of one `serve`. */
import type { Figures } from '../../core/observe/metrics/together.ts';
import type { Spent } from '../../edge/limits/key-limits.ts';

export type ToWorker =
  | { readonly kind: 'begin'; readonly isFirst: boolean }
  | { readonly kind: 'figures' }
  | { readonly kind: 'spent'; readonly spent: readonly Spent[] }
  | { readonly kind: 'stop' };

/** A worker serves at that address, from that store. */
export interface Started {
  readonly kind: 'started';
  readonly address: string;
  readonly place: string;
}

export type FromWorker =
  | Started
  /** The answer to the same, where metrics are counted. */
  | { readonly kind: 'figures'; readonly figures: Figures }
  /** For all other workers. */
  | { readonly kind: 'spent'; readonly spent: readonly Spent[] };
