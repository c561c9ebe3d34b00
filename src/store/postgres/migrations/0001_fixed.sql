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
  mark xid8 NOT NULL,
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  livemode boolean NOT NULL,
  closed_at bigint,
  CHECK (account = unique_identifier)
);
CREATE UNIQUE INDEX account_unique_identifier ON account (account, unique_identifier);

CREATE TABLE api_key (
  unique_identifier text COLLATE "C" NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE, -- SHA-256 of the secret
  name text,
  livemode boolean NOT NULL,
  permission text NOT NULL CHECK (permission IN ('read', 'write', 'read-write')),
  accounts text[] NOT NULL, -- unique identifiers
  anchors text[], -- unique identifiers; NULL: whole accounts
  resources text[], -- path names; NULL: all
  inserted_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint
);

-- Written to prove that a write can be committed.
CREATE TABLE write_check (
  single boolean PRIMARY KEY CHECK (single),
  checked_at bigint NOT NULL
);
INSERT INTO write_check (single, checked_at) VALUES (true, 0);
