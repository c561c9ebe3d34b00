// Generated from client/src/said.ts by "npm run generate"; do not edit.

/** `name` is the path of a member: `seating.rows[2]`. */
export declare function unsaid(name: string, what: string, instead?: string): TypeError;
/** What is written of the value: itself, or what its `toJSON` gives. Throws a `TypeError` for what JSON would leave out, or write as something else. */
export declare function said(given: unknown, name: string): unknown;
/** Whether its members are all there is of it, in this realm or another one: what a class has made may hold more than they show. */
export declare function isPlain(value: object): boolean;
/** Whether it is of one of these kinds of the runtime, in this realm or another one, such as that of a runner of tests. */
export declare function isKind(value: unknown, ...kinds: readonly string[]): boolean;
/** Throws a `TypeError` for what would be empty if its members were looked at, such as a Map. */
export declare function requirePlain(value: object, name: string): void;
/** The JSON of a body, as `toJson` writes it; `path` is what it is itself a member of. */
export declare function bodyText(value: unknown, path?: string): string;
/** Throws a `TypeError` for the first member that cannot be said; `whole` is what all of it is called. */
export declare function requireSaid(given: unknown, path?: string, whole?: string, above?: readonly object[]): void;
/** Throws a `TypeError` for what a query cannot say: null, what is empty, and half a character. */
export declare function requireQuery(params: object): void;
