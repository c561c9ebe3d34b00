/** A statement that waits for the commit under way in account $1, and keeps others back until this one ends. */
import type { BookSource } from '../tables.ts';

/** It finds nothing where there is no such account, or it is not as `more` says. */
export const accountLock = (more = ''): BookSource => ({
  sqlite: `SELECT 1 FROM account WHERE unique_identifier = $1${more}`,
  postgres: `SELECT 1 FROM "account"
      WHERE account = $1 AND unique_identifier = $1${more} FOR NO KEY UPDATE`,
});

/** Finds a row unless record $2 of account $1 was erased: a guard of what is written about it. */
export const notErased: BookSource = `SELECT 1 WHERE NOT EXISTS (
  SELECT 1 FROM "erased" WHERE account = $1 AND record = $2)`;
