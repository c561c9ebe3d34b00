/** The operations on sources. */
import { MAX_SOURCE_NAME, source } from '../../../core/objects/source.ts';
import { optional, required, text } from '../../../core/schema/fields/index.ts';
import { SOURCES_RIGHT } from '../../../services/sources/sources.ts';
import { cursorUnknown } from '../../../store/promises/refusals.ts';
import { operationsOn } from '../own.ts';

const on = operationsOn(source, {
  tag: 'Sources',
  needs: { permission: 'write', right: SOURCES_RIGHT, whole: true },
  refusesIdempotencyKey:
    'Sources take no Idempotency-Key: send the request without it. It may be repeated.',
});

export const sourceOperations = [
  on.list({
    needs: { permission: 'read' },
    description:
      'Lists the sources of your accounts, in the order in which they were first seen. Lists of records can be filtered by `source`, and `expand[]=source` shows which source created a record and which changed it last.',
    query: { account: optional(text({}), 'Only sources of this account') },
    limit: 1000,
    errors: ['resource_missing', 'value_invalid'],
    find: async ({ sources }, { caller }, { account, after, limit }) => {
      const all = await sources.list(caller, account);
      const last = all.findIndex(({ unique_identifier }) => unique_identifier === after);
      if (after !== undefined && last < 0)
        throw cursorUnknown('unique_identifier of a source that you may see');
      return all.slice(last + 1, last + 1 + limit);
    },
  }),
  on.change({
    name: 'update_source',
    audits: 'administer',
    summary: 'Rename a source',
    description: `Gives the source another name, which no other source of its account has. Needs a key of the whole account with the right \`sources\`.`,
    body: {
      name: required(
        text({ max: MAX_SOURCE_NAME }),
        'What people call it',
        'Passare at Smith & Sons',
      ),
    },
    errors: ['resource_missing', 'value_invalid'],
    run: ({ sources }, { caller, id, params }) => sources.rename(caller, id, params().name),
  }),
  on.act('merge', {
    audits: 'administer',
    summary: 'Merge a source into another one',
    description: `Merges the source into another one of the account, with its records and its keys. This cannot be undone. Needs a key of the whole account with the right \`sources\`.`,
    body: {
      into: required(
        text({}),
        'unique_identifier of the source that it becomes part of',
        'src_0350hLTg4Qw7ghih1EWE8N',
      ),
    },
    errors: ['resource_missing', 'value_invalid'],
    run: ({ sources }, { caller, id, params, grants }) =>
      sources.merge(caller, id, params().into, grants),
  }),
] as const;
