/** The locations of a region, which lists, searches, changes, keys and people can be limited to. */
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError, Faults } from '../../core/errors.ts';
import { anchorOf, type Resource } from '../../core/schema/define.ts';
import type { ListRequest } from '../../core/schema/parse/parse-list.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { pagesOf } from '../../store/pages.ts';
import { accountsFor, missingAt } from '../../store/promises/refusals.ts';
import type { Scope, Store } from '../../store/promises/store.ts';

type Reads = Pick<Store, 'list' | 'locationSettings'>;

/** Locations of a region at most: their identifiers are in memory for each page. */
const MAX_IN_REGION = 10_000;
const PAGE = 1000;
const TOO_MANY = 'region is that of more than 10,000 locations: give them smaller regions.';

/** The scope of a list: the caller's, unless the request names a region. */
export async function scopeOf(
  store: Reads,
  scope: Scope,
  resource: Resource,
  { region }: Pick<ListRequest, 'region'>,
): Promise<Scope> {
  const anchor = anchorOf(resource);
  if (region === undefined || anchor === undefined) return scope;
  const anchors = await anchorsIn(store, scope, anchor.shape, region);
  return { accounts: scope.accounts, anchors };
}

/** The locations of the scope that are in the region, by the current settings of locations and accounts. */
export async function anchorsIn(
  store: Reads,
  { accounts, anchors }: Scope,
  anchor: RecordShape,
  region: string,
): Promise<ReadonlySet<string>> {
  const set = await store.locationSettings.regions([...accounts]);
  const own = new Map(set.map((one) => [one.unique_identifier, one.region]));
  const found = [...own].flatMap(([id, its]) => (its === region && !accounts.has(id) ? [id] : []));
  const giving = new Set([...accounts].filter((account) => own.get(account) === region));
  const scope = { accounts: giving, anchors };
  const query = { shape: anchor, scope, order: 'newest', limit: PAGE } as const;
  for await (const { records } of giving.size === 0 ? [] : pagesOf(store, query)) {
    const ids = records.map(({ unique_identifier }) => unique_identifier);
    found.push(...ids.filter((id) => !own.has(id)));
    if (found.length > MAX_IN_REGION) break;
  }
  if (found.length > MAX_IN_REGION)
    throw new ApiError('value_invalid', { param: 'region', message: TOO_MANY });
  return new Set(found.filter((id) => anchors?.has(id) !== false));
}

/** The limits of a key or a person. With a region, `anchors` is stored empty: code that does not look it up sees nothing. */
export interface Limit {
  /** Unique identifiers of locations; `null`: whole accounts. */
  readonly anchors: readonly string[] | null;
  readonly region: string | null;
}

/** The limit to these locations or to that region, as it is stored. Throws `value_invalid` for both, or a blank region. */
export function limitTo(
  locations: readonly string[] | null | undefined,
  region: string | null | undefined,
): Limit {
  if (region === null || region === undefined) return { anchors: locations ?? null, region: null };
  const name = region.trim();
  const faults = new Faults();
  if (name === '') faults.add('region', 'value_invalid', 'region must not be blank: leave it out.');
  if (locations !== null && locations !== undefined) {
    const says = 'are both given: a region has its own locations. Leave one of them out.';
    faults.add('locations', 'value_invalid', `locations and region ${says}`);
    faults.add('region', 'value_invalid', `region and locations ${says}`);
  }
  faults.throwIfAny();
  return { anchors: [], region: name };
}

export type Regions = ReturnType<typeof createRegions>;

/** How long the locations of a region are used: with the time for which a key is cached, less than a second. */
const TRUSTED_MS = 250;
/** The most regions whose locations are in memory. */
const MAX_KEPT = 100;

interface Found {
  readonly at: number;
  readonly ids: Promise<readonly string[]>;
  last: readonly string[] | undefined;
}

export function createRegions(store: Reads, resources: readonly Resource[], now: () => number) {
  const known = new BoundedMap<string, Found>(MAX_KEPT);
  const [anchor] = resources.flatMap((one) => (one.anchor ? one.shape : []));
  if (anchor === undefined) throw new TypeError('There are no locations.');

  const look = async (accounts: readonly string[], region: string): Promise<readonly string[]> => {
    const scope = { accounts: new Set(accounts), anchors: undefined };
    return [...(await anchorsIn(store, scope, anchor, region))].sort();
  };
  const begin = (name: string, found: Omit<Found, 'ids'>, ids: Promise<readonly string[]>) => {
    const begun: Found = {
      ...found,
      // All callers of a region share one list.
      ids: ids.then((list) => {
        begun.last = isSame(begun.last, list) ? begun.last : list;
        return begun.last;
      }),
    };
    begun.ids.catch(() => known.delete(name));
    known.set(name, begun);
    return begun;
  };

  return {
    /** Adds the locations that the region has by now to a limit. */
    async within<Limited extends Limit & { readonly accounts: readonly string[] }>(
      limited: Limited,
    ): Promise<Limited> {
      const { accounts, region } = limited;
      if (region === null) return limited;
      const name = JSON.stringify([region, ...accounts]);
      const at = now();
      const before = known.get(name);
      // A clock that goes back must not keep what is old.
      const isGood = before !== undefined && Math.abs(at - before.at) < TRUSTED_MS;
      const found = isGood
        ? before
        : begin(name, { at, last: before?.last }, look(accounts, region));
      return { ...limited, anchors: await found.ids };
    },
  };
}

function isSame(
  one: readonly string[] | undefined,
  other: readonly string[],
): one is readonly string[] {
  return one?.length === other.length && one.every((id, at) => id === other[at]);
}

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
