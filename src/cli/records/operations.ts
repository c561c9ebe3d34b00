/** The operations on records, as commands perform them. */
import type { Resource } from '../../core/schema/define.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { OperationCall } from '../../edge/operations/operation.ts';
import { listText, paging } from '../../edge/operations/pages.ts';
import {
  type RecordOperation,
  type RecordVerb,
  recordOperations,
} from '../../edge/operations/records.ts';
import type { Query } from '../../records/query/query.ts';
import type { CommandOperation } from '../derived/performer.ts';

/** The list of a resource, with these filters, page by page. */
export function listOf(resource: Resource, filters: URLSearchParams): CommandOperation {
  const { route, ...operation } = declared(resource, 'list');
  return {
    ...operation,
    route: `${route}?${filters}`,
    query: paging({ limit: 1_000 }),
    run: async ({ list }: Query, { caller, params, timing }: OperationCall<JsonObject>) => {
      const page = Object.entries(params()).map(([name, value]) => [name, String(value)]);
      const query = `${filters}&${new URLSearchParams(page)}`;
      const { body } = await list(caller, resource, { query, unknown: 'refuse' }, timing);
      return [...body].join('');
    },
  };
}

/** Reads a record of a resource. */
export function getOf(resource: Resource): CommandOperation {
  return {
    ...declared(resource, 'get'),
    run: async ({ find }: Query, { caller, id, timing }: OperationCall<JsonObject>) =>
      (await find(caller, resource, id, { query: '', unknown: 'refuse' }, timing)).body,
  };
}

/** Lists what happened to a record of a resource. */
export function historyOf(resource: Resource): CommandOperation {
  return {
    ...declared(resource, 'history'),
    run: async ({ history }: Query, { caller, id, params }: OperationCall<JsonObject>) => {
      const wanted = params() as { limit: number; starting_after: string | undefined };
      const page = await history.page(caller, resource, id, wanted);
      return listText('', page.entries, page.more);
    },
  };
}

function declared(resource: Resource, verb: RecordVerb): RecordOperation {
  const found = recordOperations(resource).find((one) => one.verb === verb);
  if (found === undefined) throw new TypeError(`${resource.path} have no ${verb}.`);
  return found;
}
