/** Answers `copy_erasure`: what was found of a person, line by line, each read when the one before is sent. */

import type { Resource } from '../../core/schema/define.ts';
import { authorizeRight } from '../../records/auth/principal.ts';
import { ClientGone } from '../../records/ingest/many/row.ts';
import type { Query } from '../../records/query/query.ts';
import { copyLines } from '../../services/erasures/copy.ts';
import type { ErasureService } from '../../services/erasures/erasures.ts';
import { memoryOf } from '../fair/memory.ts';
import { stillMay } from '../fair/still.ts';
import type { OperationHandler } from '../request/operations.ts';
import { callerOf, watchForCut } from '../request/request.ts';
import { prepare } from '../response/envelope.ts';
import { toApiError } from '../response/error-response.ts';
import { Answer } from '../rows/answer.ts';

/** A page of a history. */
const HELD_BYTES = 4_194_304;

export function copyErasure(
  erasures: ErasureService,
  resources: readonly Resource[],
  query: Pick<Query, 'find' | 'history'>,
): OperationHandler {
  return async (request, reply) => {
    const { unique_identifier: id } = request.params as { readonly unique_identifier: string };
    const { account, matches } = await erasures.find(callerOf(request), id);
    request.done = { unique_identifier: id, account };
    await request.server.audit(request, {
      action: 'export',
      what: 'copy_erasure',
      record: id,
      account,
    });
    memoryOf(reply).hold(HELD_BYTES);
    prepare(reply).header('Content-Type', 'application/x-ndjson');
    const answer = new Answer();
    if (request.method === 'HEAD') return reply.send('');
    watchForCut(request, reply);
    const authenticate = stillMay(request, (now) => authorizeRight(now, 'erase'));
    const sendAll = async (): Promise<void> => {
      const parts = { resources, query, timing: request.timing, caller: authenticate };
      for await (const line of copyLines(parts, matches)) await answer.write(`${line}\n`);
    };
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
