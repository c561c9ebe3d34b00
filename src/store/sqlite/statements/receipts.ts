/** The SQL that works on receipts, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordRow } from '../../records.ts';
import type { KeptRecord } from '../../store.ts';
import { COLUMNS } from '../rows.ts';
import { bounded, elementsOf, prepare } from './prepare.ts';

export type ReceiptRow =
  | readonly [
      fingerprint: Uint8Array,
      drafts: null,
      outcome: KeptRecord['outcome'],
      ...record: RecordRow,
    ]
  | readonly [fingerprint: Uint8Array, drafts: string, outcome: 'batch', ...record: null[]];

export function receiptStatements(database: DatabaseSync) {
  return {
    /** Of owner ?, idempotency_key ?, unless expired at ?. */
    find: prepare<ReceiptRow>(
      database,
      `SELECT fingerprint, drafts, outcome, ${COLUMNS} FROM receipt
       WHERE owner = ? AND idempotency_key = ? AND expires_at > ?`,
    ),
    /** Takes the place of an expired one. */
    keep: prepare(
      database,
      `INSERT OR REPLACE INTO receipt
         (owner, idempotency_key, fingerprint, expires_at, outcome, ${COLUMNS})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    /** Of a batch; takes the place of an expired one. */
    keepBatch: prepare(
      database,
      `INSERT OR REPLACE INTO receipt
         (owner, idempotency_key, fingerprint, expires_at, outcome, drafts, accounts)
       VALUES (?, ?, ?, ?, 'batch', ?, ?)`,
    ),
    /** Removes up to ?2 of those that have expired at ?1. */
    purge: prepare(
      database,
      `DELETE FROM receipt WHERE rowid IN
         (SELECT rowid FROM receipt WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${bounded('?2')})`,
    ),
    /** Those of records and of batches that belong to account ?1, too. */
    wipe: prepare(
      database,
      `DELETE FROM receipt WHERE account = ?1 OR ?1 IN ${elementsOf('accounts')}`,
    ),
  };
}
