/** The locations of a region, which lists, searches and changes can be limited to. */
import { ApiError } from '../../core/errors.ts';
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

function tooMany(): ApiError {
  return new ApiError('value_invalid', {
    param: 'region',
    message:
      'region is that of more than 10,000 locations by their account: give regions to the locations themselves.',
  });
}
