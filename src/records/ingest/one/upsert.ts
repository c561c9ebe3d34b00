/** Upserts, stage by stage from request to response. */
import { parseUpsert } from '../../../core/schema/parse/parse.ts';
import type { Receipt } from '../../../store/promises/store.ts';
import { mayBeStale } from '../drafts.ts';
import {
  committedOutcome,
  doneOrThrow,
  extrasOf,
  type Parts,
  perform,
  type Upsert,
} from './write.ts';

export function createUpsert(parts: Parts): Upsert {
  const { drafts, groupCommit, rehearse } = parts;

  return (call, sent) => {
    const work = async (receipt: Receipt | undefined) => {
      const { resource, timing } = call;
      const { scope } = call.principal;
      const params = sent();
      const request = timing.measure('parse', () => parseUpsert(resource, params));
      const extras = extrasOf(call.principal, resource.path, params.only, receipt);

      const resolving = performance.now();
      if (request.dry_run) {
        const draft = await drafts.makeUncached(scope, resource, request, extras);
        timing.add('resolve', performance.now() - resolving);
        return { outcome: 'rehearsed' as const, result: doneOrThrow(await rehearse(draft)) };
      }
      const made = drafts.make(scope, resource, request, extras);
      const draft = made instanceof Promise ? await made : made;
      const committing = performance.now();
      timing.add('resolve', committing - resolving);

      let outcome = await groupCommit.join(draft);
      if (mayBeStale(request, outcome)) {
        outcome = await groupCommit.join(
          await drafts.makeUncached(scope, resource, request, extras),
        );
      }
      return committedOutcome(outcome, timing, committing);
    };
    return perform(parts, call, work, () => parseUpsert(call.resource, sent()).patch);
  };
}
