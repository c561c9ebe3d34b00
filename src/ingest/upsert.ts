/** Upserts: from what was sent to what is answered, stage by stage. */
import { parseUpsert } from '../schema/parse.ts';
import { mayBeStale } from './drafts.ts';
import { carriedOut, extrasOf, type Parts, perform, type Upsert, unrefused } from './writes.ts';

export function createUpsert(parts: Parts): Upsert {
  const { drafts, batcher, rehearse } = parts;

  return (asked, sent) =>
    perform(parts, asked, async (receipt) => {
      const { resource, timing } = asked;
      const { scope } = asked.principal;
      const params = sent();
      const request = timing.measure('parse', () => parseUpsert(resource, params));
      const extras = extrasOf(params.only, receipt);

      const resolving = performance.now();
      if (request.dry_run) {
        const draft = await drafts.makeNow(scope, resource, request, extras);
        timing.add('resolve', performance.now() - resolving);
        return { outcome: 'rehearsed', told: unrefused(await rehearse(draft)) };
      }
      const made = drafts.make(scope, resource, request, extras);
      const draft = made instanceof Promise ? await made : made;
      const committing = performance.now();
      timing.add('resolve', committing - resolving);

      let outcome = await batcher.join(draft);
      if (mayBeStale(request, outcome)) {
        outcome = await batcher.join(await drafts.makeNow(scope, resource, request, extras));
      }
      return carriedOut(outcome, timing, committing);
    });
}
