// Generated from src/core/objects/ by "npm run generate"; do not edit.

/** A record that was removed, together with everything below it. */
export type Removal = {
  /** Type name of the object */
  object: 'removal';
  /** Identifies the removal */
  unique_identifier: string;
  /** The account of the record */
  account: string;
  /** The resource of the record */
  resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** The unique_identifier of the record */
  record: string;
  /** Your own identifier of the record */
  external_identifier: string;
  /** Display name of the record; for a service, the name of the deceased */
  name: string | null;
  /** Location of the record; null for a location itself */
  location: string | null;
  /** Number of removed records, including this one */
  count: number;
  /** The last version of the record: read it with `?version=` */
  version: number;
  /** Who removed it; null unless your key may see the requests of others */
  key: string | null;
  /** When it was removed */
  removed_at: string;
};

/** The outcome of restoring a removal. */
export type RestoredRemoval = {
  /** Type name of the object */
  object: 'restored_removal';
  /** Identifies the removal */
  unique_identifier: string;
  /** Number of restored records */
  restored: number;
  /** The records that stay removed, at most 100 */
  left: ({
    /** The resource of the record */
    resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** The unique_identifier of the record */
    record: string;
    /** Your own identifier of the record */
    external_identifier: string;
    /** Why it stays removed, as an error code */
    code: string;
    /** Why it stays removed, in words */
    message: string;
  })[];
  /** Number of records that stay removed */
  left_count: number;
};

/** A member of a record that staff corrected. Values that sources send for it are not stored, but proposed. */
export type Pin = {
  /** Type name of the object */
  object: 'pin';
  /** The dotted name of the member */
  member: string;
  /** Its value; null if staff removed it */
  stored: unknown;
  /** The value of the source before; null if there was none */
  supplied: unknown;
  /** Who corrected it; null unless the key may see the requests of others */
  pinned_by: string | null;
  /** When it was corrected */
  pinned_at: string;
  /** The open proposal for it, if there is one */
  proposal: string | null;
};

/** Another value that a source sends for a member that staff corrected, until a person decides. */
export type Proposal = {
  /** Type name of the object */
  object: 'proposal';
  /** Identifies the proposal */
  unique_identifier: string;
  /** `open`, or the decision that was just made */
  status: 'open' | 'accepted' | 'kept' | (string & {});
  /** The account of the record */
  account: string;
  /** Location of the record; null for a location itself */
  location: string | null;
  /** The resource of the record */
  resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** The unique_identifier of the record */
  record: string;
  /** Your own identifier of the record */
  external_identifier: string;
  /** Display name of the record; for a service, the name of the deceased */
  name: string | null;
  /** The dotted name of the member */
  member: string;
  /** The stored value, as staff corrected it; null if they removed it */
  stored: unknown;
  /** The value that the source sent; null if it removes the member */
  proposed: unknown;
  /** The source that sent it; null: unknown */
  source: string | null;
  /** Who sent it; null unless the key may see the requests of others, or is that key */
  proposed_by: string | null;
  /** When it was sent */
  proposed_at: string;
  /** Who corrected it; null unless the key may see the requests of others */
  pinned_by: string | null;
  /** When it was corrected */
  pinned_at: string;
};

/** Time zone, region and state of a location, or of an account for all of its locations that have none of their own. */
export type LocationSettings = {
  /** Type name of the object */
  object: 'location_settings';
  /** Identifier of the location, or of the account */
  unique_identifier: string;
  /** The account of the location, or the account itself */
  account: string;
  /** IANA name of the time zone; `UTC` if none is set */
  time_zone: string;
  /** Its region, in your words */
  region: string | null;
  /** Its state or province */
  state: string | null;
  /** Which of `time_zone`, `region` and `state` are not set here: a location inherits them from its account */
  inherited: string[];
};

/** A source: a sender of records to an account, with one or more API keys. */
export type Source = {
  /** Type name of the object */
  object: 'source';
  /** Identifier of the source */
  unique_identifier: string;
  /** The account that it sends to */
  account: string;
  /** What people call it; unique in the account */
  name: string;
  /** The API keys that it sends with; of others only those that you may see */
  keys: string[];
  /** When it was first seen, in UTC */
  inserted_at: string;
};

/** A sync: all records of a resource that a source has at a place, after which those that it left out are removed. */
export type Sync = {
  /** Type name of the object */
  object: 'sync';
  /** Identifier of the sync */
  unique_identifier: string;
  /** The account */
  account: string;
  /** The location; null: the whole account */
  location: string | null;
  /** What is sent */
  resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** The source that sends */
  source: string;
  /** The greatest share of the records that it may remove, in percent */
  at_most: number;
  /** When its data was taken, in UTC; null: when it began */
  as_of: string | null;
  /** `open` takes rows; `expired` after 24 hours; `finishing` while records are removed; `stopped` if the key or the person that finished it may not remove there any more: what went until then can be undone; `replaced` by another one of the same source, resource and place; `undoing` while what it removed is restored; `undone` after that */
  status: 'open' | 'expired' | 'finishing' | 'finished' | 'stopped' | 'replaced' | 'undoing' | 'undone';
  /** How many rows it took; one that was sent twice counts twice */
  seen: number;
  /** How many of these named a record that an earlier one had named: rows that were sent again, or two rows with the same identifiers, of which the later one is refused if it differs */
  repeated: number;
  /** How many records it removed, by resource; of a dry run, how many it would */
  removed: { [name: string]: number };
  /** Whether `removed` has all: false only of a dry run that would remove more than 50,000 records, of which the others are counted without what is below them */
  counts_all: boolean;
  /** The first 100 records that it removed, or would, without those below them */
  records: ({
    /** What kind of record it is */
    resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** Its unique_identifier */
    record: string;
    /** Its external_identifier; null: in lists of syncs, and where nothing is stored of the record any more */
    external_identifier: string | null;
  })[];
  /** The first 100 records of the source that were not sent, and stay; before them those that stay removed after the sync was undone */
  left: ({
    /** What kind of record it is */
    resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** Its unique_identifier */
    record: string;
    /** Why it stays: another source, or a person, changed it last; others made or changed records below it; it was written after the sync began, without the sync; more than 5,000 records are below it; staff corrected something of it; a hold keeps it, or something below it; it cannot be removed now; or its source, or that of something below it, changed it after the data was taken (`as_of`). Or why it stays removed when the sync is undone: another record has its identifiers now; what it belonged to is gone; it was erased; it is too old by a retention rule; or its content is damaged */
    reason: 'changed_by_other' | 'children_of_other' | 'changed_since' | 'children_too_many' | 'pinned' | 'held' | 'refused' | 'newer' | 'replaced' | 'parent_gone' | 'erased' | 'past_retention' | 'not_restored';
    /** Its external_identifier; null: in lists of syncs, and where nothing is stored of the record any more */
    external_identifier: string | null;
  })[];
  /** How many of those there are */
  left_count: number;
  /** The first 100 doubts: what was sent with it and not taken, so that nobody knows which records that was. Finishing is refused while there are any, unless it says despite; a finished sync has those that it was finished despite of. Empty in lists */
  doubts: ({
    /** The request, by its Request-Id */
    request: string;
    /** What happened: a row was refused and does not say which record it is; the whole request was refused; it broke off, or its end never came; or it has not ended, also because the service was killed meanwhile */
    reason: 'row' | 'refused' | 'cut' | 'under_way';
    /** The line of the row, or its index in an array; null: unknown */
    row: number | null;
    /** How many rows of the request had come */
    rows: number;
    /** The status that it was answered with; null: none */
    status: number | null;
    /** The error code; null: none */
    code: string | null;
    /** When, in UTC */
    at: string;
  })[];
  /** How many of those there are */
  doubts_count: number;
  /** After a dry run: why finishing would be refused as things are, in words; null: it would not be */
  refusal: string | null;
  /** How many records an undo restored so far; null: none */
  restored: number | null;
  /** When it began, in UTC */
  inserted_at: string;
  /** When it expires unless it is finished, in UTC */
  expires_at: string;
  /** When it was finished, in UTC */
  finished_at: string | null;
};

/** An API key. Its secret is shown once, when it is created. */
export type ApiKey = {
  /** Type name of the object */
  object: 'api_key';
  /** Identifier of the key */
  unique_identifier: string;
  /** Name that the operator gave it */
  name: string | null;
  /** The last four characters of the secret */
  ending: string;
  /** Whether it is for live or for test accounts */
  livemode: boolean;
  /** Its open accounts, by their unique identifiers */
  accounts: string[];
  /** The locations it is limited to; null: whole accounts */
  locations: string[] | null;
  /** The region it is limited to: `locations` are those that have it at that moment; null: none */
  region: string | null;
  /** What it may do with records: `read`, `write`, `delete` */
  permissions: string[];
  /** The resources it is limited to, by their path names; null: all */
  resources: string[] | null;
  /** Its rights beyond records */
  allow: string[];
  /** The networks it works from; null: any address */
  from: string[] | null;
  /** Its own rate limit; null: that of the service, if there is one */
  requests_a_second: number | null;
  /** Its own limit of concurrent requests; null: none */
  requests_at_once: number | null;
  /** When it was created, in UTC */
  inserted_at: string;
  /** When it expires, in UTC; null: never */
  expires_at: string | null;
};

/** A request that was refused, or had rows refused. It contains no submitted values. */
export type RefusedRequest = {
  /** Type name of the object */
  object: 'request';
  /** The `Request-Id` of the answer */
  request_id: string;
  /** When it was answered */
  time: string;
  /** The API key */
  key?: string;
  /** The account of the key; omitted if it has several */
  account?: string;
  /** Why the key was refused: `revoked`, `expired`, `suspended`, `address_not_permitted` or `account_closed`; omitted if it was accepted */
  authentication?: string;
  /** The network address of the client */
  address?: string;
  /** The method */
  method: string;
  /** The path; parts other than known names and identifiers are `*` */
  path: string;
  /** HTTP status of the answer: 200 if only rows were refused */
  status: number;
  /** The error code of the answer, or the most frequent one of its refused rows */
  code: string;
  /** The message the caller received. Submitted values are left out */
  message: string;
  /** The faults, most frequent first */
  errors: ({
    /** The error code */
    code: string;
    /** The parameter; `*` if its name is unknown */
    param?: string;
    /** The message the caller received. Submitted values are left out */
    message: string;
    /** The nearest known name, for an unknown one */
    nearest?: string;
    /** Number of such faults */
    count: number;
    /** The first lines of a stream with this fault, counted from 1 */
    lines?: number[];
    /** The first elements of an array with this fault, counted from 0 */
    elements?: number[];
  })[];
  /** For `upsert_many`: the number of rows by outcome or error code */
  rows?: { [name: string]: number };
};

