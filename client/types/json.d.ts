// Generated from client/src/json.ts by "npm run generate"; do not edit.

/** Reads and writes JSON with every number as it was sent. */
/** What tells an `ExactNumber`, also that of another copy of this package. A symbol cannot be cloned, so no clone is taken for an object of texts. */
declare const EXACT: unique symbol;
/**
 * A number of JSON that JavaScript would show or send as another one: `12345678901234567890`, `1.10`, `1e400`, `-0`. `String(it)` is the number as it was sent,
 * and it is sent so again. Arithmetic throws a `TypeError`: choose `Number(String(it))`, which rounds, `BigInt(String(it))`, or a
 * library for decimals. `structuredClone` and `postMessage` throw a `DataCloneError`: pass on `toJson(…)`.
 */
export declare class ExactNumber {
    readonly kind: typeof EXACT;
    /** As it stands in the JSON. */
    readonly text: string;
    /** Throws a `TypeError` if the text is no number of JSON. */
    constructor(text: string);
    toString(): string;
    /** For `JSON.stringify`: the number, or where the runtime has no `JSON.rawJSON` (Node 20) a string of it. */
    toJSON(): unknown;
    [Symbol.toPrimitive](hint: string): string;
}
export declare function isExact(value: unknown): value is ExactNumber;
/**
 * The value of a JSON text, as `JSON.parse` gives it, but for numbers that JavaScript would print otherwise than they stand there: each
 * is an `ExactNumber`. Throws a `SyntaxError` if the text is not JSON. Takes any runtime: it needs no source text from `JSON.parse`.
 */
export declare function parseJson(text: string): unknown;
/** As `JSON.stringify`, on every runtime with each `ExactNumber` as it was sent; a `bigint` is a number, too. */
export declare function toJson(value: unknown, indent?: number): string;
export {};
