// Generated from client/src/list.ts by "npm run generate"; do not edit.

/** One page of a list. */
export interface Page<T> {
    readonly data: readonly T[];
    /** Whether there are more records in the direction of the walk. */
    readonly has_more: boolean;
    /** How many records the whole list has, where it was asked for with `include: ['total']`: `count`, or more than that. */
    readonly total?: {
        readonly count: number;
        readonly more: boolean;
    };
    /** In a list of refused requests by `identifier`: whether each refusal of a record would be found, and since when. */
    readonly complete?: boolean;
    readonly complete_since?: string;
}
/** Where a page is: as asked for, or beside a record. */
export interface Cursor {
    readonly starting_after?: string;
    readonly ending_before?: string;
}
/** Loads a page; without a cursor the one that was asked for. */
export type LoadPage<T> = (cursor?: Cursor) => Promise<Page<T>>;
/** A list, from the page asked for to its end. Each iteration starts again from there. */
export declare class List<T extends object> implements AsyncIterable<T> {
    #private;
    /** Backwards, the records before the cursor are given nearest first. `member` is what a cursor is of an entry. */
    constructor(load: LoadPage<T>, backwards: boolean, member?: string);
    /** The page that was asked for, alone. */
    page(): Promise<Page<T>>;
    /** All of it at once, page after page. */
    all(): Promise<readonly T[]>;
    /** Each record once, page after page. */
    [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
}