/** How many requests and rows one key sent in one hour to one location. */
export type Activity = {
  /** Type name of the object */
  object: 'activity';
  /** When the hour began */
  hour: string;
  /** The account of the records; omitted if the request was for several */
  account?: string;
  /** The API key; of a file that was imported as a source of its own, the import */
  key: string;
  /** The location of the records; omitted if there is none */
  location?: string;
  /** The resource */
  resource?: string;
  /** What was done, `read` or `refused` */
  outcome: string;
  /** Number of requests or rows */
  count: number;
  /** When the last one was answered */
  last_at: string;
  /** Send it as `starting_after` to continue after this entry */
  cursor: string;
};

/** Who saw or did something, and when. It has identifiers and counts, and nothing of what was seen. */
export type AuditEntry = {
  /** Type name of the object */
  object: 'audit_entry';
  /** Identifies the entry */
  unique_identifier: string;
  /** When it was done */
  time: string;
  /** The account; omitted if it concerns several, or none is known */
  account?: string;
  /** Who did it: a person, an API key, or `operator` on the command line; omitted if it is not known, or several did */
  by?: string;
  /** What was done; `refused`: what an entry before names was not done, because it was refused; `reads`: how much a key read in the hour from that time on */
  action: 'read' | 'history' | 'image' | 'list' | 'search' | 'export' | 'print' | 'sign_in' | 'administer' | 'erase' | 'command' | 'refused' | 'reads' | 'do_not_contact' | 'follow_up' | 'hold' | (string & {});
  /** The resource */
  resource?: 'account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** The unique_identifier of what was read or changed: a record, or one of our own objects; of a `list` of what belongs to a service, the service; of `reads`, the location */
  record?: string;
  /** More of the action: the kind of a search, the method of a sign-in, the operation, the command */
  what?: string;
  /** How often; more than 1 where entries were gathered */
  count: number;
  /** The network address of the caller */
  address?: string;
  /** The `Request-Id` of the answer */
  request_id?: string;
  /** The chain of entries that it is part of: each process has its own */
  chain: string;
  /** Its number in the chain: 1, 2, 3, … */
  number: number;
  /** HMAC-SHA256 of the `mac` of the entry before it and of this entry, as base64url */
  mac: string;
};

/** An erasure: the request of a person to be forgotten, and what became of it. */
export type Erasure = {
  /** Type name of the object */
  object: 'erasure';
  /** Identifies the erasure */
  unique_identifier: string;
  /** The account in which records are erased */
  account: string;
  /** `ready`: look at the matches, and choose; `waiting`: something of it is held, and is erased when the hold is released; `done`: what was chosen is erased; `closed`: it ended without that */
  status: 'ready' | 'running' | 'waiting' | 'done' | 'closed' | (string & {});
  /** What you call the request; null as well if only the journal of erasures tells of it, after a restore */
  reference: string | null;
  /** When the person asked, in UTC */
  received_at: string;
  /** 45 days later, in UTC */
  due_at: string;
  /** The records that were found. Landlines are shared and names are common: you choose */
  matches: ({
    /** The resource of the record */
    resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** The unique_identifier of the record */
    record: string;
    /** What it was found by: `phone_number`, `email_address`, `name`, `name_and_date`, a `similar_name`, or `named` by its identifier; `mentioned` in free-form text; in an `earlier_version`; in what it held before it was `removed` */
    reasons: string[];
    /** The hold that keeps the record, which waits until that is released; or the retention rule, which it waits for until it is old enough */
    held_by?: string;
  })[];
  /** The unique_identifiers of the records that were chosen */
  records: string[];
  /** Records of which only earlier versions go */
  past_only: string[];
  /** What was chosen and could not be erased */
  left: ({
    /** The unique_identifier of the record */
    record: string;
    /** Why it was not erased: `record_held`, `record_has_children`, or `resource_missing` */
    code: string;
    /** The hold that keeps the record, which waits until that is released; or the retention rule, which it waits for until it is old enough */
    held_by: string | null;
  })[];
  /** How many records are erased */
  erased: number;
  /** `index`: found by what is indexed, and the rest is looked through meanwhile: earlier versions, removed records, free-form text, refused rows of imports, and names of keys, endpoints and files; `everywhere`: that is through; `too_many`: it found more than 1,000 records, and stopped */
  looked: 'index' | 'everywhere' | 'too_many' | (string & {});
  /** How many refused rows of imports mention the person; they go with the first records that are erased */
  refused_rows: number;
  /** What people of the account have named or described so that it mentions the person: unique_identifiers of API keys, webhook endpoints, imports by the names of their files, sources, colleagues, holds and retention rules. No erasure changes these: rename or remove them */
  named_in: string[];
  /** Who has copies: webhook endpoints and API keys that follow the changes, and whether each has received the erasure; and, as far as the audit knows, who else has seen or exported the records, the latest 200 */
  consumers: ({
    /** The unique_identifier of a webhook endpoint, an API key or a person; `operator` for the command line */
    consumer: string;
    /** `told`: an endpoint has answered 2xx, or a key has read on; `not_told`: the endpoint is paused or disabled; `failed`: it was tried for the last time; `removed`: the endpoint does not exist any more; `acknowledged`: the key says that it is done; `opened`: it has looked at a record; `exported`: it has exported, printed or read records of that kind while these were there, and may have a copy */
    status: 'waiting' | 'told' | 'not_told' | 'failed' | 'removed' | 'acknowledged' | 'opened' | 'exported' | (string & {});
    /** When it received the erasure, in UTC */
    told_at: string | null;
    /** When it acknowledged the erasure, in UTC */
    acknowledged_at: string | null;
    /** When it last saw or exported records, as far as the audit knows, in UTC */
    seen_at: string | null;
  })[];
  /** How many consumers there are, as far as is known */
  consumers_count: number;
  /** Who still sends records that are erased: each of them was refused */
  sent_again: ({
    /** The unique_identifier of the API key or the person; `import` for files */
    by: string;
    /** How often it was refused */
    count: number;
    /** When it was first refused, in UTC */
    first_at: string;
    /** When it was last refused, in UTC */
    last_at: string;
  })[];
  /** Every place that the service can read, read again after the records were erased */
  places: ({
    /** `log`: earlier versions, from which repeated requests are answered, too; `answers`: what was stored for these before 1.1.0; `notes`: what people noted about the records, in follow-ups; `refused_rows`: of imports */
    place: 'records' | 'log' | 'removed_records' | 'answers' | 'notes' | 'search' | 'refused_rows' | (string & {});
    /** How many were read again: erased records, their changes in the log, or imports */
    checked: number;
    /** How many of them still hold something; before `done` it is 0 */
    found: number;
  })[];
  /** The hosts of images of the erased records: nobody but they can remove the images */
  image_hosts: string[];
  /** Why it was closed without erasing anything more */
  basis: string | null;
  /** When it was made, in UTC */
  inserted_at: string;
  /** When it was last changed, in UTC */
  updated_at: string;
};

/** The certificate of an erasure. It holds nothing of the person. `ledgerstone erasures verify` checks its seal without a connection. */
export type ErasureCertificate = {
  /** Type name of the object */
  object: 'erasure_certificate';
  /** Identifies the erasure */
  erasure: string;
  /** The account in which records are erased */
  account: string;
  /** `ready`: look at the matches, and choose; `waiting`: something of it is held, and is erased when the hold is released; `done`: what was chosen is erased; `closed`: it ended without that */
  status: 'ready' | 'running' | 'waiting' | 'done' | 'closed' | (string & {});
  /** What you call the request; null as well if only the journal of erasures tells of it, after a restore */
  reference: string | null;
  /** When the person asked, in UTC */
  received_at: string;
  /** 45 days later, in UTC */
  due_at: string;
  /** When this certificate was made, in UTC */
  issued_at: string;
  /** What is erased */
  records: ({
    /** The resource of the records */
    resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** How many of them are erased */
    count: number;
    /** When the first was erased, in UTC */
    first_at: string;
    /** When the last was erased, in UTC */
    last_at: string;
  })[];
  /** What was chosen and is not erased, each with why */
  left: ({
    /** The unique_identifier of the record */
    record: string;
    /** Why it was not erased: `record_held`, `record_has_children`, or `resource_missing` */
    code: string;
    /** The hold that keeps the record, which waits until that is released; or the retention rule, which it waits for until it is old enough */
    held_by: string | null;
  })[];
  /** Why it was closed without erasing anything more */
  basis: string | null;
  /** Every place that the service can read, read again after the records were erased */
  places: ({
    /** `log`: earlier versions, from which repeated requests are answered, too; `answers`: what was stored for these before 1.1.0; `notes`: what people noted about the records, in follow-ups; `refused_rows`: of imports */
    place: 'records' | 'log' | 'removed_records' | 'answers' | 'notes' | 'search' | 'refused_rows' | (string & {});
    /** How many were read again: erased records, their changes in the log, or imports */
    checked: number;
    /** How many of them still hold something; before `done` it is 0 */
    found: number;
  })[];
  /** The hosts of images of the erased records: nobody but they can remove the images */
  image_hosts: string[];
  /** `overwritten`: SQLite overwrites in its file what is removed, but for copies in pages that it moved content from, which `ledgerstone compact` removes; `postgresql`: its files hold what is removed until they are vacuumed */
  files: 'overwritten' | 'postgresql' | (string & {});
  /** When `ledgerstone compact` last rewrote the file of a store on SQLite, in UTC: no file holds what was erased before; null: never, or on PostgreSQL */
  rewritten_at: string | null;
  /** Where copies can be that the service does not reach, in English */
  out_of_reach: string[];
  /** Codes of those places, in their order */
  out_of_reach_codes: string[];
  /** Who has copies: webhook endpoints and API keys that follow the changes, and whether each has received the erasure; and, as far as the audit knows, who else has seen or exported the records, the latest 200 */
  consumers: ({
    /** The unique_identifier of a webhook endpoint, an API key or a person; `operator` for the command line */
    consumer: string;
    /** `told`: an endpoint has answered 2xx, or a key has read on; `not_told`: the endpoint is paused or disabled; `failed`: it was tried for the last time; `removed`: the endpoint does not exist any more; `acknowledged`: the key says that it is done; `opened`: it has looked at a record; `exported`: it has exported, printed or read records of that kind while these were there, and may have a copy */
    status: 'waiting' | 'told' | 'not_told' | 'failed' | 'removed' | 'acknowledged' | 'opened' | 'exported' | (string & {});
    /** When it received the erasure, in UTC */
    told_at: string | null;
    /** When it acknowledged the erasure, in UTC */
    acknowledged_at: string | null;
    /** When it last saw or exported records, as far as the audit knows, in UTC */
    seen_at: string | null;
  })[];
  /** How many consumers there are, as far as is known */
  consumers_count: number;
  /** The last line of the journal of erasures when this certificate was made */
  journal: {
    /** Its number */
    line: number;
    /** Its keyed hash, which chains it to all lines before */
    mac: string;
  } | null;
  /** Backups that can still hold the records: they are never rewritten */
  backups: ({
    /** `continuous`: a folder that follows the store; `file`: a backup that `backup` wrote */
    what: 'continuous' | 'file' | (string & {});
    /** The last date, in UTC, on which it can still hold the records; null: as long as the operator keeps it */
    until: string | null;
  })[];
  /** The ends of the chains of the audit of this day and the last: entries that are cut off later are missed by `ledgerstone audit verify --head` */
  audit_head: ({
    /** The chain of entries */
    chain: string;
    /** How many entries it had */
    number: number;
    /** The `mac` of the last one */
    mac: string;
  })[];
  /** Keyed hashes of the members */
  seal: {
    /** Names the key, which only the service has */
    key: string;
    /** A keyed hash of each member, so that what was changed can be named */
    members: { [name: string]: string };
    /** A keyed hash of all members together */
    whole: string;
  };
};

