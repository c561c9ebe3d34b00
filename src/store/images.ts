/** Makes the images of a snapshot from rows of either store: the same to the last letter. */

import type { ColumnKind } from '../core/objects/kinds.ts';
import type { OwnColumn } from '../core/objects/own-object.ts';
import type { ChangeRow, LoggedChange } from './promises/log.ts';
import { toChange } from './promises/log.ts';
import type {
  AccountImage,
  FixedRow,
  FixedValue,
  InspectedRecord,
  ReceiptImage,
  TombstoneImage,
} from './promises/snapshot.ts';

export type AccountImageRow = readonly [
  unique_identifier: string,
  livemode: boolean | 0 | 1,
  document: string,
  version: number,
  position: number,
  inserted_at: number,
  updated_at: number,
  closed_at: number | null,
  committed: number,
];

export function toAccountImage(row: AccountImageRow): AccountImage {
  return {
    unique_identifier: row[0],
    livemode: Boolean(row[1]),
    document: row[2],
    version: row[3],
    position: row[4],
    inserted_at: row[5],
    updated_at: row[6],
    closed_at: row[7],
    committed: row[8],
  };
}

export type InspectedRow = readonly [
  unique_identifier: string,
  account: string,
  document: string,
  version: number,
  position: number,
  updated_at: number,
  under: boolean | 0 | 1,
  timed: boolean | 0 | 1,
  ...keys: string[],
];

export function toInspected(row: InspectedRow): InspectedRecord {
  const [unique_identifier, account, document, version, position, ...more] = row;
  const [updated_at, under, timed, ...keys] = more;
  return {
    ...{ unique_identifier, account, document, version, position, updated_at },
    ...{ under: Boolean(under), timed: Boolean(timed), keys },
  };
}

export type TombstoneImageRow = readonly [
  unique_identifier: string,
  account: string,
  position: number,
  parent: string | null,
  external_identifier: string,
  inserted_at: number,
  removal: number,
  below: number | null,
  created_by: number | null,
];

export function toTombstoneImage(row: TombstoneImageRow): TombstoneImage {
  return {
    unique_identifier: row[0],
    account: row[1],
    position: row[2],
    parent: row[3],
    external_identifier: row[4],
    inserted_at: row[5],
    removal: row[6],
    below: row[7],
    created_by: row[8],
  };
}

export type ReceiptImageRow = readonly [
  account: string,
  owner: string,
  idempotency_key: string,
  fingerprint: string,
  expires_at: number,
  size: number,
  outcome: string,
  resource: string | null,
  record: string | null,
  version: number | null,
  document: string | null,
  updated_at: number | null,
  removed: string | null,
  below: number | null,
  drafts: string | null,
];

export function toReceiptImage(row: ReceiptImageRow): ReceiptImage {
  return {
    account: row[0],
    owner: row[1],
    idempotency_key: row[2],
    fingerprint: row[3],
    expires_at: row[4],
    size: row[5],
    outcome: row[6],
    resource: row[7],
    record: row[8],
    version: row[9],
    document: row[10],
    updated_at: row[11],
    removed: row[12],
    below: row[13],
    drafts: row[14],
  };
}

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
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 8),
    0,
  );
}
