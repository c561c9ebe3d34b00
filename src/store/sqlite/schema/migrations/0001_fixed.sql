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

CREATE TABLE api_key (
  unique_identifier TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE, -- SHA-256 of the secret
  ending TEXT NOT NULL, -- the last characters of the secret
  name TEXT,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  accounts TEXT NOT NULL, -- JSON array of unique identifiers
  anchors TEXT, -- JSON array of unique identifiers; NULL: whole accounts
  region TEXT, -- anchors is empty then: its locations are looked up; NULL: none
  permissions TEXT NOT NULL, -- JSON array of read, write, delete
  resources TEXT, -- JSON array of path names; NULL: all
  allow TEXT NOT NULL, -- JSON array of the names of rights beyond records
  "from" TEXT, -- JSON array of addresses and CIDRs; NULL: any address
  requests_a_second REAL CHECK (requests_a_second > 0), -- NULL: what the settings say
  requests_at_once INTEGER CHECK (requests_at_once > 0), -- NULL: any number
  inserted_at INTEGER NOT NULL,
  expires_at INTEGER,
  suspended_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;

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
  codes TEXT NOT NULL, -- with spaces around each: that one, those of faults and rows, and behind = the marks of identifiers
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

-- Who saw or did what: identifiers and counts, each entry sealed with the one before it in its chain.
CREATE TABLE audit_entry (
  chain TEXT NOT NULL, -- of one process, for a day
  number INTEGER NOT NULL, -- 1, 2, 3, …
  unique_identifier TEXT NOT NULL UNIQUE,
  time INTEGER NOT NULL,
  of_account TEXT NOT NULL, -- the unique identifier; '' where it concerns several or none is known
  key TEXT NOT NULL, -- who did it, by unique identifier; '' where several did or it is not known
  action TEXT NOT NULL,
  resource TEXT,
  record TEXT NOT NULL, -- unique identifier of what was read or changed; '' where it is none
  what TEXT, -- more of the action
  count INTEGER NOT NULL,
  address TEXT,
  request_id TEXT,
  written_at INTEGER NOT NULL,
  mac TEXT NOT NULL, -- keyed hash of the one before it and of all columns
  sum INTEGER, -- CRC-32 of the other columns
  PRIMARY KEY (chain, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_entry_time ON audit_entry (time, unique_identifier);
CREATE INDEX audit_entry_account ON audit_entry (of_account, time, unique_identifier);
CREATE INDEX audit_entry_action ON audit_entry (of_account, action, time, unique_identifier);
CREATE INDEX audit_entry_key ON audit_entry (key, of_account, time, unique_identifier);
CREATE INDEX audit_entry_record ON audit_entry (record, of_account, time, unique_identifier);
CREATE INDEX audit_entry_begins ON audit_entry (written_at) WHERE number = 1;
CREATE INDEX audit_entry_reads ON audit_entry (time) WHERE action = 'reads';

-- Where notifications of changes are sent.
CREATE TABLE webhook_endpoint (
  unique_identifier TEXT PRIMARY KEY,
  of_account TEXT NOT NULL, -- the unique identifier
  key TEXT NOT NULL, -- unique identifier of the key that sees for it
  settings TEXT NOT NULL, -- JSON object: url, notifications, …
  secrets TEXT NOT NULL, -- JSON array, the newest first; each encrypted with a key that is not in the store
  status TEXT NOT NULL, -- enabled, failing, paused or disabled
  reason TEXT,
  failing_since INTEGER,
  position TEXT, -- unique identifier of the change up to which all are delivered or in webhook_delivery; NULL: none yet
  lease TEXT, -- of the process that delivers
  lease_until INTEGER NOT NULL DEFAULT 0,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoint_account ON webhook_endpoint (of_account, unique_identifier);

-- What became of changes at endpoints.
CREATE TABLE webhook_delivery (
  endpoint TEXT NOT NULL, -- the unique identifier
  change TEXT NOT NULL, -- the unique identifier
  unique_identifier TEXT NOT NULL,
  position INTEGER NOT NULL, -- of the change
  place INTEGER NOT NULL,
  type TEXT NOT NULL, -- of the notification: event.created
  record TEXT NOT NULL, -- the unique identifier
  status TEXT NOT NULL, -- pending, delivered or failed
  attempts INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  duration_ms INTEGER,
  next_at INTEGER,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (endpoint, change)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_delivery_order ON webhook_delivery (endpoint, position, place, change);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (endpoint, position, place) WHERE status = 'pending';
CREATE INDEX webhook_delivery_updated ON webhook_delivery (updated_at);
-- People who sign in. Their email tells them apart, in small letters.
CREATE TABLE staff (
  unique_identifier TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'administrator')),
  accounts TEXT NOT NULL, -- JSON array of unique identifiers
  anchors TEXT, -- JSON array of unique identifiers; NULL: whole accounts
  region TEXT, -- anchors is empty then: its locations are looked up; NULL: none
  allow TEXT NOT NULL, -- JSON array of the names of rights that no role has
  password TEXT, -- its Argon2id hash; NULL: none
  invitation_hash TEXT UNIQUE, -- SHA-256 of the token; NULL: none, or it was used
  invitation_expires_at INTEGER,
  invited_by TEXT, -- who made the last invitation; NULL: whoever works on the store
  inserted_at INTEGER NOT NULL,
  disabled_at INTEGER,
  signed_in_at INTEGER,
  CHECK ((invitation_hash IS NULL) = (invitation_expires_at IS NULL))
) STRICT;

CREATE TABLE staff_passkey (
  unique_identifier TEXT NOT NULL PRIMARY KEY,
  staff TEXT NOT NULL,
  credential TEXT NOT NULL UNIQUE, -- what the authenticator calls it
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL, -- uses, as the authenticator counts
  transports TEXT NOT NULL, -- JSON array
  name TEXT,
  inserted_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX staff_passkey_staff ON staff_passkey (staff);

-- Who a person is at a provider of single sign-on.
CREATE TABLE staff_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  staff TEXT NOT NULL,
  inserted_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX staff_identity_staff ON staff_identity (staff);

CREATE TABLE staff_session (
  hash TEXT NOT NULL PRIMARY KEY, -- SHA-256 of the token
  unique_identifier TEXT NOT NULL,
  staff TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('password', 'passkey', 'single_sign_on')),
  address TEXT,
  browser TEXT,
  proved_at INTEGER NOT NULL, -- when the person proved who they are
  inserted_at INTEGER NOT NULL, -- when the person signed in
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX staff_session_staff ON staff_session (staff, unique_identifier);

-- What was asked of a browser and is to be answered once: by a passkey, by a provider of single sign-on.
CREATE TABLE staff_ceremony (
  hash TEXT NOT NULL PRIMARY KEY, -- SHA-256 of what names it
  purpose TEXT NOT NULL,
  content TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX staff_ceremony_expires_at ON staff_ceremony (expires_at);

-- Self-tests of partners' programs, in test accounts.
CREATE TABLE self_test (
  unique_identifier TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  inserted_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX self_test_account ON self_test (account, unique_identifier);
CREATE INDEX self_test_key ON self_test (key, expires_at);

-- What was seen in one.
CREATE TABLE self_test_sighting (
  unique_identifier TEXT NOT NULL PRIMARY KEY,
  self_test TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX self_test_sighting_order ON self_test_sighting (self_test, unique_identifier);

-- The last checked backup.
CREATE TABLE checked_backup (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  taken_at INTEGER NOT NULL, -- the moment that it shows
  checked_at INTEGER NOT NULL
) STRICT;

-- The latest time that processes which serve the store have believed.
CREATE TABLE seen_time (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  at INTEGER NOT NULL,
  rewritten_at INTEGER -- when the file was last rewritten
) STRICT;

-- Folders that are kept up with the store, and until when their processes may be without being heard of again.
CREATE TABLE followed_backup (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL,
  folder TEXT NOT NULL,
  host TEXT NOT NULL,
  since INTEGER NOT NULL,
  shows_at INTEGER, -- everything up to then is in the folder
  whole_at INTEGER, -- when its whole backup was taken
  left_out INTEGER -- damaged changes that it lacks
) STRICT, WITHOUT ROWID;

-- The time zone, region and state of locations, and of accounts for all of their locations. It outlasts its location.
CREATE TABLE location_settings (
  unique_identifier TEXT PRIMARY KEY, -- of the location or the account
  of_account TEXT NOT NULL, -- the unique identifier
  time_zone TEXT, -- NULL and '': not set
  region TEXT,
  state TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX location_settings_account ON location_settings (of_account, unique_identifier);

-- Who sends records, whatever keys they come with.
CREATE TABLE source (
  number INTEGER PRIMARY KEY, -- by which records name it
  unique_identifier TEXT NOT NULL UNIQUE,
  of_account TEXT NOT NULL, -- the unique identifier
  name TEXT NOT NULL,
  merged_into INTEGER, -- the number of the source that it is part of; NULL: none
  inserted_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX source_name ON source (of_account, name) WHERE merged_into IS NULL;

-- Whose writes are those of a source.
CREATE TABLE source_writer (
  of_account TEXT NOT NULL, -- the unique identifier
  writer TEXT NOT NULL, -- unique identifier of an API key or an import; or console, imports, operator
  source INTEGER NOT NULL, -- the number
  PRIMARY KEY (of_account, writer)
) STRICT, WITHOUT ROWID;

-- What is expected of sources at locations, and whether it comes. It outlasts its location.
CREATE TABLE expectation (
  unique_identifier TEXT PRIMARY KEY,
  of_account TEXT NOT NULL, -- the unique identifier
  source TEXT NOT NULL, -- the unique identifier
  anchor TEXT NOT NULL, -- unique identifier of the location
  hours TEXT NOT NULL, -- by weekday, such as mon-fri 8-18
  every TEXT NOT NULL, -- hour or day
  silent_after INTEGER NOT NULL,
  closed_days TEXT NOT NULL,
  status TEXT NOT NULL, -- learned, confirmed or off
  learned_days INTEGER, -- NULL: a person set it
  kept_days INTEGER,
  state TEXT NOT NULL, -- new, on_time, back, late, failing or silent
  since INTEGER NOT NULL,
  silent_since INTEGER,
  last_at INTEGER, -- when the last record came
  refused_at INTEGER,
  refusal TEXT, -- the error code
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (of_account, source, anchor)
) STRICT, WITHOUT ROWID;

-- The last look at what is expected, and when no process looked.
CREATE TABLE expectation_watch (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  looked_at INTEGER NOT NULL,
  learned_at INTEGER NOT NULL,
  outages TEXT NOT NULL -- JSON array of objects
) STRICT, WITHOUT ROWID;

-- Records that were erased: nothing of what they held, but by what they are known when they are sent again.
CREATE TABLE erased (
  account TEXT NOT NULL, -- the unique identifier
  record TEXT NOT NULL, -- unique identifier
  resource TEXT NOT NULL,
  anchor TEXT,
  parent TEXT NOT NULL, -- unique identifier
  erasure TEXT NOT NULL, -- unique identifier
  erased_at INTEGER NOT NULL,
  key TEXT NOT NULL, -- the name of the key of both hashes, which is not in the store; '': it has none, and may be made again
  probe TEXT NOT NULL, -- hash of resource and external identifier
  mark TEXT NOT NULL, -- hash of its resource and of all that it belonged to; then of those with its external identifier, too
  unforgotten INTEGER NOT NULL, -- position of its newest change that the log may hold content of; 0: none
  line INTEGER NOT NULL DEFAULT 0, -- of the journal that tells of it; 0: none yet; -1: none is to
  position INTEGER NOT NULL DEFAULT 0, -- of its last change; 0: this store was not the one that erased it
  number INTEGER NOT NULL DEFAULT 0, -- of its row, by which answers are kept
  PRIMARY KEY (account, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX erased_probe ON erased (account, probe);
CREATE INDEX erased_mark ON erased (account, mark);
CREATE INDEX erased_erasure ON erased (erasure);
CREATE INDEX erased_parent ON erased (parent, resource);
CREATE INDEX erased_unforgotten ON erased (account, record) WHERE unforgotten > 0;
CREATE INDEX erased_untold ON erased (erased_at) WHERE line = 0;

-- The journal of erasures, as it is in files outside of the store, too.
CREATE TABLE erasure_journal (
  line INTEGER PRIMARY KEY, -- 1, 2, 3, …
  text TEXT NOT NULL, -- JSON
  applied INTEGER NOT NULL CHECK (applied IN (0, 1)) -- 0: taken from a file, since the store was set back, and not done yet
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_journal_unapplied ON erasure_journal (line) WHERE NOT applied;

-- Requests of people to be forgotten, and what was found of them.
CREATE TABLE erasure (
  unique_identifier TEXT PRIMARY KEY,
  of_account TEXT NOT NULL, -- the unique identifier
  status TEXT NOT NULL, -- ready, running, waiting, done or closed
  reference TEXT,
  received_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  matches TEXT NOT NULL, -- JSON array: of each record its identifier and what it was found by
  chosen TEXT NOT NULL, -- JSON array of unique identifiers
  past_only TEXT NOT NULL, -- JSON array of those of them that stay, without what they held before
  left_over TEXT NOT NULL, -- JSON array: what was chosen and could not be erased
  looked TEXT NOT NULL, -- index, everywhere or too_many
  refused_rows INTEGER NOT NULL,
  named_in TEXT NOT NULL, -- JSON array of unique identifiers: what is named so that the person is mentioned
  basis TEXT,
  selectors TEXT, -- sealed: what is known of the person, until the erasure ends
  look_place TEXT, -- JSON: how far the look has come
  places TEXT NOT NULL, -- JSON array: what was read again of each place
  image_hosts TEXT NOT NULL, -- JSON array: where images of the records are
  traces TEXT, -- sealed: what the records held, until the erasure ends
  "by" TEXT NOT NULL, -- unique identifier of who began it
  revision INTEGER NOT NULL, -- how often it was changed
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  sum INTEGER -- CRC-32 of the other columns
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_account ON erasure (of_account, unique_identifier, "by", status);
CREATE INDEX erasure_running ON erasure (unique_identifier) WHERE status IN ('running', 'waiting');
CREATE INDEX erasure_looking ON erasure (of_account, "by", unique_identifier) WHERE look_place IS NOT NULL;
CREATE INDEX erasure_ended ON erasure (updated_at) WHERE status IN ('done', 'closed');

-- Syncs: what sources send again of all that they have at a place.
CREATE TABLE sync (
  account TEXT NOT NULL, -- the unique identifier
  unique_identifier TEXT NOT NULL,
  location TEXT NOT NULL, -- the unique identifier; '': the whole account
  resource TEXT NOT NULL,
  source INTEGER NOT NULL, -- the number
  at_most REAL NOT NULL, -- in percent
  status TEXT NOT NULL, -- open, finishing, finished, replaced, undoing or undone
  seen INTEGER NOT NULL, -- how many marks it took
  marked INTEGER NOT NULL, -- 1: they are in sync_seen
  removed TEXT NOT NULL, -- JSON object: how many records, by resource
  records TEXT NOT NULL, -- JSON array: the first of those
  "left" TEXT NOT NULL, -- JSON array: the first records that stay
  left_count INTEGER NOT NULL,
  restored INTEGER, -- how many records an undo restored
  began TEXT, -- JSON object: the last change before
  progress TEXT, -- JSON object: how far its removals have come
  step INTEGER NOT NULL, -- rises with each change
  key TEXT NOT NULL, -- unique identifier of who began it
  inserted_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  finished_at INTEGER,
  finished_by TEXT, -- unique identifier of who finished it
  undone_by TEXT, -- unique identifier of who undoes it
  PRIMARY KEY (account, unique_identifier)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sync_open ON sync (account, location, resource, source) WHERE status = 'open';
CREATE INDEX sync_marked ON sync (status, inserted_at) WHERE marked = 1;
CREATE INDEX sync_idle ON sync (inserted_at) WHERE status IN ('open', 'replaced');
CREATE INDEX sync_inserted ON sync (inserted_at);
CREATE INDEX sync_identifier ON sync (unique_identifier);
CREATE INDEX sync_location ON sync (account, location, unique_identifier);
CREATE INDEX sync_going ON sync (unique_identifier) WHERE status IN ('finishing', 'undoing');

-- What a sync has seen: 64 bits of each record, some in each row.
CREATE TABLE sync_seen (
  account TEXT NOT NULL, -- the unique identifier
  sync TEXT NOT NULL, -- the unique identifier
  batch TEXT NOT NULL,
  marks TEXT NOT NULL, -- base64
  PRIMARY KEY (account, sync, batch)
) STRICT, WITHOUT ROWID;

-- What is not to be forgotten, with all that belongs to it.
CREATE TABLE hold (
  unique_identifier TEXT NOT NULL,
  account TEXT NOT NULL, -- the unique identifier
  resource TEXT NOT NULL,
  record TEXT NOT NULL, -- unique identifier of what is held, which may be the account
  matter TEXT NOT NULL,
  reason TEXT,
  until INTEGER,
  released_at INTEGER,
  released_because TEXT,
  above TEXT NOT NULL, -- JSON array of the unique identifiers of what it belongs to
  "by" TEXT NOT NULL, -- unique identifier of who placed it
  released_by TEXT, -- unique identifier
  inserted_at INTEGER NOT NULL,
  PRIMARY KEY (account, unique_identifier)
) STRICT, WITHOUT ROWID;
CREATE INDEX hold_identifier ON hold (unique_identifier);
CREATE INDEX hold_active ON hold (account) WHERE released_at IS NULL;

-- Rules by which records go when they are old enough.
CREATE TABLE retention_rule (
  unique_identifier TEXT NOT NULL,
  account TEXT NOT NULL, -- the unique identifier
  location TEXT, -- the unique identifier; NULL: the whole account
  resource TEXT NOT NULL,
  after_days INTEGER NOT NULL,
  since TEXT NOT NULL, -- event_datetime, inserted_at or updated_at
  unless TEXT, -- JSON object: filters of the list
  spares TEXT, -- JSON array: the same, as conditions of a list
  at_least_days INTEGER,
  basis TEXT NOT NULL,
  status TEXT NOT NULL, -- paused, enabled or stopped
  stopped_because TEXT,
  preview TEXT, -- JSON object: what it would remove
  made_by TEXT NOT NULL, -- unique identifier
  enabled_by TEXT, -- unique identifier
  enabled_at INTEGER,
  counting_since INTEGER, -- NULL: no preview is being counted
  revision INTEGER NOT NULL, -- how often it was changed
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account, unique_identifier)
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_rule_identifier ON retention_rule (unique_identifier);
CREATE INDEX retention_rule_asked ON retention_rule (account)
  WHERE status = 'enabled' OR at_least_days IS NOT NULL;
CREATE INDEX retention_rule_enabled ON retention_rule (account) WHERE status = 'enabled';
CREATE INDEX retention_rule_counting ON retention_rule (account) WHERE counting_since IS NOT NULL;

-- What runs of these rules removed and left.
CREATE TABLE retention_run (
  unique_identifier TEXT NOT NULL,
  account TEXT NOT NULL, -- the unique identifier
  rule TEXT NOT NULL, -- the unique identifier
  status TEXT NOT NULL, -- running, done or stopped
  stopped_because TEXT,
  expected INTEGER NOT NULL, -- how many records were expected to go at most
  goes INTEGER NOT NULL, -- how many it found
  removed INTEGER NOT NULL,
  held INTEGER NOT NULL,
  spared INTEGER NOT NULL,
  soon INTEGER NOT NULL, -- how many more may go within a month
  began_at INTEGER NOT NULL,
  ended_at INTEGER,
  enabled_at INTEGER NOT NULL, -- of the rule that it runs
  progress TEXT, -- JSON object: how far it has come
  PRIMARY KEY (account, unique_identifier)
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_run_rule ON retention_run (rule, unique_identifier);
CREATE INDEX retention_run_ended ON retention_run (ended_at);
CREATE INDEX retention_run_running ON retention_run (rule) WHERE status = 'running';

-- The process that does the work of all rules, and until when it may without being heard of again.
CREATE TABLE retention_worker (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;

-- What is noted on erasures: who was told, who acknowledged, and who sends records again.
CREATE TABLE erasure_note (
  of_account TEXT NOT NULL, -- the unique identifier
  erasure TEXT NOT NULL, -- unique identifier
  kind TEXT NOT NULL, -- told, acknowledged, copied or sent_again
  about TEXT NOT NULL, -- unique identifier of an endpoint or of who calls
  state TEXT NOT NULL, -- of a system that follows the changes: whether it has received the erasure; of a copy: opened or exported; otherwise empty
  reached TEXT NOT NULL, -- unique identifier of the last change to be told of; otherwise empty
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL, -- 0: never
  PRIMARY KEY (erasure, kind, about)
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_note_account ON erasure_note (of_account, erasure);
CREATE INDEX erasure_note_waiting ON erasure_note (erasure, about)
  WHERE kind = 'told' AND state IN ('waiting', 'not_told', 'failed');

-- API keys that follow the changes of an account, and how far each has read.
CREATE TABLE follower (
  of_account TEXT NOT NULL, -- the unique identifier
  key TEXT NOT NULL, -- unique identifier
  reached TEXT NOT NULL, -- unique identifier of the change after which it has read last
  at INTEGER NOT NULL,
  PRIMARY KEY (of_account, key)
) STRICT, WITHOUT ROWID;

-- What was imported from files, and how far that has come.
CREATE TABLE import_run (
  unique_identifier TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL, -- of what is imported, and how
  status TEXT NOT NULL, -- running, finished, undoing or undone
  files TEXT NOT NULL, -- JSON array: of each its name, resource and file of rejected rows
  accounts TEXT NOT NULL, -- JSON array of unique identifiers
  began TEXT NOT NULL, -- JSON object: by account, the last change before the first row
  chunk INTEGER NOT NULL, -- rows of one commit
  position TEXT NOT NULL, -- JSON object: where it goes on
  counts TEXT NOT NULL, -- JSON object: rows, by what became of each
  rejected TEXT, -- CSV: rows that can still be corrected
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX import_run_fingerprint ON import_run (fingerprint, unique_identifier);
CREATE INDEX import_run_undoing ON import_run (unique_identifier) WHERE status = 'undoing';
