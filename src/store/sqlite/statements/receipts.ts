/** The SQL that works on receipts, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { ROOT_TABLE } from '../../names.ts';
import type { Proved } from '../../receipt-room.ts';
import { bounded, preparing } from './prepare.ts';

/** For a write, what it proves is the resource and the number of the record. */
type ReceiptRow = readonly [
  ...[account: string, expires_at: number, version: number | null],
  ...Proved,
];

/** Receipts that expire within one such span are purged together, and have numbers that follow each other. */
export const SPAN_MS = 600_000;
const PER_SPAN = 2 ** 30;

/** The first number of those that expire in the span that ends at a time: of any that expire later, all are greater. */
export function firstNumber(end: number): number {
  return (end / SPAN_MS) * PER_SPAN;
}

export function receiptStatements(database: DatabaseSync) {
  const sql = preparing(database);
  return {
    /** Takes owner ?, idempotency_key ?: at most one in each account. */
    find: sql<ReceiptRow>`SELECT (SELECT unique_identifier FROM ${ROOT_TABLE}
      WHERE number = receipt.account),
        expires_at, version, fingerprint, outcome, coalesce(resource, unique_identifier, drafts),
        coalesce(record, below)
      FROM receipt WHERE owner = ? AND idempotency_key = ? ORDER BY account`,
    /** The greatest number below ?. */
    last: sql<readonly [number: number]>`SELECT number FROM receipt WHERE number < ?
      ORDER BY number DESC LIMIT 1`,
    /** Takes the columns in the order in which they stand here. None is stored where one exists already. */
    keep: sql`INSERT INTO receipt (number, owner, idempotency_key, account, fingerprint, expires_at,
        size, outcome, resource, record, version, unique_identifier, below, drafts)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner, idempotency_key, account) DO NOTHING`,
    /** Lets the one of owner ?, idempotency_key ?, account ? go by another name until it is purged. */
    rename: sql`UPDATE receipt SET idempotency_key = 'expired ' || number
      WHERE owner = ? AND idempotency_key = ? AND account = ?`,
    /** The first of those with numbers below ?, no more than ?. */
    due: sql<readonly [number, owner: string, size: number]>`SELECT number, owner, size FROM receipt
      WHERE number < ? ORDER BY number LIMIT ${bounded('?')}`,
    /** All with numbers up to ?. */
    purge: sql`DELETE FROM receipt WHERE number <= ?`,
    /** Adds ?2 bytes to what owner ?1 has taken, and gives the sum. */
    take: sql<readonly [bytes: number]>`INSERT INTO receipt_room (owner, bytes)
      VALUES (?1, max(?2, 0))
      ON CONFLICT (owner) DO UPDATE SET bytes = max(bytes + ?2, 0) RETURNING bytes`,
  };
}

export type ReceiptStatements = ReturnType<typeof receiptStatements>;
