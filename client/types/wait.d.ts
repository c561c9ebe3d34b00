// Generated from client/src/wait.ts by "npm run generate"; do not edit.

/** Waits that end when their caller does. */
/** The longest time of a timer: a longer one would be over at once. */
export declare const LONGEST_TIMER: number;
/** Ends early with the reason of the signal. */
export declare function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
/** Rejects with the reason of the signal as soon as it is aborted; a signal that lives on keeps nothing of it. */
export declare function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T>;
