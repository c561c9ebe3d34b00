// Generated from client/src/listen.ts by "npm run generate"; do not edit.

/** The program that notifications are forwarded to, and which of them. */
export interface Listening {
    /** The URL of the program, such as `http://localhost:3000/webhooks`. */
    readonly forward: string;
    /** The address of the service. */
    readonly service: string;
    readonly key: string;
    /** Required if the key has several. */
    readonly account?: string | undefined;
    /** `event.created`, `event.*`, `*.deleted` or `*`; everything by default. */
    readonly notification?: readonly string[] | undefined;
    /** Sends the record with the change. */
    readonly full?: boolean | undefined;
    /** Prints JSON, one object a line. */
    readonly json?: boolean | undefined;
    /** Secret that signs the notifications, `whsec_…`; by default a new one, which is printed. */
    readonly secret?: string | undefined;
}
/** Where lines are printed. */
export interface Printer {
    out(line: string): void;
    error(line: string): void;
}
/** Runs until the signal stops it. Throws `TypeError` for an option that cannot be right, and what the service refuses. */
export declare function listen(options: Listening, print: Printer, stop: AbortSignal): Promise<void>;
/** The message to print if listening failed. */
export declare function failureOf(error: unknown): string | undefined;
/** A text that a terminal shows and does not obey. */
export declare function plain(text: string): string;
