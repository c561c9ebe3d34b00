/** The operations that show the log of requests. */
import { ApiError, catalogue, type Faults } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import { activity, nameIn } from '../../../core/objects/requests/activity.ts';
import {
  AUDIT_ACTIONS,
  type AuditEntry,
  auditEntry,
} from '../../../core/objects/requests/audit-entry.ts';
import { refusedRequest } from '../../../core/objects/requests/refused-request.ts';
import {
  choice,
  datetime,
  optional,
  text,
  wholeNumber,
} from '../../../core/schema/fields/index.ts';
import { range } from '../../../core/schema/fields/kinds/range.ts';
import type { Members } from '../../../core/schema/fields/members.ts';
import { isObject, type Json, type JsonObject } from '../../../core/schema/values.ts';
import { type Principal, seenBy } from '../../../records/auth/principal.ts';
import type { IdentifierFingerprints } from '../../../services/requests/fingerprints.ts';
import type { AuditQuery } from '../../../store/books/log/audit.ts';
import { cursorUnknown } from '../../../store/promises/refusals.ts';
import type { Store } from '../../../store/promises/store.ts';
import { operationsOn } from '../own.ts';
import { paging } from '../pages.ts';

const HOUR_MS = 3_600_000;

const WHOSE =
  'Needs a key with the right `requests` that is not limited to locations. It sees requests with keys whose accounts are all among its own. Kept for';

const PAGES = { limit: 100, max: 1_000 };

const ofBoth = {
  // Faults are named in this order.
  limit: paging(PAGES).limit,
  account: optional(text({}), 'Only entries of this account, by its unique_identifier'),
  key: optional(
    text({}),
    'Only requests with this API key: its identifier, key_…, never its secret',
  ),
} as const satisfies Members;

const alike = { tag: 'Request log', needs: { right: 'requests', whole: true } } as const;
const paged = {
  ...PAGES,
  check: ({ key }: JsonObject, faults: Faults) => {
    if (typeof key === 'string' && !/^[a-z]+_[0-9A-Za-z]+$/.test(key))
      faults.add('key', 'value_invalid', 'key must be the identifier of a key, such as key_….');
  },
  errors: ['value_invalid'],
} as const;

export const listRequests = operationsOn(refusedRequest, alike).list({
  ...paged,
  cursor: 'request_id',
  summary: 'List refused requests',
  description: `Lists refused requests, and requests with refused rows, newest first: the last 10,000 of each key. They appear within seconds. ${WHOSE} 30 days.`,
  query: {
    ...ofBoth,
    code: optional(
      choice(...Object.keys(catalogue)),
      'Only requests with this error code, in the answer or in one of its rows',
    ),
    request_id: optional(text({}), 'Only the request with this identifier'),
    identifier: optional(
      text({ max: 255 }),
      'Only requests in which the record with this external_identifier was refused',
    ),
    status: optional(
      wholeNumber({ min: 100, max: 599 }),
      'Only requests answered with this status',
    ),
    path: optional(
      text({ max: 200 }),
      'Only requests whose path begins with this text, such as /v1/events',
    ),
    by: optional(
      choice('keys', 'staff'),
      'Only requests with API keys or without any, or only those of people in the console',
    ),
    time: optional(range(datetime()), 'When the request was answered'),
  },
  beside: async ({ requests, reads, store }, caller, { identifier, time, account, key, by }) => {
    if (identifier === undefined) return {};
    const bounds = boundsOf(time);
    const asked = { account, key, by, ...bounds, seenBy: seenBy(caller) };
    const unnamed = await reads.run(caller.key, () => requests.lastUnnamed(asked));
    const [restored] = (await store.backups.known())?.origins ?? [];
    // Asked again it would be later, and the list lack what lies between.
    const keptSince = requests.keptSince();
    const { from = keptSince } = bounds;
    const kept = Math.max(keptSince, restored?.at ?? 0);
    // What was answered in that millisecond may be missing.
    const since = Math.max(from, kept, unnamed === undefined ? 0 : unnamed + 1);
    const complete = unnamed === undefined && from >= kept;
    return { complete, complete_since: new Date(since).toISOString() };
  },
  find: ({ requests, reads, fingerprints }, { caller }, { identifier, time, ...wanted }) => {
    const sought = identifier === undefined ? undefined : fingerprintsFor(identifier, fingerprints);
    const among = seenBy(caller);
    return reads.run(caller.key, async () => {
      const find = async (request_id: string) =>
        (await requests.refused({ request_id, seenBy: among, limit: 1 }))[0];
      const what = 'request_id of an entry that you may see';
      const after = await entryAfter(wanted.after, find, what);
      return requests.refused({
        ...wanted,
        ...boundsOf(time),
        marks: sought,
        seenBy: among,
        after,
      });
    });
  },
});

