/** The operations on removals: the list of what was removed, one of them, and its restore. */
import type { Resource } from '../../core/schema/define.ts';
import { optional, text } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { writeParams } from '../../core/schema/parse/parse.ts';
import { type Operation, operation, someOf } from './operation.ts';
import { listText, paging } from './pages.ts';

const PAGE = { limit: 50, max: 100 };
const PATH = '/v1/removals';
const TAG = 'Changes';
const SAYS = 'The answer.';

type ShownRemoval = Readonly<
  Record<'key' | 'name', string | null> & Record<'external_identifier', string>
>;
const on = {
  name: 'removal',
  fields: {},
  printed: {
    columns: [
      'unique_identifier',
      ['REMOVED', 'removed_at'],
      'resource',
      ['RECORDS', 'count'],
      ['BY', ({ key }: ShownRemoval) => key ?? 'operator'],
      ['NAME', ({ name, external_identifier: id }: ShownRemoval) => name ?? id],
    ],
    none: 'There are no removals that can be restored.',
  },
} as const;

const id = {
  says: 'Identifies the removal: `unique_identifier` in the list of removals, `Ledgerstone-Removal` in the answer to a DELETE',
  prefix: 'rem_',
} as const;

function filtersOf(resources: readonly Resource[]) {
  return {
    account: optional(
      text({}),
      'unique_identifier of the account; optional if the API key has only one',
    ),
    q: optional(
      text({ max: 200 }),
      'Only removals of a record with these words, or parts of words, or with them in its external_identifier',
    ),
    resource: someOf(
      resources.filter(({ parent }) => parent !== undefined).map(({ name }) => name),
      'Only removals of records of these resources',
    ),
    location: optional(text({}), 'Only removals at this location, by its unique_identifier'),
    record: optional(text({}), 'Only the removal that took this record, by its unique_identifier'),
    ...paging(PAGE),
    starting_after: optional(text({}), '`position` of the previous page'),
  } as const satisfies Members;
}

export function removalOperations(resources: readonly Resource[]): readonly Operation[] {
  return [
    operation({
      tag: TAG,
      on,
      name: 'list_removals',
      audits: 'list',
      route: `GET ${PATH}`,
      needs: { permission: 'read' },
      summary: 'List removals',
      description:
        'Lists the removals that can be restored, newest first. A removal stays in the list until it is restored or the log of changes no longer reaches back to it.',
      query: filtersOf(resources),
      answers: { schema: 'RemovalList', says: SAYS },
      errors: ['value_invalid', 'parameter_missing', 'resource_missing', 'position_unknown'],
      run: async ({ removals }, { caller, params }) => {
        const { resource, limit = PAGE.limit, ...filters } = params();
        const resources = resource && new Set(resource);
        const page = await removals.page(caller, { ...filters, resources, limit });
        const { removals: shown, position } = page;
        const texts = shown.map(({ text }) => text);
        const positionAfter = (at: number) => shown[at]?.id ?? null;
        return listText(PATH, texts, page.more, { position, positionAfter });
      },
    }),
    operation({
      tag: TAG,
      on,
      id,
      name: 'retrieve_removal',
      audits: 'read',
      route: `GET ${PATH}/:unique_identifier`,
      needs: { permission: 'read' },
      summary: 'Read a removal',
      description: 'Returns a removal, while it can be restored.',
      answers: { schema: 'Removal', says: SAYS },
      errors: ['removal_missing'],
      run: ({ removals }, { caller, id }) => removals.one(caller, id),
    }),
    operation({
      tag: TAG,
      id,
      name: 'restore_removal',
      route: `POST ${PATH}/:unique_identifier/restore`,
      needs: { permission: 'write' },
      summary: 'Restore a removal',
      description:
        'Restores the removed record and everything that was removed with it, each in its last version and with its `unique_identifier`. If another record has its identifiers by now, it stays removed, the answer names it, and what belonged to it goes below the other one. If you are interrupted, send the request again: it continues where it stopped. The key needs the permissions `read` and `write`.',
      query: { dry_run: writeParams.dry_run },
      answers: { schema: 'RestoredRemoval', says: SAYS, headers: ['Ledgerstone-Dry-Run'] },
      errors: ['removal_missing', 'location_not_permitted'],
      run: async ({ removals, restoreRemoval }, { caller, id, params, ...call }) => {
        const { dry_run = false } = params();
        const removal = await removals.find(caller, id);
        const options = { dry_run, caller: call.authenticate };
        const restored = await restoreRemoval(caller, removal, options);
        call.done({ account: removal.account });
        if (dry_run) call.header('Ledgerstone-Dry-Run', 'true');
        return { object: 'restored_removal', unique_identifier: id, ...restored };
      },
    }),
  ];
}
