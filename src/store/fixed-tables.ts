/**
 * Tables that are alike on every store and belong to no account: read and written
 * row by row as JSON, whatever they hold. One more is one more entry here.
 */

/** How a column is told in JSON: bytes as hexadecimal digits, flags as booleans, lists of texts as arrays. */
export type ColumnKind = 'text' | 'number' | 'bytes' | 'flag' | 'texts';

export interface FixedTable {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** The columns that tell rows apart: rows are read in their order. */
  readonly key: readonly string[];
}

export type FixedValue = string | number | boolean | null | readonly string[];

/** By the names of the columns, in the order of the table's declaration. */
export type FixedRow = Readonly<Record<string, FixedValue>>;

export const keysTable: FixedTable = {
  table: 'api_key',
  columns: {
    unique_identifier: 'text',
    hash: 'bytes',
    ending: 'text',
    name: 'text',
    livemode: 'flag',
    accounts: 'texts',
    anchors: 'texts',
    permissions: 'texts',
    resources: 'texts',
    allow: 'texts',
    from: 'texts',
    rate: 'number',
    concurrent: 'number',
    inserted_at: 'number',
    expires_at: 'number',
    suspended_at: 'number',
    revoked_at: 'number',
    last_used_at: 'number',
  },
  key: ['unique_identifier'],
};
