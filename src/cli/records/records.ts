/** `ledgerstone records`: finds, lists and shows records, and what happened to them. */
import { anchorShape, resourceOf, resources } from '../../core/registry.ts';
import type { Resource } from '../../core/schema/define.ts';
import { optional, text } from '../../core/schema/fields/index.ts';
import { stringify } from '../../core/schema/json/json.ts';
import { titleOf } from '../../core/schema/present/display.ts';
import type { Json, JsonObject } from '../../core/schema/values.ts';
import { listText, type OperationCall } from '../../edge/operations/operation.ts';
import { paging } from '../../edge/operations/own.ts';
import {
  type RecordOperation,
  type RecordVerb,
  recordOperations,
} from '../../edge/operations/records.ts';
import { searchOperations } from '../../edge/operations/search.ts';
import { operatorOf } from '../../records/auth/principal.ts';
import { createQuery, type Query } from '../../records/query/query.ts';
import type { CommandOperation } from '../derived/operation.ts';
import { type At, addDerived, type DerivedGroup, type Options } from '../derived.ts';
import { type Command, optionsOf } from '../help.ts';
import { accountsOrOpen } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { type ListColumns, plain } from '../output.ts';
import type { Who } from './who.ts';

export const open: DerivedGroup['open'] = (store) => ({
  services: createQuery(store, resources, { now: Date.now }),
});

type Call = OperationCall<JsonObject>;
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
    open,
    commands: {
      'list <resource>': {
        says: `List records of a resource: ${NAMES}`,
        options: optionsOf({
          '--where <filter...>': 'Filters of the list in the API, such as name=value',
        }),
        most: 100,
        members: oneAccount,
        runs: (at) => at.every(listing(at), { id: '', members: {} }),
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
        runs: (at) =>
          at.call(
            ofOne(at, 'get', async ({ find }, { caller, id, timing }, resource) => {
              const params = { query: '', unknown: 'refuse' } as const;
              return (await find(caller, resource, id, params, timing)).body;
            }),
          ),
        examples: { 'evt_…': 'See what it holds' },
      },
      'history <id>': {
        says: 'Print what happened to a record, newest first: who changed which member, and when. Also works for a removed record',
        runs: (at) =>
          at.every(
            ofOne(at, 'history', async ({ history }, { caller, id, params }, resource) => {
              const wanted = params() as { limit: number; starting_after: string | undefined };
              const page = await history.page(caller, resource, id, wanted);
              return listText('', page.entries, page.more);
            }),
          ),
        each: (entry, { who }) => historyLines(entry, who),
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
async function oneAccount({ account }: Options, { store, elsewhere }: At): Promise<object> {
  if (account !== undefined || elsewhere !== undefined) return {};
  const [only, ...others] = await accountsOrOpen(store, undefined);
  if (others.length > 0) throw new Mistake('--account is required: there are several accounts.');
  return { account: only?.unique_identifier };
}

/** The list of a resource, with the filters that the options say. */
function listing({ id, members, options, elsewhere }: At): CommandOperation {
  const resource = resources.find(({ path, name }) => path === id || name === id);
  if (resource === undefined)
    throw new Mistake(`There is no resource ${JSON.stringify(id)}: there are ${NAMES}.`);
  const { account, location, ...others } = members as Readonly<Record<string, string>>;
  if (elsewhere !== undefined && account !== undefined && !resource.anchor)
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
  const { route, ...operation } = declared(resource, 'list');
  return {
    ...operation,
    route: `${route}?${filters}`,
    query: paging({ limit: 1_000 }),
    run: async ({ list }: Query, { params, timing }: Call) => {
      const caller = operatorOf(account === undefined ? [] : [account]);
      const page = Object.entries(params()).map(([name, value]) => [name, String(value)]);
      const query = `${filters}&${new URLSearchParams(page)}`;
      const { body } = await list(caller, resource, { query, unknown: 'refuse' }, timing);
      return [...body].join('');
    },
  };
}

/** An operation on the record that the command names. */
function ofOne(
  { id, missing }: At,
  verb: RecordVerb,
  run: (query: Query, call: Call, resource: Resource) => Promise<string>,
): CommandOperation {
  const resource = resourceOf(id);
  if (resource === undefined) throw missing('record');
  return {
    ...declared(resource, verb),
    run: (query: Query, call: Call) => run(query, call, resource),
  };
}

function declared(resource: Resource, verb: RecordVerb): RecordOperation {
  const found = recordOperations(resource).find((one) => one.verb === verb);
  if (found === undefined) throw new TypeError(`${resource.path} have no ${verb}.`);
  return found;
}

const OUTCOME = 'restored'.length;

/** One line of a change: when, what, which record, who did it, and the members that it changed. */
export async function changeLine(change: JsonObject, who: Who): Promise<string> {
  const { occurred_at, resource, record, version, changed } = change;
  const members = Array.isArray(changed) && changed.length > 0 ? `: ${changed.join(', ')}` : '';
  const what = `${occurred_at}  ${outcomeOf(change)}  ${resource} ${record} v${version}`;
  return plain(`${what}${await byWhom(change, who)}${members}`);
}

/** An entry of a history: one line, and one below it for each member. */
async function historyLines(entry: JsonObject, who: Who): Promise<readonly string[]> {
  const { occurred_at, version, changes } = entry;
  const by = await byWhom(entry, who);
  const head = `v${version}  ${occurred_at}  ${outcomeOf(entry).trimEnd()}${by}`;
  const members = Array.isArray(changes) ? changes.map((one) => memberLine(one as JsonObject)) : [];
  return [head, ...members].map(plain);
}

async function byWhom({ key }: JsonObject, who: Who): Promise<string> {
  return typeof key === 'string' ? ` by ${await who(key)}` : '';
}

function memberLine({ member, before, after }: JsonObject): string {
  if (before === null) return `    + ${member}: ${shown(after)}`;
  if (after === null) return `    - ${member}: ${shown(before)}`;
  return `    ${member}: ${shown(before)} → ${shown(after)}`;
}

function shown(value: Json | undefined): string {
  return value === undefined ? '' : stringify(value);
}

function outcomeOf({ outcome }: JsonObject): string {
  return String(outcome).padEnd(OUTCOME);
}
