/** Locations by what a file calls them: people write names where a column is for identifiers. */
import type { Resource } from '../../../core/schema/define.ts';
import { externalOf, identifierOf } from '../../../core/schema/reference.ts';
import { sameText } from '../../../core/schema/search/folding.ts';
import { pagesOf } from '../../../store/pages.ts';
import type { Scope, Store } from '../../../store/promises/store.ts';

/** By a cell, the unique identifier that a person has chosen for it. */
export type Chosen = Readonly<Record<string, string>>;

/** The names of the parameters that say at which location a row is. */
export interface PlaceParams {
  readonly external: string;
  readonly unique: string;
  /** Never sent together with `unique`. */
  readonly root: string;
}

const PAGE = 1_000;
/** The most names in memory. Where there are more, those that were made first are found by their identifiers alone. */
const MOST = 20_000;

/** `undefined`: the rows of this resource are at no location. */
export function placeParams({ parent }: Resource): PlaceParams | undefined {
  if (parent === undefined) return undefined;
  if (!parent.anchor || parent.parent === undefined) return placeParams(parent);
  return {
    external: externalOf(parent),
    unique: identifierOf(parent),
    root: identifierOf(parent.parent),
  };
}

export type PlaceNames = Awaited<ReturnType<typeof placesOf>>;

/** Reads all locations of the scope. */
export async function placesOf(
  store: Pick<Store, 'list' | 'locationSettings'>,
  resources: readonly Resource[],
  scope: Scope,
  chosen: Chosen = {},
  areaCodes: Readonly<Record<string, string>> = {},
) {
  const own = new Map<string, string>();
  const zones = new Map<string, string | undefined>();
  const byName = new Map<string, Set<string>>();
  const anchor = resources.find((resource) => resource.anchor);
  const [title] = anchor?.display.title ?? [];
  let isWhole = false;
  let read = 0;
  if (anchor === undefined || title === undefined) throw new TypeError('There are no locations.');
  const query = { shape: anchor.shape, scope, order: 'newest', limit: PAGE } as const;
  for await (const { records, more } of pagesOf(store, query)) {
    const ids = records.flatMap((one) => [one.unique_identifier, one.account]);
    const settings = await store.locationSettings.of([...new Set(ids)]);
    const set = new Map(settings.map((one) => [one.unique_identifier, one.time_zone]));
    for (const { unique_identifier, external_identifier, account, document } of records) {
      zones.set(unique_identifier, set.get(unique_identifier) || set.get(account) || undefined);
      const name = nameIn((JSON.parse(document) as Readonly<Record<string, unknown>>)[title]);
      byName.getOrInsertComputed(name, () => new Set()).add(unique_identifier);
      if (external_identifier !== null) own.set(external_identifier, unique_identifier);
    }
    isWhole = !more;
    read += PAGE;
    if (read >= MOST) break;
  }
  const [usual] = zones.values();
  const choices = new Map(Object.entries(chosen).map(([cell, one]) => [nameIn(cell), one]));
  const find = (cell: string): ReadonlySet<string> | undefined => {
    const choice = choices.get(nameIn(cell));
    return choice === undefined ? byName.get(nameIn(cell)) : new Set([choice]);
  };
  return {
    /** Finds what a cell names. `several`: more than one is called so; `undefined`: none is, or it is an identifier. */
    named(cell: string): { readonly unique_identifier: string } | 'several' | undefined {
      if (own.has(cell) || cell.trim() === '') return undefined;
      const [unique_identifier, another] = find(cell) ?? [];
      if (unique_identifier === undefined) return undefined;
      return another === undefined ? { unique_identifier } : 'several';
    },
    /** Whether the cell means nothing that is known. */
    isUnknown: (cell: string) => cell.trim() !== '' && !own.has(cell) && find(cell)?.size !== 1,
    /** The time zone of the location that the cell identifies or names, if one is set. A row that names none is refused for that. */
    zoneOf(cell: string): string | undefined {
      const [id = own.get(cell) ?? cell] = own.has(cell) ? [] : (find(cell) ?? []);
      return zones.has(id) ? zones.get(id) : usual;
    },
    /** The area code of the location that the cell identifies or names; where it names none, that of all locations. */
    areaCodeOf(cell: string): string | undefined {
      const [id = own.get(cell) ?? cell] = own.has(cell) ? [] : (find(cell) ?? []);
      if (zones.has(id)) return areaCodes[id];
      const [code, another] = new Set([...zones.keys()].map((one) => areaCodes[one]));
      return another === undefined ? code : undefined;
    },
    hasAreaCodes: Object.keys(areaCodes).length > 0,
    hasZones: isWhole && zones.values().every((zone) => zone !== undefined),
  };
}

/** As names are compared: without regard to case, accents and spacing. */
export function nameIn(value: unknown): string {
  return sameText(String(value));
}
