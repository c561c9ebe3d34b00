/**
 * The store's contract for the log of requests: each refused request, and hourly counts of the others. None of it is
 * part of a commit of records, and of a record it contains only identifiers.
 */

/** A request that was refused, wholly or for some of its rows. */
export interface RefusedRequest {
  readonly request_id: string;
  /** When it was answered, in milliseconds since 1970. */
  readonly time: number;
  /** The unique identifier of its key; `null` if it has none, or an unknown one. */
  readonly key: string | null;
  /** The account of the key; `null` if it has several. */
  readonly account: string | null;
  /** Why the key was refused; `null` if it was not. */
  readonly authentication: string | null;
  /** The client's network address, if known. */
  readonly address: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly faults: readonly RefusedFault[];
  /** Counts of a bulk request. */
  readonly rows: RefusedRows | null;
  /** Marks of the caller's identifiers, by which it can be found; identifiers cannot be read from them. */
  readonly marks?: readonly string[];
}

/** Faults of one kind. */
export interface RefusedFault {
  readonly code: string;
  /** The parameter, as far as its name is declared. */
  readonly param?: string;
  /** The message as the caller got it, if it has no sent values. */
  readonly message?: string;
  /** For an unknown name, the known one that is most similar. */
  readonly nearest?: string;
  readonly count: number;
  /** The numbers of the first rows with it. */
  readonly rows?: readonly number[];
}

export interface RefusedRows {
  readonly numbered: 'lines' | 'elements';
  /** The number of rows by outcome, or by the code of the first fault. */
  readonly counts: { readonly [outcome: string]: number };
}

/** Counts of one hour, one key and one place. */
export interface Activity {
  /** When the hour began, in milliseconds since 1970. */
  readonly hour: number;
  /** The account of the records, or of a key that has only one; `''` for one of several. */
  readonly account: string;
  readonly key: string;
  /** The anchor; `''` if there is none, or it is unknown. */
  readonly anchor: string;
  /** The name of the resource; `''` for other requests. */
  readonly resource: string;
  /** The outcome of the write, or `refused`. */
  readonly outcome: string;
  readonly count: number;
  /** The time of the last one, in milliseconds since 1970. */
  readonly last_at: number;
}

/** The identity of an `Activity`, in the reverse order of lists. */
export const ACTIVITY_ORDER = ['account', 'hour', 'key', 'anchor', 'resource', 'outcome'] as const;

export type ActivityName = Pick<Activity, (typeof ACTIVITY_ORDER)[number]>;

/** The filters of a list; times are milliseconds since 1970. */
interface RequestsQuery {
  /** Only entries of these accounts, and of keys whose accounts are all among them; left out: all. */
  readonly seenBy?: ReadonlySet<string> | undefined;
  /** Only entries of this account, and of keys that have it among others. */
  readonly account?: string | undefined;
  readonly key?: string | undefined;
  /** From this time on. */
  readonly from?: number | undefined;
  /** Before this time. */
  readonly to?: number | undefined;
  readonly limit: number;
}

export interface RefusedQuery extends RequestsQuery {
  /** The code of the response, or of one of its faults or rows. */
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
  /** Only requests with one of these marks. */
  readonly marks?: readonly string[] | undefined;
  readonly status?: number | undefined;
  /** The start of the path. */
  readonly path?: string | undefined;
  /** Only requests of people, or only those of keys. */
  readonly by?: 'staff' | 'keys' | undefined;
  /** Only entries after this one in the list, which is the newest first. */
  readonly after?: Pick<RefusedRequest, 'time' | 'request_id'> | undefined;
}

export interface ActivityQuery extends RequestsQuery {
  readonly anchor?: string | undefined;
  readonly after?: ActivityName | undefined;
}

/** The most refused requests to store for each key, and for all without one together. */
export const MAX_REFUSED_KEPT = 10_000;
/** How long the log is stored. */
export const REQUESTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export interface RequestBook {
  /**
   * Adds to the log, in one commit. Refused requests that are already stored stay as they are; counts are added up. The
   * newest `MAX_REFUSED_KEPT` of each key stay.
   */
  note(refused: readonly RefusedRequest[], activity: readonly Activity[]): Promise<void>;
  /** The newest first. */
  refused(query: RefusedQuery): Promise<readonly RefusedRequest[]>;
  /** By account, the newest hour first. */
  activity(query: ActivityQuery): Promise<readonly Activity[]>;
  /** Removes some entries older than `REQUESTS_KEPT_MS`; returns whether there may be more. */
  purge(): Promise<boolean>;
}
