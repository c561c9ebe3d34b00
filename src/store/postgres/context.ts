/** The parts of an open store. */
import type { RecordShape } from '../../core/schema/shape.ts';
import type { DamageReporter } from '../damage.ts';
import type { ReceiptRooms } from '../receipt-room.ts';
import { tablesOf } from '../tables.ts';
import type { Remembered } from './cached/remembered.ts';
import type { ErasedPairs } from './commit/erased-pairs.ts';
import type { AccountQueues } from './lock/queues.ts';
import type { Placements } from './placement/placements.ts';
import { draftStatements, recordStatements } from './statements/records.ts';
import type { Sessions } from './wire/sessions.ts';

interface ContextParts {
  /** For all work that does not belong to one account. */
  readonly sessions: Sessions;
  /** For commits, and for reads in one account. */
  readonly placements: Placements;
  readonly accountQueues: AccountQueues;
  readonly remembered: Remembered;
  readonly rooms: ReceiptRooms;
  readonly erased: ErasedPairs;
  readonly now: () => number;
  /** The clock of the machine, for what is only written down. */
  readonly machine: () => number;
  readonly identify: (prefix: string) => string;
  /** Keys to mark what is secret with; the newest first. */
  readonly keys: readonly Uint8Array[];
  /** Whether the log of changes stores the content of records. */
  readonly keepsContent: boolean;
  readonly reportDamage: DamageReporter;
  /** Parents before children, the root first. */
  readonly shapes: readonly RecordShape[];
}

export type Context = ReturnType<typeof createContext>;

export function createContext(parts: ContextParts) {
  return {
    ...parts,
    ...tablesOf(parts.shapes, { records: recordStatements, drafts: draftStatements }),
    /** By account: up to which position this process has removed old commits. */
    swept: new Map<string, number>(),
  };
}
