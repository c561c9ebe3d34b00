// Generated from scripts/openapi/operations/search.ts by "npm run generate"; do not edit.

import type * as our from './records.d.ts';

/** How far the search index is behind the records. */
export type SearchIndex = {
  /** While it is `building`, not all records are found by words and digits */
  status: 'ready' | 'building';
  /** Age in seconds of the oldest change that is not indexed yet; 0 if search is up to date */
  behind_seconds: number;
};

/** A field that matched. */
export type SearchMatch = {
  /** The dotted name of the field */
  param: string;
  /** Its value */
  value: string;
};

/** The matches of one resource: exact identifiers and email addresses first, then the newest. */
export interface SearchGroup<Name, Found> {
  object: 'search_group';
  resource: Name;
  /** Whether more records match: make the query longer */
  has_more: boolean;
  data: {
    record: Found;
    /** Present if it differs from the query in one letter */
    near?: true;
    /** The fields that matched */
    matches: SearchMatch[];
  }[];
}

/** The matches by resource. */
export interface SearchFindings {
  object: 'search_result';
  url: string;
  index: SearchIndex;
  data: (SearchGroup<'account', our.AccountListEntry & Partial<our.AccountExpandable>> | SearchGroup<'location', our.FuneralLocation & Partial<our.FuneralLocationExpandable>> | SearchGroup<'event', our.FuneralEvent & Partial<our.FuneralEventExpandable>> | SearchGroup<'event_administrator', our.EventAdministrator & Partial<our.EventAdministratorExpandable>> | SearchGroup<'event_check_in_record', our.EventCheckInRecord & Partial<our.EventCheckInRecordExpandable>> | SearchGroup<'online_arrangement', our.OnlineArrangement & Partial<our.OnlineArrangementExpandable>> | SearchGroup<'direct_mail_reply', our.DirectMailReply & Partial<our.DirectMailReplyExpandable>>)[];
}

/** The name of `SearchFindings` in 1.0.0. */
export type SearchResult = SearchFindings;
