/** The operations on syncs: everything that a source has, sent again, so that what it left out is removed. */
import { present } from '../../../core/objects/own-object.ts';
import { sync } from '../../../core/objects/transfer/sync.ts';
import type { Resource } from '../../../core/schema/define.ts';
import {
  choice,
  datetime,
  list,
  optional,
  required,
  text,
  wish,
} from '../../../core/schema/fields/index.ts';
import type { Kind } from '../../../core/schema/fields/kind.ts';
import type { ShownSync } from '../../../services/syncs/syncs.ts';
import type { Operation } from '../operation.ts';
import { operationsOn } from '../own.ts';

const on = operationsOn(sync, {
  tag: 'Syncs',
  show: ({ at, ...one }: ShownSync) => present(sync, one, 'api', at),
  refusesIdempotencyKey:
    'Syncs take no Idempotency-Key: send the request without it. It may be repeated.',
});

const atMost = optional(
  text({ max: 20 }),
  'The greatest share that may be removed, of the records of the source there and of those that belong to such records; ten with up to 1,000 that belong to them always may. 5% where it is left out',
  '5%',
);

const requests = list(text({ max: 100 }), { min: 1, max: 1000 });
const ONE = '^(?:all$|req_)';

/** An array of requests, or of `all`; one of these may stand alone. */
const despite: Kind<string[]> = {
  ...requests,
  name: 'array of requests, or all',
  read: (sent, at, reading) => {
    const isOne = typeof sent === 'string' && new RegExp(ONE).test(sent);
    return isOne ? [sent] : requests.read(sent, at, reading);
  },
};

export function syncOperations(resources: readonly Resource[]): readonly Operation[] {
  const sent = resources.filter(({ parent }) => parent !== undefined).map(({ name }) => name);
  return [
    on.create({
      name: 'begin_sync',
      uncommanded: 'Who begins it sends records next: `import --sync` does both.',
      needs: { permission: 'write' },
      summary: 'Begin a sync',
      description:
        'Begins a sync of a resource at a location, or in a whole account. Send everything that you have there with the header `Ledgerstone-Sync`, and finish it: what your source made there and did not send is removed. An open sync of the same source, resource and place is replaced. The key needs the permissions to write and to delete.',
      body: {
        resource: required(choice(...sent), 'What you send', 'event'),
        account: optional(text({}), 'The account, where you send all of it'),
        location: optional(
          text({}),
          'The location, where you send all of it',
          'loc_0350hLTg4Qw7ghih1EWE8N',
        ),
        at_most: atMost,
        as_of: optional(
          datetime({ precise: true }),
          'When the data was taken, such as the export; not after now. What your source changed after that stays: it is not removed, and no row goes over it. Left out: the moment at which the sync begins',
          '2026-11-20T01:00:00Z',
        ),
      },
      sends: { resource: 'event', location: 'loc_0350hLTg4Qw7ghih1EWE8N' },
      errors: ['resource_missing', 'location_not_permitted', 'value_invalid'],
      run: ({ syncs }, { caller, params }) => {
        const { account, location, at_most, as_of, resource } = params();
        return syncs.begin(caller, {
          resource,
          account: account ?? undefined,
          location: location ?? undefined,
          at_most: at_most ?? undefined,
          as_of: as_of ?? undefined,
        });
      },
    }),
    on.list({
      needs: { permission: 'read' },
      description: 'Lists the syncs of the last 90 days, newest first.',
      limit: 100,
      max: 1000,
      query: { account: optional(text({}), 'Only those of this account') },
      errors: ['resource_missing'],
      find: ({ syncs }, { caller }, { account, after: before, limit }) =>
        syncs.list(caller, { account, limit, before }),
    }),
    on.get({
      name: 'retrieve_sync',
      audits: 'read',
      needs: { permission: 'read' },
      description: 'Answers a sync: what it removed, and what it left and why.',
      run: ({ syncs }, { caller, id }) => syncs.find(caller, id),
    }),
    on.act('finish', {
      audits: 'read',
      needs: { permission: 'delete' },
      summary: 'Finish a sync',
      description:
        'Removes what the source of the sync made there and did not send, with what belongs to it. Records that another source or a person made or changed last stay, and so do those with such records below them: `left` names them. Where something that was sent was not taken (`doubts`), or more would go than `at_most`, of the whole or at a location, nothing is removed. With `dry_run`, nothing is, and the sync stays open. Many removals go on after the answer, whose status is `finishing` then: send it again, or read the sync, until it is `finished`. Sending it again does no harm.',
      body: {
        at_most: atMost,
        despite: optional(
          despite,
          'Requests of which something was not taken and that may be left out, `req_…`, or `all`: what they did not say is removed as if it were not there',
        ),
        dry_run: optional(wish(), 'Only tell what would be removed, and what would stay', true),
      },
      sends: { dry_run: true },
      errors: [
        'resource_missing',
        'sync_ended',
        'sync_mismatch',
        'sync_in_doubt',
        'sync_removes_too_much',
      ],
      run: ({ syncs }, { caller, id, params, authenticate: still }) => {
        const { at_most, dry_run, despite } = params();
        return syncs.finish(caller, id, {
          at_most: at_most ?? undefined,
          dry_run: dry_run === true,
          despite: despite ?? undefined,
          still,
        });
      },
    }),
    on.act('undo', {
      audits: 'read',
      needs: { permission: 'write' },
      summary: 'Undo a sync',
      description:
        'Restores what a sync removed, for 30 days after it began. Records whose identifiers others have by now stay removed, and what belonged to them goes below the others. What stays removed is in `left`, with the reason. It goes on after the answer where there is much to restore: the status is `undoing` then. Send it again, or read the sync, until it is `undone`.',
      errors: ['resource_missing', 'sync_ended', 'sync_mismatch', 'changes_expired'],
      run: ({ syncs }, { caller, id }) => syncs.undo(caller, id),
    }),
  ];
}
