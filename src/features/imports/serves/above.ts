/** Records above those of a file, by the caller's own identifier alone: a case number says which service is meant, wherever it is. */
import { BoundedMap } from '../../../core/bounded.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { externalOf, identifierOf } from '../../../core/schema/reference.ts';
import type { Filter } from '../../../store/promises/records.ts';
import type { Scope, Store } from '../../../store/promises/store.ts';
import { type Chosen, nameIn, placeParams } from './places.ts';

/** Characters of identifiers that are remembered while a file is read. */
const KEPT = 1_048_576;

/** `several`: more than one has that identifier, at different locations; `none`: no record that the caller sees. */
export type FoundAbove = { readonly unique_identifier: string } | 'several' | 'none';

/** The names of the parameters, and how their records are found. */
export interface Above {
  readonly external: string;
  readonly unique: string;
  /** Never sent together with `unique`. */
  readonly others: readonly string[];
  find(external: string): Promise<FoundAbove>;
}

/** Finds records of a scope; `undefined` where a caller's own identifier is enough, or the resource has none above. */
export type AboveFinder = (resource: Resource) => Above | undefined;

/** `chosen` says at which location the record with an identifier is. */
export function aboveFinder(
  store: Pick<Store, 'list'>,
  scope: Scope,
  chosen: Chosen = {},
): AboveFinder {
  const places = new Map(Object.entries(chosen).map(([cell, one]) => [nameIn(cell), one]));
  return (resource) => {
    const { parent } = resource;
    const params = placeParams(resource);
    if (parent === undefined || parent.anchor || parent.parent === undefined || !params)
      return undefined;
    const known = new BoundedMap<string, FoundAbove>(KEPT, () => 64);
    const look = async (external: string): Promise<FoundAbove> => {
      const at = places.get(nameIn(external));
      const where: Filter[] = [{ by: 'external_identifier', is: '=', value: external }];
      if (at !== undefined) where.push({ by: 'anchor', is: '=', value: at });
      const query = { shape: parent.shape, scope, order: 'newest', limit: 2 } as const;
      const { records } = await store.list({ ...query, where });
      const [first, second] = records;
      if (first === undefined) return 'none';
      return second === undefined ? { unique_identifier: first.unique_identifier } : 'several';
    };
    return {
      external: externalOf(parent),
      unique: identifierOf(parent),
      others: [params.external, params.unique, params.root],
      async find(external) {
        if (external === '' || external.includes('\0')) return 'none';
        const before = known.get(external);
        const found = before ?? (await look(external));
        if (before === undefined) known.set(external, found);
        return found;
      },
    };
  };
}
