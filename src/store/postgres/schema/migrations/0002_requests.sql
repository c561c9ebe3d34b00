-- Requests that were refused, or of whose rows some were. Holds nothing of a record but identifiers, and no value that was sent.
CREATE TABLE refused_request (
  request_id text COLLATE "C" PRIMARY KEY,
  time bigint NOT NULL,
  key text COLLATE "C" NOT NULL, -- the unique identifier; '' where no key is known
  nth bigint NOT NULL, -- rises among those of a key, of which only the last ones stay
  of_account text COLLATE "C" NOT NULL, -- the unique identifier; '' where the key has several or none is known
  authentication text, -- why the key was not taken; NULL where it was
  address text,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  code text NOT NULL,
  codes text NOT NULL, -- with spaces around each: that one, and those of faults and rows
  faults text NOT NULL, -- JSON array
  rows text -- JSON object: what became of the rows of a request that brings many
);
CREATE INDEX refused_request_key ON refused_request (key, nth);
CREATE INDEX refused_request_time ON refused_request (time, request_id);
CREATE INDEX refused_request_account ON refused_request (of_account, time, request_id);

-- How much was done, by the hour.
CREATE TABLE request_activity (
  of_account text COLLATE "C" NOT NULL, -- the unique identifier; '' where it is one of several
  hour bigint NOT NULL, -- when it began
  key text COLLATE "C" NOT NULL,
  anchor text COLLATE "C" NOT NULL, -- '' where there is none, or it is not known
  resource text COLLATE "C" NOT NULL, -- '' for what is of none
  outcome text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (of_account, hour, key, anchor, resource, outcome)
);
CREATE INDEX request_activity_hour ON request_activity (hour);