/** That a system has purged what it had of the records of an erasure. */
export type ErasureAcknowledgement = {
  /** Type name of the object */
  object: 'erasure_acknowledgement';
  /** Identifies the erasure */
  erasure: string;
  /** Who acknowledged it */
  key: string;
  /** When, in UTC */
  acknowledged_at: string;
};

/** An entry of the register: nobody is to contact who has this phone number or email address. */
export type DoNotContact = {
  /** Type name of the object */
  object: 'do_not_contact';
  /** Identifies the entry */
  unique_identifier: string;
  /** The account: an entry is for it alone */
  account: string;
  /** `phone`, `email`, or `record`: of that record alone; `unknown`: version 1.0 has left a hash and not of what */
  kind: 'phone' | 'email' | 'record' | 'unknown' | (string & {});
  /** The number in E.164 form, the address in small letters, or the unique_identifier of the record; null: only a hash of it is kept */
  value: string | null;
  /** The name of the key by which the hash was made, where only that is kept, since the person was erased */
  hashed_with: string | null;
  /** What was refused: `calls`, `texts`, `mail`; null: all of it. Follow-ups and `expand[]=do_not_contact` judge by all entries */
  channels: string[] | null;
  /** Why */
  reason: string | null;
  /** What said so: a `request`, a `list` of many, a `record` that a person or a program named, or a card on which its person refuses calls, or a `follow_up` that was closed so */
  source: 'request' | 'list' | 'record' | 'follow_up' | (string & {});
  /** The record that it was said of */
  record: string | null;
  /** The version of the record by then */
  record_version: number | null;
  /** The follow-up that was closed so */
  follow_up: string | null;
  /** Who entered it: a person, an API key, or the operator */
  said_by: string;
  /** Until when; null: until it is lifted */
  until: string | null;
  /** Since when */
  inserted_at: string;
  /** When it was lifted; null: it stands */
  lifted_at: string | null;
  /** Why it was lifted; null where `until` has passed */
  lifted_because: string | null;
  /** Who lifted it; null where `until` has passed */
  lifted_by: string | null;
};

/** How many entries of a list were entered. */
export type DoNotContactAdded = {
  /** Type name of the object */
  object: 'do_not_contact_added';
  /** The account */
  account: string;
  /** How many phone numbers and email addresses stand in the register by it */
  added: number;
  /** The rows that were refused */
  refused: ({
    /** Its place, from 1 on */
    row: number;
    /** The member that is wrong */
    param: string;
    /** What is wrong */
    message: string;
  })[];
};

/** How often records are expected from a source at a location, and whether they arrive. */
export type Expectation = {
  /** Type name of the object */
  object: 'expectation';
  /** Identifier of the expectation */
  unique_identifier: string;
  /** The account */
  account: string;
  /** The source */
  source: string;
  /** The location */
  location: string;
  /** Days of the week and hours, by the clock of the location: `mon-fri 8-18` is from 8:00 to 18:00 */
  hours: string;
  /** `hour`: in each of these hours; `day`: once on each of these days, by the end of its hours */
  every: 'hour' | 'day';
  /** Number of these hours or days without a record after which the source is silent */
  silent_after: number;
  /** Days on which nothing is expected: `12-25` in each year, `2026-11-27` in one */
  closed_days: string;
  /** `learned` from the activity of the last six weeks, and adapted to it every day; `confirmed` or set by a person; `off`: nothing is expected */
  status: 'learned' | 'confirmed' | 'off' | (string & {});
  /** Number of such days it was learned from; null: a person set it */
  learned_days: number | null;
  /** Number of these days on which records arrived */
  kept_days: number | null;
  /** Why it is expected */
  reason: string;
  /** `new`: no record yet; `on_time`; `late`; `silent`; `back`: silent until at most a day ago; `failing`: all requests are refused */
  state: 'new' | 'on_time' | 'back' | 'late' | 'failing' | 'silent' | (string & {});
  /** When this state began */
  since: string;
  /** When it fell silent; null: it is not silent */
  silent_since: string | null;
  /** When the last record arrived, to within five minutes; null: never */
  last_at: string | null;
  /** When the last request was refused; null: never */
  refused_at: string | null;
  /** The error code of the first refused request since the last record, if the state is `failing` */
  refusal: string | null;
  /** When it was first learned or set */
  inserted_at: string;
  /** When it was last set; nothing is missed before */
  updated_at: string;
};

/** Confirms that the expectation was deleted. */
export type RemovedExpectation = {
  /** Type name of the object */
  object: 'expectation';
  /** Identifier of the expectation */
  unique_identifier: string;
  /** Always true */
  deleted: true;
};

/** What somebody of a home means to do about a record, and what came of it. */
export type FollowUp = {
  /** Type name of the object */
  object: 'follow_up';
  /** Identifier of the follow-up */
  unique_identifier: string;
  /** The account */
  account: string;
  /** The location of the record */
  location: string;
  /** The resource of the record */
  resource: 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** The record: its unique_identifier */
  record: string;
  /** `asked_for_call`: the card asks for a call; `interested`: in pre-planning; `arrangement_begun`: online; `by_hand`: somebody began it */
  reason: 'asked_for_call' | 'interested' | 'arrangement_begun' | 'by_hand' | (string & {});
  /** `scheduled`: it is to be tried again at `next_at`; `closed`: also while nobody is to contact the person */
  state: 'open' | 'claimed' | 'scheduled' | 'closed' | (string & {});
  /** Who does it: a person or an API key; null: nobody yet */
  owner: string | null;
  /** When the claim ends unless its owner does something: 24 hours after the last, and not before `due_at` where it was handed over */
  claim_ends_at: string | null;
  /** Until when somebody is to have tried, in the hours of the home: an hour for an arrangement, a working day for a card, three for interest */
  due_at: string;
  /** When to try again; after `not_now`, when it is open again */
  next_at: string | null;
  /** The attempts so far, the oldest first */
  attempts: ({
    /** When it was, in UTC */
    at: string;
    /** Who tried: a person or an API key */
    by: string;
    /** The way */
    channel: 'call' | 'email' | 'letter' | 'visit' | (string & {});
    /** What came of it */
    outcome: 'reached' | 'message_left' | 'no_answer' | 'sent' | (string & {});
    /** A note */
    note: string | null;
  })[];
  /** What came of it; null: it is not closed */
  outcome: 'done' | 'appointment' | 'not_now' | 'no' | 'do_not_contact' | 'wrong_number' | 'unreachable' | 'at_need' | (string & {}) | null;
  /** A note */
  note: string | null;
  /** Raised by every change: `If-Match: "2"` changes only this one */
  version: number;
  /** When it was opened */
  inserted_at: string;
  /** When it was last changed */
  updated_at: string;
  /** When it was closed; null: it is not, or nobody is to contact the person since another one was closed so */
  closed_at: string | null;
  /** Who closed it */
  closed_by: string | null;
  /** Its place in a list, to send as `starting_after` */
  cursor: string;
};

/** How many follow-ups are not closed. */
export type FollowUpCounts = {
  /** Type name of the object */
  object: 'follow_up_counts';
  /** By location and reason; where there are none, there is no count */
  counts: ({
    /** The location of the records */
    location: string;
    /** The reason */
    reason: 'asked_for_call' | 'interested' | 'arrangement_begun' | 'by_hand' | (string & {});
    /** How many are not closed */
    open: number;
    /** How many of these are overdue */
    overdue: number;
  })[];
};

/** The people to whom follow-ups of a record can be handed over. */
export type FollowUpColleagues = {
  /** Type name of the object */
  object: 'follow_up_colleagues';
  /** By name */
  colleagues: ({
    /** Identifier of the person */
    unique_identifier: string;
    /** Their name; of a person without one, the email address */
    name: string;
  })[];
};

/** A tick about calls on cards whose words do not tell what it means, and what a person said that it means. */
export type Tick = {
  /** Type name of the object */
  object: 'tick';
  /** Identifier of the tick */
  unique_identifier: string;
  /** The account */
  account: string;
  /** Its name, as on the last card that had it; null: that card was erased */
  name: string | null;
  /** `call`: somebody is to call; `no_call`: nobody is to call; `no_contact`: nobody is to contact them in any way; `nothing`: nothing of these; null: nobody has said it */
  meaning: 'call' | 'no_call' | 'no_contact' | 'nothing' | (string & {}) | null;
  /** Who said it: a person or an API key; null: nobody */
  said_by: string | null;
  /** When it was said */
  said_at: string | null;
  /** How often a card came with it */
  cards: number;
  /** The last card that had it; null: it was erased */
  record: string | null;
  /** When the last card came with it */
  last_at: string;
  /** When the first card came with it */
  inserted_at: string;
};

/** A hold: while it lasts, the record and all that belongs to it can be changed and not removed. */
export type Hold = {
  /** Type name of the object */
  object: 'hold';
  /** Identifies the hold */
  unique_identifier: string;
  /** The account of the record */
  account: string;
  /** The resource of the record */
  resource: 'account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** The unique_identifier of the record, or of the account. What belongs to it is held, too, also what arrives later */
  record: string;
  /** What it is kept for */
  matter: string;
  /** Why */
  reason: string | null;
  /** `active`, or `released` */
  status: string;
  /** Who placed it: an API key, a person, or the operator */
  placed_by: string;
  /** When it ends by itself, in UTC */
  until: string | null;
  /** When it ended, in UTC */
  released_at: string | null;
  /** Why it was released; `null` where `until` has passed */
  released_because: string | null;
  /** Who released it; `null` where `until` has passed */
  released_by: string | null;
  /** When it was placed, in UTC */
  inserted_at: string;
};

/** A file that was sent to be imported, and is kept for an hour. */
export type Upload = {
  /** Type name of the object */
  object: 'upload';
  /** Identifies the upload */
  unique_identifier: string;
  /** The name of the file; its ending says what it is */
  name: string;
  /** How large it is */
  bytes: number;
  /** SHA-256 of its bytes, in hexadecimal digits */
  sha256: string;
  /** When it arrived, in UTC */
  inserted_at: string;
  /** When it goes, in UTC */
  expires_at: string;
};

/** Confirms that the upload was deleted. */
export type RemovedUpload = {
  /** Type name of the object */
  object: 'upload';
  /** Identifies the upload */
  unique_identifier: string;
  /** Always true */
  deleted: true;
};

