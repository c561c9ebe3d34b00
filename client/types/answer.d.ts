// Generated from client/src/answer.ts by "npm run generate"; do not edit.

/** Details of an answer beyond its record: outcome, headers, request id. */
export interface Answer {
    readonly status: number;
    /** For questions to the operator. */
    readonly requestId: string | undefined;
    /** The outcome of the request, or with `dryRun` the one that it would have. */
    readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | undefined;
    /** The version of the record, for `ifMatch`. */
    readonly etag: string | undefined;
    /** How many records a removal removed, this one included. */
    readonly removed: number | undefined;
    /** Identifies the removal: `api.removals.restore` undoes it. */
    readonly removal: string | undefined;
    /** Whether this is the kept answer of an earlier request with the same `Idempotency-Key`. */
    readonly replayed: boolean;
}
/**
 * The details that came with a record: `answerOf(event).outcome`. Records of lists have
 * none, nor do copies.
 */
export declare function answerOf(record: object): Answer | undefined;
/** Keeps beside the value what its answer says. */
export declare function keepAnswer(value: object, { status, headers }: Response): void;
