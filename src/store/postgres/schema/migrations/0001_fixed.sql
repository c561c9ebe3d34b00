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

CREATE TABLE api_key (
  unique_identifier text COLLATE "C" NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE, -- SHA-256 of the secret
  ending text NOT NULL, -- the last characters of the secret
  name text,
  livemode boolean NOT NULL,
  accounts text[] NOT NULL, -- unique identifiers
  anchors text[], -- unique identifiers; NULL: whole accounts
  region text, -- anchors is empty then: its locations are looked up; NULL: none
  permissions text[] NOT NULL, -- read, write, delete
  resources text[], -- path names; NULL: all
  allow text[] NOT NULL, -- names of rights beyond records
  "from" text[], -- addresses and CIDRs; NULL: any address
  requests_a_second double precision CHECK (requests_a_second > 0), -- NULL: what the settings say
  requests_at_once integer CHECK (requests_at_once > 0), -- NULL: any number
  inserted_at bigint NOT NULL,
  expires_at bigint,
  suspended_at bigint,
  revoked_at bigint,
  last_used_at bigint
);

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

-- Who saw or did what: identifiers and counts, each entry sealed with the one before it in its chain.
CREATE TABLE audit_entry (
  chain text COLLATE "C" NOT NULL, -- of one process, for a day
  number bigint NOT NULL, -- 1, 2, 3, …
  unique_identifier text COLLATE "C" NOT NULL UNIQUE,
  time bigint NOT NULL,
  of_account text COLLATE "C" NOT NULL, -- the unique identifier; '' where it concerns several or none is known
  key text COLLATE "C" NOT NULL, -- who did it, by unique identifier; '' where several did or it is not known
  action text NOT NULL,
  resource text,
  record text COLLATE "C" NOT NULL, -- unique identifier of what was read or changed; '' where it is none
  what text, -- more of the action
  count bigint NOT NULL,
  address text,
  request_id text,
  written_at bigint NOT NULL,
  mac text NOT NULL, -- keyed hash of the one before it and of all columns
  sum bigint, -- CRC-32 of the other columns
  PRIMARY KEY (chain, number)
);
CREATE INDEX audit_entry_time ON audit_entry (time, unique_identifier);
CREATE INDEX audit_entry_account ON audit_entry (of_account, time, unique_identifier);
CREATE INDEX audit_entry_action ON audit_entry (of_account, action, time, unique_identifier);
CREATE INDEX audit_entry_key ON audit_entry (key, of_account, time, unique_identifier);
CREATE INDEX audit_entry_record ON audit_entry (record, of_account, time, unique_identifier);
CREATE INDEX audit_entry_begins ON audit_entry (written_at) WHERE number = 1;
CREATE INDEX audit_entry_reads ON audit_entry (time) WHERE action = 'reads';

-- Where notifications of changes are sent.
CREATE TABLE webhook_endpoint (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  key text COLLATE "C" NOT NULL, -- unique identifier of the key that sees for it
  settings text NOT NULL, -- JSON object: url, notifications, …
  secrets text NOT NULL, -- JSON array, the newest first; each encrypted with a key that is not in the store
  status text NOT NULL, -- enabled, failing, paused or disabled
  reason text,
  failing_since bigint,
  position text COLLATE "C", -- unique identifier of the change up to which all are delivered or in webhook_delivery; NULL: none yet
  lease text COLLATE "C", -- of the process that delivers
  lease_until bigint NOT NULL DEFAULT 0, -- by the server's clock
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX webhook_endpoint_account ON webhook_endpoint (of_account, unique_identifier);

-- What became of changes at endpoints.
CREATE TABLE webhook_delivery (
  endpoint text COLLATE "C" NOT NULL, -- the unique identifier
  change text COLLATE "C" NOT NULL, -- the unique identifier
  unique_identifier text COLLATE "C" NOT NULL,
  position bigint NOT NULL, -- of the change
  place bigint NOT NULL,
  type text NOT NULL, -- of the notification: event.created
  record text COLLATE "C" NOT NULL, -- the unique identifier
  status text NOT NULL, -- pending, delivered or failed
  attempts bigint NOT NULL,
  status_code bigint,
  error text,
  duration_ms bigint,
  next_at bigint,
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (endpoint, change)
);
CREATE INDEX webhook_delivery_order ON webhook_delivery (endpoint, position, place, change);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (endpoint, position, place) WHERE status = 'pending';
CREATE INDEX webhook_delivery_updated ON webhook_delivery (updated_at);
-- People who sign in. Their email tells them apart, in small letters.
CREATE TABLE staff (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  email text COLLATE "C" NOT NULL UNIQUE,
  name text,
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'administrator')),
  accounts text NOT NULL, -- JSON array of unique identifiers
  anchors text, -- JSON array of unique identifiers; NULL: whole accounts
  region text, -- anchors is empty then: its locations are looked up; NULL: none
  allow text NOT NULL, -- JSON array of the names of rights that no role has
  password text, -- its Argon2id hash; NULL: none
  invitation_hash text COLLATE "C" UNIQUE, -- SHA-256 of the token; NULL: none, or it was used
  invitation_expires_at bigint,
  invited_by text COLLATE "C", -- who made the last invitation; NULL: whoever works on the store
  inserted_at bigint NOT NULL,
  disabled_at bigint,
  signed_in_at bigint,
  CHECK ((invitation_hash IS NULL) = (invitation_expires_at IS NULL))
);