export const listActivity = operationsOn(activity, alike).list({
  ...paged,
  cursor: 'cursor',
  summary: 'List activity by hour',
  description: `Counts requests and rows by hour, key, location, resource and outcome, by account, newest hour first. They appear within about ten seconds. ${WHOSE} 45 days.`,
  query: {
    ...ofBoth,
    location: optional(text({}), 'Only entries at this location, by its unique_identifier'),
    region: optional(
      text({ max: 120 }),
      'Only entries at locations of this region, by the settings of locations',
    ),
    hour: optional(range(datetime()), 'The hour in which it was done'),
  },
  find: async (
    { requests, reads, locationsIn },
    { caller },
    { hour, location, region, ...wanted },
  ) => {
    const after = wanted.after === undefined ? undefined : nameIn(wanted.after);
    if (wanted.after !== undefined && after === undefined)
      throw cursorUnknown('cursor of an entry that you may see');
    const { from, to } = boundsOf(hour);
    const query = {
      ...wanted,
      anchors: await locationsIn(caller.scope, location, region),
      after,
      to,
      seenBy: seenBy(caller),
      // The hour that a time lies in.
      from: from === undefined ? undefined : Math.floor(from / HOUR_MS) * HOUR_MS,
    };
    return reads.run(caller.key, () => requests.activity(query));
  },
});

/** Throws where the operator has set no key to make marks with. */
function fingerprintsFor(
  identifier: string,
  fingerprints: IdentifierFingerprints | undefined,
): readonly string[] {
  if (fingerprints !== undefined) return fingerprints.all(identifier);
  throw new ApiError('value_invalid', {
    param: 'identifier',
    message:
      'Requests cannot be found by identifier here: the operator has set no SECRET_KEY_FILE, from which the marks of identifiers are made.',
  });
}

/** Throws where the page starts after an entry that the key may not see, or that was deleted. */
async function entryAfter<Entry>(
  id: string | undefined,
  find: (id: string) => Promise<Entry | undefined>,
  what: string,
): Promise<Entry | undefined> {
  const found = id === undefined ? undefined : await find(id);
  if (id !== undefined && found === undefined) throw cursorUnknown(what);
  return found;
}

const SECOND_MS = 1_000;

/** A time stands for its second; of several bounds the narrowest apply. */
function boundsOf(value: Json | undefined) {
  const range = typeof value === 'string' ? { gte: value, lte: value } : value;
  const bounds: JsonObject = isObject(range) ? range : {};
  const at = (name: string, seconds: number): readonly number[] => {
    const time = bounds[name];
    return typeof time === 'string' ? [Date.parse(time) + seconds * SECOND_MS] : [];
  };
  const later = [...at('gte', 0), ...at('gt', 1)];
  const earlier = [...at('lt', 0), ...at('lte', 1)];
  return {
    from: later.length === 0 ? undefined : Math.max(...later),
    to: earlier.length === 0 ? undefined : Math.min(...earlier),
  };
}

const MAX_PAGE = 1_000;

const on = operationsOn(auditEntry, { tag: 'Audit', needs: { right: 'audit', whole: true } });

export const listAudit = on.list({
  audits: 'list',
  summary: 'List the audit',
  description:
    'Lists who has seen or done what, newest first: what people opened, listed, searched, exported and administered, what API keys read in each hour, and the commands of operators. Entries appear within seconds and are kept for `AUDIT_DAYS`. Writes of records are in the log of changes. As `application/x-ndjson` the answer is the whole list, without `limit`. Needs the right `audit`, which no role has, in whole accounts; you see entries of these accounts, and those of people and keys whose accounts are all among them.',
  query: {
    // Faults are named in this order.
    limit: paging(PAGES).limit,
    account: optional(text({}), 'Only entries of this account, by its unique_identifier'),
    by: optional(text({ max: 100 }), 'Only what this person or key did: stf_… or key_…'),
    record: optional(
      text({ max: 100 }),
      'Only entries on this record, by its unique_identifier: who has seen it',
    ),
    action: optional(choice(...AUDIT_ACTIONS), 'Only entries of this action'),
    time: optional(range(datetime()), 'When it was done'),
  },
  ...PAGES,
  answers: {
    schema: 'AuditList',
    says: 'One page.',
    also: {
      'application/x-ndjson':
        'The whole list instead of a page: each line is an entry. If it ends early, the last line is an error.',
    },
  },
  errors: ['value_invalid'],
  rows: ({ store, reads }, { params }) => {
    const { limit, starting_after, ...wanted } = params();
    if (limit !== undefined) throw new ApiError('value_invalid', { param: 'limit', message: ALL });
    let after: AuditEntry | undefined;
    let more = true;
    return {
      next: async (caller) => {
        if (!more) return undefined;
        const found = await reads.run(caller.key, async () => {
          after ??= await auditAfter(store, starting_after);
          return store.audit.list({ ...queryOf(caller, wanted), after, limit: MAX_PAGE });
        });
        more = found.length === MAX_PAGE;
        after = found.at(-1);
        return found.map((one) => present(auditEntry, one, 'api', 0)).values();
      },
    };
  },
  find: ({ store, reads }, { caller }, { after: starting_after, limit, ...wanted }) =>
    reads.run(caller.key, async () => {
      const after = await auditAfter(store, starting_after);
      return store.audit.list({ ...queryOf(caller, wanted), after, limit });
    }),
});

const ALL =
  'limit is of pages: lines have all entries. Leave it out, or send Accept: application/json to get pages.';

interface AuditFilters extends Omit<AuditQuery, 'seenBy' | 'from' | 'to' | 'after' | 'limit'> {
  readonly time?: Json;
}

const auditAfter = ({ audit }: Pick<Store, 'audit'>, id: string | undefined) =>
  entryAfter(id, audit.find.bind(audit), 'unique_identifier of an entry');

function queryOf(caller: Principal, { time, ...filters }: AuditFilters) {
  return { ...filters, ...boundsOf(time), seenBy: seenBy(caller) };
}
