/** Finds which records of an account are held. */
import type { Resource } from '../../core/schema/define.ts';
import { pathTo } from '../../records/query/path.ts';
import type { Store } from '../../store/promises/store.ts';

/** Returns, for each held record, its hold or the retention rule that preserves it. */
export async function heldAmong(
  store: Pick<Store, 'erasing' | 'find' | 'findAll' | 'keepers' | 'log'>,
  resources: readonly Resource[],
  account: string,
  records: readonly { readonly resource: string; readonly record: string }[],
): Promise<ReadonlyMap<string, string>> {
  const keepers = await store.keepers(account);
  const held = new Map<string, string>();
  if (keepers.isEmpty) return held;
  const scope = { accounts: new Set([account]), anchors: undefined };
  for (const [resource, own] of Map.groupBy(records, ({ resource }) => resource)) {
    const shape = resources.find(({ shape }) => shape.resource === resource)?.shape;
    if (shape === undefined) continue;
    const ids = own.map(({ record }) => record);
    const found = await store.findAll(shape, ids, scope);
    const places = new Map(found.map((one) => [one.unique_identifier, one]));
    for (const record of ids) {
      const place = places.get(record);
      const by =
        place === undefined
          ? keepers.on((await pathTo(store, resources, account, record)).map((one) => one.record))
          : (keepers.over(place) ??
            (keepers.limits(resource)
              ? await store.erasing.keptBy({ resource, account, record })
              : undefined));
      if (by !== undefined) held.set(record, by);
    }
  }
  return held;
}
