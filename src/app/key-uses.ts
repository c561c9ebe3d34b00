/** Finds in all features what works by keys, and stops when these end. */
import type { StoredKey } from '../core/objects/api-key.ts';
import type { Served } from '../services/served.ts';

/** Gives the unique identifiers of what works by each of these keys; those by which nothing works are left out. */
export async function keyUses(
  served: readonly Pick<Served, 'usesOf'>[],
  keys: readonly StoredKey[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await Promise.all(served.map((one) => one.usesOf?.(keys) ?? []));
  const all = Map.groupBy(found.flat(), ({ key }) => key);
  return new Map([...all].map(([key, uses]) => [key, uses.map((use) => use.unique_identifier)]));
}
