-- Proof that a request was carried out, with what it was answered: a record, or what became of the drafts of a batch.
CREATE TABLE receipt (
  owner text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  expires_at bigint NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('created', 'updated', 'unchanged', 'deleted', 'batch')),
  -- Of a record, as it was answered; all NULL for a batch.
  unique_identifier text,
  account text,
  anchor text,
  parent text,
  external_identifier text,
  document text,
  version bigint,
  mark xid8,
  inserted_at bigint,
  updated_at bigint,
  -- Of a batch: a JSON array of the drafts' outcomes, and the accounts that they belong to.
  drafts text,
  accounts text[],
  CHECK ((outcome = 'batch') = (document IS NULL)),
  CHECK ((outcome = 'batch') = (drafts IS NOT NULL AND accounts IS NOT NULL))
);
CREATE UNIQUE INDEX receipt_request ON receipt (owner, idempotency_key);
CREATE INDEX receipt_expires_at ON receipt (expires_at);
