/** Makes objects of rows of either store, those of a snapshot the same to the last letter. */
import type { ColumnKind } from '../core/objects/kinds.ts';
import type { OwnColumn } from '../core/objects/own-object.ts';
import {
  type ChangeMark,
  type ChangeRow,
  type LoggedChange,
  type TimedMark,
  toChange,
} from './promises/log.ts';
import type {
  AccountImage,
  FixedRow,
  FixedValue,
  InspectedRecord,
  ReceiptImage,
  TombstoneImage,
} from './promises/snapshot.ts';

export type InspectedRow = readonly [
  ...[unique_identifier: string, account: string, document: string, version: number],
  ...[position: number, updated_at: number, under: boolean | 0 | 1, timed: boolean | 0 | 1],
  ...keys: string[],
];

export function toInspected(row: InspectedRow): InspectedRecord {
  const [unique_identifier, account, document, version, position, ...more] = row;
  const [updated_at, under, timed, ...keys] = more;
  const record = { unique_identifier, account, document, version, position, updated_at, keys };
  return { ...record, under: Boolean(under), timed: Boolean(timed) };
}

/** Makes objects of rows with these columns, in their order. */
export function named<One extends object>(
  ...columns: readonly (keyof One & string)[]
): (row: readonly unknown[]) => One {
  return (row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) as One;
}

const toStoredAccount = named<AccountImage>(
  ...(['unique_identifier', 'livemode', 'document', 'version', 'position'] as const),
  ...(['inserted_at', 'updated_at', 'closed_at', 'committed'] as const),
);

export function toAccountImage(row: readonly unknown[]): AccountImage {
  const account = toStoredAccount(row);
  return { ...account, livemode: Boolean(account.livemode) };
}

export const toTombstoneImage = named<TombstoneImage>(
  ...(['unique_identifier', 'account', 'position', 'parent', 'external_identifier'] as const),
  ...(['inserted_at', 'removal', 'below', 'created_by'] as const),
);

export const toReceiptImage = named<ReceiptImage>(
  ...(['account', 'owner', 'idempotency_key', 'fingerprint', 'expires_at', 'size'] as const),
  ...(['outcome', 'resource', 'record', 'version', 'document', 'updated_at'] as const),
  ...(['removed', 'below', 'drafts'] as const),
);

export const toMark = named<ChangeMark>('position', 'place', 'token');
export const toTimedMark = named<TimedMark>('position', 'place', 'token', 'occurred_at');

export type ChangeImageRow = readonly [account: string, ...change: ChangeRow];

export function toChangeImage([account, ...row]: ChangeImageRow): LoggedChange {
  return toChange(account, row);
}

/** `values` are the columns as the store has them: lists as JSON, bytes as digits. */
export function toFixedRow(columns: readonly OwnColumn[], values: readonly unknown[]): FixedRow {
  return Object.fromEntries(columns.map(({ name, kind }, at) => [name, toValue(kind, values[at])]));
}

function toValue(kind: ColumnKind, value: unknown): FixedValue {
  if (value === null) return null;
  if (kind === 'flag') return Boolean(value);
  return kind === 'texts' ? toList(String(value)) : (value as FixedValue);
}

/** The text itself if it is damaged: `verify` reports it. */
function toList(text: string): FixedValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** About how many characters a row has. */
export function weightOf(row: readonly unknown[]): number {
  const size = (value: unknown) => (typeof value === 'string' ? value.length : 8);
  return row.reduce<number>((sum, value) => sum + size(value), 0);
}
