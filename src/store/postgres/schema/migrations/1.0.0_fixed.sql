-- What every store holds, whatever its resources are. Texts are compared by code point.

-- The root of all records. Lists and finds run on it as on any resource's table.
CREATE TABLE account (
  account text COLLATE "C" NOT NULL, -- the account itself
  unique_identifier text COLLATE "C" NOT NULL,
  parent text CHECK (parent IS NULL),
  anchor text CHECK (anchor IS NULL),
  external_identifier text CHECK (external_identifier IS NULL),
  document text NOT NULL, -- {"name": …}
  version bigint NOT NULL,
  position bigint NOT NULL,
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  created_by integer CHECK (created_by IS NULL),
  changed_by integer CHECK (changed_by IS NULL),
  livemode boolean NOT NULL,
  closed_at bigint,
  becomes text, -- gone, open or closed, when all that it holds is removed, which was begun; NULL: it is not being emptied
  CHECK (account = unique_identifier)
);
CREATE UNIQUE INDEX account_unique_identifier ON account (account, unique_identifier);

-- The commits of each account, numbered 1, 2, 3, … in the order in which they are done. An account's last one stays
-- for ever, those before it for an hour at least.
CREATE TABLE commit (
  account text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  token bigint NOT NULL, -- random: tells whoever lost the answer to a commit whether it was done
  committed_at bigint NOT NULL
);
CREATE UNIQUE INDEX commit_position ON commit (account, position);
CREATE UNIQUE INDEX commit_token ON commit (account, token);

-- Records that were removed, as long as the log of changes tells of it: where their changes begin, and what the log does
-- not hold of them.
CREATE TABLE gone (
  account text COLLATE "C" NOT NULL,
  record text COLLATE "C" NOT NULL, -- unique identifier
  position bigint NOT NULL, -- of the commit that logged that it is removed
  resource text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  external_identifier text COLLATE "C" NOT NULL,
  inserted_at bigint NOT NULL,
  removal bigint NOT NULL, -- position of the commit that removed it, or the record that it went with
  below bigint, -- how many records went with it; NULL: it went with another one
  created_by integer -- the number of the source that made it; NULL: unknown
);
CREATE UNIQUE INDEX gone_record ON gone (account, record);
CREATE INDEX gone_removal ON gone (account, removal, resource, record);
CREATE INDEX gone_root ON gone (account, removal) WHERE below IS NOT NULL;

-- Proof that a request was done. Holds nothing of a record but identifiers, and lies with its account.
CREATE TABLE receipt (
  account text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  expires_at bigint NOT NULL,
  size bigint NOT NULL, -- bytes that the owner's room is charged with
  outcome text NOT NULL CHECK (outcome IN ('created', 'updated', 'unchanged', 'deleted', 'batch')),
  record text COLLATE "C", -- unique identifier; NULL for a batch
  version bigint, -- of a record that was written; the rest of the answer is in "answered"
  below bigint, -- of a removal
  drafts text, -- of a batch: a JSON array of the drafts' outcomes, null for those of other accounts
  CHECK ((outcome = 'batch') = (record IS NULL)),
  CHECK ((outcome = 'batch') = (drafts IS NOT NULL)),
  CHECK ((outcome = 'deleted') = (below IS NOT NULL)),
  CHECK ((outcome IN ('created', 'updated', 'unchanged')) = (version IS NOT NULL))
);
CREATE UNIQUE INDEX receipt_request ON receipt (owner, idempotency_key, account);
CREATE INDEX receipt_expires_at ON receipt (expires_at);

-- Records as they were answered, once for all receipts of that version. Goes with the record, or with the last receipt.
CREATE TABLE answered (
  account text COLLATE "C" NOT NULL,
  record text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  anchor text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  external_identifier text COLLATE "C" NOT NULL,
  document text NOT NULL,
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE UNIQUE INDEX answered_version ON answered (account, record, version);

-- How many bytes the receipts of an owner are charged with.
CREATE TABLE receipt_room (
  owner text COLLATE "C" PRIMARY KEY,
  bytes bigint NOT NULL
);

-- Written to prove that a write can be committed.
CREATE TABLE write_check (
  single boolean PRIMARY KEY CHECK (single),
  checked_at bigint NOT NULL
);
INSERT INTO write_check (single, checked_at) VALUES (true, 0);

-- The index of search: follows the log of changes, and is rebuilt where it was lost.

-- How far it goes, of each account: up to that change.
CREATE TABLE search_mark (
  account text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL,
  place bigint NOT NULL,
  token bigint NOT NULL,
  building text, -- what is left to do before everything up to that change is in it; NULL: nothing
  terms bigint NOT NULL -- of which kind its terms are
);

-- The records that can be found.
CREATE TABLE search_record (
  account text COLLATE "C" NOT NULL,
  record text COLLATE "C" NOT NULL, -- unique identifier
  terms text NOT NULL, -- JSON array
  PRIMARY KEY (account, record)
);

-- What they are found by.
CREATE TABLE search_term (
  account text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  record text COLLATE "C" NOT NULL, -- unique identifier
  anchor text COLLATE "C", -- NULL for accounts
  PRIMARY KEY (account, term, record) INCLUDE (anchor) -- so that search reads the index alone
);

-- The process that feeds it, and until when it may without being heard of again.
CREATE TABLE search_feeder (
  single boolean PRIMARY KEY CHECK (single),
  holder text NOT NULL,
  until bigint NOT NULL
);

