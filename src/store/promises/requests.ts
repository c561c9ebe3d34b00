/**
 * The store's contract for the log of requests: each refused request, and hourly counts of the others. None of it is
 * part of a commit of records, and of a record it contains only identifiers.
 */

import type { Activity, ActivityName } from '../../core/objects/requests/activity.ts';
import type { RefusedRequest } from '../../core/objects/requests/refused-request.ts';

export {
  ACTIVITY_ORDER,
  type Activity,
  type ActivityName,
} from '../../core/objects/requests/activity.ts';
export type { RefusedFault, RefusedRequest } from '../../core/objects/requests/refused-request.ts';

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
  /** Only of these. */
  readonly anchors?: readonly string[] | undefined;
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
