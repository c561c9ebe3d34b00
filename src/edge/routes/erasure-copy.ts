/** Answers `copy_erasure`: what was found of a person, line by line, each read when the one before is sent. */

import { ApiError } from '../../core/errors.ts';
import type { ErasureMatch } from '../../core/objects/records/erasure.ts';
import type { Resource } from '../../core/schema/define.ts';
import { authorizeRight, type Principal } from '../../records/auth/principal.ts';
import { ClientGone } from '../../records/ingest/many/row.ts';
import type { Query } from '../../records/query/query.ts';
import type { ErasureDesk } from '../../services/erasures/erasures.ts';
import { memoryOf } from '../fair/memory.ts';
import { stillMay } from '../fair/still.ts';
import type { OperationHandler } from '../request/operations.ts';
import { callerOf, watchForCut } from '../request/request.ts';
import { prepare } from '../response/envelope.ts';
import { toApiError } from '../response/error-response.ts';
import { Answer } from '../rows/answer.ts';

/** A page of a history. */
const HELD_BYTES = 4_194_304;
const ENTRIES = 100;

export function copyErasure(
  erasures: ErasureDesk,
  resources: readonly Resource[],
  query: Pick<Query, 'find' | 'history'>,
): OperationHandler {
  return async (request, reply) => {
    const { unique_identifier: id } = request.params as { readonly unique_identifier: string };
    const { account, matches } = await erasures.find(callerOf(request), id);
    request.done = { unique_identifier: id, account };
    memoryOf(reply).hold(HELD_BYTES);
    prepare(reply).header('Content-Type', 'application/x-ndjson');
    const answer = new Answer();
    if (request.method === 'HEAD') return reply.send('');
    watchForCut(request, reply);
    const authenticate = stillMay(request, (now) => authorizeRight(now, 'erase'));
    const sendAll = async (): Promise<void> => {
      for (const match of matches) {
        const resource = resources.find(({ name }) => name === match.resource);
        if (resource === undefined) continue;
        for await (const line of linesOf(await authenticate(), resource, match))
          await answer.write(`${line}\n`);
      }
    };
    /** What a record holds, and then each of its changes; of one that was erased, nothing. */
    async function* linesOf(caller: Principal, resource: Resource, match: ErasureMatch) {
      const named = JSON.stringify({ object: 'erasure_copy', ...match }).slice(0, -1);
      const params = { query: '', unknown: 'refuse' } as const;
      const found = await orMissing(
        query.find(caller, resource, match.record, params, request.timing),
      );
      yield `${named},"data":${found?.body ?? null}}`;
      for (let starting_after: string | undefined; ; ) {
        const page = await orMissing(
          query.history.page(caller, resource, match.record, { limit: ENTRIES, starting_after }),
        );
        for (const entry of page?.entries ?? []) yield `${named},"change":${entry}}`;
        if (page?.more !== true || page.entries.length === 0) return;
        starting_after = JSON.parse(page.entries.at(-1) as string).unique_identifier;
      }
    }
    sendAll().then(
      () => answer.end(''),
      (error) => {
        if (error instanceof ClientGone) return;
        const refused = toApiError(error);
        request.done = { ...request.done, code: refused.code };
        if (refused.status >= 500) request.server.noteFailure(request, refused);
        answer.cut();
      },
    );
    return reply.send(answer.body);
  };
}

/** `undefined` where it is gone by now. */
async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && [404, 410].includes(error.status)) return undefined;
    throw error;
  }
}
