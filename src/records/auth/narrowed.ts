/** The scope of a request that names an account, a location or a region. */
import type { Resource } from '../../core/schema/define.ts';
import { accountsFor, missingAt } from '../../store/promises/refusals.ts';
import type { Scope, Store } from '../../store/promises/store.ts';
import { anchorsIn } from './region.ts';

export interface Narrowing {
  readonly account?: string | undefined;
  readonly location?: string | undefined;
  readonly region?: string | undefined;
}

/** Throws `resource_missing` if the caller may not see the account or the location. */
export async function narrowedScope(
  store: Pick<Store, 'find' | 'list' | 'locationSettings'>,
  resources: readonly Resource[],
  scope: Scope,
  { account, location, region }: Narrowing,
): Promise<Scope> {
  const [root] = resources;
  const anchor = resources.find((resource) => resource.anchor);
  if (root === undefined || anchor === undefined) throw new TypeError('The registry is too small.');
  const accounts = new Set(accountsFor(scope, root.shape, account));
  const all = { accounts, anchors: scope.anchors };
  const anchors =
    region === undefined ? scope.anchors : await anchorsIn(store, all, anchor.shape, region);
  if (location === undefined) return { accounts, anchors };
  const found = await store.find(anchor.shape, location, all);
  if (found === undefined) throw missingAt('location', anchor.shape, location);
  const isIn = anchors?.has(location) !== false;
  return { accounts: new Set([found.account]), anchors: new Set(isIn ? [location] : []) };
}
