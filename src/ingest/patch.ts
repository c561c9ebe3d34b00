/** Changes one record, named by its unique identifier: the same merge, and nothing has to be sent. */
import { parsePatch } from '../schema/parse.ts';
import { recordMissing } from '../store/refusals.ts';
import type { Draft } from '../store/store.ts';
import { checkIdentity } from './identity.ts';
import { seen } from './seen.ts';
import { carriedOut, type Parts, type Patch, perform, unrefused } from './writes.ts';

export function createPatch(parts: Parts): Patch {
  const { store, batcher, rehearse } = parts;

  return (asked, unique_identifier, sent) =>
    perform(parts, asked, async (receipt) => {
      const { resource, timing } = asked;
      const { scope } = asked.principal;
      const params = sent();
      const { identity, patch, dry_run } = timing.measure('parse', () =>
        parsePatch(resource, params),
      );

      const resolving = performance.now();
      const record = await seen(store, resource, unique_identifier, scope);
      await checkIdentity(store, resource, record, identity);
      const { account, anchor, parent, external_identifier } = record;
      if (parent === null || external_identifier === null) {
        throw new TypeError(`No PATCH writes to ${resource.name}.`);
      }
      const draft: Draft = {
        shape: resource.shape,
        account,
        anchor: resource.anchor ? undefined : (anchor ?? undefined),
        parent,
        external_identifier,
        patch,
        only: { ...params.only, unique_identifier },
        ...(receipt && { receipt }),
      };
      const committing = performance.now();
      timing.add('resolve', committing - resolving);

      if (dry_run) return { outcome: 'rehearsed', told: unrefused(await rehearse(draft)) };
      const outcome = await batcher.join(draft);
      // Its parent is gone, and the record with it.
      if (outcome.outcome === 'refused' && outcome.error.code === 'resource_missing') {
        throw recordMissing(resource.shape);
      }
      return carriedOut(outcome, timing, committing);
    });
}
