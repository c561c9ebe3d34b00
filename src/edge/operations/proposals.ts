/** The operations on corrections: the pins of a record, and the proposals of sources for what staff corrected. */
import type { Resource } from '../../core/schema/define.ts';
import { choice, optional, text } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { inWords } from '../../core/schema/present/words.ts';
import { type Operation, operation, someOf } from './operation.ts';
import { listText, paging } from './pages.ts';

const PAGE = { limit: 50, max: 100 };
const PATH = '/v1/proposals';
const TAG = 'Corrections';
const SAYS = 'The answer.';
const MAY =
  'Allowed for people with the permission `write`, and for keys with it that were created with `--allow pin`.';
const NO_KEY = 'It takes no Idempotency-Key: send the request without it. It may be repeated.';

function pinOperations(resource: Resource): readonly Operation[] {
  const { name, path, prefix } = resource;
  const route = `/v1/${path}/:unique_identifier/pins` as const;
  const one = {
    tag: TAG,
    ofRecords: true,
    id: { says: `Identifies the ${name}`, prefix },
    answers: { schema: 'PinList', says: 'The pins of the record.' },
  } as const;
  return [
    operation({
      ...one,
      name: `list_${name}_pins`,
      audits: 'read',
      route: `GET ${route}`,
      needs: { permission: 'read' },
      summary: `List the pins of ${inWords(path)}`,
      description:
        'Lists the pins of the record: the members that a person corrected. Values that sources send for them are not stored, but proposed.',
      errors: ['resource_missing'],
      run: async ({ proposals }, { caller, id }) =>
        listText(`/v1/${path}/${id}/pins`, await proposals.pins(caller, resource, id), false),
    }),
    operation({
      ...one,
      name: `delete_${name}_pin`,
      route: `DELETE ${route}/:member`,
      needs: { permission: 'write' },
      summary: `End a pin of ${inWords(path)}`,
      description: `Ends the pin of a member, by its dotted name. The stored value stays until a source sends another one. An open proposal for it ends, too. ${MAY}`,
      inPath: { member: 'The dotted name of the member, such as `visitor_full_name`' },
      errors: ['resource_missing', 'pin_missing', 'location_not_permitted'],
      refusesIdempotencyKey: NO_KEY,
      run: async ({ proposals, decide }, { caller, id, inPath: { member = '' }, done }) => {
        done(await decide(caller, resource, id, { lift: member }));
        return listText(
          `/v1/${path}/${id}/pins`,
          await proposals.pins(caller, resource, id),
          false,
        );
      },
    }),
  ];
}

function filtersOf(resources: readonly Resource[]) {
  return {
    account: optional(text({}), 'Only proposals in this account, by its unique_identifier'),
    location: optional(text({}), 'Only proposals at this location, by its unique_identifier'),
    region: optional(text({}), 'Only proposals at locations of this region'),
    resource: someOf(
      resources.map(({ name }) => name),
      'Only proposals for records of these resources',
    ),
    source: optional(text({}), 'Only proposals of this source, by its unique_identifier'),
    record: optional(text({}), 'Only proposals for this record, by its unique_identifier'),
    status: optional(
      choice('open'),
      'Only `open`, as by default: the history of a record shows what was decided',
    ),
    ...paging(PAGE),
  } as const satisfies Members;
}

const DECISIONS = {
  accept: {
    status: 'accepted',
    summary: 'Accept a proposal',
    description:
      'Stores the value that the source sent. The pin ends: from now on the source decides.',
  },
  keep: {
    status: 'kept',
    summary: 'Keep what staff entered',
    description:
      'Leaves the record as it is. The value that the source sent is remembered, and is not proposed again.',
  },
} as const;

function decideOperation(what: keyof typeof DECISIONS): Operation {
  const { status, summary, description } = DECISIONS[what];
  return operation({
    tag: TAG,
    id: { says: 'Identifies the proposal', prefix: 'prp_' },
    name: `${what}_proposal`,
    route: `POST ${PATH}/:unique_identifier/${what}`,
    needs: { permission: 'write' },
    summary,
    description: `${description} ${MAY}`,
    answers: { schema: 'Proposal', says: SAYS, example: { status } },
    errors: ['resource_missing', 'proposal_decided', 'location_not_permitted'],
    refusesIdempotencyKey: NO_KEY,
    run: async ({ proposals, decide }, { caller, id, done }) => {
      const proposed = await proposals.find(caller, id);
      const { resource, record } = proposed;
      const decision = what === 'accept' ? { accept: id } : { keep: id };
      const { account } = await decide(caller, resource, record.unique_identifier, decision);
      done({ account });
      return proposals.shown(caller, proposed, status);
    },
  });
}

export function proposalOperations(resources: readonly Resource[]): readonly Operation[] {
  const written = resources.filter(({ parent }) => parent !== undefined);
  return [
    ...written.flatMap(pinOperations),
    operation({
      tag: TAG,
      name: 'list_proposals',
      audits: 'list',
      route: `GET ${PATH}`,
      needs: { permission: 'read' },
      summary: 'List proposals',
      description:
        'Lists the open proposals: other values that sources sent for members that staff corrected, by resource, newest records first.',
      query: filtersOf(written),
      answers: { schema: 'ProposalList', says: SAYS },
      errors: ['value_invalid', 'resource_missing', 'position_unknown'],
      run: async ({ proposals }, { caller, params, isGone }) => {
        const { resource, region, limit = PAGE.limit, ...filters } = params();
        const resources = resource && new Set(resource);
        const page = await proposals.page(
          caller,
          { ...filters, region: region?.trim(), resources, limit },
          isGone,
        );
        return listText(PATH, page.proposals, page.more);
      },
    }),
    decideOperation('accept'),
    decideOperation('keep'),
  ];
}
