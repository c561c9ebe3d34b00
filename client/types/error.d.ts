// Generated from client/src/error.ts by "npm run generate"; do not edit.

/** Errors: an error answer of the service, or no answer at all. */
import type { ErrorCode, ErrorType, Fault, FaultValues } from './generated/errors.ts';
/**
 * Why there is no answer: no connection, no answer in time, or one that is not the service's. The last four do not pass by
 * themselves, and are thrown at once: the address redirects, its name is unknown, its certificate is not trusted, or nothing
 * speaks TLS there.
 */
export type ConnectionCode = 'connection_failed' | 'answer_timeout' | 'answer_unreadable' | 'address_redirects' | 'name_unknown' | 'certificate_untrusted' | 'tls_unavailable';
export interface ErrorDetails {
    readonly type: ErrorType | 'connection_error';
    readonly code: ErrorCode | ConnectionCode;
    readonly message: string;
    readonly param?: string;
    readonly values?: FaultValues;
    readonly errors?: readonly Fault[];
    readonly request_id?: string;
    readonly doc_url?: string;
    /** The HTTP status of the answer, if there is one. */
    readonly status?: number;
    /** The seconds of `Retry-After`. */
    readonly retryAfter?: number;
    readonly cause?: unknown;
}
/** Everything that the client throws, except mistakes in the call itself (`TypeError`) and the reason of your own signal. */
export declare class LedgerstoneError extends Error {
    /** The name of its class, also where a bundler has given that another one. */
    readonly name: string;
    /** The kind of error: each has a class of its own. */
    readonly type: ErrorType | 'connection_error';
    /** Which error it is: decide by this. The service may add codes. */
    readonly code: ErrorCode | ConnectionCode;
    /** The dotted path of the field; `undefined` if the whole request is at fault. */
    readonly param: string | undefined;
    /** What the message says of this request: limits, what arrived instead. `ErrorValues` has their types by code. */
    readonly values: FaultValues;
    /** Every fault of the request, the first 100 of them. */
    readonly errors: readonly Fault[];
    /** For questions to the operator. */
    readonly requestId: string | undefined;
    /** Where the code is explained. */
    readonly docUrl: string | undefined;
    /** The HTTP status; `undefined` if there was no answer. */
    readonly status: number | undefined;
    /** After how many seconds to retry. */
    readonly retryAfter: number | undefined;
    constructor(details: ErrorDetails);
}
/** There was no answer, or it was not the service's: the request may or may not have been done. */
export declare class ConnectionError extends LedgerstoneError {
    readonly name: string;
    readonly type: 'connection_error';
    readonly code: ConnectionCode;
}
