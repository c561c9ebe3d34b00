/** The operation that lists the audit: who has seen or done what. */
import { ApiError } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import {
  AUDIT_ACTIONS,
  type AuditEntry,
  auditEntry,
} from '../../../core/objects/requests/audit-entry.ts';
import { choice, datetime, optional, text } from '../../../core/schema/fields/index.ts';
import { range } from '../../../core/schema/fields/kinds/range.ts';
import type { Json } from '../../../core/schema/values.ts';
import { type Principal, seenBy } from '../../../records/auth/principal.ts';
import type { AuditQuery } from '../../../store/books/log/audit.ts';
import type { Store } from '../../../store/promises/store.ts';
import { cursorUnknown } from '../operation.ts';
import { operationsOn, paging } from '../own.ts';
import { boundsOf } from './requests.ts';

const MAX_PAGE = 1_000;
const PAGES = { limit: 100, max: MAX_PAGE };

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
          after ??= await entryAfter(store, starting_after);
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
      const after = await entryAfter(store, starting_after);
      return store.audit.list({ ...queryOf(caller, wanted), after, limit });
    }),
});

const ALL =
  'limit is of pages: lines have all entries. Leave it out, or send Accept: application/json to get pages.';

interface AuditFilters extends Omit<AuditQuery, 'seenBy' | 'from' | 'to' | 'after' | 'limit'> {
  readonly time?: Json;
}

function queryOf(caller: Principal, { time, ...filters }: AuditFilters) {
  return { ...filters, ...boundsOf(time), seenBy: seenBy(caller) };
}

async function entryAfter(
  { audit }: Pick<Store, 'audit'>,
  starting_after: string | undefined,
): Promise<AuditEntry | undefined> {
  if (starting_after === undefined) return undefined;
  const found = await audit.find(starting_after);
  if (found !== undefined) return found;
  throw cursorUnknown('unique_identifier of an entry');
}
