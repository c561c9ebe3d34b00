/** The parts of an open store. */
import type { RecordShape } from '../../core/schema/shape.ts';
import type { DamageTeller } from '../damage.ts';
import type { ReceiptRooms } from '../receipt-room.ts';
import type { ErasedPairs } from './commit/erased-pairs.ts';
import type { Remembered } from './fast/remembered.ts';
import type { Placements } from './placement/placements.ts';
import {
  type DraftStatements,
  draftStatements,
  type RecordStatements,
  recordStatements,
} from './statements/records.ts';
import type { Lanes } from './turn/lanes.ts';
import type { Sessions } from './wire/sessions.ts';

/** The statements of one resource. */
export interface Table {
  readonly shape: RecordShape;
  readonly records: RecordStatements;
  /** `undefined` for the root, which is written to by name. */
  readonly drafts: DraftStatements | undefined;
  /** The resources whose records belong to those of this one. */
  readonly children: readonly string[];
}

export interface Context {
  /** For all work that does not belong to one account. */
  readonly sessions: Sessions;
  /** For commits, and for reads in one account. */
  readonly placements: Placements;
  /** Taken by every commit in an account. */
  readonly lanes: Lanes;
  readonly remembered: Remembered;
  /** By account: up to which position this process has removed old commits. */
  readonly swept: Map<string, number>;
  readonly rooms: ReceiptRooms;
  readonly erased: ErasedPairs;
  readonly now: () => number;
  /** A new unique identifier with a prefix. */
  readonly identify: (prefix: string) => string;
  /** Whether the log of changes stores the content of records. */
  readonly keepsContent: boolean;
  /** Checks entries of the log as they are read. */
  readonly tellDamage: DamageTeller;
  readonly root: RecordShape;
  /** By resource, parents before children. */
  readonly tables: ReadonlyMap<string, Table>;
}

export function createContext(
  shapes: readonly RecordShape[],
  parts: Omit<Context, 'root' | 'tables' | 'swept'>,
): Context {
  const [root] = shapes;
  if (root === undefined || root.parent !== undefined) {
    throw new TypeError('The first shape is the root: it has no parent.');
  }
  const tables = shapes.map((shape): [string, Table] => {
    const parent = shapes.find(({ resource }) => resource === shape.parent?.resource);
    const table: Table = {
      shape,
      records: recordStatements(shape),
      drafts: parent === undefined ? undefined : draftStatements(shape, parent),
      children: shapes
        .filter(({ parent }) => parent?.resource === shape.resource)
        .map(({ resource }) => resource),
    };
    return [shape.resource, table];
  });
  return { ...parts, root, tables: new Map(tables), swept: new Map() };
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
