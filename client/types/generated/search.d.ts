// Generated from client/src/generated/search.ts by "npm run generate"; do not edit.

import type * as our from './records.ts';
/** What `api.search` takes. */
export type SearchParams = {
    /** Words of names by their starts, the last four or more digits of a phone number, an email address, or an identifier */
    readonly q: string;
    /** Only records of these resources */
    readonly resource?: readonly ('account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
    /** How many records of each resource to return at most; 10 where it is left out */
    readonly limit?: number | undefined;
    /** Only records of this account, by its unique_identifier */
    readonly account?: string | undefined;
    /** Only this location, by its unique_identifier, and what is below it */
    readonly location?: string | undefined;
    /** What the records belong to, or the identifiers of all that, to be put into the answer */
    readonly expand?: readonly ('account' | 'identifiers' | 'location' | 'event')[] | undefined;
};
/** How far search is behind what was written. */
export type SearchIndex = {
    /** While it is `building`, not all records are found by words and digits */
    status: 'ready' | 'building';
    /** Age of the oldest change that is not found yet; 0 if search is up to date */
    behind_seconds: number;
};
/** A field by which a record was found. */
export type SearchMatch = {
    /** The dotted name of the field */
    param: string;
    /** What the record has there */
    value: string;
};
/** What was found of one resource: what an identifier or email address names first, then the newest. */
export interface SearchGroup<Name, Found> {
    object: 'search_group';
    resource: Name;
    /** Whether more records meet the query: type more of what you look for */
    has_more: boolean;
    data: {
        record: Found;
        matches: SearchMatch[];
    }[];
}
/** What was found, by resource. */
export interface SearchResult {
    object: 'search_result';
    url: string;
    index: SearchIndex;
    data: (SearchGroup<'account', our.AccountListEntry & Partial<our.AccountExpandable>> | SearchGroup<'location', our.FuneralLocation & Partial<our.FuneralLocationExpandable>> | SearchGroup<'event', our.FuneralEvent & Partial<our.FuneralEventExpandable>> | SearchGroup<'event_administrator', our.EventAdministrator & Partial<our.EventAdministratorExpandable>> | SearchGroup<'event_check_in_record', our.EventCheckInRecord & Partial<our.EventCheckInRecordExpandable>> | SearchGroup<'online_arrangement', our.OnlineArrangement & Partial<our.OnlineArrangementExpandable>> | SearchGroup<'direct_mail_reply', our.DirectMailReply & Partial<our.DirectMailReplyExpandable>>)[];
}
