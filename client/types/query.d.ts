// Generated from client/src/query.ts by "npm run generate"; do not edit.

/** With its question mark; empty where there is nothing to say. Throws a `TypeError` for what a query cannot say, such as null. */
export declare function queryText(params: object, cursor?: object): string;
/** An identifier as a part of a path. */
export declare function inPath(unique_identifier: string): string;
