-- What every store holds, whatever its resources are.

-- The root of all records. Lists and finds run on it as on any resource's table.
CREATE TABLE account (
  account TEXT NOT NULL, -- the account itself
  unique_identifier TEXT NOT NULL,
  parent TEXT CHECK (parent IS NULL),
  anchor TEXT CHECK (anchor IS NULL),
  external_identifier TEXT CHECK (external_identifier IS NULL),
  document TEXT NOT NULL, -- {"name": …}
  version INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  closed_at INTEGER,
  CHECK (account = unique_identifier)
) STRICT;
CREATE UNIQUE INDEX account_unique_identifier ON account (account, unique_identifier);

CREATE TABLE api_key (
  unique_identifier TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE, -- SHA-256 of the secret
  name TEXT,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  permission TEXT NOT NULL CHECK (permission IN ('read', 'write', 'read-write')),
  accounts TEXT NOT NULL, -- JSON array of unique identifiers
  anchors TEXT, -- JSON array of unique identifiers; NULL: whole accounts
  resources TEXT, -- JSON array of path names; NULL: all
  inserted_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;

-- Proof that a request was carried out, with the record as it was answered.
CREATE TABLE receipt (
  owner TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('created', 'updated', 'unchanged')),
  unique_identifier TEXT NOT NULL,
  account TEXT NOT NULL,
  anchor TEXT,
  parent TEXT,
  external_identifier TEXT,
  document TEXT NOT NULL,
  version INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX receipt_request ON receipt (owner, idempotency_key);
CREATE INDEX receipt_expires_at ON receipt (expires_at);

-- Counts the commits that changed records: the mark of the latest one.
CREATE TABLE commit_counter (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  value INTEGER NOT NULL
) STRICT;
INSERT INTO commit_counter (only, value) VALUES (1, 0);

-- Written to prove that a write can be committed.
CREATE TABLE write_check (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  checked_at INTEGER NOT NULL
) STRICT;
INSERT INTO write_check (only, checked_at) VALUES (1, 0);
