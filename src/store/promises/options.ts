/** How a store of whichever kind is opened. */
import type { Events } from '../../core/observe/events.ts';
import type { Observer } from '../../core/observe/observers.ts';
import type { RecordShape } from '../../core/schema/shape.ts';

export interface StoreOptions {
  /** Parents before children: the root, which has no parent, is the first. */
  readonly shapes: readonly RecordShape[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether to create a store if none exists. */
  readonly create: boolean;
  /** Whether to serve requests: if `processes` is 'one', only one process at a time may. */
  readonly serve: boolean;
  /** The most bytes of the receipts of one API key. */
  readonly receiptBytes?: number;
  /** How many days the log of changes is stored; 0: one day, without the content of records. */
  readonly historyDays: number;
  /** Keys of the marks of erased records, the newest first; without them, none can be erased, and no erased one is made again. */
  readonly erasureKeys?: readonly Uint8Array[] | undefined;
  /** Receives the store's size and upkeep. */
  readonly observer?: Pick<Observer, 'show' | 'checkpointed'> | undefined;
  /** Receives notices for the operator about the store's files. */
  readonly notices?: Events['store'] | undefined;
}
