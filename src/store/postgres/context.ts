/** The parts of an open store. */
import type { RecordShape } from '../../core/schema/shape.ts';
import type { DamageReporter } from '../damage.ts';
import type { ReceiptRooms } from '../receipt-room.ts';
import type { ErasedPairs } from './commit/erased-pairs.ts';
import type { Remembered } from './fast/remembered.ts';
import type { AccountQueues } from './lock/queues.ts';
import type { Placements } from './placement/placements.ts';
import { type DraftStatements, draftStatements, recordStatements } from './statements/records.ts';
import type { Sessions } from './wire/sessions.ts';

export interface Context {
  /** For all work that does not belong to one account. */
  readonly sessions: Sessions;
  /** For commits, and for reads in one account. */
  readonly placements: Placements;
  readonly accountQueues: AccountQueues;
  readonly remembered: Remembered;
  /** By account: up to which position this process has removed old commits. */
  readonly swept: Map<string, number>;
  readonly rooms: ReceiptRooms;
  readonly erased: ErasedPairs;
  readonly now: () => number;
  readonly identify: (prefix: string) => string;
  /** Whether the log of changes stores the content of records. */
  readonly keepsContent: boolean;
  readonly reportDamage: DamageReporter;
  /** Parents before children, the root first. */
  readonly shapes: readonly RecordShape[];
  readonly root: RecordShape;
  /** By resource, in the order of the shapes. */
  readonly tables: ReadonlyMap<string, Table>;
}

export function createContext(
  shapes: readonly RecordShape[],
  parts: Omit<Context, 'shapes' | 'root' | 'tables' | 'swept'>,
): Context {
  const [root] = shapes;
  if (root === undefined || root.parent !== undefined) {
    throw new TypeError('The first shape is the root: it has no parent.');
  }
  const tables = new Map(shapes.map((shape) => [shape.resource, tableOf(shape, shapes)]));
  return { ...parts, shapes, root, tables, swept: new Map() };
}

type Table = ReturnType<typeof tableOf>;

/** The statements of one resource. */
function tableOf(shape: RecordShape, shapes: readonly RecordShape[]) {
  const parent = shapes.find(({ resource }) => resource === shape.parent?.resource);
  const children = shapes.filter(({ parent }) => parent?.resource === shape.resource);
  return {
    shape,
    records: recordStatements(shape),
    /** `undefined` for the root, which is written to by name. */
    drafts: parent && draftStatements(shape, parent),
    /** The resources whose records belong to those of this one. */
    children: children.map(({ resource }) => resource),
  };
}

/** Throws if the store was opened without that resource. */
export function tableFor(context: Context, resource: string): Table {
  const table = context.tables.get(resource);
  if (table === undefined) throw new TypeError(`This store has no resource ${resource}.`);
  return table;
}

/** Throws for the root. */
export function draftsFor(context: Context, resource: string): DraftStatements {
  const { drafts } = tableFor(context, resource);
  if (drafts === undefined) throw new TypeError(`No draft writes to ${resource}.`);
  return drafts;
}
