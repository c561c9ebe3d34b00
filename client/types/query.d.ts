// Generated from client/src/query.ts by "npm run generate"; do not edit.

/** Parts of an address: the query `limit=10&event_datetime[gte]=…&expand[]=location`, and identifiers in paths. */
/** With its question mark; empty where there is nothing to say. */
export declare function queryText(params: object): string;
/** An identifier as a part of a path. */
export declare function inPath(unique_identifier: string): string;
