-- Receipts of whole batches beside those of single records. Nothing had kept receipts before.
DROP TABLE receipt;

-- Proof that a request was carried out, with what it was answered: a record, or what became of the drafts of a batch.
CREATE TABLE receipt (
  owner TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('created', 'updated', 'unchanged', 'deleted', 'batch')),
  -- Of a record, as it was answered; all NULL for a batch.
  unique_identifier TEXT,
  account TEXT,
  anchor TEXT,
  parent TEXT,
  external_identifier TEXT,
  document TEXT,
  version INTEGER,
  mark INTEGER,
  inserted_at INTEGER,
  updated_at INTEGER,
  -- Of a batch: JSON arrays of the drafts' outcomes and of the accounts that they belong to.
  drafts TEXT,
  accounts TEXT,
  CHECK ((outcome = 'batch') = (document IS NULL)),
  CHECK ((outcome = 'batch') = (drafts IS NOT NULL AND accounts IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX receipt_request ON receipt (owner, idempotency_key);
CREATE INDEX receipt_expires_at ON receipt (expires_at);