/** What an upload looks like: its columns, its first rows, and what each column may be. */
export type ImportLook = {
  /** Type name of the object */
  object: 'import_look';
  /** What has to be chosen before the file can be read: the member of that name. Nothing else is known then */
  question?: {
    /** What has to be said first */
    about: 'sheet' | 'delimiter';
    /** The possible answers */
    choices: string[];
  };
  /** How the file was read */
  read: {
    /** Its encoding */
    encoding?: string;
    /** What separates its cells */
    delimiter?: string;
    /** The sheet of a workbook */
    sheet?: string;
    /** The row that names the columns, if not the first */
    header_row?: number;
    /** The order of the parts of dates, where the file proves it */
    dates?: string;
  };
  /** What to know of the file before its rows are written */
  noticed?: ({
    /** `encoding_guessed`: it is not UTF-8, and the examples are how its names are read; `hidden_rows`, `hidden_columns`: the sheet hides them, and they are imported; `hidden_sheets`: they are not read; `merged_cells`: of each range only the first cell has a value; `names_reversed`: names with the family name first, and how `names` turns them round; `years_short`, `phones_with_words`, `phones_short`: values that are read by `short_years`, `phone_words` and `area_code`, and refused otherwise; `times_short`: times such as `3:00p`, unless `short_times` is false; `dates_none`: days such as `0001-01-01`, by which programs say that there is none: their cells count as empty */
    what: 'encoding_guessed' | 'hidden_rows' | 'hidden_columns' | 'hidden_sheets' | 'merged_cells' | 'names_reversed' | 'years_short' | 'phones_with_words' | 'phones_short' | 'times_short' | 'dates_none';
    /** How many */
    count: number;
    /** The first of them */
    examples: string[];
    /** The first 100 cells with it, where rows have it */
    places?: ({
      /** The row */
      row: number;
      /** The name of its column */
      column: string;
      /** What stands there */
      text: string;
      /** Whom the row is about */
      of: string;
    })[];
  })[];
  /** The latest import of a file with the same columns: `mapping` is as it was chosen there */
  like?: {
    /** The import */
    import: string;
    /** The name of its file */
    name: string;
  };
  /** What else was chosen there: `set`, `dates`, `time_zone`, `us_phones`, `names`, `empty` and `chosen`, to be sent as they are */
  choices?: { [name: string]: unknown };
  /** The names of its columns, each once */
  header: string[];
  /** The row that names the columns */
  header_row: number;
  /** The first rows of the file, among which the header can be */
  beginning: ({
    /** Its number */
    number: number;
    /** What stands in it */
    text: string;
  })[];
  /** The first rows */
  rows: string[][];
  /** By the name of a column the field that it is taken for; `null` where nothing says so: send it as `map`, corrected */
  mapping: { [name: string]: string | null };
  /** Every field that a column may be for */
  fields: ({
    /** Its name */
    name: string;
    /** What people call it */
    label: string;
  })[];
  /** By the name of a column the field by which it is kept as a detail with that name, such as notes; empty where records have none */
  details: { [name: string]: string };
  /** The fields that every row needs */
  required: string[];
  /** The fields that name the record that a row belongs to: those of one of these ways */
  parent: string[][];
};

/** What became of the rows of an upload, or would. */
export type ImportResult = {
  /** Type name of the object */
  object: 'import_result';
  /** The import; `null` where it was only checked */
  import: string | null;
  /** How many rows the file has */
  total: number;
  /** How the file was read */
  read: {
    /** Its encoding */
    encoding?: string;
    /** What separates its cells */
    delimiter?: string;
    /** The sheet of a workbook */
    sheet?: string;
    /** The row that names the columns, if not the first */
    header_row?: number;
    /** The order of the parts of dates, where the file proves it */
    dates?: string;
  };
  /** Whether it has times without an offset, which are read by the clock of the location of each row, or by `time_zone` */
  local_times: boolean;
  /** Rows that name the same record as an earlier one */
  twice?: {
    /** How many rows */
    count: number;
    /** The first of them, each with the earlier row */
    examples: number[][];
    /** The first 50 records that several rows name */
    records?: ({
      /** Its identifier */
      identifier: string;
      /** The column in which that is */
      column: string;
      /** The rows that name it */
      rows: ({
        /** The row */
        row: number;
        /** Whom it is about */
        of: string;
      })[];
    })[];
  };
  /** What to know of the file before its rows are written */
  noticed?: ({
    /** `encoding_guessed`: it is not UTF-8, and the examples are how its names are read; `hidden_rows`, `hidden_columns`: the sheet hides them, and they are imported; `hidden_sheets`: they are not read; `merged_cells`: of each range only the first cell has a value; `names_reversed`: names with the family name first, and how `names` turns them round; `years_short`, `phones_with_words`, `phones_short`: values that are read by `short_years`, `phone_words` and `area_code`, and refused otherwise; `times_short`: times such as `3:00p`, unless `short_times` is false; `dates_none`: days such as `0001-01-01`, by which programs say that there is none: their cells count as empty */
    what: 'encoding_guessed' | 'hidden_rows' | 'hidden_columns' | 'hidden_sheets' | 'merged_cells' | 'names_reversed' | 'years_short' | 'phones_with_words' | 'phones_short' | 'times_short' | 'dates_none';
    /** How many */
    count: number;
    /** The first of them */
    examples: string[];
    /** The first 100 cells with it, where rows have it */
    places?: ({
      /** The row */
      row: number;
      /** The name of its column */
      column: string;
      /** What stands there */
      text: string;
      /** Whom the row is about */
      of: string;
    })[];
  })[];
  /** The numbers of rows that were `created`, `updated`, `unchanged` and refused (`failed`) */
  counts: {
    /** How many rows were created. */
    created: number;
    /** How many rows were updated. */
    updated: number;
    /** How many rows were left as they were. */
    unchanged: number;
    /** How many rows were refused. */
    failed: number;
  };
  /** Whether all rows are done */
  done: boolean;
  /** Why it ended before: send the same again to go on */
  stopped?: 'too_many_failed' | 'interrupted';
  /** The refused rows as CSV, each with its number and the reason: corrected, they can be sent as they are */
  rejected: string;
  /** How many refused rows are not in `rejected`, which has a limit */
  cut?: number;
  /** What the file calls a location, and means none or several: say in `chosen` which is meant */
  unplaced?: string[];
  /** The first three rows of a check that would change a record */
  changes?: ({
    /** The row */
    row: number;
    /** Whom it is about */
    of: string;
    /** What it would change */
    fields: ({
      /** Its name */
      name: string;
      /** What people call it */
      label: string;
      /** What is stored */
      from: string;
      /** What would be */
      to: string;
    })[];
  })[];
  /** The import whose choices were used */
  like?: {
    /** The import */
    import: string;
    /** The name of its file */
    name: string;
  };
  /** Identifiers of what rows belong to that several records have, at different locations: say in `chosen` at which location each is */
  undecided?: string[];
};

/** An import of files. */
export type Import = {
  /** Type name of the object */
  object: 'import';
  /** Identifier of the import */
  unique_identifier: string;
  /** `running`, `finished`, `undoing` while it is undone, or `undone` */
  status: 'running' | 'finished' | 'undoing' | 'undone';
  /** The files, without their folders */
  files: ({
    /** Its name */
    name: string;
    /** The resource of its rows, by its path name */
    resource: string;
  })[];
  /** The accounts it writes to */
  accounts: string[];
  /** The numbers of rows that were `created`, `updated`, `unchanged` and refused (`failed`) */
  counts: {
    /** How many rows were created. */
    created: number;
    /** How many rows were updated. */
    updated: number;
    /** How many rows were left as they were. */
    unchanged: number;
    /** How many rows were refused. */
    failed: number;
  };
  /** When it began */
  inserted_at: string;
  /** When it last continued, or was undone */
  updated_at: string;
};

/** The refused rows of an import, which are kept for seven days. */
export type ImportRejected = {
  /** Type name of the object */
  object: 'import_rejected';
  /** The rows as CSV, each with its number and the reason */
  rows: string;
};

/** What was undone of an import, or would be. */
export type ImportUndo = {
  /** Type name of the object */
  object: 'import_undo';
  /** Records that were created, and are removed */
  removed: number;
  /** Records that were changed, and are what they were */
  restored: number;
  /** Records that have changed since, and stay */
  kept: number;
  /** The first 50 of these */
  left: ({
    /** Its resource, by its path name */
    resource: string;
    /** Its unique_identifier */
    record: string;
    /** Why */
    reason: string;
  })[];
};

/** A table with nothing but the names of columns, each of which is understood. */
export type ImportTemplate = {
  /** Type name of the object */
  object: 'import_template';
  /** What its rows are, by its path name */
  resource: string;
  /** The table as CSV */
  csv: string;
};

/** A retention rule: records of a resource that are removed by themselves when they are old enough. */
export type RetentionRule = {
  /** Type name of the object */
  object: 'retention_rule';
  /** Identifies the rule */
  unique_identifier: string;
  /** The account of the records */
  account: string;
  /** The location of the records; `null`: all of the account */
  location: string | null;
  /** The resource of the records */
  resource: 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** How many days old they are when they go */
  after_days: number;
  /** What their age is counted from: `event_datetime`, the date of the service or of the one that they belong to; `inserted_at`; or `updated_at` */
  since: 'event_datetime' | 'inserted_at' | 'updated_at' | (string & {});
  /** Filters of the list of the resource: records that it would find stay */
  unless: { [name: string]: unknown } | null;
  /** Such records are not removed in any way before they are that many days old, also while the rule is paused */
  at_least_days: number | null;
  /** Why: the law, the contract or the policy */
  basis: string;
  /** `enabled` runs each day; `stopped`: the service has paused it, see `stopped_because`; a new preview, and enabling it again, go on */
  status: 'paused' | 'enabled' | 'stopped' | (string & {});
  /** Why the service paused it: `twice_the_preview`, a run would have removed twice of what was to be expected; `clock`, more than 31 days had passed since what was expected was counted */
  stopped_because: string | null;
  /** What it would remove; `null`: there was none since it was changed */
  preview: {
    /** `counting` goes on in the background: read the rule again; `ready`: it is through */
    status: 'counting' | 'ready' | (string & {});
    /** When it was asked for, in UTC: what is old enough at that moment would go */
    at: string;
    /** How many records would go */
    goes: number;
    /** How many stay because a hold or `at_least_days` keeps them, or something that belongs to them */
    held: number;
    /** How many stay because of `unless` */
    spared: number;
    /** How many records that belong to them would go with them, by resource */
    below: { [name: string]: number };
    /** How many more may go within 31 days, with what belongs to them: they become old enough then, or are held */
    soon: number;
    /** Counts by year and location */
    counts: ({
      /** The year, in UTC, of the date that their age is counted from */
      year: number;
      /** The location; `null`: all others, after the first 1,000 entries */
      location: string | null;
      /** How many records would go */
      goes: number;
      /** How many stay because a hold or `at_least_days` keeps them, or something that belongs to them */
      held: number;
      /** How many stay because of `unless` */
      spared: number;
    })[];
  } | null;
  /** The last run; `null`: there was none */
  last_run: {
    /** The run */
    unique_identifier: string;
    /** What became of it */
    status: string;
    /** How many records it removed */
    removed: number;
  } | null;
  /** Who made it: an API key, a person, or the operator */
  made_by: string;
  /** Who enabled it */
  enabled_by: string | null;
  /** When it was enabled, in UTC */
  enabled_at: string | null;
  /** When it was made, in UTC */
  inserted_at: string;
  /** When it was last changed, in UTC */
  updated_at: string;
};

