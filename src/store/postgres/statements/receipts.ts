/** The SQL that works on receipts, each statement by its name. */
import type { Proved } from '../../receipt-room.ts';
import { columns, insertEach, OWN, prepared, unnest } from './prepare.ts';

/** For a write, what it proves is the record and its version. */
export type ReceiptRow = readonly [
  ...[account: string, owner: string, idempotency_key: string, expires_at: number],
  ...Proved,
];

/** Receipts of owners $1, idempotency keys $2, accounts $3, also where they have expired. */
export const find = prepared<ReceiptRow>`SELECT receipt.account, receipt.owner,
    receipt.idempotency_key, receipt.expires_at, fingerprint, outcome,
    coalesce(receipt.record, drafts), coalesce(receipt.version, below)
  FROM ${unnest('wanted', ['owner', 'idempotency_key', 'account'])}
  JOIN "receipt" AS receipt USING (owner, idempotency_key, account)
  ORDER BY receipt.account`;

/** Lets those of owners $1, idempotency keys $2, accounts $3 go by other names until they are purged. */
export const rename = prepared`UPDATE "receipt" AS receipt SET idempotency_key =
    'expired ' || receipt.expires_at::text || ' ' || receipt.idempotency_key
  FROM ${unnest('expired', ['owner', 'idempotency_key', 'account'])}
  WHERE receipt.account = expired.account
    AND receipt.owner = expired.owner AND receipt.idempotency_key = expired.idempotency_key`;

export const RECEIPT = columns({
  text: ['account', 'owner', 'idempotency_key', 'outcome', 'record', 'drafts'],
  bigint: ['expires_at', 'size', 'version', 'below'],
  bytea: ['fingerprint'],
});

/** Fails where one is there already. */
export const insert = insertEach('"receipt"', RECEIPT);

export type DueRow = readonly [
  ...[account: string, owner: string, idempotency_key: string],
  ...[record: string | null, version: number | null],
];

/** The first $2 of those that have expired at $1. */
export const due = prepared<DueRow>`SELECT account, owner, idempotency_key, record, version
  FROM "receipt"
  WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`;

/** Receipts of account $1, owners $2, idempotency keys $3 that have expired at $4. */
export const purge = prepared<
  readonly [owner: string, size: number]
>`DELETE FROM "receipt" AS receipt
  USING ${unnest('due', ['owner', 'idempotency_key'], 2)}
  WHERE receipt.account = ${OWN} AND receipt.owner = due.owner
    AND receipt.idempotency_key = due.idempotency_key AND receipt.expires_at <= $4
  RETURNING receipt.owner, size`;

/** Adds bytes $2 to what owners $1 have taken, and gives the sums. */
export const takeRoom = prepared<
  readonly [owner: string, bytes: number]
>`INSERT INTO receipt_room (owner, bytes)
  SELECT owner, bytes FROM ${unnest('taken', ['owner', ['bytes', 'bigint']])}
  ON CONFLICT (owner) DO UPDATE SET bytes = greatest(receipt_room.bytes + excluded.bytes, 0)
  RETURNING owner, bytes`;
