// Generated from client/src/query.ts by "npm run generate"; do not edit.

/** The query of a request: `limit=10&event_datetime[gte]=…&expand[]=location`. */
/** With its question mark; empty where there is nothing to say. */
export declare function queryText(params: object): string;
