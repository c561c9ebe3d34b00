/** What the parts of an open store share. */
import type { RecordShape } from '../../schema/shape.ts';
import type { Connection } from './connection.ts';
import { commitStatements } from './statements/commits.ts';
import {
  type DraftStatements,
  draftStatements,
  type RecordStatements,
  recordStatements,
} from './statements/records.ts';

/** The statements of one resource. */
export interface Table {
  readonly shape: RecordShape;
  readonly records: RecordStatements;
  /** `undefined` for the root, which is written to by name. */
  readonly drafts: DraftStatements | undefined;
}

export interface Context {
  readonly connection: Connection;
  readonly now: () => number;
  /** A new unique identifier with a prefix. */
  readonly identify: (prefix: string) => string;
  readonly root: RecordShape;
  /** The mark of the commit under way; to be asked for once by what changes records. */
  readonly nextMark: () => number;
  /** Writes something that means nothing. */
  readonly checkWrite: () => void;
  /** Throws where the store was opened without that resource. */
  table(resource: string): Table;
  readonly tables: ReadonlyMap<string, Table>;
}

export function createContext(
  connection: Connection,
  shapes: readonly RecordShape[],
  now: () => number,
  identify: (prefix: string) => string,
): Context {
  const { database } = connection;
  const [root] = shapes;
  if (root === undefined || root.parent !== undefined) {
    throw new TypeError('The first shape is the root: it has no parent.');
  }
  const tables = new Map<string, Table>();
  for (const shape of shapes) {
    const drafts = shape.parent === undefined ? undefined : draftStatements(database, shape);
    tables.set(shape.resource, { shape, records: recordStatements(database, shape), drafts });
  }
  const commits = commitStatements(database);
  return {
    connection,
    now,
    identify,
    root,
    checkWrite: () => commits.checkWrite.run(now()),
    nextMark: () => commits.nextMark.get()?.[0] ?? 0,
    tables,
    table(resource) {
      const table = tables.get(resource);
      if (table === undefined) throw new TypeError(`This store has no resource ${resource}.`);
      return table;
    },
  };
}
