// Generated from client/src/retry.ts by "npm run generate"; do not edit.

/** Retries what may succeed the next time: when, how often, and after which pause. */
import { LedgerstoneError } from './error.ts';
import { Limit } from './limit.ts';
export interface Retries {
    /** How many attempts there are in all; an attempt that a limit refused does not count. */
    readonly tries: number;
    /** For how long after the first failure a request is tried again, in milliseconds. */
    readonly patience: number;
    /** For how long a request waits for the limits of its key, in milliseconds. */
    readonly limitPatience: number;
    /** Only what was certainly not done is sent again. */
    readonly isOnce: boolean;
    /** Shared by the requests that wait for one another. */
    readonly limit?: Limit | undefined;
}
/** Runs `attempt` until it succeeds, fails for good, or has had its tries and its time. */
export declare function retrying<T>({ tries, patience, limitPatience, isOnce, limit }: Retries, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T>;
/** Whether the same request may succeed soon: no answer, 408, 429 and 5xx, unless somebody must act first. */
export declare function isPassing(error: unknown): error is LedgerstoneError;
