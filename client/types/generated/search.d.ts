// Generated from client/src/generated/search.ts by "npm run generate"; do not edit.

import type * as our from './records.ts';
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
        /** There if a letter of it is another than in the query */
        near?: true;
        /** The fields by which it was found */
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
