/** Dry runs: reports the outcome that committing a draft would have. */
import { createIdentifiers } from '../../core/schema/id.ts';
import { sealedProbe } from '../../store/promises/erasing/sealed.ts';
import type { Draft, Erased, Refused, Store, Written } from '../../store/promises/store.ts';
import { judge } from '../../store/records/judge.ts';

export type Rehearse = ReturnType<typeof createRehearse>;

/** Returns the record as a draft would leave it; the unique identifier of a created one is never used. */
export function createRehearse(store: Pick<Store, 'findPair' | 'erasing'>, now: () => number) {
  const identify = createIdentifiers(now);

  return async (draft: Draft): Promise<Written | Refused | Erased> => {
    const { shape } = draft;
    const before = await store.findPair(shape, draft);
    const isSealed = sealedProbe(draft.external_identifier) !== undefined;
    if ((before === undefined || isSealed) && (await store.erasing.refuses(draft)) !== undefined)
      return { outcome: 'erased' };
    return judge(draft, before, {
      now: now(),
      identify: () => identify(shape.prefix),
      position: () => 0,
    }).outcome;
  };
}
