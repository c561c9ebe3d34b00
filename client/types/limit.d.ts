// Generated from client/src/limit.ts by "npm run generate"; do not edit.

/** One request at a time waits for the limit, and the others wait for that one. */
export declare class Limit {
    #private;
    /** How many rows the key may send at once. */
    get quota(): number;
    /** Reads `RateLimit-Policy`, such as `"rate";q=100;w=1`. */
    hear(headers: Headers): void;
    /** Resolves when no other request waits for the limit. */
    reached(by: object, signal: AbortSignal | undefined): Promise<void>;
    /** Whether it is the first, and so waits for the limit itself. */
    join(by: object): boolean;
    leave(by: object): void;
}
