/** Finds what records are called. */
import type { Resource } from '../core/schema/define.ts';
import { parseStored } from '../core/schema/json/json.ts';
import { titleOf } from '../core/schema/present/display.ts';
import type { JsonObject } from '../core/schema/values.ts';
import type { Scope, Store } from '../store/promises/store.ts';

/** The titles of those of these records that exist and have one, by their identifiers. */
export async function titlesAmong(
  store: Store,
  resources: readonly Resource[],
  ids: readonly string[],
  scope: Scope,
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    resources.map(async (resource) => {
      const wanted = ids.filter((id) => id.startsWith(resource.prefix));
      const records = wanted.length === 0 ? [] : await store.findAll(resource.shape, wanted, scope);
      return records.flatMap(({ unique_identifier, document }) => {
        const title = titleOf(resource, parseStored(document) as JsonObject);
        return title === undefined ? [] : [[unique_identifier, title] as const];
      });
    }),
  );
  return new Map(found.flat());
}
