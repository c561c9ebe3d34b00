-- Records that were removed, or that are below one that was, as long as rows are left that name them as their parent.
-- Such a row is in no answer, and nothing is written under it.
CREATE TABLE removed_parent (
  unique_identifier TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  removal TEXT NOT NULL -- the unique identifier of the record whose removal this belongs to
) STRICT, WITHOUT ROWID;
CREATE INDEX removed_parent_removal ON removed_parent (removal, resource);
