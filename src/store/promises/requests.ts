/**
 * The store's contract for the log of requests: each refused request, and hourly counts of the others. None of it is
 * part of a commit of records, and of a record it contains only identifiers.
 */
import type { ActivityName } from '../../core/objects/requests/activity.ts';
import type { RefusedRequest } from '../../core/objects/requests/refused-request.ts';

export {
  ACTIVITY_ORDER,
  type Activity,
  type ActivityName,
} from '../../core/objects/requests/activity.ts';
export type { RefusedFault, RefusedRequest } from '../../core/objects/requests/refused-request.ts';

/** The filters of a list of what was done; times are milliseconds since 1970. */
export interface DoneQuery {
  /** Only entries of these accounts, and of keys whose accounts are all among them; left out: all. */
  readonly seenBy?: ReadonlySet<string> | undefined;
  /** Only entries of this account, and of keys that have it among others. */
  readonly account?: string | undefined;
  readonly key?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
}

export interface RefusedQuery extends DoneQuery {
  /** The code of the response, or of one of its faults or rows. */
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
  /** Only requests with one of these marks. */
  readonly marks?: readonly string[] | undefined;
  readonly status?: number | undefined;
  readonly path?: string | undefined;
  /** Only requests of people, or only those of keys. */
  readonly by?: 'staff' | 'keys' | undefined;
  /** Only entries after this one in the list, which is the newest first. */
  readonly after?: Pick<RefusedRequest, 'time' | 'request_id'> | undefined;
}

export interface ActivityQuery extends DoneQuery {
  readonly anchors?: readonly string[] | undefined;
  readonly after?: ActivityName | undefined;
}

/** The most refused requests to store for each key, and for all without one together. */
export const MAX_REFUSED = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the log is stored. */
export const REQUESTS_MS = 30 * DAY_MS;
/** How long activity is stored: what is expected of sources is learned from six weeks of it. */
export const ACTIVITY_MS = 45 * DAY_MS;
