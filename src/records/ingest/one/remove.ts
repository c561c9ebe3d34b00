/** Removes one record, named by its unique identifier, or by its parent and the caller's identifier. */

import { FairSlots } from '../../../core/fair/slots.ts';
import { ancestorsOf } from '../../../core/schema/ancestors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { parsePairRemoval, parseRemoval } from '../../../core/schema/parse/parse-queries.ts';
import { authorize, wholeAccountNeeded } from '../../auth/principal.ts';
import { findWritable } from '../resolve.ts';
import { doneOrThrow, type Parts, perform, type WriteCall, type WriteParams } from './write.ts';

/** Removals in progress at once: each is a commit of its own, and reads thousands of records if it cascades. */
const AT_ONCE = 4;
/** Removals of one key at once: each may cascade to thousands of records. */
const OF_KEY = 2;

/**
 * Removes the record with that unique identifier, or without one the record that the query names. Slots are shared
 * among keys: a client that removes a thousand records does not block others from the store.
 */
export function createRemove(parts: Parts, resources: readonly Resource[]) {
  const { store, drafts } = parts;
  const slots = new FairSlots({ slots: AT_ONCE, ofGroup: OF_KEY });

  return (
    call: WriteCall,
    unique_identifier: string | undefined,
    sent: () => Omit<WriteParams, 'body' | 'encoding'>,
  ) =>
    perform(parts, call, async (receipt) => {
      const { resource, timing } = call;
      const { scope, key } = call.principal;
      const { query, unknown, only } = sent();
      const { named, cascade, dry_run } = timing.measure('parse', () =>
        unique_identifier === undefined
          ? parsePairRemoval(resource, query, unknown)
          : parseRemoval(query, unknown),
      );

      // A caller that is limited to single locations could not create one again.
      if (resource.anchor && scope.anchors !== undefined) throw wholeAccountNeeded('locations');
      if (cascade)
        for (const one of resources)
          if (ancestorsOf(one).includes(resource)) authorize(call.principal, one.path, 'delete');
      const waiting = performance.now();
      return slots.run(key, async () => {
        const resolving = performance.now();
        timing.add('commit', resolving - waiting);
        const record =
          named !== undefined
            ? await drafts.recordUncached(scope, resource, named)
            : await findWritable(store, resource, unique_identifier ?? '', scope);
        const committing = performance.now();
        timing.add('resolve', committing - resolving);

        const removed = doneOrThrow(
          await store.remove({
            shape: resource.shape,
            account: record.account,
            unique_identifier: record.unique_identifier,
            cascade,
            by: key,
            ...(only?.versions && { versions: only.versions }),
            ...(dry_run ? { rehearse: true } : receipt && { receipt }),
          }),
        );
        timing.add('commit', performance.now() - committing);
        if (!dry_run || removed.outcome === 'repeated') return removed;
        return { outcome: 'rehearsed', result: removed };
      });
    });
}
