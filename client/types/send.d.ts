// Generated from client/src/send.ts by "npm run generate"; do not edit.

import { LedgerstoneError } from './error.ts';
import type { Limit } from './limit.ts';
import type { RequestOptions, Settings } from './settings.ts';
export interface Outgoing {
    readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
    /** Below the address, from `/v1/`. */
    readonly path: string;
    readonly query?: object;
    /** Where the page is of a list, in place of what the query says of that. */
    readonly cursor?: object | undefined;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    /** What the caller sends as JSON. */
    readonly json?: unknown;
    /** JSON that is written already, unless `Content-Type` is among the headers. */
    readonly body?: string | Uint8Array;
    /** Where the options have none. */
    readonly timeout?: number | undefined;
    /** It must not be done twice, and takes no Idempotency-Key: only what was certainly not done is sent again. */
    readonly isOnce?: boolean;
    /** The limit of a request with many rows: it waits for that of the key longer than others, and in line. */
    readonly limit?: Limit;
    readonly options?: RequestOptions | undefined;
}
/** Answers with the JSON of the answer, or with the `lines` of NDJSON, or throws. */
export type Send = (outgoing: Outgoing) => Promise<unknown>;
/** Methods that send requests. */
export declare class Operations {
    protected readonly send: Send;
    constructor(send: Send);
}
/** Makes a function that sends requests to this service with this key. */
export declare function sender(settings?: Partial<Settings>): Send;
/** The error of an answer that is no success, by its text. */
export declare function refusalIn(response: Response, text: string, base: string): LedgerstoneError;
