/** The messages between the service and the process that keeps a folder up to date with its store. */
import type { StoreSettings } from '../../store/open.ts';

export interface FollowTask {
  readonly store: StoreSettings;
  /** The owner of the lease: the process that is started again goes on with it. */
  readonly holder: string;
  readonly folder: string;
  readonly everyMs: number;
  readonly keepMs: number;
}

export type ToChild = FollowTask | 'stop';

export type FromChild =
  /** A heartbeat, sent periodically. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'shows'; readonly moment: number }
  | {
      readonly kind: 'whole';
      readonly file: string;
      readonly bytes: number;
      readonly left_out: number;
    }
  | { readonly kind: 'failed'; readonly why: string };
