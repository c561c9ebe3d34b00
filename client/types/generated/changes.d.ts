// Generated from client/src/generated/changes.ts by "npm run generate"; do not edit.

import type * as our from './records.ts';
/** One change of one record. */
export type Change = {
    /** Type name of the object */
    object: 'change';
    /** Identifier of the change, and its position in the log */
    unique_identifier: string;
    /** unique_identifier of the account */
    account: string;
    /** What kind of record it is */
    resource: 'account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** unique_identifier of the record */
    record: string;
    /** unique_identifier of the location; null for what is below none */
    location: string | null;
    /** What was done to the record; wiped: to all records of the account at once */
    outcome: 'created' | 'updated' | 'deleted' | 'restored' | 'wiped' | (string & {});
    /** The version that the change made */
    version: number;
    /** The dotted names of the members that an update or a restore has changed */
    changed: string[];
    /** unique_identifier of the API key that made the change; null unless it is the one that asks, or that one was made with --allow requests */
    key: string | null;
    /** When, in UTC */
    occurred_at: string;
    /** Only where `expand[]=record` asks for it: the record as it is now; null where it is not there any more */
    record_now?: {
        [name: string]: unknown;
    } | null;
};
/** One change of the record, with each member before and after. */
export type HistoryEntry = {
    /** Type name of the object */
    object: 'change';
    /** Identifier of the change, and its position in the log */
    unique_identifier: string;
    /** unique_identifier of the account */
    account: string;
    /** What kind of record it is */
    resource: 'account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** unique_identifier of the record */
    record: string;
    /** unique_identifier of the location; null for what is below none */
    location: string | null;
    /** What was done to the record; wiped: to all records of the account at once */
    outcome: 'created' | 'updated' | 'deleted' | 'restored' | 'wiped' | (string & {});
    /** The version that the change made */
    version: number;
    /** The dotted names of the members that an update or a restore has changed */
    changed: string[];
    /** unique_identifier of the API key that made the change; null unless it is the one that asks, or that one was made with --allow requests */
    key: string | null;
    /** When, in UTC */
    occurred_at: string;
    /** Only where `expand[]=record` asks for it: the record as it is now; null where it is not there any more */
    record_now?: {
        [name: string]: unknown;
    } | null;
    /** Each member that changed, before and after; null if that is not kept */
    changes: ({
        /** The dotted name of the member */
        member: string;
        /** null if the record had no such member */
        before: unknown;
        /** null if the record no longer has it */
        after: unknown;
    })[] | null;
};
/** What `api.changes.list` takes. */
export type ChangeListParams = {
    /** unique_identifier of the account; may be left out where the API key has only one */
    readonly account?: string | undefined;
    /** `position` of the page before, unique_identifier of the last change that you have, or `now`; left out: from the first that is kept */
    readonly starting_after?: string | undefined;
    /** How many changes to return at most; 100 where it is left out */
    readonly limit?: number | undefined;
    /** Seconds to wait for a change where there is none yet */
    readonly wait?: number | undefined;
    /** Only changes of records of these resources */
    readonly resource?: readonly ('account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
    /** Only changes with these outcomes */
    readonly outcome?: readonly ('created' | 'updated' | 'deleted' | 'restored' | 'wiped')[] | undefined;
    /** Only changes of this location, by its unique_identifier, and of what is below it */
    readonly location?: string | undefined;
    /** Only changes of locations of this region, by their settings when the answer is made, and of what is below them */
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
