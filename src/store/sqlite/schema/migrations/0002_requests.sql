-- Requests that were refused, or of whose rows some were. Holds nothing of a record but identifiers, and no value that was sent.
CREATE TABLE refused_request (
  request_id TEXT PRIMARY KEY,
  time INTEGER NOT NULL,
  key TEXT NOT NULL, -- the unique identifier; '' where no key is known
  nth INTEGER NOT NULL, -- rises among those of a key, of which only the last ones stay
  of_account TEXT NOT NULL, -- the unique identifier; '' where the key has several or none is known
  authentication TEXT, -- why the key was not taken; NULL where it was
  address TEXT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  codes TEXT NOT NULL, -- with spaces around each: that one, and those of faults and rows
  faults TEXT NOT NULL, -- JSON array
  rows TEXT -- JSON object: what became of the rows of a request that brings many
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_request_key ON refused_request (key, nth);
CREATE INDEX refused_request_time ON refused_request (time, request_id);
CREATE INDEX refused_request_account ON refused_request (of_account, time, request_id);

-- How much was done, by the hour.
CREATE TABLE request_activity (
  of_account TEXT NOT NULL, -- the unique identifier; '' where it is one of several
  hour INTEGER NOT NULL, -- when it began
  key TEXT NOT NULL,
  anchor TEXT NOT NULL, -- '' where there is none, or it is not known
  resource TEXT NOT NULL, -- '' for what is of none
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (of_account, hour, key, anchor, resource, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_activity_hour ON request_activity (hour);
