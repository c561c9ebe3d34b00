/** Upserts, stage by stage from request to response. */
import { ApiError } from '../../../core/errors.ts';
import { parseUpsert } from '../../../core/schema/parse/parse.ts';
import type { Draft, Receipt, Repeated } from '../../../store/promises/store.ts';
import { mayBeStale } from '../drafts.ts';
import { repeatedRow, type Sighted, seenRecord } from '../seen.ts';
import {
  committedOutcome,
  doneOrThrow,
  extrasOf,
  type Parts,
  perform,
  type WriteCall,
  type WriteParams,
} from './write.ts';

export function createUpsert(parts: Parts) {
  const { drafts, groupCommit, markPast, rehearse } = parts;

  /** Marks the draft's record as seen in its sync. Throws `sync_mismatch`, or `row_repeated` if drafts differ. */
  const note = async (sync: Sighted, draft: Draft, dry_run = false) => {
    const refusal = sync.refusal(draft);
    if (refusal !== undefined) throw refusal;
    const [differs = false] = await sync.see([seenRecord(draft)], { dry_run });
    if (differs) throw repeatedRow();
  };

  const commit = async (sync: Sighted | undefined, draft: Draft) => {
    if (sync !== undefined) await note(sync, draft);
    const marked = markPast([draft]);
    const [left = draft] = marked instanceof Promise ? await marked : marked;
    const outcome = await groupCommit.join(left);
    if (outcome.outcome === 'refused') await sync?.disclaim([draft]);
    return outcome;
  };

  /** Marks a record in its sync as seen although the request was refused before its commit. */
  const noteOther = async (sync: Sighted | undefined, external_identifier: string | undefined) => {
    if (external_identifier !== undefined)
      await sync?.see([{ external_identifier, content: null }]);
  };

  /** Returns whether the record that a repeated request wrote has been erased since. */
  const wasErased = async (draft: Draft, done: Repeated): Promise<boolean> =>
    'record' in done.receipt &&
    done.receipt.record === undefined &&
    (await parts.store.erasing.refuses(draft)) !== undefined;

  return (call: WriteCall, sent: () => WriteParams) => {
    const work = async (receipt: Receipt | undefined) => {
      const { resource, timing, sync } = call;
      const { scope } = call.principal;
      const params = sent();
      let request: ReturnType<typeof parseUpsert>;
      try {
        request = timing.measure('parse', () => parseUpsert(resource, params));
      } catch (error) {
        await noteOther(sync, sync?.identifierIn(params.body));
        throw error;
      }
      const extras = extrasOf(call.principal, resource.path, params.only, receipt);

      const resolving = performance.now();
      let draft: Draft;
      try {
        const made = request.dry_run
          ? drafts.makeUncached(scope, resource, request, extras)
          : drafts.make(scope, resource, request, extras);
        draft = made instanceof Promise ? await made : made;
      } catch (error) {
        await noteOther(sync, request.external_identifier);
        throw error;
      }
      const committing = performance.now();
      timing.add('resolve', committing - resolving);
      if (request.dry_run) {
        if (sync !== undefined) await note(sync, draft, true);
        const [marked = draft] = await markPast([draft]);
        return { outcome: 'rehearsed' as const, result: doneOrThrow(await rehearse(marked)) };
      }

      let outcome = await commit(sync, draft);
      if (mayBeStale(request, outcome)) {
        outcome = await commit(sync, await drafts.makeUncached(scope, resource, request, extras));
      }
      if (outcome.outcome === 'repeated' && (await wasErased(draft, outcome)))
        throw new ApiError('record_erased');
      return committedOutcome(outcome, timing, committing);
    };
    return perform(parts, call, work, () => parseUpsert(call.resource, sent()).patch);
  };
}
