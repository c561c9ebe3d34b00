-- What every store holds, whatever its resources are.

-- The root of all records. Lists and finds run on it as on any resource's table.
-- Records have numbers, by which other rows and the indexes name them (docs/decisions/0014).
CREATE TABLE account (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL, -- the account itself
  unique_identifier TEXT NOT NULL,
  parent INTEGER CHECK (parent IS NULL),
  anchor TEXT CHECK (anchor IS NULL),
  external_identifier TEXT CHECK (external_identifier IS NULL),
  document TEXT NOT NULL, -- {"name": …}
  version INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  closed_at INTEGER,
  CHECK (account = number)
) STRICT;
CREATE UNIQUE INDEX account_unique_identifier ON account (unique_identifier);

CREATE TABLE api_key (
  unique_identifier TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE, -- SHA-256 of the secret
  name TEXT,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  accounts TEXT NOT NULL, -- JSON array of unique identifiers
  anchors TEXT, -- JSON array of unique identifiers; NULL: whole accounts
  permissions TEXT NOT NULL, -- JSON array of read, write, delete
  resources TEXT, -- JSON array of path names; NULL: all
  allow TEXT NOT NULL, -- JSON array of the names of rights beyond records
  "from" TEXT, -- JSON array of addresses and CIDRs; NULL: any address
  rate REAL CHECK (rate > 0), -- requests a second; NULL: what the settings say
  concurrent INTEGER CHECK (concurrent > 0), -- requests at once; NULL: any number
  inserted_at INTEGER NOT NULL,
  expires_at INTEGER,
  suspended_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;

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

-- Records that were removed, or that are below one that was, as long as rows are left that name them as their parent.
-- Such a row is in no answer, and nothing is written under it.
CREATE TABLE removed_parent (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  resource TEXT NOT NULL,
  removal INTEGER NOT NULL -- the number of the record whose removal this belongs to
) STRICT;
CREATE INDEX removed_parent_removal ON removed_parent (removal, resource);

-- Counts the commits that changed records: the mark of the latest one.
CREATE TABLE commit_counter (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  value INTEGER NOT NULL,
  last_number INTEGER NOT NULL -- the greatest number that was ever set aside for a record, of whatever resource
) STRICT;
INSERT INTO commit_counter (only, value, last_number) VALUES (1, 0, 0);

-- Written to prove that a write can be committed.
CREATE TABLE write_check (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  checked_at INTEGER NOT NULL
) STRICT;
INSERT INTO write_check (only, checked_at) VALUES (1, 0);
