/** The language in which tables are declared: those of our own objects, and those whose rows are no objects. */
import type { OwnFields } from '../own-object.ts';
import type { TableDeclaration } from './declaration.ts';

export interface OwnTable extends TableDeclaration {
  readonly fields: OwnFields;
}

/** Declares a table whose rows are no objects. */
export function ownTable(table: OwnTable): OwnTable {
  return table;
}
