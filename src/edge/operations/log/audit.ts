/** The operation that lists the audit: who has seen or done what. */
import { ApiError } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import { AUDIT_ACTIONS, auditEntry } from '../../../core/objects/requests/audit-entry.ts';
import { optional } from '../../../core/schema/fields/kind.ts';
import { choice } from '../../../core/schema/fields/kinds/choice.ts';
import { datetime } from '../../../core/schema/fields/kinds/datetime.ts';
import { range } from '../../../core/schema/fields/kinds/range.ts';
import { text } from '../../../core/schema/fields/kinds/text.ts';
import { wholeNumber } from '../../../core/schema/fields/kinds/whole-number.ts';
import { operation, pageOf } from '../operation.ts';
import { boundsOf } from './bounds.ts';

const PATH = '/v1/audit';
const PAGE = 100;
const MAX_PAGE = 1_000;

const [firstAction, ...otherActions] = AUDIT_ACTIONS;

export const listAudit = operation({
  name: 'list_audit',
  tag: 'Audit',
  route: `GET ${PATH}`,
  needs: { right: 'audit', whole: true },
  audits: 'list',
  summary: 'List the audit',
  description:
    'Lists who has seen or done what, newest first: what people opened, listed, searched, exported and administered, what API keys read in each hour, and the commands of operators. Entries appear within seconds and are kept for `AUDIT_DAYS`. Writes of records are in the log of changes. Needs the right `audit`, which no role has, in whole accounts; you see entries of these accounts, and those of people and keys whose accounts are all among them.',
  query: {
    limit: optional(wholeNumber({ min: 1, max: MAX_PAGE }), 'How many entries to return at most'),
    account: optional(text({}), 'Only entries of this account, by its unique_identifier'),
    by: optional(text({ max: 100 }), 'Only what this person or key did: stf_… or key_…'),
    record: optional(
      text({ max: 100 }),
      'Only entries on this record, by its unique_identifier: who has seen it',
    ),
    action: optional(choice(firstAction, ...otherActions), 'Only entries of this action'),
    time: optional(range(datetime()), 'When it was done'),
    starting_after: optional(
      text({}),
      'unique_identifier of the entry after which the page starts',
    ),
  },
  defaults: { limit: PAGE },
  answers: { schema: 'AuditList', says: 'One page.' },
  errors: ['value_invalid'],
  run: async ({ store, reads }, { caller, params }) => {
    const { limit = PAGE, time, starting_after, ...filters } = params();
    const query = { ...filters, ...boundsOf(time), seenBy: caller.scope.accounts };
    const found = await reads.run(caller.key, async () => {
      const after =
        starting_after === undefined ? undefined : await store.audit.find(starting_after);
      if (starting_after !== undefined && after === undefined)
        throw new ApiError('value_invalid', {
          param: 'starting_after',
          message: 'starting_after is not the unique_identifier of an entry.',
        });
      return store.audit.list({ ...query, after, limit: limit + 1 });
    });
    return pageOf(
      PATH,
      found.map((one) => present(auditEntry, one, 'api', 0)),
      limit,
    );
  },
});
