-- Generated from the migrations and src/core/resources/ by "npm run generate"; do not edit.

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
  becomes TEXT, "key_name" TEXT NOT NULL DEFAULT '', -- gone, open or closed, when all that it holds is removed, which was begun; NULL: it is not being emptied
  CHECK (account = number)
) STRICT;

CREATE UNIQUE INDEX account_unique_identifier ON account (unique_identifier);

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

CREATE TABLE receipt_room (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE counter (
  account INTEGER PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;

CREATE TABLE write_check (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  checked_at INTEGER NOT NULL,
  -- As large as a commit may be, after one did not fit on the disk.
  content BLOB NOT NULL
) STRICT;

CREATE TABLE "api_key" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the key
  "hash" BLOB NOT NULL, -- SHA-256 of the secret
  "name" TEXT, -- Name that the operator gave it
  "ending" TEXT NOT NULL, -- The last four characters of the secret
  "livemode" INTEGER NOT NULL CHECK ("livemode" IN (0, 1)), -- Whether it is for live or for test accounts
  "accounts" TEXT NOT NULL, -- Its open accounts, by their unique identifiers
  "anchors" TEXT, -- The locations it is limited to; null: whole accounts
  "region" TEXT, -- The region it is limited to: `locations` are those that have it at that moment; null: none
  "permissions" TEXT NOT NULL, -- What it may do with records: `read`, `write`, `delete`
  "resources" TEXT, -- The resources it is limited to, by their path names; null: all
  "allow" TEXT NOT NULL, -- Its rights beyond records
  "from" TEXT, -- The networks it works from; null: any address
  "requests_a_second" REAL, -- Its own rate limit; null: that of the service, if there is one
  "requests_at_once" INTEGER, -- Its own limit of concurrent requests; null: none
  "inserted_at" INTEGER NOT NULL, -- When it was created, in UTC
  "expires_at" INTEGER, -- When it expires, in UTC; null: never
  "suspended_at" INTEGER, -- When it was suspended, in UTC
  "revoked_at" INTEGER, -- When it was revoked, in UTC
  "last_used_at" INTEGER, -- When it was last used, in UTC; null: never
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX "api_key_hash" ON "api_key" (hash);

CREATE TABLE "location_settings" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the location, or of the account
  "of_account" TEXT NOT NULL, -- The account of the location, or the account itself
  "time_zone" TEXT, -- IANA name of the time zone; `UTC` if none is set
  "region" TEXT, -- Its region, in your words
  "state" TEXT, -- Its state or province
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "location_settings_account" ON "location_settings" (of_account, unique_identifier);

CREATE TABLE "staff_passkey" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the passkey
  "staff" TEXT NOT NULL, -- Whose it is
  "credential" TEXT NOT NULL, -- Its identifier in the authenticator, as base64url
  "public_key" TEXT NOT NULL, -- Public key in COSE form, as base64url
  "counter" INTEGER NOT NULL, -- How often the authenticator counts it; 0 where it does not
  "transports" TEXT NOT NULL, -- How browsers reach the authenticator
  "name" TEXT, -- Name that the person gave it
  "inserted_at" INTEGER NOT NULL, -- When it was added
  "used_at" INTEGER, -- When it was last used
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "staff_passkey_staff" ON "staff_passkey" (staff);

CREATE UNIQUE INDEX "staff_passkey_credential" ON "staff_passkey" (credential);

CREATE TABLE "staff_identity" (
  "issuer" TEXT NOT NULL, -- The provider
  "subject" TEXT NOT NULL, -- What it calls the person
  "staff" TEXT NOT NULL, -- The person
  "inserted_at" INTEGER NOT NULL, -- When they first signed in with it
  PRIMARY KEY ("issuer", "subject")
) STRICT, WITHOUT ROWID;

CREATE INDEX "staff_identity_staff" ON "staff_identity" (staff);

CREATE TABLE "erased" (
  "account" TEXT NOT NULL, -- The account
  "record" TEXT NOT NULL, -- The record
  "resource" TEXT NOT NULL, -- Its resource
  "anchor" TEXT, -- Its location
  "parent" TEXT NOT NULL, -- What it belonged to
  "erasure" TEXT NOT NULL, -- The erasure
  "erased_at" INTEGER NOT NULL, -- When it was erased
  "key" TEXT NOT NULL, -- The name of the key of both hashes; empty: it has none, and may be made again
  "probe" TEXT NOT NULL, -- Hash of resource and external identifier
  "mark" TEXT NOT NULL, -- Hash of its resource, of all that it belonged to, and of its external identifier
  "unforgotten" INTEGER NOT NULL, -- Position of its newest change that the log may hold content of; 0: none
  "line" INTEGER NOT NULL DEFAULT 0, -- The line of the journal that tells of it; 0: none yet; -1: none is to
  "position" INTEGER NOT NULL DEFAULT 0, -- Of its last change; 0: another store erased it
  PRIMARY KEY ("account", "record")
) STRICT, WITHOUT ROWID;

CREATE INDEX "erased_probe" ON "erased" (account, probe);

CREATE INDEX "erased_mark" ON "erased" (account, mark);

CREATE INDEX "erased_erasure" ON "erased" (erasure);

CREATE INDEX "erased_parent" ON "erased" (parent, resource);

CREATE INDEX "erased_unforgotten" ON "erased" (account, record) WHERE unforgotten > 0;

CREATE INDEX "erased_untold" ON "erased" (erased_at) WHERE line = 0;

CREATE TABLE "erasure_journal" (
  "line" INTEGER NOT NULL, -- 1, 2, 3, …
  "text" TEXT NOT NULL, -- As in the file
  "applied" INTEGER NOT NULL CHECK ("applied" IN (0, 1)), -- False: taken from a file since the store was set back, and not done yet
  PRIMARY KEY ("line")
) STRICT, WITHOUT ROWID;

CREATE INDEX "erasure_journal_unapplied" ON "erasure_journal" (line) WHERE NOT applied;

CREATE TABLE "erasure_note" (
  "of_account" TEXT NOT NULL, -- The account
  "erasure" TEXT NOT NULL, -- The erasure
  "kind" TEXT NOT NULL, -- What it notes
  "about" TEXT NOT NULL, -- The endpoint, or who calls
  "state" TEXT NOT NULL, -- Of a system that follows the changes: `waiting`, `told`, `not_told`, `failed` or `removed`; of one that may have copies: `opened` or `exported`; otherwise empty
  "reached" TEXT NOT NULL, -- The last change to be told of; otherwise empty
  "count" INTEGER NOT NULL, -- How often it was refused; of `copied`, how many of these there are, noted or not
  "first_at" INTEGER NOT NULL, -- When it was first
  "last_at" INTEGER NOT NULL, -- When it was last notified or refused; 0: never
  PRIMARY KEY ("erasure", "kind", "about")
) STRICT, WITHOUT ROWID;

CREATE INDEX "erasure_note_account" ON "erasure_note" (of_account, erasure);

CREATE INDEX "erasure_note_waiting" ON "erasure_note" (erasure, about) WHERE kind = 'told' AND state IN ('waiting', 'not_told', 'failed');

CREATE TABLE "follower" (
  "of_account" TEXT NOT NULL, -- The account
  "key" TEXT NOT NULL, -- The key
  "reached" TEXT NOT NULL, -- The change after which it has read last
  "at" INTEGER NOT NULL, -- When that was
  PRIMARY KEY ("of_account", "key")
) STRICT, WITHOUT ROWID;

CREATE TABLE "erasure" (
  "unique_identifier" TEXT NOT NULL, -- Identifies the erasure
  "of_account" TEXT NOT NULL, -- The account in which records are erased
  "status" TEXT NOT NULL, -- `ready`: look at the matches, and choose; `waiting`: something of it is held, and is erased when the hold is released; `done`: what was chosen is erased; `closed`: it ended without that
  "reference" TEXT, -- What you call the request; null as well if only the journal of erasures tells of it, after a restore
  "received_at" INTEGER NOT NULL, -- When the person asked, in UTC
  "due_at" INTEGER NOT NULL, -- 45 days later, in UTC
  "matches" TEXT NOT NULL, -- The records that were found. Landlines are shared and names are common: you choose
  "chosen" TEXT NOT NULL, -- The unique_identifiers of the records that were chosen
  "past_only" TEXT NOT NULL, -- Records of which only earlier versions go
  "left_over" TEXT NOT NULL, -- What was chosen and could not be erased
  "looked" TEXT NOT NULL, -- `index`: found by what is indexed, and the rest is looked through meanwhile: earlier versions, removed records, free-form text, refused rows of imports, and names of keys, endpoints and files; `everywhere`: that is through; `too_many`: it found more than 1,000 records, and stopped
  "refused_rows" INTEGER NOT NULL, -- How many refused rows of imports mention the person; they go with the first records that are erased
  "named_in" TEXT NOT NULL, -- What people of the account have named or described so that it mentions the person: unique_identifiers of API keys, webhook endpoints, imports by the names of their files, sources, colleagues, holds and retention rules. No erasure changes these: rename or remove them
  "places" TEXT NOT NULL, -- Every place that the service can read, read again after the records were erased
  "image_hosts" TEXT NOT NULL, -- The hosts of images of the erased records: nobody but they can remove the images
  "basis" TEXT, -- Why it was closed without erasing anything more
  "selectors" TEXT, -- What is known of the person, sealed, until the erasure ends
  "traces" TEXT, -- What the erased records held, sealed, while it runs
  "look_place" TEXT, -- How far the look has come
  "by" TEXT NOT NULL, -- Who began it
  "revision" INTEGER NOT NULL, -- How often it was changed
  "inserted_at" INTEGER NOT NULL, -- When it was made, in UTC
  "updated_at" INTEGER NOT NULL, -- When it was last changed, in UTC
  "sum" INTEGER, -- CRC-32 of the other columns
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "erasure_account" ON "erasure" (of_account, unique_identifier, "by", status);

CREATE INDEX "erasure_running" ON "erasure" (unique_identifier) WHERE status IN ('running', 'waiting');

CREATE INDEX "erasure_looking" ON "erasure" (unique_identifier) WHERE look_place IS NOT NULL;

CREATE INDEX "erasure_ended" ON "erasure" (updated_at) WHERE status IN ('done', 'closed');

CREATE TABLE "request_activity" (
  "hour" INTEGER NOT NULL, -- When the hour began
  "of_account" TEXT NOT NULL, -- The account of the records; omitted if the request was for several
  "key" TEXT NOT NULL, -- The API key; of a file that was imported as a source of its own, the import
  "anchor" TEXT NOT NULL, -- The location of the records; omitted if there is none
  "resource" TEXT NOT NULL, -- The resource
  "outcome" TEXT NOT NULL, -- What was done, `read` or `refused`
  "count" INTEGER NOT NULL, -- Number of requests or rows
  "last_at" INTEGER NOT NULL, -- When the last one was answered
  PRIMARY KEY ("of_account", "hour", "key", "anchor", "resource", "outcome")
) STRICT, WITHOUT ROWID;

CREATE INDEX "request_activity_hour" ON "request_activity" (hour);

CREATE TABLE "audit_entry" (
  "unique_identifier" TEXT NOT NULL, -- Identifies the entry
  "time" INTEGER NOT NULL, -- When it was done
  "of_account" TEXT NOT NULL, -- The account; omitted if it concerns several, or none is known
  "key" TEXT NOT NULL, -- Who did it: a person, an API key, or `operator` on the command line; omitted if it is not known, or several did
  "action" TEXT NOT NULL, -- What was done; `refused`: what an entry before names was not done, because it was refused; `reads`: how much a key read in the hour from that time on
  "resource" TEXT, -- The resource
  "record" TEXT NOT NULL, -- The unique_identifier of what was read or changed: a record, or one of our own objects; of a `list` of what belongs to a service, the service; of `reads`, the location
  "what" TEXT, -- More of the action: the kind of a search, the method of a sign-in, the operation, the command
  "count" INTEGER NOT NULL, -- How often; more than 1 where entries were gathered
  "address" TEXT, -- The network address of the caller
  "request_id" TEXT, -- The `Request-Id` of the answer
  "chain" TEXT NOT NULL, -- The chain of entries that it is part of: each process has its own
  "number" INTEGER NOT NULL, -- Its number in the chain: 1, 2, 3, …
  "mac" TEXT NOT NULL, -- HMAC-SHA256 of the `mac` of the entry before it and of this entry, as base64url
  "written_at" INTEGER NOT NULL, -- When it was written
  "sum" INTEGER, -- CRC-32 of the other columns
  PRIMARY KEY ("chain", "number")
) STRICT, WITHOUT ROWID;

CREATE INDEX "audit_entry_time" ON "audit_entry" (time, unique_identifier);

CREATE INDEX "audit_entry_account" ON "audit_entry" (of_account, time, unique_identifier);

CREATE INDEX "audit_entry_action" ON "audit_entry" (of_account, action, time, unique_identifier);

CREATE INDEX "audit_entry_key" ON "audit_entry" (key, of_account, time, unique_identifier);

CREATE INDEX "audit_entry_record" ON "audit_entry" (record, of_account, time, unique_identifier);

CREATE INDEX "audit_entry_begins" ON "audit_entry" (written_at) WHERE number = 1;

CREATE INDEX "audit_entry_reads" ON "audit_entry" (time) WHERE action = 'reads';

CREATE UNIQUE INDEX "audit_entry_identifier" ON "audit_entry" (unique_identifier);

CREATE TABLE "refused_request" (
  "request_id" TEXT NOT NULL, -- The `Request-Id` of the answer
  "time" INTEGER NOT NULL, -- When it was answered
  "key" TEXT NOT NULL, -- The API key
  "of_account" TEXT NOT NULL, -- The account of the key; omitted if it has several
  "authentication" TEXT, -- Why the key was refused: `revoked`, `expired`, `suspended`, `address_not_permitted` or `account_closed`; omitted if it was accepted
  "address" TEXT, -- The network address of the client
  "method" TEXT NOT NULL, -- The method
  "path" TEXT NOT NULL, -- The path; parts other than known names and identifiers are `*`
  "status" INTEGER NOT NULL, -- HTTP status of the answer: 200 if only rows were refused
  "code" TEXT NOT NULL, -- The error code of the answer, or the most frequent one of its refused rows
  "faults" TEXT NOT NULL, -- The faults, as they are stored
  "rows" TEXT, -- Its rows, as they are stored
  "nth" INTEGER NOT NULL, -- Rises among those of a key, of which only the last ones stay
  "codes" TEXT NOT NULL, -- All codes, and marks of identifiers, with spaces around each
  PRIMARY KEY ("request_id")
) STRICT, WITHOUT ROWID;

CREATE INDEX "refused_request_key" ON "refused_request" (key, nth);

CREATE INDEX "refused_request_time" ON "refused_request" (time, request_id);

CREATE INDEX "refused_request_account" ON "refused_request" (of_account, time, request_id);

CREATE TABLE "source" (
  "number" INTEGER NOT NULL, -- Its number in the rows of records
  "unique_identifier" TEXT NOT NULL, -- Identifier of the source
  "of_account" TEXT NOT NULL, -- The account that it sends to
  "name" TEXT NOT NULL, -- What people call it; unique in the account
  "merged_into" INTEGER, -- The number of the source that it is part of
  "inserted_at" INTEGER NOT NULL, -- When it was first seen, in UTC
  PRIMARY KEY ("number")
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX "source_identifier" ON "source" (unique_identifier);

CREATE UNIQUE INDEX "source_name" ON "source" (of_account, name) WHERE merged_into IS NULL;

CREATE TABLE "source_writer" (
  "of_account" TEXT NOT NULL, -- The account
  "writer" TEXT NOT NULL, -- An API key or an import; or `console`, `imports`, `operator`
  "source" INTEGER NOT NULL, -- The number of the source
  PRIMARY KEY ("of_account", "writer")
) STRICT, WITHOUT ROWID;

CREATE TABLE "staff" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the person
  "email" TEXT NOT NULL, -- Email address, in lower case; it identifies the person
  "apart" TEXT NOT NULL, -- Random, if an administrator invited an email that somebody in other accounts has: the two are different people here
  "name" TEXT, -- Name of the person
  "role" TEXT NOT NULL, -- What the person may do
  "accounts" TEXT NOT NULL, -- Accounts the person works for
  "anchors" TEXT, -- Locations the person is limited to; null: whole accounts
  "region" TEXT, -- The region the person is limited to: `locations` are those that have it at that moment; null: none
  "allow" TEXT NOT NULL, -- Rights that no role has, such as `erase`
  "inserted_at" INTEGER NOT NULL, -- When the person was first invited
  "signed_in_at" INTEGER, -- When the person last signed in
  "disabled_at" INTEGER, -- When the person was disabled
  "password" TEXT, -- Hash of the password
  "invitation_hash" TEXT, -- SHA-256 of the token of the invitation, as base64url
  "invitation_expires_at" INTEGER, -- When the invitation expires
  "invited_by" TEXT, -- Who invited the person
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX "staff_email" ON "staff" (email, apart);

CREATE UNIQUE INDEX "staff_invitation" ON "staff" (invitation_hash);

CREATE TABLE "staff_ceremony" (
  "hash" TEXT NOT NULL, -- What names it, or its SHA-256
  "purpose" TEXT NOT NULL, -- What it is for
  "content" TEXT NOT NULL, -- A key
  "expires_at" INTEGER NOT NULL, -- When it ends
  PRIMARY KEY ("hash")
) STRICT, WITHOUT ROWID;

CREATE INDEX "staff_ceremony_expires_at" ON "staff_ceremony" (expires_at);

CREATE TABLE "staff_session" (
  "hash" TEXT NOT NULL, -- SHA-256 of the token, as base64url
  "unique_identifier" TEXT NOT NULL, -- Identifier of the session
  "staff" TEXT NOT NULL, -- Whose it is
  "method" TEXT NOT NULL, -- How the person signed in
  "proved_at" INTEGER NOT NULL, -- When the person last proved who they are
  "inserted_at" INTEGER NOT NULL, -- When it was opened
  "seen_at" INTEGER NOT NULL, -- When it was last used
  "address" TEXT, -- Network address it was last used from
  "browser" TEXT, -- Browser it was last used in
  PRIMARY KEY ("hash")
) STRICT, WITHOUT ROWID;

CREATE INDEX "staff_session_staff" ON "staff_session" (staff, unique_identifier);

CREATE TABLE "checked_backup" (
  "single" INTEGER NOT NULL CHECK ("single" IN (0, 1)), -- The only row
  "taken_at" INTEGER NOT NULL, -- The moment that it shows
  "checked_at" INTEGER NOT NULL, -- When it was checked
  "number" INTEGER NOT NULL DEFAULT 0, -- Its number among the backups of this store; 0: it has none
  PRIMARY KEY ("single")
) STRICT, WITHOUT ROWID;

CREATE TABLE "followed_backup" (
  "name" TEXT NOT NULL, -- What the folder is called
  "holder" TEXT NOT NULL, -- The process that writes it
  "until" INTEGER NOT NULL, -- Until when it may write without being heard of again
  "folder" TEXT NOT NULL, -- The path
  "host" TEXT NOT NULL, -- The machine
  "since" INTEGER NOT NULL, -- Since when it has followed
  "shows_at" INTEGER, -- Everything up to then is in the folder
  "whole_at" INTEGER, -- When its whole backup was taken
  "left_out" INTEGER, -- Damaged changes that it lacks
  PRIMARY KEY ("name")
) STRICT, WITHOUT ROWID;

CREATE TABLE "seen_time" (
  "single" INTEGER NOT NULL CHECK ("single" IN (0, 1)), -- The only row
  "at" INTEGER NOT NULL, -- The time
  "rewritten_at" INTEGER, -- When the file of a store on SQLite was last rewritten
  PRIMARY KEY ("single")
) STRICT, WITHOUT ROWID;

CREATE TABLE "store_identity" (
  "single" INTEGER NOT NULL CHECK ("single" IN (0, 1)), -- The only row
  "store" TEXT NOT NULL, -- The store: a restored copy of it is another one
  "made" INTEGER NOT NULL, -- The number of the last backup that it has made
  "origins" TEXT NOT NULL, -- The stores that it was restored from, the last one first, each with the number of the backup
  "folder" TEXT, -- The folder of its last backup
  "host" TEXT, -- The machine of that folder
  PRIMARY KEY ("single")
) STRICT, WITHOUT ROWID;

CREATE TABLE "job" (
  "account" TEXT NOT NULL, -- The account that it is for
  "kind" TEXT NOT NULL, -- What is done
  "object" TEXT NOT NULL, -- The unique_identifier of the object that has its state
  "owner" TEXT NOT NULL, -- The process that does it
  "until" INTEGER NOT NULL, -- Until when it may work without being heard of again
  "began_at" INTEGER NOT NULL, -- When it began
  "progressed_at" INTEGER NOT NULL, -- When it last came further
  "counts" TEXT, -- How many records it removes, by resource, where that was counted
  PRIMARY KEY ("account", "kind", "object")
) STRICT, WITHOUT ROWID;

CREATE TABLE "first_sync" (
  "account" TEXT NOT NULL, -- The account
  "location" TEXT NOT NULL, -- The location; null: the whole account
  "resource" TEXT NOT NULL, -- What was sent
  "source" INTEGER NOT NULL, -- The number of the source
  "finished_at" INTEGER NOT NULL, -- When its first sync there was finished
  PRIMARY KEY ("account", "location", "resource", "source")
) STRICT, WITHOUT ROWID;

CREATE TABLE "sync" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the sync
  "account" TEXT NOT NULL, -- The account
  "location" TEXT NOT NULL, -- The location; null: the whole account
  "resource" TEXT NOT NULL, -- What is sent
  "source" INTEGER NOT NULL, -- The number of its source
  "at_most" REAL NOT NULL, -- The greatest share of the records that it may remove, in percent
  "as_of" INTEGER, -- When its data was taken, in UTC; null: when it began
  "status" TEXT NOT NULL, -- Its status, without the clock
  "seen" INTEGER NOT NULL, -- How many rows it took; one that was sent twice counts twice
  "repeated" INTEGER NOT NULL, -- How many of these named a record that an earlier one had named: rows that were sent again, or two rows with the same identifiers, of which the later one is refused if it differs
  "marked" INTEGER NOT NULL DEFAULT 0, -- Whether the store has marks of what it saw
  "removed" TEXT NOT NULL, -- How many records it removed, by resource; of a dry run, how many it would
  "records" TEXT NOT NULL, -- The first 100 records that it removed, or would, without those below them
  "left" TEXT NOT NULL, -- The first 100 records of the source that were not sent, and stay; before them those that stay removed after the sync was undone
  "left_count" INTEGER NOT NULL, -- How many of those there are
  "beyond" INTEGER, -- How many doubts it has beyond those that are kept; null: none
  "restored" INTEGER, -- How many records an undo restored so far; null: none
  "began" TEXT, -- Where its removals are in the log
  "progress" TEXT, -- How far its removals have come
  "step" INTEGER NOT NULL, -- How often it was changed
  "key" TEXT NOT NULL, -- Who began it
  "inserted_at" INTEGER NOT NULL, -- When it began, in UTC
  "expires_at" INTEGER NOT NULL, -- When it expires unless it is finished, in UTC
  "finished_at" INTEGER, -- When it was finished, in UTC
  "finished_by" TEXT, -- Who finished it
  "undone_by" TEXT, -- Who undoes it
  PRIMARY KEY ("account", "unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "sync_marked" ON "sync" (status, inserted_at) WHERE marked = 1;

CREATE INDEX "sync_idle" ON "sync" (inserted_at) WHERE status IN ('open', 'replaced');

CREATE INDEX "sync_inserted" ON "sync" (inserted_at);

CREATE INDEX "sync_identifier" ON "sync" (unique_identifier);

CREATE INDEX "sync_location" ON "sync" (account, location, unique_identifier);

CREATE INDEX "sync_going" ON "sync" (unique_identifier) WHERE status IN ('finishing', 'undoing');

CREATE UNIQUE INDEX "sync_open" ON "sync" (account, location, resource, source) WHERE status = 'open';

CREATE TABLE "sync_doubt" (
  "account" TEXT NOT NULL, -- The account
  "sync" TEXT NOT NULL, -- The sync
  "request" TEXT NOT NULL, -- The request, by its Request-Id
  "name" TEXT NOT NULL, -- A hash of the name that its caller gave it; empty: none
  "at" INTEGER NOT NULL, -- When
  "reason" TEXT NOT NULL, -- What became of it; `taken`: all of it but the rows that name no record
  "status" INTEGER, -- The status of its answer
  "code" TEXT, -- The error code
  "rows" INTEGER NOT NULL, -- How many of its rows had come
  "unnamed" INTEGER NOT NULL, -- How many of them were refused and name no record
  "lines" TEXT NOT NULL, -- The first of those: their numbers and codes
  PRIMARY KEY ("account", "sync", "request")
) STRICT, WITHOUT ROWID;

CREATE INDEX "sync_doubt_noted" ON "sync_doubt" (at);

CREATE TABLE "sync_seen" (
  "account" TEXT NOT NULL, -- The account
  "sync" TEXT NOT NULL, -- The sync
  "mark" TEXT NOT NULL, -- Of the identifiers of the record
  "content" INTEGER, -- A checksum of the first row that names it, and a number of its request; null: none was valid
  PRIMARY KEY ("account", "sync", "mark")
) STRICT, WITHOUT ROWID;

CREATE TABLE "no_contact" (
  "unique_identifier" TEXT NOT NULL, -- Identifies the entry
  "account" TEXT NOT NULL, -- The account: an entry is for it alone
  "kind" TEXT NOT NULL, -- `phone`, `email`, or `record`: of that record alone; `unknown`: version 1.0 has left a hash and not of what
  "value" TEXT, -- The number in E.164 form, the address in small letters, or the unique_identifier of the record; null: only a hash of it is kept
  "channels" TEXT, -- What was refused: `calls`, `texts`, `mail`; null: all of it. Follow-ups and `expand[]=do_not_contact` judge by all entries
  "reason" TEXT, -- Why
  "source" TEXT NOT NULL, -- What said so: a `request`, a `list` of many, a `record` that a person or a program named, or a card on which its person refuses calls, or a `follow_up` that was closed so
  "record" TEXT, -- The record that it was said of
  "record_version" INTEGER, -- The version of the record by then
  "follow_up" TEXT, -- The follow-up that was closed so
  "said_by" TEXT NOT NULL, -- Who entered it: a person, an API key, or the operator
  "until" INTEGER, -- Until when; null: until it is lifted
  "inserted_at" INTEGER NOT NULL, -- Since when
  "lifted_at" INTEGER, -- When it was lifted; null: it stands
  "lifted_because" TEXT, -- Why it was lifted; null where `until` has passed
  "lifted_by" TEXT, -- Who lifted it; null where `until` has passed
  "mark" TEXT, -- The hash of the value
  "mark_key" TEXT, -- The name of its key
  PRIMARY KEY ("account", "unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "no_contact_identifier" ON "no_contact" (unique_identifier);

CREATE INDEX "no_contact_listed" ON "no_contact" (account, unique_identifier) WHERE lifted_at IS NULL;

CREATE INDEX "no_contact_lifted" ON "no_contact" (account, unique_identifier) WHERE lifted_at IS NOT NULL;

CREATE INDEX "no_contact_hashed" ON "no_contact" (account, mark) WHERE lifted_at IS NULL AND value IS NULL;

CREATE INDEX "no_contact_was" ON "no_contact" (account, value) WHERE lifted_at IS NOT NULL;

CREATE INDEX "no_contact_was_hashed" ON "no_contact" (account, mark) WHERE lifted_at IS NOT NULL AND value IS NULL;

CREATE INDEX "no_contact_record" ON "no_contact" (account, record) WHERE record IS NOT NULL;

CREATE INDEX "no_contact_said" ON "no_contact" (account, follow_up) WHERE follow_up IS NOT NULL;

CREATE INDEX "no_contact_key" ON "no_contact" (mark_key) WHERE value IS NOT NULL AND kind IN ('phone', 'email');

CREATE INDEX "no_contact_ends" ON "no_contact" (until) WHERE lifted_at IS NULL AND until IS NOT NULL;

CREATE INDEX "no_contact_ended" ON "no_contact" (lifted_at) WHERE lifted_at IS NOT NULL;

CREATE UNIQUE INDEX "no_contact_standing" ON "no_contact" (account, value, kind) WHERE lifted_at IS NULL;

CREATE TABLE "do_not_contact" (
  "of_account" TEXT NOT NULL, -- The account
  "mark" TEXT NOT NULL, -- The hash
  "follow_up" TEXT NOT NULL, -- The follow-up that was closed so
  "record" TEXT NOT NULL, -- Its record
  PRIMARY KEY ("of_account", "mark", "follow_up")
) STRICT, WITHOUT ROWID;

CREATE INDEX "do_not_contact_follow_up" ON "do_not_contact" (follow_up);

CREATE INDEX "do_not_contact_record" ON "do_not_contact" (of_account, record);

CREATE TABLE "expectation" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the expectation
  "of_account" TEXT NOT NULL, -- The account
  "source" TEXT NOT NULL, -- The source
  "anchor" TEXT NOT NULL, -- The location
  "hours" TEXT NOT NULL, -- Days of the week and hours, by the clock of the location: `mon-fri 8-18` is from 8:00 to 18:00
  "every" TEXT NOT NULL, -- `hour`: in each of these hours; `day`: once on each of these days, by the end of its hours
  "silent_after" INTEGER NOT NULL, -- Number of these hours or days without a record after which the source is silent
  "closed_days" TEXT NOT NULL, -- Days on which nothing is expected: `12-25` in each year, `2026-11-27` in one
  "status" TEXT NOT NULL, -- `learned` from the activity of the last six weeks, and adapted to it every day; `confirmed` or set by a person; `off`: nothing is expected
  "learned_days" INTEGER, -- Number of such days it was learned from; null: a person set it
  "kept_days" INTEGER, -- Number of these days on which records arrived
  "state" TEXT NOT NULL, -- `new`: no record yet; `on_time`; `late`; `silent`; `back`: silent until at most a day ago; `failing`: all requests are refused
  "since" INTEGER NOT NULL, -- When this state began
  "silent_since" INTEGER, -- When it fell silent; null: it is not silent
  "last_at" INTEGER, -- When the last record arrived, to within five minutes; null: never
  "refused_at" INTEGER, -- When the last request was refused; null: never
  "refusal" TEXT, -- The error code of the first refused request since the last record, if the state is `failing`
  "inserted_at" INTEGER NOT NULL, -- When it was first learned or set
  "updated_at" INTEGER NOT NULL, -- When it was last set; nothing is missed before
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX "expectation_of" ON "expectation" (of_account, source, anchor);

CREATE TABLE "expectation_watch" (
  "single" INTEGER NOT NULL CHECK ("single" IN (0, 1)), -- The only row
  "looked_at" INTEGER NOT NULL, -- When it was
  "learned_at" INTEGER NOT NULL, -- When activity was last learned from
  "outages" TEXT NOT NULL, -- When no process looked
  PRIMARY KEY ("single")
) STRICT, WITHOUT ROWID;

CREATE TABLE "follow_up" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the follow-up
  "of_account" TEXT NOT NULL, -- The account
  "anchor" TEXT NOT NULL, -- The location of the record
  "resource" TEXT NOT NULL, -- The resource of the record
  "record" TEXT NOT NULL, -- The record: its unique_identifier
  "reason" TEXT NOT NULL, -- `asked_for_call`: the card asks for a call; `interested`: in pre-planning; `arrangement_begun`: online; `by_hand`: somebody began it
  "state" TEXT NOT NULL, -- `scheduled`: it is to be tried again at `next_at`; `closed`: also while nobody is to contact the person
  "owner" TEXT, -- Who does it: a person or an API key; null: nobody yet
  "claim_ends_at" INTEGER, -- When the claim ends unless its owner does something: 24 hours after the last, and not before `due_at` where it was handed over
  "due_at" INTEGER NOT NULL, -- Until when somebody is to have tried, in the hours of the home: an hour for an arrangement, a working day for a card, three for interest
  "next_at" INTEGER, -- When to try again; after `not_now`, when it is open again
  "attempts" TEXT NOT NULL, -- The attempts so far, the oldest first
  "outcome" TEXT, -- What came of it; null: it is not closed
  "note" TEXT, -- A note
  "revision" INTEGER NOT NULL, -- Raised by every change: `If-Match: "2"` changes only this one
  "inserted_at" INTEGER NOT NULL, -- When it was opened
  "updated_at" INTEGER NOT NULL, -- When it was last changed
  "closed_at" INTEGER, -- When it was closed; null: it is not, or nobody is to contact the person since another one was closed so
  "closed_by" TEXT, -- Who closed it
  "position" INTEGER, -- The commit that opened it
  "gone_at" INTEGER, -- When its record was removed
  "repeats" TEXT NOT NULL, -- Requests
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "follow_up_due" ON "follow_up" (of_account, due_at, unique_identifier);

CREATE INDEX "follow_up_unfinished" ON "follow_up" (of_account, due_at, unique_identifier) WHERE state <> 'closed';

CREATE INDEX "follow_up_state" ON "follow_up" (of_account, state, due_at, unique_identifier);

CREATE INDEX "follow_up_owner" ON "follow_up" (of_account, owner, due_at, unique_identifier) WHERE owner IS NOT NULL;

CREATE INDEX "follow_up_reason" ON "follow_up" (of_account, reason, due_at, unique_identifier);

CREATE INDEX "follow_up_record" ON "follow_up" (of_account, record, due_at, unique_identifier);

CREATE INDEX "follow_up_gone" ON "follow_up" (gone_at) WHERE gone_at IS NOT NULL;

CREATE INDEX "follow_up_ends" ON "follow_up" (claim_ends_at) WHERE claim_ends_at IS NOT NULL;

CREATE INDEX "follow_up_ahead" ON "follow_up" (claim_ends_at) WHERE claim_ends_at > due_at;

CREATE INDEX "follow_up_counts" ON "follow_up" (of_account, anchor, reason, resource, due_at) WHERE state <> 'closed' AND gone_at IS NULL;

CREATE INDEX "follow_up_later" ON "follow_up" (next_at) WHERE state = 'closed' AND next_at IS NOT NULL;

CREATE UNIQUE INDEX "follow_up_open" ON "follow_up" (of_account, record) WHERE state <> 'closed';

CREATE UNIQUE INDEX "follow_up_change" ON "follow_up" (of_account, record, position);

CREATE TABLE "follow_up_reader" (
  "of_account" TEXT NOT NULL, -- The account
  "change" TEXT NOT NULL, -- The last change; empty: none yet
  "left_out" TEXT NOT NULL, -- How many changes led to nothing although they might, by the reason
  PRIMARY KEY ("of_account")
) STRICT, WITHOUT ROWID;

CREATE TABLE "tick" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the tick
  "of_account" TEXT NOT NULL, -- The account
  "name" TEXT, -- Its name, as on the last card that had it; null: that card was erased
  "meaning" TEXT, -- `call`: somebody is to call; `no_call`: nobody is to call; `no_contact`: nobody is to contact them in any way; `nothing`: nothing of these; null: nobody has said it
  "said_by" TEXT, -- Who said it: a person or an API key; null: nobody
  "said_at" INTEGER, -- When it was said
  "cards" INTEGER NOT NULL, -- How often a card came with it
  "record" TEXT, -- The last card that had it; null: it was erased
  "last_at" INTEGER NOT NULL, -- When the last card came with it
  "inserted_at" INTEGER NOT NULL, -- When the first card came with it
  "folded" TEXT NOT NULL, -- What is the same in each spelling
  "counted" INTEGER NOT NULL, -- The commit of the last card that was counted
  "walked" TEXT, -- How far earlier cards are done
  "walks_from" INTEGER, -- The last commit when it was said
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "tick_listed" ON "tick" (of_account, unique_identifier);

CREATE INDEX "tick_record" ON "tick" (of_account, record);

CREATE INDEX "tick_walked" ON "tick" (of_account, walks_from) WHERE walked IS NOT NULL;

CREATE UNIQUE INDEX "tick_name" ON "tick" (of_account, folded);

CREATE TABLE "hold" (
  "unique_identifier" TEXT NOT NULL, -- Identifies the hold
  "account" TEXT NOT NULL, -- The account of the record
  "resource" TEXT NOT NULL, -- The resource of the record
  "record" TEXT NOT NULL, -- The unique_identifier of the record, or of the account. What belongs to it is held, too, also what arrives later
  "matter" TEXT NOT NULL, -- What it is kept for
  "reason" TEXT, -- Why
  "by" TEXT NOT NULL, -- Who placed it: an API key, a person, or the operator
  "until" INTEGER, -- When it ends by itself, in UTC
  "released_at" INTEGER, -- When it ended, in UTC
  "released_because" TEXT, -- Why it was released; `null` where `until` has passed
  "released_by" TEXT, -- Who released it; `null` where `until` has passed
  "above" TEXT NOT NULL, -- What the record belongs to, up to the account
  "inserted_at" INTEGER NOT NULL, -- When it was placed, in UTC
  PRIMARY KEY ("account", "unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "hold_account" ON "hold" (account, unique_identifier);

CREATE INDEX "hold_identifier" ON "hold" (unique_identifier);

CREATE INDEX "hold_active" ON "hold" (account) WHERE released_at IS NULL;

CREATE TABLE "import_run" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the import
  "fingerprint" TEXT NOT NULL, -- SHA-256 of what is imported, and how
  "status" TEXT NOT NULL, -- `running`, `finished`, `undoing` while it is undone, or `undone`
  "files" TEXT NOT NULL, -- The files, each with its rejected rows
  "accounts" TEXT NOT NULL, -- The accounts it writes to
  "began" TEXT NOT NULL, -- The last change of each account before the first row
  "chunk" INTEGER NOT NULL, -- Rows of one commit
  "position" TEXT NOT NULL, -- Where it continues
  "counts" TEXT NOT NULL, -- The numbers of rows that were `created`, `updated`, `unchanged` and refused (`failed`)
  "rejected" TEXT, -- Rows that can still be corrected, as CSV
  "headings" TEXT, -- SHA-256 of the names of its columns, in no order
  "remembered" TEXT, -- The choices for it, as JSON, for files with the same columns
  "begun_by" TEXT, -- The key or the person who began it
  "inserted_at" INTEGER NOT NULL, -- When it began
  "updated_at" INTEGER NOT NULL, -- When it last continued, or was undone
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "import_run_fingerprint" ON "import_run" (fingerprint, unique_identifier);

CREATE INDEX "import_run_undoing" ON "import_run" (unique_identifier) WHERE status = 'undoing';

CREATE INDEX "import_run_headings" ON "import_run" (headings, unique_identifier) WHERE remembered IS NOT NULL;

CREATE TABLE "upload" (
  "unique_identifier" TEXT NOT NULL, -- Identifies the upload
  "name" TEXT NOT NULL, -- The name of the file; its ending says what it is
  "bytes" INTEGER NOT NULL, -- How large it is
  "sha256" TEXT NOT NULL, -- SHA-256 of its bytes, in hexadecimal digits
  "owner" TEXT NOT NULL, -- The key or the person who sent it
  "accounts" TEXT NOT NULL, -- The accounts of who sent it
  "look" TEXT NOT NULL, -- What was seen of its bytes
  "ready" INTEGER NOT NULL CHECK ("ready" IN (0, 1)), -- Whether all of it is there
  "facts" TEXT, -- What a check has found in it
  "inserted_at" INTEGER NOT NULL, -- When it arrived, in UTC
  "expires_at" INTEGER NOT NULL, -- When it goes, in UTC
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "upload_owner" ON "upload" (owner, unique_identifier);

CREATE INDEX "upload_expires" ON "upload" (expires_at);

CREATE TABLE "upload_part" (
  "upload" TEXT NOT NULL, -- The file
  "number" INTEGER NOT NULL, -- Its place in the file
  "bytes" BLOB NOT NULL, -- Some of its bytes
  PRIMARY KEY ("upload", "number")
) STRICT, WITHOUT ROWID;

CREATE TABLE "retention_rule" (
  "unique_identifier" TEXT NOT NULL, -- Identifies the rule
  "account" TEXT NOT NULL, -- The account of the records
  "location" TEXT, -- The location of the records; `null`: all of the account
  "resource" TEXT NOT NULL, -- The resource of the records
  "after_days" INTEGER NOT NULL, -- How many days old they are when they go
  "since" TEXT NOT NULL, -- What their age is counted from: `event_datetime`, the date of the service or of the one that they belong to; `inserted_at`; or `updated_at`
  "unless" TEXT, -- Filters of the list of the resource: records that it would find stay
  "at_least_days" INTEGER, -- Such records are not removed in any way before they are that many days old, also while the rule is paused
  "basis" TEXT NOT NULL, -- Why: the law, the contract or the policy
  "spares" TEXT, -- The same as conditions, as lists of the store take them
  "status" TEXT NOT NULL, -- `enabled` runs each day; `stopped`: the service has paused it, see `stopped_because`; a new preview, and enabling it again, go on
  "stopped_because" TEXT, -- Why the service paused it: `twice_the_preview`, a run would have removed twice of what was to be expected; `clock`, more than 31 days had passed since what was expected was counted
  "preview" TEXT, -- What it would remove; `null`: there was none since it was changed
  "made_by" TEXT NOT NULL, -- Who made it: an API key, a person, or the operator
  "enabled_by" TEXT, -- Who enabled it
  "enabled_at" INTEGER, -- When it was enabled, in UTC
  "counting_since" INTEGER, -- Since when its preview has been counted
  "revision" INTEGER NOT NULL, -- How often it was changed
  "inserted_at" INTEGER NOT NULL, -- When it was made, in UTC
  "updated_at" INTEGER NOT NULL, -- When it was last changed, in UTC
  PRIMARY KEY ("account", "unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "retention_rule_identifier" ON "retention_rule" (unique_identifier);

CREATE INDEX "retention_rule_asked" ON "retention_rule" (account) WHERE status = 'enabled' OR at_least_days IS NOT NULL;

CREATE INDEX "retention_rule_enabled" ON "retention_rule" (account) WHERE status = 'enabled';

CREATE INDEX "retention_rule_counting" ON "retention_rule" (account) WHERE counting_since IS NOT NULL;

CREATE TABLE "retention_run" (
  "unique_identifier" TEXT NOT NULL, -- Identifies the run
  "account" TEXT NOT NULL, -- The account of the rule
  "rule" TEXT NOT NULL, -- The rule
  "status" TEXT NOT NULL, -- `running`; `done`: all that was old enough and not kept is removed; `stopped` before that
  "stopped_because" TEXT, -- Why it stopped: `twice_the_preview` or `clock`, as of the rule; or `paused`: the rule was paused or changed meanwhile
  "expected" INTEGER NOT NULL, -- How many records were expected to go at most
  "goes" INTEGER NOT NULL, -- How many it found that go, with what belongs to them
  "removed" INTEGER NOT NULL, -- How many records it removed, with what belongs to them
  "held" INTEGER NOT NULL, -- How many stay because a hold or `at_least_days` keeps them, or something that belongs to them
  "spared" INTEGER NOT NULL, -- How many stay because of `unless`
  "soon" INTEGER NOT NULL, -- How many more may go within 31 days: they become old enough then, or are held
  "began_at" INTEGER NOT NULL, -- When it began, in UTC: what was old enough at that moment goes
  "ended_at" INTEGER, -- When it ended, in UTC
  "enabled_at" INTEGER NOT NULL, -- When the rule was enabled that it runs
  "progress" TEXT, -- How far it has come
  PRIMARY KEY ("account", "unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "retention_run_rule" ON "retention_run" (rule, unique_identifier);

CREATE INDEX "retention_run_ended" ON "retention_run" (ended_at);

CREATE INDEX "retention_run_running" ON "retention_run" (rule) WHERE status = 'running';

CREATE TABLE "self_test" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the self-test
  "account" TEXT NOT NULL, -- The test account
  "key" TEXT NOT NULL, -- The API key whose requests are checked
  "inserted_at" INTEGER NOT NULL, -- When it was opened, in UTC
  "expires_at" INTEGER NOT NULL, -- When it ends, in UTC
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "self_test_account" ON "self_test" (account, unique_identifier);

CREATE INDEX "self_test_key" ON "self_test" (key, expires_at);

CREATE TABLE "self_test_sighting" (
  "unique_identifier" TEXT NOT NULL, -- Identifies it
  "self_test" TEXT NOT NULL, -- The self-test
  "kind" TEXT NOT NULL, -- What it is
  "at" INTEGER NOT NULL, -- When it was seen
  "data" TEXT NOT NULL, -- More of it
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "self_test_sighting_order" ON "self_test_sighting" (self_test, unique_identifier);

CREATE TABLE "webhook_delivery" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the delivery
  "endpoint" TEXT NOT NULL, -- The endpoint
  "change" TEXT NOT NULL, -- The change; its identifier is sent as `webhook-id`. `msg_…` of a notification of no change
  "position" INTEGER NOT NULL, -- The commit of the change
  "place" INTEGER NOT NULL, -- The place of the change in its commit
  "type" TEXT NOT NULL, -- The notification
  "record" TEXT NOT NULL, -- The record that was changed; of `source.silent` and `source.back` the expectation
  "status" TEXT NOT NULL, -- `pending`: due for an attempt, or waiting for an earlier change of the record
  "attempts" INTEGER NOT NULL, -- Number of attempts so far, but for those while the endpoint answered nothing at all
  "status_code" INTEGER, -- HTTP status of the last response
  "error" TEXT, -- Why the last attempt failed
  "duration_ms" INTEGER, -- Duration of the last attempt, in milliseconds
  "next_at" INTEGER, -- Time of the next attempt
  "inserted_at" INTEGER NOT NULL, -- When it was created
  "updated_at" INTEGER NOT NULL, -- When it was last attempted or changed
  PRIMARY KEY ("endpoint", "change")
) STRICT, WITHOUT ROWID;

CREATE INDEX "webhook_delivery_order" ON "webhook_delivery" (endpoint, position, place, change);

CREATE INDEX "webhook_delivery_pending" ON "webhook_delivery" (endpoint, position, place) WHERE status = 'pending';

CREATE INDEX "webhook_delivery_updated" ON "webhook_delivery" (updated_at);

CREATE TABLE "webhook_endpoint" (
  "unique_identifier" TEXT NOT NULL, -- Identifier of the endpoint
  "of_account" TEXT NOT NULL, -- The account whose changes are sent
  "status" TEXT NOT NULL, -- `failing`: nothing was taken in the last ten tries or more; `paused` and `disabled`: nothing is sent
  "reason" TEXT, -- Why it is paused or disabled: `paused` by a request, `key_ended`, `gone` (it answered 410), `failing_too_long`, `changes_expired`, `changes_rewound` or `restored`
  "failing_since" INTEGER, -- When the first delivery after the last success failed
  "next_at" INTEGER, -- When it is tried next, where it answers nothing, or has asked for a pause with `Retry-After`
  "strikes" INTEGER NOT NULL DEFAULT 0, -- Failures since the last success, of which one in five minutes counts
  "position" TEXT, -- All changes up to this one are delivered, or listed as pending
  "key" TEXT NOT NULL, -- The API key whose permissions apply: records that this key may not read are not sent. The account, if an administrator created the endpoint in the console
  "inserted_at" INTEGER NOT NULL, -- When it was created
  "updated_at" INTEGER NOT NULL, -- When it was last changed by a request
  "settings" TEXT NOT NULL, -- Its settings
  "secrets" TEXT NOT NULL, -- Secrets that sign the notifications
  "lease" TEXT, -- The process that delivers
  "lease_until" INTEGER NOT NULL DEFAULT 0, -- Until when, by the clock of the store
  "announced" INTEGER NOT NULL DEFAULT 0, -- Raised by each notification of a state
  PRIMARY KEY ("unique_identifier")
) STRICT, WITHOUT ROWID;

CREATE INDEX "webhook_endpoint_account" ON "webhook_endpoint" (of_account, unique_identifier);

CREATE INDEX "account_key_name" /* folded name */ ON "account" (account, "key_name");

CREATE TABLE "location" (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  unique_identifier TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  changed_by INTEGER,
  changed_minute INTEGER NOT NULL,
  document TEXT NOT NULL,
  sum INTEGER NOT NULL,
  "key_name" TEXT NOT NULL DEFAULT '',
  "key_proposed" TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX "location_unique_identifier" ON "location" (account, unique_identifier, anchor);

CREATE UNIQUE INDEX "location_identity" ON "location" (account, external_identifier, parent);

CREATE INDEX "location_parent" ON "location" (account, parent);

CREATE INDEX "location_inserted_at" ON "location" (account, inserted_at);

CREATE INDEX "location_changed_minute" ON "location" (account, changed_minute) WHERE changed_minute > 0;

CREATE INDEX "location_key_name" /* folded location_name */ ON "location" (account, "key_name", number, anchor);

CREATE INDEX "location_key_proposed" /* true $pins.open */ ON "location" (account, "key_proposed", number, anchor) WHERE "key_proposed" <> '';

CREATE TABLE "event" (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  unique_identifier TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  changed_by INTEGER,
  changed_minute INTEGER NOT NULL,
  document TEXT NOT NULL,
  sum INTEGER NOT NULL,
  "key_event_datetime" TEXT NOT NULL DEFAULT '',
  "key_proposed" TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX "event_unique_identifier" ON "event" (account, unique_identifier, anchor);

CREATE UNIQUE INDEX "event_identity" ON "event" (account, external_identifier, parent);

CREATE INDEX "event_parent" ON "event" (account, parent);

CREATE INDEX "event_inserted_at" ON "event" (account, inserted_at);

CREATE INDEX "event_changed_minute" ON "event" (account, changed_minute) WHERE changed_minute > 0;

CREATE INDEX "event_key_event_datetime" /* plain event_datetime */ ON "event" (account, "key_event_datetime", number, anchor);

CREATE INDEX "event_key_proposed" /* true $pins.open */ ON "event" (account, "key_proposed", number, anchor) WHERE "key_proposed" <> '';

CREATE TABLE "event_administrator" (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  unique_identifier TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  changed_by INTEGER,
  changed_minute INTEGER NOT NULL,
  document TEXT NOT NULL,
  sum INTEGER NOT NULL,
  "key_person_phone_number" TEXT NOT NULL DEFAULT '',
  "key_person_email_address" TEXT NOT NULL DEFAULT '',
  "key_person_interested_in_pre_planning" TEXT NOT NULL DEFAULT '',
  "key_proposed" TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX "event_administrator_unique_identifier" ON "event_administrator" (account, unique_identifier, anchor);

CREATE UNIQUE INDEX "event_administrator_identity" ON "event_administrator" (account, external_identifier, parent);

CREATE INDEX "event_administrator_parent" ON "event_administrator" (account, parent);

CREATE INDEX "event_administrator_inserted_at" ON "event_administrator" (account, inserted_at);

CREATE INDEX "event_administrator_changed_minute" ON "event_administrator" (account, changed_minute) WHERE changed_minute > 0;

CREATE INDEX "event_administrator_key_person_phone_number" /* plain person_phone_number */ ON "event_administrator" (account, "key_person_phone_number") WHERE "key_person_phone_number" <> '';

CREATE INDEX "event_administrator_key_person_email_address" /* caseless public_data.person_email_address */ ON "event_administrator" (account, "key_person_email_address") WHERE "key_person_email_address" <> '';

CREATE INDEX "event_administrator_key_person_interested_in_pre_planning" /* true public_data.person_interested_in_pre_planning */ ON "event_administrator" (account, "key_person_interested_in_pre_planning", number, anchor) WHERE "key_person_interested_in_pre_planning" <> '';

CREATE INDEX "event_administrator_key_proposed" /* true $pins.open */ ON "event_administrator" (account, "key_proposed", number, anchor) WHERE "key_proposed" <> '';

CREATE TABLE "event_check_in_record" (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  unique_identifier TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  changed_by INTEGER,
  changed_minute INTEGER NOT NULL,
  document TEXT NOT NULL,
  sum INTEGER NOT NULL,
  "key_visitor_phone_number" TEXT NOT NULL DEFAULT '',
  "key_visitor_email_address" TEXT NOT NULL DEFAULT '',
  "key_visitor_interested_in_pre_planning" TEXT NOT NULL DEFAULT '',
  "key_proposed" TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX "event_check_in_record_unique_identifier" ON "event_check_in_record" (account, unique_identifier, anchor);

CREATE UNIQUE INDEX "event_check_in_record_identity" ON "event_check_in_record" (account, external_identifier, parent);

CREATE INDEX "event_check_in_record_parent" ON "event_check_in_record" (account, parent);

CREATE INDEX "event_check_in_record_inserted_at" ON "event_check_in_record" (account, inserted_at);

CREATE INDEX "event_check_in_record_changed_minute" ON "event_check_in_record" (account, changed_minute) WHERE changed_minute > 0;

CREATE INDEX "event_check_in_record_key_visitor_phone_number" /* plain visitor_phone_number */ ON "event_check_in_record" (account, "key_visitor_phone_number") WHERE "key_visitor_phone_number" <> '';

CREATE INDEX "event_check_in_record_key_visitor_email_address" /* caseless public_data.visitor_email_address */ ON "event_check_in_record" (account, "key_visitor_email_address") WHERE "key_visitor_email_address" <> '';

CREATE INDEX "event_check_in_record_key_visitor_interested_in_pre_planning" /* true public_data.visitor_interested_in_pre_planning */ ON "event_check_in_record" (account, "key_visitor_interested_in_pre_planning", number, anchor) WHERE "key_visitor_interested_in_pre_planning" <> '';

CREATE INDEX "event_check_in_record_key_proposed" /* true $pins.open */ ON "event_check_in_record" (account, "key_proposed", number, anchor) WHERE "key_proposed" <> '';

CREATE TABLE "online_arrangement" (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  unique_identifier TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  changed_by INTEGER,
  changed_minute INTEGER NOT NULL,
  document TEXT NOT NULL,
  sum INTEGER NOT NULL,
  "key_person_phone_number" TEXT NOT NULL DEFAULT '',
  "key_email_address" TEXT NOT NULL DEFAULT '',
  "key_is_abandoned_cart" TEXT NOT NULL DEFAULT '',
  "key_proposed" TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX "online_arrangement_unique_identifier" ON "online_arrangement" (account, unique_identifier, anchor);

CREATE UNIQUE INDEX "online_arrangement_identity" ON "online_arrangement" (account, external_identifier, parent);

CREATE INDEX "online_arrangement_parent" ON "online_arrangement" (account, parent);

CREATE INDEX "online_arrangement_inserted_at" ON "online_arrangement" (account, inserted_at);

CREATE INDEX "online_arrangement_changed_minute" ON "online_arrangement" (account, changed_minute) WHERE changed_minute > 0;

CREATE INDEX "online_arrangement_key_person_phone_number" /* plain person_phone_number */ ON "online_arrangement" (account, "key_person_phone_number") WHERE "key_person_phone_number" <> '';

CREATE INDEX "online_arrangement_key_email_address" /* caseless additional_person_metadata.email_address */ ON "online_arrangement" (account, "key_email_address") WHERE "key_email_address" <> '';

CREATE INDEX "online_arrangement_key_is_abandoned_cart" /* true additional_cart_metadata.is_abandoned_cart */ ON "online_arrangement" (account, "key_is_abandoned_cart", number, anchor) WHERE "key_is_abandoned_cart" <> '';

CREATE INDEX "online_arrangement_key_proposed" /* true $pins.open */ ON "online_arrangement" (account, "key_proposed", number, anchor) WHERE "key_proposed" <> '';

CREATE TABLE "direct_mail_reply" (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  unique_identifier TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  changed_by INTEGER,
  changed_minute INTEGER NOT NULL,
  document TEXT NOT NULL,
  sum INTEGER NOT NULL,
  "key_phone_number1" TEXT NOT NULL DEFAULT '',
  "key_phone_number2" TEXT NOT NULL DEFAULT '',
  "key_email_address" TEXT NOT NULL DEFAULT '',
  "key_incomplete" TEXT NOT NULL DEFAULT '',
  "key_proposed" TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX "direct_mail_reply_unique_identifier" ON "direct_mail_reply" (account, unique_identifier, anchor);

CREATE UNIQUE INDEX "direct_mail_reply_identity" ON "direct_mail_reply" (account, external_identifier, parent);

CREATE INDEX "direct_mail_reply_parent" ON "direct_mail_reply" (account, parent);

CREATE INDEX "direct_mail_reply_inserted_at" ON "direct_mail_reply" (account, inserted_at);

CREATE INDEX "direct_mail_reply_changed_minute" ON "direct_mail_reply" (account, changed_minute) WHERE changed_minute > 0;

CREATE INDEX "direct_mail_reply_key_phone_number1" /* plain public_data.respondent_person.phone_number1 */ ON "direct_mail_reply" (account, "key_phone_number1") WHERE "key_phone_number1" <> '';

CREATE INDEX "direct_mail_reply_key_phone_number2" /* plain public_data.respondent_person.phone_number2 */ ON "direct_mail_reply" (account, "key_phone_number2") WHERE "key_phone_number2" <> '';

CREATE INDEX "direct_mail_reply_key_email_address" /* caseless public_data.respondent_person.email_address */ ON "direct_mail_reply" (account, "key_email_address") WHERE "key_email_address" <> '';

CREATE INDEX "direct_mail_reply_key_incomplete" /* lacking public_data.respondent_person.full_name, public_data.respondent_person.phone_number1 or public_data.respondent_person.phone_number2 or public_data.respondent_person.email_address */ ON "direct_mail_reply" (account, "key_incomplete", number, anchor) WHERE "key_incomplete" <> '';

CREATE INDEX "direct_mail_reply_key_proposed" /* true $pins.open */ ON "direct_mail_reply" (account, "key_proposed", number, anchor) WHERE "key_proposed" <> '';
