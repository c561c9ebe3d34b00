/** The path from a record up to its account. */
import type { Resource } from '../../core/schema/define.ts';
import type { Store } from '../../store/promises/store.ts';

/** A record, existing or removed, and all that it belongs to, the account last; empty where there is none. */
export async function pathTo(
  store: Pick<Store, 'find' | 'log'>,
  resources: readonly Resource[],
  account: string,
  record: string,
) {
  const scope = { accounts: new Set([account]), anchors: undefined };
  const path: { readonly resource: string; readonly record: string }[] = [];
  for (let at = record; at !== account; ) {
    const one = resources.find(({ prefix, parent }) => parent && at.startsWith(prefix));
    if (one === undefined) return [];
    const found = await store.find(one.shape, at, scope);
    const above = found ?? (await store.log.gone(one.shape.resource, at, [account]));
    if (!above?.parent) return [];
    path.push({ resource: one.name, record: at });
    at = above.parent;
  }
  return [...path, { resource: resources[0]?.name ?? '', record: account }];
}
