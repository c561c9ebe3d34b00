// Generated from client/src/settings.ts by "npm run generate"; do not edit.

/** The settings of a client, and the options of each request. */
export interface Settings {
    /** The API key: `sk_live_…` or `sk_test_…`. */
    readonly key: string;
    /** The address of the service, such as `https://records.example.com`. */
    readonly url: string;
    /** How long one attempt may take, in milliseconds; 30,000 by default. */
    readonly timeout?: number | undefined;
    /** How many attempts a request gets in all; by default as many as `patience` has room for. */
    readonly tries?: number | undefined;
    /** For how long a request that fails, or waits for the limit of its key, is tried again, in milliseconds; 60,000 by default. */
    readonly patience?: number | undefined;
    /** Used in place of the runtime's own `fetch`. */
    readonly fetch?: typeof globalThis.fetch | undefined;
}
export interface RequestOptions {
    /** Ends the request, and the wait for the next attempt, with the signal's reason. */
    readonly signal?: AbortSignal | undefined;
    /** How long one attempt may take, in milliseconds. */
    readonly timeout?: number | undefined;
}
export interface WriteOptions extends RequestOptions {
    /** Only shows what the request would do, and changes nothing. */
    readonly dryRun?: boolean | undefined;
    /** How to treat fields that the service does not know: `refuse` (the default) or `ignore`. */
    readonly unknownFields?: 'refuse' | 'ignore' | undefined;
}
/** Options of a write to one record. */
export interface RecordOptions extends WriteOptions {
    /** The `etag` of the record as you know it: if it has changed since, the request is refused with `record_changed`. */
    readonly ifMatch?: string | undefined;
    /** A name of your own for this request. The client makes one where repeating is not safe without it. */
    readonly idempotencyKey?: string | undefined;
}
export interface UpsertOptions extends RecordOptions {
    /** Only create (`record_exists` if the record exists), or only update (`resource_missing` if it does not). */
    readonly mode?: 'create_only' | 'update_only' | undefined;
}
export interface RemoveOptions extends RecordOptions {
    /** Also removes everything that belongs to the record. */
    readonly cascade?: boolean | undefined;
}
export interface UpsertManyOptions extends WriteOptions {
    readonly mode?: UpsertOptions['mode'];
    /** The most rows that go in one request, from 1 to 1,000; 500 by default, and fewer if `RateLimit-Policy` says so. */
    readonly rows?: number | undefined;
    /** The `unique_identifier` of the open sync that the rows belong to. `api.sync` begins and finishes one itself. */
    readonly sync?: string | undefined;
}
