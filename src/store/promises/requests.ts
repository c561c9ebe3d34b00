/**
 * The store's contract for the log of requests: each refused request, and hourly counts of the others. None of it is
 * part of a commit of records, and of a record it contains only identifiers.
 */

/** A request that was refused, or of whose rows some were. */
export interface RefusedRequest {
  readonly request_id: string;
  /** When it was answered, in milliseconds since 1970. */
  readonly time: number;
  /** The unique identifier of its key; `null` where it has none that is known. */
  readonly key: string | null;
  /** The account of the key, where it has one alone; `null` otherwise. */
  readonly account: string | null;
  /** Why the key was not taken; `null` where it was. */
  readonly authentication: string | null;
  /** The network address that it came from, where that is known. */
  readonly address: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly faults: readonly RefusedFault[];
  /** Of a request that brings many. */
  readonly rows: RefusedRows | null;
  /** Marks of its caller's own identifiers, by which it is found; they are not read again. */
  readonly marks?: readonly string[];
}

/** Faults of one kind. */
export interface RefusedFault {
  readonly code: string;
  /** As far as its name is declared. */
  readonly param?: string;
  /** As the caller got it, where nothing in it was sent. */
  readonly message?: string;
  /** Of an unknown name, the known one that is most like it. */
  readonly nearest?: string;
  readonly count: number;
  /** The numbers of the first rows that have it. */
  readonly rows?: readonly number[];
}

export interface RefusedRows {
  readonly numbered: 'lines' | 'elements';
  /** How many, by outcome or by the code of the first fault. */
  readonly counts: { readonly [outcome: string]: number };
}

/** How much was done, in one hour, with one key, in one place. */
export interface Activity {
  /** When the hour began, in milliseconds since 1970. */
  readonly hour: number;
  /** Of the records, or of the key where it has one alone; `''` where it is one of several. */
  readonly account: string;
  readonly key: string;
  /** The record that rights can be limited to; `''` where there is none, or it is not known. */
  readonly anchor: string;
  /** The name of the resource; `''` for what is of none. */
  readonly resource: string;
  /** The outcome of the write, or `refused`. */
  readonly outcome: string;
  readonly count: number;
  /** When the last of it was, in milliseconds since 1970. */
  readonly last_at: number;
}

/** The identity of an `Activity`, in the order of lists, backwards. */
export const ACTIVITY_ORDER = ['account', 'hour', 'key', 'anchor', 'resource', 'outcome'] as const;

export type ActivityName = Pick<Activity, (typeof ACTIVITY_ORDER)[number]>;

/** The filters of a list; times are milliseconds since 1970. */
interface RequestsQuery {
  /** Only what is of these accounts, and of keys whose accounts are all among them; not said: all. */
  readonly seenBy?: ReadonlySet<string> | undefined;
  /** Only what is of this account, and of keys that have it among others. */
  readonly account?: string | undefined;
  readonly key?: string | undefined;
  /** From this time on. */
  readonly from?: number | undefined;
  /** Before this time. */
  readonly to?: number | undefined;
  readonly limit: number;
}

export interface RefusedQuery extends RequestsQuery {
  /** The answer's code, or that of one of its faults or rows. */
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
  /** Only those that have one of these marks. */
  readonly marks?: readonly string[] | undefined;
  readonly status?: number | undefined;
  /** How the path begins. */
  readonly path?: string | undefined;
  /** Only those of people who are signed in, or only the others. */
  readonly by?: 'staff' | 'keys' | undefined;
  /** Only those after this one in the list, which is the newest first. */
  readonly after?: Pick<RefusedRequest, 'time' | 'request_id'> | undefined;
}

export interface ActivityQuery extends RequestsQuery {
  readonly anchor?: string | undefined;
  readonly after?: ActivityName | undefined;
}

/** How many refused requests of one key are stored, and of all without one together. */
export const MAX_REFUSED_KEPT = 10_000;
/** How long the log is stored. */
export const REQUESTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export interface RequestBook {
  /**
   * Adds to the log, in one commit. A request that is there already is left as
   * it is; what was done is added to what is counted. Of each key the newest
   * `MAX_REFUSED_KEPT` stay.
   */
  note(refused: readonly RefusedRequest[], activity: readonly Activity[]): Promise<void>;
  /** The newest first. */
  refused(query: RefusedQuery): Promise<readonly RefusedRequest[]>;
  /** By account; of each the newest hour first. */
  activity(query: ActivityQuery): Promise<readonly Activity[]>;
  /** Removes some of what is older than `REQUESTS_KEPT_MS`; returns whether there may be more. */
  purge(): Promise<boolean>;
}
