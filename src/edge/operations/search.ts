/** The operations that search all resources. */

import { expanded, expandNames, type Resource } from '../../core/schema/define.ts';
import { optional, required, text, wholeNumber } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { saidIn, saidParams } from '../../core/schema/parse/parse-list.ts';
import { readDigits } from '../../core/schema/phones/numbers.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import {
  type None,
  type Operation,
  type OperationCall,
  operation,
  type Services,
  someOf,
  type Values,
} from './operation.ts';

const MAX_LIMIT = 50;
const FOUND = 10;

const SAYS =
  'Finds records by words of names (their beginnings, in any order; words of five or more letters may have one wrong letter), by a phone number or its last four or more digits, and by a whole email address, external_identifier or unique_identifier. Only what the key may read is searched. A new record may take a few seconds to be found by its words and digits; removed records and old contents are never shown.';

function filtersOf(resources: readonly Resource[]) {
  const searched = resources.filter(({ shape }) => shape.searched !== undefined);
  return {
    q: required(
      text({ max: 200 }),
      'Beginnings of words in names, a phone number or its last four or more digits, an email address, or an identifier',
      'doe jane',
    ),
    resource: someOf(
      searched.map(({ name }) => name),
      'Only records of these resources',
    ),
    limit: optional(
      wholeNumber({ min: 1, max: MAX_LIMIT }),
      `Maximum number of records of each resource to return; ${FOUND} by default`,
    ),
    account: optional(text({}), 'Only records of this account, by its unique_identifier'),
    location: optional(text({}), 'Only this location and its records, by its unique_identifier'),
    region: optional(
      text({ max: 120 }),
      'Only locations of this region and their records, by the settings of locations',
    ),
    expand: someOf(
      [...new Set(resources.flatMap(expandNames))],
      'Include what the records belong to, or the identifiers of it',
    ),
    ...(Object.assign({}, ...searched.map(saidParams)) as Record<never, never>),
  } as const satisfies Members;
}

/** Search by query, and by body so that what people type is in no address: proxies and browsers store those. */
export function searchOperations(resources: readonly Resource[]): readonly Operation[] {
  const members = filtersOf(resources);
  const shared = {
    tag: 'Search',
    answers: {
      schema: 'SearchFindings',
      says: 'The matches by resource. Resources without matches are omitted.',
    },
    errors: ['resource_missing'],
    audits: 'search',
  } as const;
  const search = (
    services: Pick<Services, 'search'>,
    { caller, timing, isGone, done }: Omit<OperationCall<JsonObject>, 'params'>,
    values: Values<typeof members, None>,
  ) => {
    const { q, limit, resource, account, location, region, expand } = values;
    done({ what: kindOf(q) });
    const options = {
      q,
      limit: limit ?? FOUND,
      account,
      location,
      region: region?.trim(),
      resources: resource && new Set(resource),
      said: (one: Resource) => saidIn(one, values),
      expand: (one: Resource) => expanded(one, expand ?? []),
    };
    return services.search(caller, options, timing, isGone);
  };
  return [
    operation({
      ...shared,
      name: 'search',
      route: 'GET /v1/search',
      summary: 'Search records by query',
      description: `${SAYS} Proxies log queries and browsers store them: where q is a name, a phone number or an email address, send it by POST.`,
      query: members,
      defaults: { limit: FOUND },
      // A query that is empty has no members, and lacks none of them.
      check: ({ q }, faults) => {
        if (q === undefined && faults.count === 0)
          faults.add(
            'q',
            'parameter_missing',
            'q is missing: send what to look for, such as q=doe.',
          );
      },
      run: (services, call) => search(services, call, call.params()),
    }),
    operation({
      ...shared,
      name: 'search_by_body',
      sameAs: 'search',
      route: 'POST /v1/search',
      summary: 'Search records',
      description: `${SAYS} Nothing is written, and the query is not part of any URL.`,
      body: members,
      sends: { q: 'doe jane' },
      run: (services, call) => {
        const sent = Object.entries(call.params()).filter(([, value]) => value !== null);
        return search(services, call, Object.fromEntries(sent) as Values<typeof members, None>);
      },
    }),
  ];
}

/** The kinds of criteria that were searched by, for the audit: never the text. */
function kindOf(q: string): string {
  if (q.includes('@')) return 'email_address';
  if (/^[a-z]+_[0-9A-Za-z]{22}$/.test(q.trim())) return 'unique_identifier';
  return readDigits(q) === undefined ? 'name' : 'phone_number';
}