/** Confirms that the retention rule was deleted. */
export type RemovedRetentionRule = {
  /** Type name of the object */
  object: 'retention_rule';
  /** Identifies the rule */
  unique_identifier: string;
  /** Always true */
  deleted: true;
};

/** That records which a retention rule removed may be sent again. */
export type RetentionLift = {
  /** Type name of the object */
  object: 'retention_lift';
  /** The rule, also one that was deleted */
  retention_rule: string;
  /** How many records may be sent again now */
  lifted: number;
  /** Whether there may be more: repeat the request until there are none */
  has_more: boolean;
};

/** A run of a retention rule. Kept for two years. */
export type RetentionRun = {
  /** Type name of the object */
  object: 'retention_run';
  /** Identifies the run */
  unique_identifier: string;
  /** The account of the rule */
  account: string;
  /** The rule */
  retention_rule: string;
  /** `running`; `done`: all that was old enough and not kept is removed; `stopped` before that */
  status: 'running' | 'done' | 'stopped' | (string & {});
  /** Why it stopped: `twice_the_preview` or `clock`, as of the rule; or `paused`: the rule was paused or changed meanwhile */
  stopped_because: string | null;
  /** How many records were expected to go at most */
  expected: number;
  /** How many it found that go, with what belongs to them */
  goes: number;
  /** How many records it removed, with what belongs to them */
  removed: number;
  /** How many stay because a hold or `at_least_days` keeps them, or something that belongs to them */
  held: number;
  /** How many stay because of `unless` */
  spared: number;
  /** How many more may go within 31 days: they become old enough then, or are held */
  soon: number;
  /** How long it took, in seconds */
  seconds: number;
  /** When it began, in UTC: what was old enough at that moment goes */
  began_at: string;
  /** When it ended, in UTC */
  ended_at: string | null;
};

/** A self-test: checks of the requests of one API key. */
export type SelfTest = {
  /** Type name of the object */
  object: 'self_test';
  /** Identifier of the self-test */
  unique_identifier: string;
  /** The test account */
  account: string;
  /** The API key whose requests are checked */
  key: string;
  /** `ended`: an hour has passed, or the key opened another one */
  status: 'open' | 'passed' | 'ended' | (string & {});
  /** Number of checks that passed */
  passed: number;
  /** All twelve checks, in order */
  checks: ({
    /** Name of the check */
    name: string;
    /** What your program has to do */
    does: string;
    /** Result of the check; `missing`: not seen yet */
    status: 'passed' | 'failed' | 'missing' | (string & {});
    /** The observation, or what is missing */
    seen: string;
  })[];
  /** When it was opened, in UTC */
  inserted_at: string;
  /** When it ends, in UTC */
  expires_at: string;
};

/** A URL that receives notifications of changes to an account. */
export type WebhookEndpoint = {
  /** Type name of the object */
  object: 'webhook_endpoint';
  /** Identifier of the endpoint */
  unique_identifier: string;
  /** The account whose changes are sent */
  account: string;
  /** URL that receives the notifications */
  url: string;
  /** Your description of it */
  description: string | null;
  /** Notifications that are sent */
  notifications: string[];
  /** The locations whose changes are sent; null: all */
  locations: string[] | null;
  /** Whether the record is included with the change */
  payload: 'thin' | 'full';
  /** Whether only changes of records are sent of which `do_not_contact` is so; null: of all */
  do_not_contact: boolean | null;
  /** `failing`: nothing was taken in the last ten tries or more; `paused` and `disabled`: nothing is sent */
  status: 'enabled' | 'failing' | 'paused' | 'disabled' | (string & {});
  /** Why it is paused or disabled: `paused` by a request, `key_ended`, `gone` (it answered 410), `failing_too_long`, `changes_expired`, `changes_rewound` or `restored` */
  disabled_reason: string | null;
  /** When the first delivery after the last success failed */
  failing_since: string | null;
  /** When it is tried next, where it answers nothing, or has asked for a pause with `Retry-After` */
  next_attempt_at: string | null;
  /** All changes up to this one are delivered, or listed as pending */
  position: string | null;
  /** The API key whose permissions apply: records that this key may not read are not sent. The account, if an administrator created the endpoint in the console */
  key: string;
  /** When it was created */
  inserted_at: string;
  /** When it was last changed by a request */
  updated_at: string;
  /** Secret that signs the notifications; shown only when it is created or rotated */
  secret?: string;
};

/** Confirms that the webhook endpoint was deleted. */
export type RemovedWebhookEndpoint = {
  /** Type name of the object */
  object: 'webhook_endpoint';
  /** Identifier of the endpoint */
  unique_identifier: string;
  /** Always true */
  deleted: true;
};

/** The delivery of one change to one endpoint. Kept for 30 days. */
export type WebhookDelivery = {
  /** Type name of the object */
  object: 'webhook_delivery';
  /** Identifier of the delivery */
  unique_identifier: string;
  /** The endpoint */
  webhook_endpoint: string;
  /** The change; its identifier is sent as `webhook-id`. `msg_…` of a notification of no change */
  change: string;
  /** The notification */
  type: string;
  /** The record that was changed; of `source.silent` and `source.back` the expectation */
  record: string;
  /** `pending`: due for an attempt, or waiting for an earlier change of the record */
  status: 'pending' | 'delivered' | 'failed';
  /** Number of attempts so far, but for those while the endpoint answered nothing at all */
  attempts: number;
  /** HTTP status of the last response */
  status_code: number | null;
  /** Why the last attempt failed */
  error: string | null;
  /** Duration of the last attempt, in milliseconds */
  duration_ms: number | null;
  /** Time of the next attempt */
  next_attempt_at: string | null;
  /** When it was created */
  inserted_at: string;
  /** When it was last attempted or changed */
  updated_at: string;
};

/** The outcome of a test notification. */
export type WebhookTest = {
  /** Type name of the object */
  object: 'webhook_test';
  /** Whether the endpoint answered 2xx */
  delivered: boolean;
  /** HTTP status of the response */
  status_code: number | null;
  /** Why the test failed */
  error: string | null;
  /** Duration in milliseconds */
  duration_ms: number;
};

