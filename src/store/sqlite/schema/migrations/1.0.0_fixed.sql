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
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER CHECK (created_by IS NULL),
  changed_by INTEGER CHECK (changed_by IS NULL),
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  closed_at INTEGER,
  becomes TEXT, -- gone, open or closed, when all that it holds is removed, which was begun; NULL: it is not being emptied
  CHECK (account = number)
) STRICT;
CREATE UNIQUE INDEX account_unique_identifier ON account (unique_identifier);

-- Proof that a request was done. Holds nothing of a record but identifiers.
CREATE TABLE receipt (
  number INTEGER PRIMARY KEY, -- rises with the time of its end, in which order receipts are purged
  owner TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  account INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  size INTEGER NOT NULL, -- bytes that the owner's room is charged with
  outcome TEXT NOT NULL, -- created, updated, unchanged, deleted or batch
  -- Of a record that was written; the rest of the answer is in "answered".
  resource TEXT,
  record INTEGER,
  version INTEGER,
  -- Of a removal.
  unique_identifier TEXT,
  below INTEGER,
  -- Of a batch: a JSON array of the drafts' outcomes, null for those of other accounts.
  drafts TEXT
) STRICT;
CREATE UNIQUE INDEX receipt_request ON receipt (owner, idempotency_key, account);

-- Records as they were answered, once for all receipts of that version. Goes with the record, or with the last receipt.
CREATE TABLE answered (
  record INTEGER NOT NULL,
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (record, version)
) STRICT, WITHOUT ROWID;

-- How many bytes the receipts of an owner are charged with.
CREATE TABLE receipt_room (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The log of changes: what each commit did, to which record. Appended to by every commit that changes anything. A row has up
-- to 64 changes of one commit, each a line.
CREATE TABLE change (
  account INTEGER NOT NULL,
  position INTEGER NOT NULL, -- of the commit, among those of its account
  place INTEGER NOT NULL, -- of the row's first change within the commit: 0, 1, 2, …
  count INTEGER NOT NULL, -- how many changes the row has
  token INTEGER NOT NULL, -- 48 random bits that tell the commit from every other with that position
  occurred_at INTEGER NOT NULL,
  -- Of each change, with tabs between: resource; unique identifier of the record; its anchor; created, updated, deleted, restored
  -- or wiped; the version that it leaves; position of the record's change before this one, 0: none; unique identifier of who
  -- changed it. Resource, anchor and who are left out where the line before has the same; a hyphen is none.
  changes TEXT NOT NULL,
  contents TEXT, -- of each change what makes of the record the one before: a merge patch; of a removal the document
  sum INTEGER NOT NULL, -- CRC-32 of the row: tells it from what a disk or memory makes of it
  PRIMARY KEY (account, position, place)
) STRICT, WITHOUT ROWID;

-- Records that were removed, as long as the log tells of it: where their changes begin, and what the log does not hold of them.
CREATE TABLE gone (
  account INTEGER NOT NULL,
  record TEXT NOT NULL, -- unique identifier
  position INTEGER NOT NULL, -- of the commit that logged that it is removed
  resource TEXT NOT NULL,
  number INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  external_identifier TEXT NOT NULL,
  inserted_at INTEGER NOT NULL,
  removal INTEGER NOT NULL, -- position of the commit that removed it, or the record that it went with
  below INTEGER, -- how many records went with it; NULL: it went with another one
  created_by INTEGER, -- the number of the source that made it; NULL: unknown
  PRIMARY KEY (account, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX gone_removal ON gone (account, removal, resource, record);
CREATE INDEX gone_number ON gone (account, number);
CREATE INDEX gone_root ON gone (account, removal) WHERE below IS NOT NULL;

-- By the number of an account: the position of its last commit. Commits of an account are numbered 1, 2, 3, … in the order in
-- which they are done. Of 0, which is no account: the greatest number that was ever set aside for a record, of whatever
-- resource. In one table, since every commit writes both, and so mostly one page.
CREATE TABLE counter (
  account INTEGER PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO counter (account, value) VALUES (0, 0);

-- Written to prove that a write can be committed.
CREATE TABLE write_check (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  checked_at INTEGER NOT NULL,
  -- As large as a commit may be, after one did not fit on the disk.
  content BLOB NOT NULL
) STRICT;
INSERT INTO write_check (single, checked_at, content) VALUES (1, 0, x'');

