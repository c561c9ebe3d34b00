// Generated from client/src/query.ts by "npm run generate"; do not edit.

/** With its question mark; empty where there is nothing to say. What a query cannot say, `requireQuery` refuses. */
export declare function queryText(params: object): string;
/** An identifier as a part of a path. */
export declare function inPath(unique_identifier: string): string;
