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
    /** Takes the row, which is at that place of all. Throws a `TypeError` where it is no object that JSON can hold. */
    add(row: Row, index: number): void;
    /** Whether both may hold rows of the same record, which must not overtake each other. */
    sharesWith(other: Chunk<Row>): boolean;
    /** As JSON; nothing is added after that. */
    close(): string;
    /** The row as it was sent: a source may have put the next one into the same object. */
    rowAt(at: number): Row;
}