/** Parameters of `list_removals`. */
export type ListRemovalsParams = {
  /** unique_identifier of the account; optional if the API key has only one */
  readonly account?: string | undefined;
  /** Only removals of a record with these words, or parts of words, or with them in its external_identifier */
  readonly q?: string | undefined;
  /** Only removals of records of these resources */
  readonly resource?: readonly ('location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
  /** Only removals at this location, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only the removal that took this record, by its unique_identifier */
  readonly record?: string | undefined;
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** `position` of the previous page */
  readonly starting_after?: string | undefined;
};

/** Parameters of `restore_removal`. */
export type RestoreRemovalParams = {
  /** Return what the request would do, and change nothing */
  readonly dry_run?: boolean | undefined;
};

/** Parameters of `list_proposals`. */
export type ListProposalsParams = {
  /** Only proposals in this account, by its unique_identifier */
  readonly account?: string | undefined;
  /** Only proposals at this location, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only proposals at locations of this region */
  readonly region?: string | undefined;
  /** Only proposals for records of these resources */
  readonly resource?: readonly ('location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
  /** Only proposals of this source, by its unique_identifier */
  readonly source?: string | undefined;
  /** Only proposals for this record, by its unique_identifier */
  readonly record?: string | undefined;
  /** Only `open`, as by default: the history of a record shows what was decided */
  readonly status?: 'open' | undefined;
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `search_by_body`. */
export type SearchParams = {
  /** Beginnings of words in names, a phone number or its last four or more digits, an email address, or an identifier */
  readonly q: string;
  /** Only records of these resources */
  readonly resource?: readonly ('account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | null | undefined;
  /** Maximum number of records of each resource to return; 10 by default */
  readonly limit?: number | null | undefined;
  /** Only records of this account, by its unique_identifier */
  readonly account?: string | null | undefined;
  /** Only this location and its records, by its unique_identifier */
  readonly location?: string | null | undefined;
  /** Only locations of this region and their records, by the settings of locations */
  readonly region?: string | null | undefined;
  /** Include what the records belong to, or the identifiers of it */
  readonly expand?: readonly ('account' | 'identifiers' | 'source' | 'location' | 'event' | 'do_not_contact')[] | null | undefined;
  /** Only records of which this is so, or is not: whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact */
  readonly do_not_contact?: boolean | null | undefined;
};

/** Parameters of `patch_account_settings`. */
export type PatchAccountSettingsParams = {
  /** IANA name of its time zone; `""` removes it */
  readonly time_zone?: string | null | undefined;
  /** Its region, in your words; `""` removes it */
  readonly region?: string | null | undefined;
  /** Its state or province; `""` removes it */
  readonly state?: string | null | undefined;
};

/** Parameters of `patch_location_settings`. */
export type PatchLocationSettingsParams = {
  /** IANA name of its time zone; `""` removes it */
  readonly time_zone?: string | null | undefined;
  /** Its region, in your words; `""` removes it */
  readonly region?: string | null | undefined;
  /** Its state or province; `""` removes it */
  readonly state?: string | null | undefined;
};

/** Parameters of `list_location_settings`. */
export type ListLocationSettingsParams = {
  /** Only the settings of this account and its locations */
  readonly account?: string | undefined;
  /** Maximum number to return; 1000 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `list_sources`. */
export type ListSourcesParams = {
  /** Only sources of this account */
  readonly account?: string | undefined;
  /** Maximum number to return; 1000 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `update_source`. */
export type UpdateSourceParams = {
  /** What people call it */
  readonly name: string;
};

/** Parameters of `merge_source`. */
export type MergeSourceParams = {
  /** unique_identifier of the source that it becomes part of */
  readonly into: string;
};

/** Parameters of `begin_sync`. */
export type BeginSyncParams = {
  /** What you send */
  readonly resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply';
  /** The account, where you send all of it */
  readonly account?: string | null | undefined;
  /** The location, where you send all of it */
  readonly location?: string | null | undefined;
  /** The greatest share that may be removed, of the records of the source there and of those that belong to such records; ten with up to 1,000 that belong to them always may. 5% where it is left out */
  readonly at_most?: string | null | undefined;
  /** When the data was taken, such as the export; not after now. What your source changed after that stays: it is not removed, and no row goes over it. Left out: the moment at which the sync begins */
  readonly as_of?: string | null | undefined;
};

/** Parameters of `list_syncs`. */
export type ListSyncsParams = {
  /** Only those of this account */
  readonly account?: string | undefined;
  /** Maximum number to return; 100 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `finish_sync`. */
export type FinishSyncParams = {
  /** The greatest share that may be removed, of the records of the source there and of those that belong to such records; ten with up to 1,000 that belong to them always may. 5% where it is left out */
  readonly at_most?: string | null | undefined;
  /** Requests of which something was not taken and that may be left out, `req_…`, or `all`: what they did not say is removed as if it were not there */
  readonly despite?: readonly string[] | null | undefined;
  /** Only tell what would be removed, and what would stay */
  readonly dry_run?: boolean | null | undefined;
};

/** Parameters of `list_requests`. */
export type ListRequestsParams = {
  /** Maximum number to return; 100 by default */
  readonly limit?: number | undefined;
  /** Only entries of this account, by its unique_identifier */
  readonly account?: string | undefined;
  /** Only requests with this API key: its identifier, key_…, never its secret */
  readonly key?: string | undefined;
  /** Only requests with this error code, in the answer or in one of its rows */
  readonly code?: 'parameter_missing' | 'parameter_unknown' | 'parameter_repeated' | 'parameters_conflict' | 'date_too_early' | 'type_invalid' | 'text_invalid' | 'text_too_long' | 'value_too_large' | 'parts_too_many' | 'phone_number_invalid' | 'datetime_invalid' | 'datetime_offset_missing' | 'date_invalid' | 'date_not_real' | 'date_in_future' | 'value_invalid' | 'choice_invalid' | 'number_not_whole' | 'time_zone_unknown' | 'number_out_of_range' | 'array_length_invalid' | 'image_url_invalid' | 'image_unavailable' | 'nesting_too_deep' | 'json_invalid' | 'form_invalid' | 'csv_invalid' | 'encoding_invalid' | 'header_invalid' | 'body_unexpected' | 'request_malformed' | 'api_key_missing' | 'api_key_unknown' | 'api_key_expired' | 'api_key_suspended' | 'api_key_revoked' | 'api_key_address' | 'authentication_failed' | 'permission_denied' | 'whole_account_needed' | 'location_not_permitted' | 'path_unknown' | 'resource_missing' | 'version_missing' | 'removal_missing' | 'position_unknown' | 'changes_expired' | 'changes_rewound' | 'change_damaged' | 'method_not_allowed' | 'record_exists' | 'record_present' | 'record_has_children' | 'children_too_many' | 'record_changed' | 'pin_missing' | 'pins_too_many' | 'proposal_decided' | 'row_repeated' | 'sync_ended' | 'sync_mismatch' | 'sync_in_doubt' | 'sync_removes_too_much' | 'idempotency_key_reused' | 'idempotency_keys_exhausted' | 'batch_refused' | 'body_too_large' | 'rows_too_many' | 'stream_refused' | 'media_type_unsupported' | 'headers_too_large' | 'request_timeout' | 'rate_limited' | 'concurrency_limited' | 'connections_too_many' | 'images_waiting' | 'audit_limited' | 'memory_limited' | 'record_erased' | 'past_retention' | 'matches_too_many' | 'erasure_closed' | 'erasure_running' | 'erasures_too_many' | 'erasures_exhausted' | 'erasure_keyless' | 'store_set_back' | 'record_held' | 'follow_up_claimed' | 'follow_up_closed' | 'follow_up_open' | 'attempts_too_many' | 'do_not_contact' | 'holds_too_many' | 'upload_gone' | 'files_no_room' | 'uploads_full' | 'preview_missing' | 'retention_rules_too_many' | 'webhook_url_refused' | 'webhooks_unavailable' | 'webhook_endpoints_too_many' | 'import_refused' | 'file_empty' | 'header_missing' | 'sheets_missing' | 'sheet_unknown' | 'workbook_unreadable' | 'file_compressed' | 'file_document' | 'file_json' | 'file_locked' | 'file_old_workbook' | 'file_other_workbook' | 'file_page' | 'file_xml' | 'column_missing' | 'parent_column_missing' | 'column_given_twice' | 'columns_rival' | 'columns_filled_too_many' | 'date_order_unclear' | 'date_orders_mixed' | 'times_without_zone' | 'import_too_old' | 'cells_wrong' | 'row_too_large' | 'column_unnamed' | 'characters_damaged' | 'quote_unclosed' | 'quote_ended_early' | 'quote_alone' | 'return_alone' | 'row_unplaced' | 'place_unknown' | 'place_ambiguous' | 'identifier_ambiguous' | 'identifier_unknown' | 'cell_empty' | 'phone_unreadable' | 'date_unreadable' | 'moment_unreadable' | 'moment_zone_unknown' | 'formula_error' | 'formula_unsaved' | 'made_a_date' | 'json_unreadable' | 'amount_not_cents' | 'weekday_wrong' | 'no_such_day' | 'digits_lost' | 'number_unreadable' | 'cell_too_long' | 'cell_character' | 'yes_or_no' | 'amount_unreadable' | 'date_as_number' | 'time_unexpected' | 'time_missing' | 'time_unreadable' | 'zone_missing' | 'time_ambiguous' | 'year_missing' | 'year_short' | 'date_order_missing' | 'files_waiting' | 'sign_in_needed' | 'sign_in_failed' | 'sign_in_limited' | 'passkeys_limited' | 'single_sign_on_limited' | 'new_passwords_limited' | 'sign_ins_waiting' | 'signed_in_as_another' | 'reauthentication_needed' | 'confirmation_impossible' | 'invitation_incomplete' | 'invitation_invalid' | 'password_refused' | 'password_too_short' | 'password_too_long' | 'passkey_needed' | 'passkey_refused' | 'last_way_in' | 'sign_in_insecure' | 'sign_in_unfinished' | 'identity_of_another' | 'identity_taken' | 'single_sign_on_refused' | 'single_sign_on_unusable' | 'single_sign_on_failed' | 'sign_in_busy' | 'own_rights' | 'email_invalid' | 'administrator_limited' | 'administrator_without_passkey' | 'accounts_not_yours' | 'accounts_mixed' | 'locations_elsewhere' | 'rate_invalid' | 'network_invalid' | 'time_past' | 'exports_running' | 'exports_full' | 'export_too_long' | 'cross_site_refused' | 'service_unavailable' | 'outcome_unknown' | 'answer_dropped' | 'store_refused' | 'internal_error' | undefined;
  /** Only the request with this identifier */
  readonly request_id?: string | undefined;
  /** Only requests in which the record with this external_identifier was refused */
  readonly identifier?: string | undefined;
  /** Only requests answered with this status */
  readonly status?: number | undefined;
  /** Only requests whose path begins with this text, such as /v1/events */
  readonly path?: string | undefined;
  /** Only requests with API keys or without any, or only those of people in the console */
  readonly by?: 'keys' | 'staff' | undefined;
  /** When the request was answered */
  readonly time?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** request_id of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `list_activity`. */
export type ListActivityParams = {
  /** Maximum number to return; 100 by default */
  readonly limit?: number | undefined;
  /** Only entries of this account, by its unique_identifier */
  readonly account?: string | undefined;
  /** Only requests with this API key: its identifier, key_…, never its secret */
  readonly key?: string | undefined;
  /** Only entries at this location, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only entries at locations of this region, by the settings of locations */
  readonly region?: string | undefined;
  /** The hour in which it was done */
  readonly hour?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** cursor of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `list_audit`. */
export type ListAuditParams = {
  /** Maximum number to return; 100 by default */
  readonly limit?: number | undefined;
  /** Only entries of this account, by its unique_identifier */
  readonly account?: string | undefined;
  /** Only what this person or key did: stf_… or key_… */
  readonly by?: string | undefined;
  /** Only entries on this record, by its unique_identifier: who has seen it */
  readonly record?: string | undefined;
  /** Only entries of this action */
  readonly action?: 'read' | 'history' | 'image' | 'list' | 'search' | 'export' | 'print' | 'sign_in' | 'administer' | 'erase' | 'command' | 'refused' | 'reads' | 'do_not_contact' | 'follow_up' | 'hold' | undefined;
  /** When it was done */
  readonly time?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `begin_erasure`. */
export type BeginErasureParams = {
  /** unique_identifier of the account */
  readonly account: string;
  /** Phone numbers of the person, in E.164 form */
  readonly phone_numbers?: readonly string[] | null | undefined;
  /** Email addresses of the person */
  readonly email_addresses?: readonly string[] | null | undefined;
  /** Names of the person. Where a record has one of the dates, too, its reason is `name_and_date` */
  readonly names?: readonly ({
    /** The name: all words of it must be in a record */
    readonly full_name: string;
    /** Date of birth */
    readonly birth_date?: string | null | undefined;
    /** Date of a service that the person was at */
    readonly service_date?: string | null | undefined;
  } | string)[] | null | undefined;
  /** unique_identifiers of records that are known to be of the person, also of removed ones */
  readonly records?: readonly string[] | null | undefined;
  /** What you call the request; no name */
  readonly reference?: string | null | undefined;
  /** When the person asked; now where it is left out */
  readonly received_at?: string | null | undefined;
};

/** Parameters of `list_erasures`. */
export type ListErasuresParams = {
  /** `true`: only those that are to do, which are `ready`, `running` or `waiting`; `false`: only those that ended */
  readonly open?: boolean | undefined;
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `run_erasure`. */
export type RunErasureParams = {
  /** unique_identifiers of the matches to erase; none erases refused rows of imports alone */
  readonly records: readonly string[];
  /** `current`: what they hold now stays, and only what they held before goes */
  readonly keep?: 'current' | null | undefined;
};

/** Parameters of `close_erasure`. */
export type CloseErasureParams = {
  /** Why; no name */
  readonly basis: string;
};

/** Parameters of `lift_erasure`. */
export type LiftErasureParams = {
  /** unique_identifier of the erased record */
  readonly record: string;
};

/** Parameters of `list_do_not_contact`. */
export type ListDoNotContactParams = {
  /** Only entries of this account */
  readonly account?: string | undefined;
  /** Only entries of this phone number, as +14155550123, or as it is entered */
  readonly phone_number?: string | undefined;
  /** Only entries of this email address */
  readonly email_address?: string | undefined;
  /** Only entries of this record, and of its phone numbers and email addresses */
  readonly record?: string | undefined;
  /** Only entries of this kind */
  readonly kind?: 'phone' | 'email' | 'record' | 'unknown' | undefined;
  /** `true`: only entries that were lifted, or have ended */
  readonly lifted?: boolean | undefined;
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `create_do_not_contact`. */
export type CreateDoNotContactParams = {
  /** unique_identifier of the account; optional if the API key has only one, or with `record` */
  readonly account?: string | null | undefined;
  /** The record of the person, by its unique_identifier */
  readonly record?: string | null | undefined;
  /** The phone number, as +14155550123; without a country code it is one of the country of the account’s time zone, and of the United States where it has none */
  readonly phone_number?: string | null | undefined;
  /** The email address */
  readonly email_address?: string | null | undefined;
  /** What is refused; all of it where it is left out */
  readonly channels?: readonly ('calls' | 'texts' | 'mail')[] | null | undefined;
  /** Why */
  readonly reason?: string | null | undefined;
  /** Until when; until it is lifted where it is left out */
  readonly until?: string | null | undefined;
};

/** Parameters of `add_do_not_contact_list`. */
export type AddDoNotContactListParams = {
  /** unique_identifier of the account; optional if the API key has only one */
  readonly account?: string | null | undefined;
  /** Each with `phone_number` or `email_address` */
  readonly entries: readonly ({
    /** The phone number, as +14155550123; without a country code it is one of the country of the account’s time zone, and of the United States where it has none */
    readonly phone_number?: string | null | undefined;
    /** The email address */
    readonly email_address?: string | null | undefined;
    /** What is refused; all of it where it is left out */
    readonly channels?: readonly ('calls' | 'texts' | 'mail')[] | null | undefined;
    /** Why */
    readonly reason?: string | null | undefined;
    /** Until when; until it is lifted where it is left out */
    readonly until?: string | null | undefined;
  })[];
};

/** Parameters of `lift_do_not_contact`. */
export type LiftDoNotContactParams = {
  /** Why */
  readonly reason: string;
};

/** Parameters of `list_expectations`. */
export type ListExpectationsParams = {
  /** Only those of this account */
  readonly account?: string | undefined;
  /** Only those of this source, by its unique_identifier */
  readonly source?: string | undefined;
  /** Only those at this location, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only those at locations of this region */
  readonly region?: string | undefined;
  /** Only those in this state */
  readonly state?: 'new' | 'on_time' | 'back' | 'late' | 'failing' | 'silent' | undefined;
  /** Only those with this status */
  readonly status?: 'learned' | 'confirmed' | 'off' | undefined;
  /** Maximum number to return; 1000 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `set_expectation`. */
export type SetExpectationParams = {
  /** The source: its unique_identifier */
  readonly source: string;
  /** The location: its unique_identifier */
  readonly location: string;
  /** Days of the week and hours, by the clock of the location; by default the learned or earlier ones */
  readonly hours?: string | null | undefined;
  /** `hour`: a record is expected in each of these hours; `day`: once on each of these days */
  readonly every?: 'hour' | 'day' | null | undefined;
  /** Number of these hours or days without a record after which the source is silent; 3 hours or 2 days by default */
  readonly silent_after?: number | null | undefined;
  /** Days on which nothing is expected: `12-25` in each year, `2026-11-27` in one; `""` removes them */
  readonly closed_days?: string | null | undefined;
  /** `off`: nothing is expected, and nothing is learned; `confirmed` by default */
  readonly status?: 'confirmed' | 'off' | null | undefined;
};

/** Parameters of `list_follow_ups`. */
export type ListFollowUpsParams = {
  /** Only those of this account */
  readonly account?: string | undefined;
  /** Only those at this location, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only those at locations of this region */
  readonly region?: string | undefined;
  /** Only those of this record */
  readonly record?: string | undefined;
  /** Only those in this state; `unfinished`: not closed */
  readonly state?: 'open' | 'claimed' | 'scheduled' | 'closed' | 'unfinished' | undefined;
  /** Only those of this person or API key; `me`: your own */
  readonly owner?: string | undefined;
  /** Only those for this reason */
  readonly reason?: 'asked_for_call' | 'interested' | 'arrangement_begun' | 'by_hand' | undefined;
  /** Only those that are due before */
  readonly due_before?: string | undefined;
  /** Only those that were opened since */
  readonly opened_since?: string | undefined;
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** cursor of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `count_follow_ups`. */
export type CountFollowUpsParams = {
  /** Only those of this account */
  readonly account?: string | undefined;
  /** Only those at this location, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only those at locations of this region */
  readonly region?: string | undefined;
};

/** Parameters of `get_follow_up_colleagues`. */
export type GetFollowUpColleaguesParams = {
  /** The record: its unique_identifier */
  readonly record: string;
};

/** Parameters of `create_follow_up`. */
export type CreateFollowUpParams = {
  /** The record: its unique_identifier */
  readonly record: string;
  /** Who does it: a person from `GET /v1/follow_ups/colleagues?record=`; by default you */
  readonly owner?: string | null | undefined;
  /** Until when; by default a working day from now */
  readonly due_at?: string | null | undefined;
  /** A note; `""` removes it */
  readonly note?: string | null | undefined;
};

/** Parameters of `hand_over_follow_up`. */
export type HandOverFollowUpParams = {
  /** Who does it: a person from `GET /v1/follow_ups/colleagues?record=` */
  readonly owner: string;
  /** Until when; by default as it was */
  readonly due_at?: string | null | undefined;
  /** A note; `""` removes it */
  readonly note?: string | null | undefined;
};

/** Parameters of `attempt_follow_up`. */
export type AttemptFollowUpParams = {
  /** The way */
  readonly channel: 'call' | 'email' | 'letter' | 'visit';
  /** What came of it */
  readonly outcome: 'reached' | 'message_left' | 'no_answer' | 'sent';
  /** A note */
  readonly note?: string | null | undefined;
};

/** Parameters of `schedule_follow_up`. */
export type ScheduleFollowUpParams = {
  /** When to try again */
  readonly next_at: string;
  /** A note; `""` removes it */
  readonly note?: string | null | undefined;
};

/** Parameters of `close_follow_up`. */
export type CloseFollowUpParams = {
  /** What came of it */
  readonly outcome: 'done' | 'appointment' | 'not_now' | 'no' | 'do_not_contact' | 'wrong_number' | 'unreachable' | 'at_need';
  /** Required for `not_now`, and only for that: when to try again */
  readonly next_at?: string | null | undefined;
  /** A note; `""` removes it */
  readonly note?: string | null | undefined;
};

/** Parameters of `reopen_follow_up`. */
export type ReopenFollowUpParams = {
  /** Why; its note then */
  readonly reason: string;
};

/** Parameters of `list_ticks`. */
export type ListTicksParams = {
  /** Only those of this account */
  readonly account?: string | undefined;
  /** Only those with this meaning; `unsaid`: nobody has said it */
  readonly meaning?: 'call' | 'no_call' | 'no_contact' | 'nothing' | 'unsaid' | undefined;
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `change_tick`. */
export type ChangeTickParams = {
  /** What it means */
  readonly meaning: 'call' | 'no_call' | 'no_contact' | 'nothing';
};

/** Parameters of `place_hold`. */
export type PlaceHoldParams = {
  /** unique_identifier of the account */
  readonly account: string;
  /** unique_identifier of a location, a service or any other record, also of a removed one; the whole account where it is left out */
  readonly record?: string | null | undefined;
  /** What it is kept for */
  readonly matter: string;
  /** Why */
  readonly reason?: string | null | undefined;
  /** When it ends by itself; it lasts until it is released without */
  readonly until?: string | null | undefined;
};

/** Parameters of `list_holds`. */
export type ListHoldsParams = {
  /** Only those that keep this record: placed on it or on what it belongs to, and not released */
  readonly record?: string | undefined;
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `release_hold`. */
export type ReleaseHoldParams = {
  /** Why it ends */
  readonly reason: string;
};

/** Parameters of `create_upload`. */
export type CreateUploadParams = {
  /** The name of the file; its ending says what it is */
  readonly name: string;
};

/** Parameters of `list_uploads`. */
export type ListUploadsParams = {
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `look_at_upload`. */
export type LookAtUploadParams = {
  /** What the rows are, by its name in paths */
  readonly resource: string;
  /** The account of rows that name none; by default the only one of the key */
  readonly account?: string | null | undefined;
  /** By the name of a column the name of a field, or null to leave it out; by default what the names of columns say */
  readonly map?: { readonly [name: string]: string | null } | null | undefined;
  /** By the name of a field its value in every row; `{Column}` in it takes what stands in that column */
  readonly set?: { readonly [name: string]: string | null } | null | undefined;
  /** The encoding of the file; by default detected */
  readonly encoding?: string | null | undefined;
  /** What separates its cells; by default detected */
  readonly delimiter?: string | null | undefined;
  /** The sheet of a workbook; by default the only one */
  readonly sheet?: string | null | undefined;
  /** The row that names the columns */
  readonly header_row?: number | null | undefined;
  /** The order of the parts of dates such as 03/04/2026 */
  readonly dates?: 'mdy' | 'dmy' | 'ymd' | null | undefined;
  /** The time zone of times without an offset; by default that of the location of each row */
  readonly time_zone?: string | null | undefined;
  /** Whether phone numbers without a country code are read: as those of the country of their location’s time zone, and of the United States where it has none */
  readonly us_phones?: boolean | null | undefined;
  /** How names of people are written: with `last_first`, `Example, Dana` is turned round; with `as_written`, which is the default, names stay as they are */
  readonly names?: 'last_first' | 'as_written' | null | undefined;
  /** What becomes of the words of `507 555 0111 (cell)`: left out, or kept as a detail, where records have details; by default such a number is refused */
  readonly phone_words?: 'leave_out' | 'keep' | null | undefined;
  /** The area code of US phone numbers of seven digits; by default that which was said for their location before, and else these are refused; `none` refuses them, and takes back what was said */
  readonly area_code?: string | null | undefined;
  /** Whether years of two digits are read: of a birth and a death in the past, of a service near today; by default they are refused */
  readonly short_years?: boolean | null | undefined;
  /** Whether `3:00p` is read as 3:00 PM; by default it is, and `false` refuses it */
  readonly short_times?: boolean | null | undefined;
  /** Texts in place of what stands in cells: by the number of a row, a colon, and the name of a column, such as `12:Phone` */
  readonly cells?: { readonly [name: string]: string | null } | null | undefined;
  /** What an empty cell does; by default `keep` */
  readonly empty?: 'keep' | 'remove' | null | undefined;
  /** The import whose choices are used where nothing else is said; by default the latest of a file with the same columns, and with `none` no other */
  readonly like?: string | null | undefined;
  /** For each name of a location that the file has, and each identifier that several records have, the unique_identifier of the location */
  readonly chosen?: { readonly [name: string]: string | null } | null | undefined;
};

/** Parameters of `check_upload`. */
export type CheckUploadParams = {
  /** What the rows are, by its name in paths */
  readonly resource: string;
  /** The account of rows that name none; by default the only one of the key */
  readonly account?: string | null | undefined;
  /** By the name of a column the name of a field, or null to leave it out; by default what the names of columns say */
  readonly map?: { readonly [name: string]: string | null } | null | undefined;
  /** By the name of a field its value in every row; `{Column}` in it takes what stands in that column */
  readonly set?: { readonly [name: string]: string | null } | null | undefined;
  /** The encoding of the file; by default detected */
  readonly encoding?: string | null | undefined;
  /** What separates its cells; by default detected */
  readonly delimiter?: string | null | undefined;
  /** The sheet of a workbook; by default the only one */
  readonly sheet?: string | null | undefined;
  /** The row that names the columns */
  readonly header_row?: number | null | undefined;
  /** The order of the parts of dates such as 03/04/2026 */
  readonly dates?: 'mdy' | 'dmy' | 'ymd' | null | undefined;
  /** The time zone of times without an offset; by default that of the location of each row */
  readonly time_zone?: string | null | undefined;
  /** Whether phone numbers without a country code are read: as those of the country of their location’s time zone, and of the United States where it has none */
  readonly us_phones?: boolean | null | undefined;
  /** How names of people are written: with `last_first`, `Example, Dana` is turned round; with `as_written`, which is the default, names stay as they are */
  readonly names?: 'last_first' | 'as_written' | null | undefined;
  /** What becomes of the words of `507 555 0111 (cell)`: left out, or kept as a detail, where records have details; by default such a number is refused */
  readonly phone_words?: 'leave_out' | 'keep' | null | undefined;
  /** The area code of US phone numbers of seven digits; by default that which was said for their location before, and else these are refused; `none` refuses them, and takes back what was said */
  readonly area_code?: string | null | undefined;
  /** Whether years of two digits are read: of a birth and a death in the past, of a service near today; by default they are refused */
  readonly short_years?: boolean | null | undefined;
  /** Whether `3:00p` is read as 3:00 PM; by default it is, and `false` refuses it */
  readonly short_times?: boolean | null | undefined;
  /** Texts in place of what stands in cells: by the number of a row, a colon, and the name of a column, such as `12:Phone` */
  readonly cells?: { readonly [name: string]: string | null } | null | undefined;
  /** What an empty cell does; by default `keep` */
  readonly empty?: 'keep' | 'remove' | null | undefined;
  /** The import whose choices are used where nothing else is said; by default the latest of a file with the same columns, and with `none` no other */
  readonly like?: string | null | undefined;
  /** For each name of a location that the file has, and each identifier that several records have, the unique_identifier of the location */
  readonly chosen?: { readonly [name: string]: string | null } | null | undefined;
  /** Whether only to create, or to update */
  readonly mode?: 'create_only' | 'update_only' | null | undefined;
  /** Stop when more rows than this are refused */
  readonly max_failed?: number | null | undefined;
};

/** Parameters of `create_import`. */
export type CreateImportParams = {
  /** The unique_identifier of the upload */
  readonly upload: string;
  /** What the rows are, by its name in paths */
  readonly resource: string;
  /** The account of rows that name none; by default the only one of the key */
  readonly account?: string | null | undefined;
  /** By the name of a column the name of a field, or null to leave it out; by default what the names of columns say */
  readonly map?: { readonly [name: string]: string | null } | null | undefined;
  /** By the name of a field its value in every row; `{Column}` in it takes what stands in that column */
  readonly set?: { readonly [name: string]: string | null } | null | undefined;
  /** The encoding of the file; by default detected */
  readonly encoding?: string | null | undefined;
  /** What separates its cells; by default detected */
  readonly delimiter?: string | null | undefined;
  /** The sheet of a workbook; by default the only one */
  readonly sheet?: string | null | undefined;
  /** The row that names the columns */
  readonly header_row?: number | null | undefined;
  /** The order of the parts of dates such as 03/04/2026 */
  readonly dates?: 'mdy' | 'dmy' | 'ymd' | null | undefined;
  /** The time zone of times without an offset; by default that of the location of each row */
  readonly time_zone?: string | null | undefined;
  /** Whether phone numbers without a country code are read: as those of the country of their location’s time zone, and of the United States where it has none */
  readonly us_phones?: boolean | null | undefined;
  /** How names of people are written: with `last_first`, `Example, Dana` is turned round; with `as_written`, which is the default, names stay as they are */
  readonly names?: 'last_first' | 'as_written' | null | undefined;
  /** What becomes of the words of `507 555 0111 (cell)`: left out, or kept as a detail, where records have details; by default such a number is refused */
  readonly phone_words?: 'leave_out' | 'keep' | null | undefined;
  /** The area code of US phone numbers of seven digits; by default that which was said for their location before, and else these are refused; `none` refuses them, and takes back what was said */
  readonly area_code?: string | null | undefined;
  /** Whether years of two digits are read: of a birth and a death in the past, of a service near today; by default they are refused */
  readonly short_years?: boolean | null | undefined;
  /** Whether `3:00p` is read as 3:00 PM; by default it is, and `false` refuses it */
  readonly short_times?: boolean | null | undefined;
  /** Texts in place of what stands in cells: by the number of a row, a colon, and the name of a column, such as `12:Phone` */
  readonly cells?: { readonly [name: string]: string | null } | null | undefined;
  /** What an empty cell does; by default `keep` */
  readonly empty?: 'keep' | 'remove' | null | undefined;
  /** The import whose choices are used where nothing else is said; by default the latest of a file with the same columns, and with `none` no other */
  readonly like?: string | null | undefined;
  /** For each name of a location that the file has, and each identifier that several records have, the unique_identifier of the location */
  readonly chosen?: { readonly [name: string]: string | null } | null | undefined;
  /** Whether only to create, or to update */
  readonly mode?: 'create_only' | 'update_only' | null | undefined;
  /** Stop when more rows than this are refused */
  readonly max_failed?: number | null | undefined;
  /** The name of the source that the rows are from, made where it is new; for callers of whole accounts */
  readonly source?: string | null | undefined;
  /** Whether this was sent before, and its answer did not arrive: where that import has ended, the answer says what came of it, and nothing is done again */
  readonly repeated?: boolean | null | undefined;
  /** Whether to start over where the same import was stopped; by default it goes on from there */
  readonly from_start?: boolean | null | undefined;
};

/** Parameters of `list_imports`. */
export type ListImportsParams = {
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `undo_import`. */
export type UndoImportParams = {
  /** Whether to show what would happen, and write nothing */
  readonly dry_run?: boolean | null | undefined;
};

/** Parameters of `get_import_template`. */
export type GetImportTemplateParams = {
  /** What its rows are, by its name in paths */
  readonly resource: string;
};

/** Parameters of `create_retention_rule`. */
export type CreateRetentionRuleParams = {
  /** unique_identifier of the account */
  readonly account: string;
  /** The resource of the records */
  readonly resource: 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply';
  /** How many days old records are when they go */
  readonly after_days: number;
  /** What their age is counted from: `event_datetime`, the date of the service or of the one that they belong to; `inserted_at`; or `updated_at` */
  readonly since: 'event_datetime' | 'inserted_at' | 'updated_at';
  /** Why: the law, the contract or the policy; no name */
  readonly basis: string;
  /** unique_identifier of a location: only records there; the whole account where it is left out */
  readonly location?: string | null | undefined;
  /** Filters of the list of the resource: records that it would find stay */
  readonly unless?: { readonly [name: string]: unknown } | null | undefined;
  /** Its records are not removed in any other way, either, before they are that many days old, also while the rule is paused; at most `after_days` */
  readonly at_least_days?: number | null | undefined;
};

/** Parameters of `list_retention_rules`. */
export type ListRetentionRulesParams = {
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `change_retention_rule`. */
export type ChangeRetentionRuleParams = {
  /** How many days old records are when they go */
  readonly after_days?: number | null | undefined;
  /** What their age is counted from: `event_datetime`, the date of the service or of the one that they belong to; `inserted_at`; or `updated_at` */
  readonly since?: 'event_datetime' | 'inserted_at' | 'updated_at' | null | undefined;
  /** Why: the law, the contract or the policy; no name */
  readonly basis?: string | null | undefined;
  /** unique_identifier of a location: only records there; the whole account where it is left out */
  readonly location?: string | null | undefined;
  /** Filters of the list of the resource: records that it would find stay */
  readonly unless?: { readonly [name: string]: unknown } | null | undefined;
  /** Its records are not removed in any other way, either, before they are that many days old, also while the rule is paused; at most `after_days` */
  readonly at_least_days?: number | null | undefined;
};

/** Parameters of `lift_retention_rule`. */
export type LiftRetentionRuleParams = {
  /** unique_identifiers of records that it removed; all of them where it is left out */
  readonly records?: readonly string[] | null | undefined;
};

/** Parameters of `list_retention_runs`. */
export type ListRetentionRunsParams = {
  /** Maximum number to return; 50 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** Parameters of `create_webhook_endpoint`. */
export type CreateWebhookEndpointParams = {
  /** unique_identifier of the account; optional if the API key has only one */
  readonly account?: string | null | undefined;
  /** URL that receives the notifications, with https */
  readonly url: string;
  /** What it is for, in your words */
  readonly description?: string | null | undefined;
  /** Which notifications are sent: `event.created`, `event.*`, `*.deleted`, `source.silent` or `*`; all by default */
  readonly notifications?: readonly string[] | null | undefined;
  /** Only changes of these locations and their records, by their unique_identifiers; all by default */
  readonly locations?: readonly string[] | null | undefined;
  /** `thin` sends the change; `full` also the record as of sending. `thin` by default */
  readonly payload?: 'thin' | 'full' | null | undefined;
  /** `false`: of existing records, only changes of those of which `do_not_contact` is false as of sending; `true`: only of the others. Whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact */
  readonly do_not_contact?: boolean | null | undefined;
};

/** Parameters of `update_webhook_endpoint`. */
export type UpdateWebhookEndpointParams = {
  /** URL that receives the notifications, with https */
  readonly url?: string | null | undefined;
  /** What it is for, in your words */
  readonly description?: string | null | undefined;
  /** Which notifications are sent: `event.created`, `event.*`, `*.deleted`, `source.silent` or `*`; all by default */
  readonly notifications?: readonly string[] | null | undefined;
  /** Only changes of these locations and their records, by their unique_identifiers; all by default */
  readonly locations?: readonly string[] | null | undefined;
  /** `thin` sends the change; `full` also the record as of sending. `thin` by default */
  readonly payload?: 'thin' | 'full' | null | undefined;
  /** `false`: of existing records, only changes of those of which `do_not_contact` is false as of sending; `true`: only of the others. Whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact */
  readonly do_not_contact?: boolean | null | undefined;
  /** `paused` sends nothing until it is enabled again; missed changes are sent then */
  readonly status?: 'enabled' | 'paused' | null | undefined;
};

/** Parameters of `rotate_webhook_secret`. */
export type RotateWebhookSecretParams = {
  /** Seconds for which notifications are also signed with the old secret; 86400 by default */
  readonly expires_in?: number | null | undefined;
};

/** Parameters of `replay_webhook_endpoint`. */
export type ReplayWebhookEndpointParams = {
  /** unique_identifier of the change after which all are sent again */
  readonly starting_after?: string | null | undefined;
  /** The time from which on all changes are sent again */
  readonly since?: string | null | undefined;
};

/** Parameters of `resend_webhook_delivery`. */
export type ResendWebhookDeliveryParams = {
  /** unique_identifier of the change that is sent again, or the `msg_…` of a notification of none */
  readonly change: string;
};

/** Parameters of `list_webhook_deliveries`. */
export type ListWebhookDeliveriesParams = {
  /** Only deliveries that are `pending`, `delivered` or `failed` */
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined;
  /** Maximum number to return; 100 by default */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};
