/** Reads a page of a resource's records, as far as the key may see them. */
import type { Principal } from '../auth/principal.ts';
import { ApiError } from '../errors.ts';
import type { Timing } from '../observe/timing.ts';
import { inWords, type Resource } from '../schema/define.ts';
import { parseList } from '../schema/parse.ts';
import { presentEntry, presentList } from '../schema/present.ts';
import type { ListQuery, Page, Store } from '../store/store.ts';

export interface Query {
  /** The JSON text of a list. Throws `ApiError` for what the caller can mend. */
  list(
    principal: Principal,
    resource: Resource,
    sent: { query: string; unknown: 'refuse' | 'ignore' },
    timing: Timing,
  ): Promise<string>;
}

export function createQuery(store: Store): Query {
  return {
    async list({ scope }, resource, { query, unknown }, timing) {
      const { limit, cursor } = timing.measure('parse', () => parseList(resource, query, unknown));
      const order = resource.list === undefined ? 'newest' : { key: resource.list.order };
      const asked: ListQuery = {
        shape: resource.shape,
        scope,
        order,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      };

      const resolving = performance.now();
      const page: Page | undefined = await store.list(asked);
      timing.add('resolve', performance.now() - resolving);
      if (page === undefined) {
        throw new ApiError('value_invalid', {
          ...(cursor === undefined ? {} : { param: cursor.param }),
          message: `${cursor?.param} is not the unique_identifier of ${articled(inWords(resource.name))} that the API key may see.`,
        });
      }
      return timing.measure('present', () => {
        const entries = page.records.map((record) => presentEntry(resource, record));
        return presentList(resource, entries, page.more);
      });
    },
  };
}

function articled(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
