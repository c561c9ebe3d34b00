/** Where a removed record comes back: below what it belonged to, or below the record that has that one's place now. */
import { parentOf, type Resource } from '../../core/schema/define.ts';
import type { Tombstone } from '../../store/promises/log.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';
import type { RecordAt } from '../../store/records/versions.ts';

type Removed = Pick<Tombstone, 'account' | 'parent'>;

export interface ReturnPlace {
  readonly parent: string;
  /** Where that is now: it may have come back elsewhere. `undefined` above all anchors. */
  readonly anchor: string | undefined;
}

/** Finds places, each once; `undefined` where nothing stands there, or where only others may write. For as long as one page of records. */
export function createReturnPlaces(
  store: Pick<Store, 'find' | 'findPair' | 'log'>,
  { anchors }: Pick<Scope, 'anchors'>,
) {
  const known = new Map<string, Promise<ReturnPlace | undefined>>();

  const placeOf = (
    resource: Resource,
    { account, parent }: Removed,
  ): Promise<ReturnPlace | undefined> => {
    if (parent === undefined) return Promise.resolve(undefined);
    return known.getOrInsertComputed(`${resource.name} ${account} ${parent}`, () =>
      find(parentOf(resource), account, parent),
    );
  };

  const find = async (above: Resource, account: string, parent: string) => {
    const scope = { accounts: new Set([account]), anchors: undefined };
    const standing = await store.find(above.shape, parent, scope);
    if (standing !== undefined) return placeBelow(above, standing);
    const gone = await store.log.gone(above.shape.resource, parent, [account]);
    if (gone === undefined || above.parent === undefined) return undefined;
    const higher = await placeOf(above, gone);
    if (higher === undefined) return undefined;
    const { external_identifier } = gone;
    const pair = { account, parent: higher.parent, external_identifier };
    const now = await store.findPair(above.shape, pair);
    return now && placeBelow(above, now);
  };

  const placeBelow = (above: Resource, now: StoredRecord): ReturnPlace | undefined => {
    const anchor = above.anchor ? now.unique_identifier : (now.anchor ?? undefined);
    if (anchor !== undefined && anchors?.has(anchor) === false) return undefined;
    return {
      parent: now.unique_identifier,
      anchor: above.parent === undefined ? undefined : anchor,
    };
  };

  return placeOf;
}

/** A version of a record; if that was removed, at the place where it comes back, without a parent if nothing stands there. */
export async function returning(
  store: Pick<Store, 'find' | 'findPair' | 'log'>,
  scope: Pick<Scope, 'anchors'>,
  resource: Resource,
  at: RecordAt,
): Promise<RecordAt> {
  const { now } = at;
  if ('document' in now) return at;
  const place = await createReturnPlaces(store, scope)(resource, now);
  return { ...at, anchor: place?.anchor ?? at.anchor, now: { ...now, parent: place?.parent } };
}
