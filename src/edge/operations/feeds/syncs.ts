/** The operations on syncs: everything that a source has, sent again, so that what it left out is removed. */
import { present } from '../../../core/objects/own-object.ts';
import { sync } from '../../../core/objects/transfer/sync.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { optional, required } from '../../../core/schema/fields/kind.ts';
import { boolean } from '../../../core/schema/fields/kinds/boolean.ts';
import { choice } from '../../../core/schema/fields/kinds/choice.ts';
import { text } from '../../../core/schema/fields/kinds/text.ts';
import { wholeNumber } from '../../../core/schema/fields/kinds/whole-number.ts';
import type { ShownSync } from '../../../services/syncs/syncs.ts';
import { type Operation, operation, pageOf } from '../operation.ts';

const PATH = '/v1/syncs';
const ONE = `${PATH}/:unique_identifier` as const;
const PAGE = 100;
const MAX_PAGE = 1000;

const shown = ({ at, ...one }: ShownSync) => present(sync, one, 'api', at);

const all = {
  tag: 'Syncs',
  answers: { schema: 'Sync', says: 'The sync.' },
  refusesIdempotencyKey:
    'Syncs take no Idempotency-Key: send the request without it. It may be repeated.',
} as const;
const one = { ...all, id: { says: 'Identifier of the sync', prefix: 'syn_' } } as const;

const atMost = optional(
  text({ max: 20 }),
  'The greatest share of the records of the source there that may be removed, or ten; 5% where it is left out',
  '5%',
);

export function syncOperations(resources: readonly Resource[]): readonly Operation[] {
  const [first = '', ...others] = resources
    .filter(({ parent }) => parent !== undefined)
    .map(({ name }) => name);
  return [
    operation({
      ...all,
      name: 'begin_sync',
      route: `POST ${PATH}`,
      needs: { permission: 'write' },
      summary: 'Begin a sync',
      description:
        'Begins a sync of a resource at a location, or in a whole account. Send everything that you have there with the header `Ledgerstone-Sync`, and finish it: what your source made there and did not send is removed. An open sync of the same source, resource and place is replaced. The key needs the permissions to write and to delete.',
      body: {
        resource: required(choice(first, ...others), 'What you send', 'event'),
        account: optional(text({}), 'The account, where you send all of it'),
        location: optional(
          text({}),
          'The location, where you send all of it',
          'loc_0350hLTg4Qw7ghih1EWE8N',
        ),
        at_most: atMost,
      },
      sends: { resource: 'event', location: 'loc_0350hLTg4Qw7ghih1EWE8N' },
      errors: ['resource_missing', 'location_not_permitted', 'value_invalid'],
      run: async ({ syncs }, { caller, params, done }) => {
        const { account, location, at_most, resource } = params();
        const begun = await syncs.begin(caller, {
          resource,
          account: account ?? undefined,
          location: location ?? undefined,
          at_most: at_most ?? undefined,
        });
        done({ account: begun.account, unique_identifier: begun.unique_identifier });
        return shown(begun);
      },
    }),
    operation({
      tag: 'Syncs',
      name: 'list_syncs',
      route: `GET ${PATH}`,
      needs: { permission: 'read' },
      summary: 'List syncs',
      description: 'Lists the syncs of the last 90 days, newest first.',
      query: {
        account: optional(text({}), 'Only those of this account'),
        limit: optional(
          wholeNumber({ min: 1, max: MAX_PAGE }),
          `How many to return at most; ${PAGE} where it is left out`,
        ),
        starting_after: optional(text({}), 'unique_identifier of the last one of the page before'),
      },
      answers: { schema: 'SyncList', says: 'The syncs.' },
      errors: ['resource_missing'],
      run: async ({ syncs }, { caller, params }) => {
        const { account, limit = PAGE, starting_after: before } = params();
        const found = await syncs.list(caller, { account, limit: limit + 1, before });
        return pageOf(PATH, found.map(shown), limit);
      },
    }),
    operation({
      ...one,
      name: 'retrieve_sync',
      route: `GET ${ONE}`,
      needs: { permission: 'read' },
      summary: 'Read a sync',
      description: 'Answers a sync: what it removed, and what it left and why.',
      errors: ['resource_missing'],
      run: async ({ syncs }, { caller, id }) => shown(await syncs.find(caller, id)),
    }),
    operation({
      ...one,
      name: 'finish_sync',
      route: `POST ${ONE}/finish`,
      needs: { permission: 'delete' },
      summary: 'Finish a sync',
      description:
        'Removes what the source of the sync made there and did not send, with what belongs to it. Records that another source or a person made or changed last stay, and so do those with such records below them: `left` names them. Where more would go than `at_most`, nothing is removed. With `dry_run`, nothing is, and the sync stays open. Many removals go on after the answer, whose status is `finishing` then: send it again, or read the sync, until it is `finished`. Sending it again does no harm.',
      body: {
        at_most: atMost,
        dry_run: optional(boolean(), 'Only tell what would be removed, and what would stay', true),
      },
      sends: { dry_run: true },
      errors: ['resource_missing', 'sync_ended', 'sync_mismatch', 'sync_removes_too_much'],
      run: async ({ syncs }, { caller, id, params, authenticate, done }) => {
        const { at_most, dry_run } = params();
        const finished = await syncs.finish(caller, id, {
          ...{ at_most: at_most ?? undefined, dry_run: dry_run === true, still: authenticate },
        });
        done({ account: finished.account });
        return shown(finished);
      },
    }),
    operation({
      ...one,
      name: 'undo_sync',
      route: `POST ${ONE}/undo`,
      needs: { permission: 'write' },
      summary: 'Undo a sync',
      description:
        'Restores what a sync removed, for 30 days after it began. Records whose identifiers others have by now stay removed. It goes on after the answer where there is much to restore: the status is `undoing` then. Send it again, or read the sync, until it is `undone`.',
      errors: ['resource_missing', 'sync_ended', 'sync_mismatch', 'changes_expired'],
      run: async ({ syncs }, { caller, id, done }) => {
        const undone = await syncs.undo(caller, id);
        done({ account: undone.account });
        return shown(undone);
      },
    }),
  ];
}
