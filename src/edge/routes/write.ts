/** Answers operations that upsert, change, remove and restore one record. */
import type { Resource } from '../../core/schema/define.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Query } from '../../records/query/query.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { refuseBody } from '../request/body.ts';
import { callerOf } from '../request/request.ts';
import { syncOf } from '../request/sync.ts';
import { conditionOfRecord, conditionOfUpsert, refusedUpsert } from '../response/conditions.ts';
import { answerWrite, sendWritten, sentOf, writeCallOf } from '../response/writing.ts';
import type { RecordHandler } from './records.ts';

export function writeHandlers(
  resource: Resource,
  ingest: Ingest,
  { expandWritten, history, removals }: Query,
  syncs: SyncsOf,
) {
  const upsert: RecordHandler = (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, async () => {
      const sync = await syncOf(request, resource, syncs);
      return ingest
        .upsert({ ...writeCallOf(request, resource), sync }, () =>
          sentOf(request, conditionOfUpsert(request)),
        )
        .catch((error: unknown) => {
          throw refusedUpsert(request, error);
        });
    });

  const patch: RecordHandler = (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, () =>
      ingest.patch(writeCallOf(request, resource), identifierOf(request), () =>
        sentOf(request, conditionOfRecord(request)),
      ),
    );

  const remove: RecordHandler = async (request, reply) => {
    const sent = () => {
      refuseBody(request);
      return sentOf(request, conditionOfRecord(request));
    };
    const call = writeCallOf(request, resource);
    const answered = await ingest.remove(call, identifierOf(request), sent);
    if (answered.how !== 'rehearsed') {
      const principal = callerOf(request);
      const removal = await removals.of(principal, resource, answered.unique_identifier);
      if (removal !== undefined) reply.header('Ledgerstone-Removal', removal);
    }
    return sendWritten(reply, answered);
  };

  const restore: RecordHandler = (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, () => {
      const principal = callerOf(request);
      authorize(principal, resource.path, 'read');
      const { unique_identifier } = request.params;
      return ingest.restore(
        writeCallOf(request, resource),
        unique_identifier,
        () => sentOf(request, conditionOfRecord(request)),
        (version) => history.at(principal, resource, unique_identifier, version),
      );
    });

  return { upsert, patch, patchPair: patch, remove, removePair: remove, restore };
}

/** The identifier in the path; `undefined` where the query names the record. */
function identifierOf({ params }: Parameters<RecordHandler>[0]): string | undefined {
  return params.unique_identifier;
}
