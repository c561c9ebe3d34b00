-- Records have numbers, by which other rows and the indexes name them (docs/decisions/0014). The tables of the
-- resources get theirs when they are brought up to date.

-- `last_number`: the greatest number that was ever set aside for a record, of whatever resource.
ALTER TABLE commit_counter ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0;

ALTER TABLE account RENAME TO account_before;
DROP INDEX account_unique_identifier;

-- The root of all records. Lists and finds run on it as on any resource's table.
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
INSERT INTO account
  (number, account, unique_identifier, document, version, mark, inserted_at, updated_at, livemode, closed_at)
SELECT
  row_number() OVER by_identifier, row_number() OVER by_identifier,
  unique_identifier, document, version, mark, inserted_at, updated_at, livemode, closed_at
FROM account_before
WINDOW by_identifier AS (ORDER BY unique_identifier);
DROP TABLE account_before;
CREATE UNIQUE INDEX account_unique_identifier ON account (unique_identifier);
UPDATE commit_counter SET last_number = (SELECT count(*) FROM account);

-- Rows below these get no numbers: what was to be swept away is left behind. Gone when all tables have numbers.
ALTER TABLE removed_parent RENAME TO removed_parent_before;
DROP INDEX removed_parent_removal;

-- Records that were removed, or that are below one that was, as long as rows are left that name them as their parent.
-- Such a row is in no answer, and nothing is written under it.
CREATE TABLE removed_parent (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  resource TEXT NOT NULL,
  removal INTEGER NOT NULL -- the number of the record whose removal this belongs to
) STRICT;
CREATE INDEX removed_parent_removal ON removed_parent (removal, resource);
