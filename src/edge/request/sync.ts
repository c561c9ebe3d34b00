/** The header `Ledgerstone-Sync`: the sync that upserts belong to. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Columns } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Sighted } from '../../records/ingest/seen.ts';
import {
  identifierInCells,
  identifierInForm,
  identifierInJson,
} from '../../services/requests/marks.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { callerOf } from './request.ts';

/** `undefined` where the request names no sync. Throws `header_invalid`; rejects as `open` does. */
export function syncOf(
  request: FastifyRequest,
  resource: Resource,
  syncs: SyncsOf,
  columnsOf: () => Columns | undefined = () => undefined,
): Promise<Sighted> | undefined {
  const { 'ledgerstone-sync': sent, 'content-type': type = '' } = request.headers;
  if (sent === undefined) return undefined;
  const id = String(sent).trim();
  if (!/^syn_[0-9A-Za-z]{22}$/.test(id))
    throw new ApiError('header_invalid', {
      message:
        'The header Ledgerstone-Sync must be the unique_identifier of a sync, syn_…, or be left out.',
    });
  const isJson = /json/i.test(type);
  return syncs.open(callerOf(request), resource, id).then((open) => ({
    ...open,
    identifierIn(body) {
      const columns = columnsOf();
      if (columns !== undefined) return identifierInCells(body, columns);
      return isJson ? identifierInJson(body) : identifierInForm(Buffer.from(body).toString());
    },
  }));
}
