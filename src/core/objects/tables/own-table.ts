/** The language in which tables are declared: those of our own objects, and those whose rows are no objects. */
import type { OwnFields } from '../own-object.ts';
import type { TableDeclaration } from './declaration.ts';

export interface OwnTable<F extends OwnFields = OwnFields> extends TableDeclaration {
  readonly fields: F;
}

/** Declares a table whose rows are no objects. */
export function ownTable<const F extends OwnFields>(table: OwnTable<F>): OwnTable<F> {
  return table;
}
