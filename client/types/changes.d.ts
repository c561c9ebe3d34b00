// Generated from client/src/changes.ts by "npm run generate"; do not edit.

import type { Change, ChangedRecords, ChangeListParams } from './generated/changes.d.ts';
import type { Send } from './send.ts';
import type { RequestOptions } from './settings.ts';
export interface ChangePage<T> {
    readonly data: readonly T[];
    /** Whether there is more to read already. */
    readonly has_more: boolean;
    /** Send it as `starting_after` next, even if `data` is empty; null for an empty log. */
    readonly position: string | null;
}
export interface ChangeExpand<E> {
    /** `record`: the record as it is now, as `record_now`. */
    readonly expand?: readonly E[] | undefined;
}
/** A change, and what `expand` adds to it: `resource` tells which record `record_now` is. */
export type ListedChange<E> = 'record' extends E ? {
    [Resource in keyof ChangedRecords]: WithRecord<Resource>;
}[keyof ChangedRecords] : Omit<Change, 'record_now'>;
interface WithRecord<Resource extends keyof ChangedRecords> extends Omit<Change, 'resource' | 'record_now'> {
    resource: Resource;
    /** The record as it is now; null where it is not there any more. */
    record_now: ChangedRecords[Resource] | null;
}
/** Changes, from the page asked for to the last one. Each iteration starts again from there. */
export declare class ChangePages<T> implements AsyncIterable<ChangePage<T>> {
    #private;
    constructor(load: (position?: string) => Promise<ChangePage<T>>);
    /** The page that was asked for, alone. */
    page(): Promise<ChangePage<T>>;
    /** Page after page: store the `position` of each together with what you made of it. */
    [Symbol.asyncIterator](): AsyncGenerator<ChangePage<T>, void, undefined>;
}
export declare class Changes {
    #private;
    constructor(send: Send);
    /** Pages of changes after `starting_after`, in order. */
    list<const E extends 'record' = never>(params?: ChangeListParams & ChangeExpand<E>, options?: RequestOptions): ChangePages<ListedChange<E>>;
    /**
     * Follows changes from now on, or after `starting_after`, without end. A page comes as soon as there is a change;
     * if the service cannot be reached, the request is repeated until it answers; before the first answer, what does not pass
     * by itself is thrown. Store the `position` of each page together
     * with what you made of it. Stop with `break` or with the `signal`. Throws `changes_expired` or `changes_rewound` if the
     * log does not go on from there: then copy everything again.
     */
    follow<const E extends 'record' = never>(params?: Omit<ChangeListParams, 'wait'> & ChangeExpand<E>, options?: RequestOptions): AsyncGenerator<ChangePage<ListedChange<E>>, void, undefined>;
}
export {};
