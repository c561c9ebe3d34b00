/** The operations on sources: who sends, whatever API keys they use. */
import { ApiError } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import { MAX_SOURCE_NAME, source } from '../../../core/objects/source.ts';
import { optional, required } from '../../../core/schema/fields/kind.ts';
import { text } from '../../../core/schema/fields/kinds/text.ts';
import { wholeNumber } from '../../../core/schema/fields/kinds/whole-number.ts';
import type { Members } from '../../../core/schema/fields/members.ts';
import { SOURCES_RIGHT, type SourceWithKeys } from '../../../services/sources/sources.ts';
import { listOf, operation } from '../operation.ts';

const PATH = '/v1/sources';
const ONE = `${PATH}/:unique_identifier` as const;
const PAGE = 1000;

const shown = (one: SourceWithKeys) => present(source, one, 'api', 0);

const change = {
  tag: 'Sources',
  id: { says: 'Identifier of the source', prefix: 'src_' },
  needs: { permission: 'write', right: SOURCES_RIGHT, whole: true },
  refusesIdempotencyKey:
    'Sources take no Idempotency-Key: send the request without it. It may be repeated.',
  answers: { schema: 'Source', says: 'The source.' },
  errors: ['resource_missing', 'value_invalid'],
} as const;

const NEEDS = 'Needs a key of the whole account with the right `sources`.';

const page = {
  account: optional(text({}), 'Only sources of this account'),
  limit: optional(
    wholeNumber({ min: 1, max: PAGE }),
    `Maximum number to return; ${PAGE} by default`,
  ),
  starting_after: optional(text({}), 'unique_identifier of the last one of the page before'),
} as const satisfies Members;

export const listSources = operation({
  tag: 'Sources',
  name: 'list_sources',
  route: `GET ${PATH}`,
  needs: { permission: 'read' },
  summary: 'List sources',
  description:
    'Lists the sources of your accounts, in the order in which they were first seen. Lists of records can be filtered by `source`, and `expand[]=source` shows which source created a record and which changed it last.',
  query: page,
  answers: { schema: 'SourceList', says: 'The sources.' },
  errors: ['resource_missing', 'value_invalid'],
  run: async ({ sources }, { caller, params }) => {
    const { account, limit = PAGE, starting_after } = params();
    const all = await sources.list(caller, account);
    const last = all.findIndex(({ unique_identifier }) => unique_identifier === starting_after);
    if (starting_after !== undefined && last < 0) {
      throw new ApiError('value_invalid', {
        param: 'starting_after',
        message: 'starting_after is not the unique_identifier of a source that you may see.',
      });
    }
    const rest = all.slice(last + 1);
    return listOf(PATH, rest.slice(0, limit).map(shown), rest.length > limit);
  },
});

export const updateSource = operation({
  ...change,
  name: 'update_source',
  audits: 'administer',
  route: `PATCH ${ONE}`,
  summary: 'Rename a source',
  description: `Gives the source another name, which no other source of its account has. ${NEEDS}`,
  body: {
    name: required(
      text({ max: MAX_SOURCE_NAME }),
      'What people call it',
      'Passare at Smith & Sons',
    ),
  },
  run: async ({ sources }, { caller, id, params, done }) => {
    const renamed = await sources.rename(caller, id, params().name);
    done({ account: renamed.account });
    return shown(renamed);
  },
});

export const mergeSource = operation({
  ...change,
  name: 'merge_source',
  audits: 'administer',
  route: `POST ${ONE}/merge`,
  summary: 'Merge a source into another one',
  description: `Merges the source into another one of the account, with its records and its keys. This cannot be undone. ${NEEDS}`,
  body: {
    into: required(
      text({}),
      'unique_identifier of the source that it becomes part of',
      'src_0350hLTg4Qw7ghih1EWE8N',
    ),
  },
  run: async ({ sources }, { caller, id, params, done, grants }) => {
    const merged = await sources.merge(caller, id, params().into, grants);
    done({ account: merged.account });
    return shown(merged);
  },
});

export const sourceOperations = [listSources, updateSource, mergeSource] as const;
