/** The locations of a region, which lists, searches, changes, keys and people can be limited to. */
import { ApiError, Faults } from '../../core/errors.ts';
import { anchorOf } from '../../core/schema/ancestors.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { ListRequest } from '../../core/schema/parse/parse-list.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { Scope, Store } from '../../store/promises/store.ts';

type Reads = Pick<Store, 'list' | 'locationSettings'>;

/** Locations that have the region of their account, at most: their identifiers are in memory for each page. */
const MAX_INHERITING = 10_000;
const PAGE = 1000;

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
  let after: string | undefined;
  for (let more = giving.size > 0; more; ) {
    const page = await store.list({
      ...{ shape: anchor, scope, order: 'newest', limit: PAGE },
      ...(after === undefined ? {} : { cursor: { side: 'after', unique_identifier: after } }),
    });
    const ids = page?.records.map(({ unique_identifier }) => unique_identifier) ?? [];
    found.push(...ids.filter((id) => !own.has(id)));
    if (found.length > MAX_INHERITING) throw tooMany();
    after = ids.at(-1);
    more = page?.more === true;
  }
  return new Set(found.filter((id) => anchors?.has(id) !== false));
}

/** What a key or a person is limited to. With a region, `anchors` is stored empty: who does not look it up sees nothing. */
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

export interface Regions {
  /** The same, with the locations that its region has by now. */
  within<Limited extends Limit & { readonly accounts: readonly string[] }>(
    limited: Limited,
  ): Promise<Limited>;
}

/** How long the locations of a region are used: with the time for which a key is cached, less than a second. */
const TRUSTED_MS = 250;
/** The most regions whose locations are in memory. */
const MAX_KEPT = 100;

interface Found {
  readonly at: number;
  readonly ids: Promise<readonly string[]>;
}

export function createRegions(
  store: Reads,
  resources: readonly Resource[],
  now: () => number,
): Regions {
  const known = new Map<string, Found>();
  const [anchor] = resources.flatMap((one) => (one.anchor ? one.shape : []));
  if (anchor === undefined) throw new TypeError('There are no locations.');

  const look = async (
    accounts: readonly string[],
    region: string,
    before: Found | undefined,
  ): Promise<readonly string[]> => {
    const scope = { accounts: new Set(accounts), anchors: undefined };
    const ids = [...(await anchorsIn(store, scope, anchor, region))].sort();
    const were = await before?.ids.catch(() => undefined);
    // All callers of a region share one list.
    return were?.length === ids.length && were.every((one, at) => one === ids[at]) ? were : ids;
  };

  return {
    async within(limited) {
      const { accounts, region } = limited;
      if (region === null) return limited;
      const name = JSON.stringify([region, ...accounts]);
      const at = now();
      let found = known.get(name);
      // A clock that goes back must not keep what is old.
      if (found === undefined || Math.abs(at - found.at) >= TRUSTED_MS) {
        const ids = look(accounts, region, found);
        ids.catch(() => known.delete(name));
        if (known.size >= MAX_KEPT) known.clear();
        found = { at, ids };
        known.set(name, found);
      }
      return { ...limited, anchors: await found.ids };
    },
  };
}

function tooMany(): ApiError {
  return new ApiError('value_invalid', {
    param: 'region',
    message:
      'region is that of more than 10,000 locations by their account: give regions to the locations themselves.',
  });
}
