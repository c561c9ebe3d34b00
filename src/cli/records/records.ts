/** `ledgerstone records`: finds, lists and shows records, and what happened to them. */
import type { ListColumns } from '../../core/objects/own-object.ts';
import { anchorShape, resourceOf, resources } from '../../core/registry.ts';
import type { Resource } from '../../core/schema/define.ts';
import { optional, text } from '../../core/schema/fields/index.ts';
import { titleOf } from '../../core/schema/present/display.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { searchOperations } from '../../edge/operations/search.ts';
import type { CommandOperation } from '../derived/performer.ts';
import { type At, addDerived, type Options } from '../derived.ts';
import { type Command, optionsOf } from '../help.ts';
import { accountsOrOpen } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { historyLines } from './lines.ts';
import { getOf, historyOf, listOf } from './operations.ts';

type Groups = readonly { readonly data: readonly { readonly record: JsonObject }[] }[];

/** The operations of which each resource has its own. */
const RECORDS = '/v1/records';
const OF_ALL: readonly CommandOperation[] = [
  {
    name: 'list',
    route: `GET ${RECORDS}`,
    query: {
      account: optional(text({}), 'The account'),
      location: optional(text({}), 'Only records at this location, by its unique_identifier'),
      region: optional(text({}), 'Only records at locations of this region'),
      source: optional(text({}), 'Only records of this source, by its unique_identifier'),
      order: optional(text({}), 'The field to sort by; a minus sign before it reverses the order'),
    },
  },
  { name: 'show', route: `GET ${RECORDS}/:unique_identifier` },
  { name: 'history', route: `GET ${RECORDS}/:unique_identifier/history` },
];

const NAMES = resources.map(({ path }) => path).join(', ');

const COLUMNS: ListColumns = [
  'unique_identifier',
  'external_identifier',
  ['NAME', nameOf],
  ['UPDATED', 'updated_at'],
];

export function addRecords(program: Command): void {
  addDerived(program, {
    name: 'records',
    says: 'Find, list and show records, and what happened to them',
    one: 'record',
    operations: [...OF_ALL, ...searchOperations(resources)],
    takes: ['query'],
    commands: {
      'list <resource>': {
        says: `List records of a resource: ${NAMES}`,
        options: optionsOf({
          '--where <filter...>': 'Filters of the list in the API, such as name=value',
        }),
        most: 100,
        members: oneAccount,
        runs: (at) => {
          const { account } = at.members as { readonly account?: string };
          return at.every(listing(at), { id: '', members: {}, account });
        },
        columns: COLUMNS,
        examples: {
          'events --account acct_… --location loc_…': 'The services of a location',
          'events --account acct_… --where "event_datetime[gte]=2026-11-20T00:00:00Z"':
            'Those of some time',
        },
      },
      'find <words>': {
        of: 'search_by_body',
        says: 'Find records by words of names, the end of a phone number, an email address or an identifier',
        flags: { q: false, expand: false },
        members: async (options, at) => ({ ...(await oneAccount(options, at)), q: at.id }),
        runs: async ({ call }) => {
          const { data } = await call<{ data: Groups }>('search_by_body', { id: '' });
          return data.flatMap((group) => group.data.map(({ record }) => record));
        },
        columns: [['RESOURCE', 'object'], ...COLUMNS],
        none: 'Nothing was found.',
        examples: { '"doe jane" --account acct_…': 'Find a person by name' },
      },
      'show <id>': {
        says: 'Show a record',
        runs: (at) => at.call(getOf(resourceFor(at))),
        examples: { 'evt_…': 'See what it holds' },
      },
      'history <id>': {
        says: 'Print what happened to a record, newest first: who changed which member, and when. Also works for a removed record',
        runs: (at) => at.every(historyOf(resourceFor(at))),
        each: (entry, { directory }) => historyLines(entry, directory.who),
        examples: { 'evt_…': 'See who changed what, and when' },
      },
    },
  });
}

function nameOf(one: JsonObject): unknown {
  const resource = resources.find(({ name }) => name === one.object);
  return one.name ?? (resource && titleOf(resource, one));
}

/** The account: who reads the records of one stands in its audit. */
async function oneAccount({ account }: Options, { directory, here }: At): Promise<object> {
  if (account !== undefined || here === undefined) return {};
  const [only, ...others] = await accountsOrOpen(directory, undefined);
  if (others.length > 0) throw new Mistake('--account is required: there are several accounts.');
  return { account: only?.unique_identifier };
}

/** The list of a resource, with the filters that the options say. */
function listing({ id, members, options, here }: At): CommandOperation {
  const resource = resources.find(({ path, name }) => path === id || name === id);
  if (resource === undefined)
    throw new Mistake(`There is no resource ${JSON.stringify(id)}: there are ${NAMES}.`);
  const { account, location, ...others } = members as Readonly<Record<string, string>>;
  if (here === undefined && account !== undefined && !resource.anchor)
    throw new Mistake('A service lists these records by --location, not by --account.');
  const filters = new URLSearchParams();
  const named = {
    ...(resource.anchor ? { account_unique_identifier: account } : {}),
    [`${anchorShape.resource}_unique_identifier`]: location,
    ...others,
  };
  for (const [name, value] of Object.entries(named))
    if (value !== undefined) filters.append(name, value);
  for (const filter of (options.where ?? []) as readonly string[]) {
    const [, name = '', value] = /^([^=]+)=(.*)$/s.exec(filter) ?? [];
    if (value === undefined) throw new Mistake('--where must be a filter, such as name=value.');
    filters.append(name, value);
  }
  return listOf(resource, filters);
}

/** The resource of the record that the command names. */
function resourceFor({ id, missing }: At): Resource {
  const resource = resourceOf(id);
  if (resource === undefined) throw missing('record');
  return resource;
}
