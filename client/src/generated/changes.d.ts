// Generated from src/core/objects/ by "npm run generate"; do not edit.

import type * as our from './records.d.ts';

/** One change of one record. */
export type Change = {
  /** Type name of the object */
  object: 'change';
  /** Identifier of the change, and its position in the log */
  unique_identifier: string;
  /** unique_identifier of the account */
  account: string;
  /** Resource of the record */
  resource: 'account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** unique_identifier of the record */
  record: string;
  /** unique_identifier of the location; null if the record has none */
  location: string | null;
  /** What was done to the record; `erased` follows `deleted`: purge what you have of it, history, caches, search and backups included; `wiped`: all records of the account were removed at once */
  outcome: 'created' | 'updated' | 'deleted' | 'restored' | 'erased' | 'wiped' | (string & {});
  /** The version that the change created */
  version: number;
  /** Dotted names of the members that an update or a restore changed */
  changed: string[];
  /** unique_identifier of the API key that made the change. null if it was another key, unless yours was created with --allow requests */
  key: string | null;
  /** unique_identifier of its source; null: unknown */
  source: string | null;
  /** When, in UTC */
  occurred_at: string;
  /** Only where `outcome` is `erased`: by which erasure */
  erasure?: string;
  /** Only with `expand[]=record`: the current record; null if it no longer exists */
  record_now?: { [name: string]: unknown } | null;
};

/** One change of the record, with each member before and after. */
export type HistoryEntry = {
  /** Type name of the object */
  object: 'change';
  /** Identifier of the change, and its position in the log */
  unique_identifier: string;
  /** unique_identifier of the account */
  account: string;
  /** Resource of the record */
  resource: 'account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** unique_identifier of the record */
  record: string;
  /** unique_identifier of the location; null if the record has none */
  location: string | null;
  /** What was done to the record; `erased` follows `deleted`: purge what you have of it, history, caches, search and backups included; `wiped`: all records of the account were removed at once */
  outcome: 'created' | 'updated' | 'deleted' | 'restored' | 'erased' | 'wiped' | (string & {});
  /** The version that the change created */
  version: number;
  /** Dotted names of the members that an update or a restore changed */
  changed: string[];
  /** unique_identifier of the API key that made the change. null if it was another key, unless yours was created with --allow requests */
  key: string | null;
  /** unique_identifier of its source; null: unknown */
  source: string | null;
  /** When, in UTC */
  occurred_at: string;
  /** Only where `outcome` is `erased`: by which erasure */
  erasure?: string;
  /** Only with `expand[]=record`: the current record; null if it no longer exists */
  record_now?: { [name: string]: unknown } | null;
  /** Each member that changed, before and after; null if they are not stored */
  changes: ({
    /** The dotted name of the member */
    member: string;
    /** null if the record had no such member */
    before: unknown;
    /** null if the record no longer has it */
    after: unknown;
  })[] | null;
  /** Present if they changed: the members that staff corrected, with the proposals of sources */
  pins?: ({
    /** The dotted name of the member */
    member: string;
    /** pinned: a person corrected the member; proposed: a source sent another value; kept: a person kept theirs; withdrawn: the source sends a known value again; ended: the source decides again */
    what: 'pinned' | 'proposed' | 'kept' | 'withdrawn' | 'ended' | (string & {});
    /** The value that the source sent; null if it removes the member */
    proposed?: unknown;
  })[];
};

/** Parameters of `api.changes.list`. */
export type ChangeListParams = {
  /** unique_identifier of the account; optional if the API key has only one */
  readonly account?: string | undefined;
  /** `position` of the previous page, unique_identifier of the last change that you have, or `now`; by default the oldest change */
  readonly starting_after?: string | undefined;
  /** Maximum number of changes to return; 100 by default */
  readonly limit?: number | undefined;
  /** Seconds to wait if there is no change yet */
  readonly wait?: number | undefined;
  /** Only changes of records of these resources */
  readonly resource?: readonly ('account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
  /** Only changes with these outcomes */
  readonly outcome?: readonly ('created' | 'updated' | 'deleted' | 'restored' | 'erased' | 'wiped')[] | undefined;
  /** Only changes of this location and its records, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only changes of locations of this region and their records, by the current settings of locations */
  readonly region?: string | undefined;
};

/** The record that a change is of, by its `resource`. */
export interface ChangedRecords {
  account: our.AccountListEntry;
  location: our.FuneralLocation;
  event: our.FuneralEvent;
  event_administrator: our.EventAdministrator;
  event_check_in_record: our.EventCheckInRecord;
  online_arrangement: our.OnlineArrangement;
  direct_mail_reply: our.DirectMailReply;
}
