// Generated from client/src/chunk.ts by "npm run generate"; do not edit.

export declare class Chunk<Row> {
    #private;
    readonly rows: Row[];
    /** Settles when the first row has waited for long enough. */
    readonly due: Promise<void>;
    constructor(max: () => number);
    get isFull(): boolean;
    /** Whether it goes now: full, or for long enough not empty. */
    get isReady(): boolean;
    /** Takes the row; `false` where it is no object that JSON can hold. */
    add(row: Row): boolean;
    /** Whether both may hold rows of the same record, which must not overtake each other. */
    sharesWith(other: Chunk<Row>): boolean;
    /** As JSON; nothing is added after that. */
    close(): string;
}
