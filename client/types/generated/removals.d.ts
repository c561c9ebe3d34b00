// Generated from client/src/generated/removals.ts by "npm run generate"; do not edit.

/** What was removed at once, by the record that it began with. */
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
    /** Your own identifier of it */
    external_identifier: string;
    /** What the record is called: of a service, the name of the person */
    name: string | null;
    /** Where the record was; null for a location itself */
    location: string | null;
    /** How many records were removed, this one and all that went with it */
    count: number;
    /** The last version of the record: read it with `?version=` */
    version: number;
    /** Who removed it; null unless the key may see the requests of others */
    key: string | null;
    /** When it was removed */
    removed_at: string;
};
/** What became of a restore. */
export type RestoredRemoval = {
    /** Type name of the object */
    object: 'restored_removal';
    /** Identifies the removal */
    unique_identifier: string;
    /** How many records were restored */
    restored: number;
    /** The first 100 of the records that stay removed */
    left: ({
        /** The resource of the record */
        resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
        /** The unique_identifier of the record */
        record: string;
        /** Your own identifier of it */
        external_identifier: string;
        /** Why it stays removed, as the code of an error */
        code: string;
        /** Why it stays removed, in words */
        message: string;
    })[];
    /** How many records stay removed */
    left_count: number;
};
/** What `api.removals.list` takes. */
export type RemovalListParams = {
    /** unique_identifier of the account; may be left out where the API key has only one */
    readonly account?: string | undefined;
    /** Only records that held these words, in whole or in part, or have them in their external_identifier */
    readonly q?: string | undefined;
    /** Only removals that began with a record of these resources */
    readonly resource?: readonly ('location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
    /** Only removals at this location, by its unique_identifier */
    readonly location?: string | undefined;
    /** Only the removal that took this record, by its unique_identifier */
    readonly record?: string | undefined;
    /** How many removals to return at most; 50 where it is left out */
    readonly limit?: number | undefined;
    /** `position` of the page before */
    readonly starting_after?: string | undefined;
};
