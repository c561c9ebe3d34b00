// Generated from client/src/removals.ts by "npm run generate"; do not edit.

/** What was removed and can be restored: `api.removals`. */
import { ChangePages } from './changes.ts';
import type { Removal, RemovalListParams, RestoredRemoval } from './generated/removals.ts';
import type { Send } from './send.ts';
import type { RequestOptions } from './settings.ts';
export declare class Removals {
    #private;
    constructor(send: Send);
    /** What was removed, newest first, page by page. */
    list(params?: RemovalListParams, options?: RequestOptions): ChangePages<Removal>;
    /** Throws `removal_missing` once it is restored. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<Removal>;
    /** Restores the record that was removed and all that went with it. Safe to repeat: it goes on where it stopped. */
    restore(unique_identifier: string, { dry_run, ...options }?: RequestOptions & {
        readonly dry_run?: boolean | undefined;
    }): Promise<RestoredRemoval>;
}