CREATE TABLE staff_passkey (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  staff text COLLATE "C" NOT NULL,
  credential text COLLATE "C" NOT NULL UNIQUE, -- what the authenticator calls it
  public_key text NOT NULL,
  counter bigint NOT NULL, -- uses, as the authenticator counts
  transports text NOT NULL, -- JSON array
  name text,
  inserted_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX staff_passkey_staff ON staff_passkey (staff);

-- Who a person is at a provider of single sign-on.
CREATE TABLE staff_identity (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  staff text COLLATE "C" NOT NULL,
  inserted_at bigint NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX staff_identity_staff ON staff_identity (staff);

CREATE TABLE staff_session (
  hash text COLLATE "C" PRIMARY KEY, -- SHA-256 of the token
  unique_identifier text COLLATE "C" NOT NULL,
  staff text COLLATE "C" NOT NULL,
  method text NOT NULL CHECK (method IN ('password', 'passkey', 'single_sign_on')),
  address text,
  browser text,
  proved_at bigint NOT NULL, -- when the person proved who they are
  inserted_at bigint NOT NULL, -- when the person signed in
  seen_at bigint NOT NULL
);
CREATE INDEX staff_session_staff ON staff_session (staff, unique_identifier);

-- What was asked of a browser and is to be answered once: by a passkey, by a provider of single sign-on.
CREATE TABLE staff_ceremony (
  hash text COLLATE "C" PRIMARY KEY, -- SHA-256 of what names it
  purpose text NOT NULL,
  content text NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX staff_ceremony_expires_at ON staff_ceremony (expires_at);

-- Self-tests of partners' programs, in test accounts.
CREATE TABLE self_test (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  account text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  inserted_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX self_test_account ON self_test (account, unique_identifier);
CREATE INDEX self_test_key ON self_test (key, expires_at);

-- What was seen in one.
CREATE TABLE self_test_sighting (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  self_test text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  at bigint NOT NULL,
  data text NOT NULL -- JSON
);
CREATE INDEX self_test_sighting_order ON self_test_sighting (self_test, unique_identifier);

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

-- The last checked backup.
CREATE TABLE checked_backup (
  single boolean PRIMARY KEY CHECK (single),
  taken_at bigint NOT NULL, -- the moment that it shows
  checked_at bigint NOT NULL
);

-- The latest time that processes which serve the store have believed.
CREATE TABLE seen_time (
  single boolean PRIMARY KEY CHECK (single),
  at bigint NOT NULL,
  rewritten_at bigint -- of a store on SQLite: when its file was last rewritten
);

-- Folders that are kept up with the store, and until when their processes may be without being heard of again.
CREATE TABLE followed_backup (
  name text COLLATE "C" PRIMARY KEY,
  holder text NOT NULL,
  until bigint NOT NULL,
  folder text NOT NULL,
  host text NOT NULL,
  since bigint NOT NULL,
  shows_at bigint, -- everything up to then is in the folder
  whole_at bigint, -- when its whole backup was taken
  left_out bigint -- damaged changes that it lacks
);

-- The time zone, region and state of locations, and of accounts for all of their locations. It outlasts its location.
CREATE TABLE location_settings (
  unique_identifier text COLLATE "C" PRIMARY KEY, -- of the location or the account
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  time_zone text, -- NULL and '': not set
  region text,
  state text
);
CREATE INDEX location_settings_account ON location_settings (of_account, unique_identifier);

-- Who sends records, whatever keys they come with.
CREATE TABLE source (
  number integer PRIMARY KEY, -- by which records name it
  unique_identifier text COLLATE "C" NOT NULL UNIQUE,
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  name text COLLATE "C" NOT NULL,
  merged_into integer, -- the number of the source that it is part of; NULL: none
  inserted_at bigint NOT NULL
);
CREATE UNIQUE INDEX source_name ON source (of_account, name) WHERE merged_into IS NULL;

-- Whose writes are those of a source.
CREATE TABLE source_writer (
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  writer text COLLATE "C" NOT NULL, -- unique identifier of an API key or an import; or console, imports, operator
  source integer NOT NULL, -- the number
  PRIMARY KEY (of_account, writer)
);

-- What is expected of sources at locations, and whether it comes. It outlasts its location.
CREATE TABLE expectation (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  source text COLLATE "C" NOT NULL, -- the unique identifier
  anchor text COLLATE "C" NOT NULL, -- unique identifier of the location
  hours text NOT NULL, -- by weekday, such as mon-fri 8-18
  every text NOT NULL, -- hour or day
  silent_after bigint NOT NULL,
  closed_days text NOT NULL,
  status text NOT NULL, -- learned, confirmed or off
  learned_days bigint, -- NULL: a person set it
  kept_days bigint,
  state text NOT NULL, -- new, on_time, back, late, failing or silent
  since bigint NOT NULL,
  silent_since bigint,
  last_at bigint, -- when the last record came
  refused_at bigint,
  refusal text, -- the error code
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (of_account, source, anchor)
);

-- The last look at what is expected, and when no process looked.
CREATE TABLE expectation_watch (
  single boolean PRIMARY KEY CHECK (single),
  looked_at bigint NOT NULL,
  learned_at bigint NOT NULL,
  outages text NOT NULL -- JSON array of objects
);

-- Records that were erased: nothing of what they held, but by what they are known when they are sent again.
CREATE TABLE erased (
  account text COLLATE "C" NOT NULL, -- the unique identifier
  record text COLLATE "C" NOT NULL, -- unique identifier
  resource text COLLATE "C" NOT NULL,
  anchor text COLLATE "C",
  parent text COLLATE "C" NOT NULL, -- unique identifier
  erasure text COLLATE "C" NOT NULL, -- unique identifier
  erased_at bigint NOT NULL,
  key text COLLATE "C" NOT NULL, -- the name of the key of both hashes, which is not in the store; '': it has none, and may be made again
  probe text COLLATE "C" NOT NULL, -- hash of resource and external identifier
  mark text COLLATE "C" NOT NULL, -- hash of its resource and of all that it belonged to; then of those with its external identifier, too
  unforgotten bigint NOT NULL, -- position of its newest change that the log may hold content of; 0: none
  line bigint NOT NULL DEFAULT 0, -- of the journal that tells of it; 0: none yet; -1: none is to
  position bigint NOT NULL DEFAULT 0, -- of its last change; 0: this store was not the one that erased it
  PRIMARY KEY (account, record)
);
CREATE INDEX erased_probe ON erased (account, probe);
CREATE INDEX erased_erasure ON erased (erasure);
CREATE INDEX erased_parent ON erased (parent, resource);
CREATE INDEX erased_unforgotten ON erased (account, record) WHERE unforgotten > 0;
CREATE INDEX erased_untold ON erased (erased_at) WHERE line = 0;

-- The journal of erasures, as it is in files outside of the store, too.
CREATE TABLE erasure_journal (
  line bigint PRIMARY KEY, -- 1, 2, 3, …
  text text NOT NULL, -- JSON
  applied boolean NOT NULL -- false: taken from a file, since the store was set back, and not done yet
);
CREATE INDEX erasure_journal_unapplied ON erasure_journal (line) WHERE NOT applied;

-- Requests of people to be forgotten, and what was found of them.
CREATE TABLE erasure (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  status text NOT NULL, -- ready, running, waiting, done or closed
  reference text,
  received_at bigint NOT NULL,
  due_at bigint NOT NULL,
  matches text NOT NULL, -- JSON array: of each record its identifier and what it was found by
  chosen text NOT NULL, -- JSON array of unique identifiers
  past_only text NOT NULL, -- JSON array of those of them that stay, without what they held before
  left_over text NOT NULL, -- JSON array: what was chosen and could not be erased
  looked text NOT NULL, -- index, everywhere or too_many
  refused_rows bigint NOT NULL,
  named_in text NOT NULL, -- JSON array of unique identifiers: what is named so that the person is mentioned
  basis text,
  selectors text, -- sealed: what is known of the person, until the erasure ends
  look_place text, -- JSON: how far the look has come
  places text NOT NULL, -- JSON array: what was read again of each place
  image_hosts text NOT NULL, -- JSON array: where images of the records are
  traces text, -- sealed: what the records held, until the erasure ends
  "by" text NOT NULL, -- unique identifier of who began it
  revision bigint NOT NULL, -- how often it was changed
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  sum bigint -- CRC-32 of the other columns
);
CREATE INDEX erasure_account ON erasure (of_account, unique_identifier, "by", status);
CREATE INDEX erasure_running ON erasure (unique_identifier) WHERE status IN ('running', 'waiting');
CREATE INDEX erasure_looking ON erasure (of_account, "by", unique_identifier) WHERE look_place IS NOT NULL;
CREATE INDEX erasure_ended ON erasure (updated_at) WHERE status IN ('done', 'closed');

-- Syncs: what sources send again of all that they have at a place.
CREATE TABLE sync (
  account text COLLATE "C" NOT NULL, -- the unique identifier
  unique_identifier text COLLATE "C" NOT NULL,
  location text COLLATE "C" NOT NULL, -- the unique identifier; '': the whole account
  resource text COLLATE "C" NOT NULL,
  source bigint NOT NULL, -- the number
  at_most double precision NOT NULL, -- in percent
  status text NOT NULL, -- open, finishing, finished, replaced, undoing or undone
  seen bigint NOT NULL, -- how many marks it took
  marked bigint NOT NULL, -- 1: they are in sync_seen
  removed text NOT NULL, -- JSON object: how many records, by resource
  records text NOT NULL, -- JSON array: the first of those
  "left" text NOT NULL, -- JSON array: the first records that stay
  left_count bigint NOT NULL,
  restored bigint, -- how many records an undo restored
  began text, -- JSON object: the last change before
  progress text, -- JSON object: how far its removals have come
  step bigint NOT NULL, -- rises with each change
  key text COLLATE "C" NOT NULL, -- unique identifier of who began it
  inserted_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  finished_at bigint,
  finished_by text COLLATE "C", -- unique identifier of who finished it
  undone_by text COLLATE "C", -- unique identifier of who undoes it
  PRIMARY KEY (account, unique_identifier)
);
CREATE UNIQUE INDEX sync_open ON sync (account, location, resource, source) WHERE status = 'open';
CREATE INDEX sync_marked ON sync (status, inserted_at) WHERE marked = 1;
CREATE INDEX sync_idle ON sync (inserted_at) WHERE status IN ('open', 'replaced');
CREATE INDEX sync_inserted ON sync (inserted_at);
CREATE INDEX sync_identifier ON sync (unique_identifier);
CREATE INDEX sync_location ON sync (account, location, unique_identifier);
CREATE INDEX sync_going ON sync (unique_identifier) WHERE status IN ('finishing', 'undoing');

-- What a sync has seen: 64 bits of each record, some in each row.
CREATE TABLE sync_seen (
  account text COLLATE "C" NOT NULL, -- the unique identifier
  sync text COLLATE "C" NOT NULL, -- the unique identifier
  batch text COLLATE "C" NOT NULL,
  marks text NOT NULL, -- base64
  PRIMARY KEY (account, sync, batch)
);

-- What is not to be forgotten, with all that belongs to it.
CREATE TABLE hold (
  unique_identifier text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL, -- the unique identifier
  resource text NOT NULL,
  record text COLLATE "C" NOT NULL, -- unique identifier of what is held, which may be the account
  matter text NOT NULL,
  reason text,
  until bigint,
  released_at bigint,
  released_because text,
  above text NOT NULL, -- JSON array of the unique identifiers of what it belongs to
  "by" text NOT NULL, -- unique identifier of who placed it
  released_by text, -- unique identifier
  inserted_at bigint NOT NULL,
  PRIMARY KEY (account, unique_identifier)
);
CREATE INDEX hold_identifier ON hold (unique_identifier);
CREATE INDEX hold_active ON hold (account) WHERE released_at IS NULL;

-- Rules by which records go when they are old enough.
CREATE TABLE retention_rule (
  unique_identifier text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL, -- the unique identifier
  location text COLLATE "C", -- the unique identifier; NULL: the whole account
  resource text COLLATE "C" NOT NULL,
  after_days bigint NOT NULL,
  since text NOT NULL, -- event_datetime, inserted_at or updated_at
  unless text, -- JSON object: filters of the list
  spares text, -- JSON array: the same, as conditions of a list
  at_least_days bigint,
  basis text NOT NULL,
  status text NOT NULL, -- paused, enabled or stopped
  stopped_because text,
  preview text, -- JSON object: what it would remove
  made_by text NOT NULL, -- unique identifier
  enabled_by text, -- unique identifier
  enabled_at bigint,
  counting_since bigint, -- NULL: no preview is being counted
  revision bigint NOT NULL, -- how often it was changed
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, unique_identifier)
);
CREATE INDEX retention_rule_identifier ON retention_rule (unique_identifier);
CREATE INDEX retention_rule_asked ON retention_rule (account)
  WHERE status = 'enabled' OR at_least_days IS NOT NULL;
CREATE INDEX retention_rule_enabled ON retention_rule (account) WHERE status = 'enabled';
CREATE INDEX retention_rule_counting ON retention_rule (account) WHERE counting_since IS NOT NULL;

-- What runs of these rules removed and left.
CREATE TABLE retention_run (
  unique_identifier text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL, -- the unique identifier
  rule text COLLATE "C" NOT NULL, -- the unique identifier
  status text NOT NULL, -- running, done or stopped
  stopped_because text,
  expected bigint NOT NULL, -- how many records were expected to go at most
  goes bigint NOT NULL, -- how many it found
  removed bigint NOT NULL,
  held bigint NOT NULL,
  spared bigint NOT NULL,
  soon bigint NOT NULL, -- how many more may go within a month
  began_at bigint NOT NULL,
  ended_at bigint,
  enabled_at bigint NOT NULL, -- of the rule that it runs
  progress text, -- JSON object: how far it has come
  PRIMARY KEY (account, unique_identifier)
);
CREATE INDEX retention_run_rule ON retention_run (rule, unique_identifier);
CREATE INDEX retention_run_ended ON retention_run (ended_at);
CREATE INDEX retention_run_running ON retention_run (rule) WHERE status = 'running';

-- The process that does the work of all rules, and until when it may without being heard of again.
CREATE TABLE retention_worker (
  single boolean PRIMARY KEY CHECK (single),
  holder text NOT NULL,
  until bigint NOT NULL
);

-- What is noted on erasures: who was told, who acknowledged, and who sends records again.
CREATE TABLE erasure_note (
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  erasure text COLLATE "C" NOT NULL, -- unique identifier
  kind text COLLATE "C" NOT NULL, -- told, acknowledged, copied or sent_again
  about text COLLATE "C" NOT NULL, -- unique identifier of an endpoint or of who calls
  state text NOT NULL, -- of a system that follows the changes: whether it has received the erasure; of a copy: opened or exported; otherwise empty
  reached text COLLATE "C" NOT NULL, -- unique identifier of the last change to be told of; otherwise empty
  count bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL, -- 0: never
  PRIMARY KEY (erasure, kind, about)
);
CREATE INDEX erasure_note_account ON erasure_note (of_account, erasure);
CREATE INDEX erasure_note_waiting ON erasure_note (erasure, about)
  WHERE kind = 'told' AND state IN ('waiting', 'not_told', 'failed');

-- API keys that follow the changes of an account, and how far each has read.
CREATE TABLE follower (
  of_account text COLLATE "C" NOT NULL, -- the unique identifier
  key text COLLATE "C" NOT NULL, -- unique identifier
  reached text COLLATE "C" NOT NULL, -- unique identifier of the change after which it has read last
  at bigint NOT NULL,
  PRIMARY KEY (of_account, key)
);

-- What was imported from files, and how far that has come.
CREATE TABLE import_run (
  unique_identifier text COLLATE "C" PRIMARY KEY,
  fingerprint text COLLATE "C" NOT NULL, -- of what is imported, and how
  status text NOT NULL, -- running, finished, undoing or undone
  files text NOT NULL, -- JSON array: of each its name, resource and file of rejected rows
  accounts text NOT NULL, -- JSON array of unique identifiers
  began text NOT NULL, -- JSON object: by account, the last change before the first row
  chunk bigint NOT NULL, -- rows of one commit
  position text NOT NULL, -- JSON object: where it goes on
  counts text NOT NULL, -- JSON object: rows, by what became of each
  rejected text, -- CSV: rows that can still be corrected
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX import_run_fingerprint ON import_run (fingerprint, unique_identifier);
CREATE INDEX import_run_undoing ON import_run (unique_identifier) WHERE status = 'undoing';
