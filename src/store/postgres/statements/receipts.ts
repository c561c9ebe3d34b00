/** The SQL that works on receipts, each statement by its name. */

import { RECORD_COLUMNS, type RecordRow } from '../../records.ts';
import type { KeptRecord } from '../../store.ts';
import { columnsOf } from '../rows.ts';
import { prepared, unnest } from './prepare.ts';

type Kept = readonly [
  owner: string,
  idempotency_key: string,
  expires_at: number,
  fingerprint: Uint8Array,
];

export type ReceiptRow =
  | readonly [...Kept, drafts: null, outcome: KeptRecord['outcome'], ...record: RecordRow]
  | readonly [...Kept, drafts: string, outcome: 'batch', ...record: null[]];

/** Of owners $1, idempotency keys $2, also where they have expired. */
export const find = prepared<ReceiptRow>(
  `SELECT owner, idempotency_key, expires_at, fingerprint, drafts, outcome, ${columnsOf('receipt')}
   FROM ${unnest('wanted', [
     ['owner', 'text'],
     ['idempotency_key', 'text'],
   ])}
   JOIN receipt USING (owner, idempotency_key)`,
);

/** Removes those of owners $1, idempotency keys $2. */
export const remove = prepared(
  `DELETE FROM receipt USING ${unnest('expired', [
    ['owner', 'text'],
    ['idempotency_key', 'text'],
  ])}
   WHERE receipt.owner = expired.owner AND receipt.idempotency_key = expired.idempotency_key`,
);

const COLUMNS = [
  ['owner', 'text'],
  ['idempotency_key', 'text'],
  ['fingerprint', 'bytea'],
  ['expires_at', 'bigint'],
  ['outcome', 'text'],
  ...RECORD_COLUMNS.map((name) => {
    const number = ['version', 'mark', 'inserted_at', 'updated_at'].includes(name);
    return [name, number ? 'bigint' : 'text'] as const;
  }),
] as const;

/** Takes the columns of `KeptRecord` as arrays, in the order of `COLUMNS`. Fails where one is there already. */
export const keep = prepared(
  `INSERT INTO receipt (${COLUMNS.map(([name]) => name).join(', ')})
   SELECT ${COLUMNS.map(([name]) => (name === 'mark' ? 'mark::text::xid8' : name)).join(', ')}
   FROM ${unnest('kept', COLUMNS)}`,
);

/** Of a batch. Fails where it is there already. */
export const keepBatch = prepared(
  `INSERT INTO receipt (owner, idempotency_key, fingerprint, expires_at, outcome, drafts, accounts)
   VALUES ($1, $2, $3, $4, 'batch', $5, $6)`,
);

/** Removes up to $2 of those that have expired at $1, and that nobody else is removing. */
export const purge = prepared(
  `DELETE FROM receipt WHERE (owner, idempotency_key) IN
     (SELECT owner, idempotency_key FROM receipt WHERE expires_at <= $1
      ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
);

/** Those of records and of batches that belong to account $1. */
export const wipe = prepared('DELETE FROM receipt WHERE account = $1 OR $1 = ANY (accounts)');
