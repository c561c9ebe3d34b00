// Generated from client/src/collection.ts by "npm run generate"; do not edit.

/** The records of one resource: `api.events`. */
import type { HistoryEntry } from './generated/changes.d.ts';
import type { Pin } from './generated/objects.d.ts';
import { List } from './list.ts';
import { type RowAnswers } from './many.ts';
import type { Send } from './send.ts';
import type { RecordOptions, RemoveOptions, RequestOptions, UpsertManyOptions, UpsertOptions } from './settings.ts';
/** The types of a resource that is read. */
export interface Readable {
    /** A record as it is answered by itself. */
    readonly record: object;
    /** A record as lists show it. */
    readonly entry: {
        readonly unique_identifier: string;
    };
    /** Parameters of lists. */
    readonly list: object;
    /** Objects that `expand` adds, by name. */
    readonly expandable: object;
}
/** The types of a resource that is written, too. */
export interface Writable extends Readable {
    readonly upsert: object;
    readonly patch: object;
    /** Who a record is, by the identifiers of the caller. */
    readonly named: object;
    readonly removed: object;
}
/** Objects to include with a record. */
export interface Expand<E> {
    /** The records that it belongs to, to include with it. */
    readonly expand?: readonly E[] | undefined;
}
export interface OfVersion {
    /** The version to read; by default the current one. */
    readonly version?: number | undefined;
}
/** Parameters of `history`. */
export interface HistoryParams {
    /** How many changes to read at a time, at most 1,000. */
    readonly limit?: number | undefined;
    /** The `unique_identifier` of the change after which the page starts. */
    readonly starting_after?: string | undefined;
}
/** The row, whose members all have to be known ones: of what a generator yields the compiler looks for no others itself. */
export type Strict<Row, Known> = Row & {
    readonly [Name in Exclude<keyof Row, Names<Known>>]: never;
};
/** The names of all branches of a union. */
type Names<T> = T extends unknown ? keyof T : never;
export declare class ReadableCollection<T extends Readable> {
    protected readonly send: Send;
    protected readonly path: string;
    constructor(send: Send, path: string);
    /**
     * The record with this `unique_identifier`, as it is or as it was at a version. Throws `resource_missing` if there is
     * none that the key may see, and `version_missing` if that version is no longer kept.
     */
    retrieve<const E extends keyof T['expandable'] & string = never>(unique_identifier: string, options?: RequestOptions & Expand<E> & OfVersion): Promise<T['record'] & Pick<T['expandable'], E>>;
    /** The records that the key may see and that match every filter. Iterate over all of them with `for await`, or read one page with `page()`. */
    list<const E extends keyof T['expandable'] & string = never>(params?: T['list'] & Expand<E>, options?: RequestOptions): List<T['entry'] & Pick<T['expandable'], E>>;
    /** The changes of the record, newest first, also if it was removed. Iterate with `for await`. */
    history(unique_identifier: string, params?: HistoryParams, options?: RequestOptions): List<HistoryEntry>;
    protected one(unique_identifier: string): string;
}
export declare class Collection<T extends Writable> extends ReadableCollection<T> {
    #private;
    /** Creates the record, or merges the fields into the existing one. Safe to repeat. `answerOf` says which. */
    upsert<const E extends keyof T['expandable'] & string = never>(params: T['upsert'], options?: UpsertOptions & Expand<E>): Promise<T['record'] & Pick<T['expandable'], E>>;
    /** Changes the fields that are sent of the record with this `unique_identifier`, or of the one that your own identifiers name, and leaves the rest as it is; `null` removes one. Throws `resource_missing` if there is no such record. */
    patch<const E extends keyof T['expandable'] & string = never>(which: string | T['named'], params: T['patch'], options?: RecordOptions & Expand<E>): Promise<T['record'] & Pick<T['expandable'], E>>;
    /** Gives the record the content of that version, as a new version. A removed record comes back. Safe to repeat. */
    restore<const E extends keyof T['expandable'] & string = never>(unique_identifier: string, options: RecordOptions & Expand<E> & {
        readonly version: number;
    }): Promise<T['record'] & Pick<T['expandable'], E>>;
    /** Removes the record, by its `unique_identifier` or by your own identifiers. Throws `record_has_children` if others belong to it, unless `cascade` is set. */
    remove(which: string | T['named'], options?: RemoveOptions): Promise<T['removed']>;
    /** What staff corrected of the record. */
    pins(unique_identifier: string, options?: RequestOptions): Promise<readonly Pin[]>;
    /** Lets the source decide about a member that staff corrected, and gives the pins that are left. */
    removePin(unique_identifier: string, member: string, options?: RequestOptions): Promise<readonly Pin[]>;
    /**
     * Upserts rows as they come, in arrays, at most two at a time; takes from `rows` only when there is room.
     * Yields the outcome of each row, in order; awaited, it sends all of them, and gives counts and the first refusals. A row
     * that is refused does not affect the others. Nothing is sent before one of the two. Waits up to ten minutes
     * for the rate limit of the key, which all arrays of this resource share.
     */
    upsertMany<Row extends T['upsert']>(rows: AsyncIterable<Strict<Row, T['upsert']>> | Iterable<Strict<Row, T['upsert']>>, options?: UpsertManyOptions): RowAnswers<Row>;
}
export {};
