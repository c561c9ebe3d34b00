/** The one entrance for writes: from what was sent to what is answered, stage by stage. */
import type { Principal } from '../auth/principal.ts';
import type { CommitObserver } from '../observe/observers.ts';
import type { Timing } from '../observe/timing.ts';
import type { Resource } from '../schema/define.ts';
import { type Params, parseUpsert } from '../schema/parse.ts';
import { presentRecord } from '../schema/present.ts';
import type { Store, Written } from '../store/store.ts';
import { createBatcher } from './batch.ts';
import { createResolver, refuseAnchor } from './resolve.ts';

export interface Upserted {
  readonly outcome: Written['outcome'];
  readonly unique_identifier: string;
  /** The object, as JSON text. */
  readonly body: string;
}

export interface Ingest {
  /**
   * Creates the record or merges into it, and answers when it is committed.
   * Whether the key may write this resource at all was checked before the body
   * was read. Throws `ApiError` for what the caller can mend, and
   * `StoreUnavailable` when nothing can be written now.
   */
  upsert(
    principal: Principal,
    resource: Resource,
    params: Params,
    timing: Timing,
  ): Promise<Upserted>;
}

export function createIngest(store: Store, observer?: CommitObserver): Ingest {
  const resolver = createResolver(store);
  const batcher = createBatcher(store, observer);

  return {
    async upsert({ scope }, resource, params, timing) {
      const { parent, external_identifier, patch } = timing.measure('parse', () =>
        parseUpsert(resource, params),
      );

      const resolving = performance.now();
      const { account, anchor } = await resolver.place(resource, parent, scope);
      timing.add('resolve', performance.now() - resolving);

      if (resource.anchor && scope.anchors !== undefined) {
        const authorizing = performance.now();
        const found = await store.findPair(resource.shape, {
          account,
          parent,
          external_identifier,
        });
        refuseAnchor(found?.unique_identifier, scope);
        timing.add('authorize', performance.now() - authorizing);
      }

      const committing = performance.now();
      const draft = { shape: resource.shape, account, anchor, parent, external_identifier, patch };
      const outcome = await batcher.join(draft);
      const waited = performance.now() - committing;
      if (outcome.outcome === 'refused') {
        timing.add('commit', waited);
        throw outcome.error;
      }
      if (outcome.outcome === 'repeated' || outcome.outcome === 'withheld') {
        throw new TypeError(
          'Only drafts with receipts are repeated, and only atomic batches withheld.',
        );
      }
      timing.add('merge', outcome.mergeMs);
      timing.add('commit', waited - outcome.mergeMs);

      const { record } = outcome;
      const body = timing.measure('present', () => presentRecord(resource, record));
      return { outcome: outcome.outcome, unique_identifier: record.unique_identifier, body };
    },
  };
}
