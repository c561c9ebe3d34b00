/** Adds expansions to the response of a write. */

import type { Resource } from '../../core/schema/define.ts';
import { expandOf } from '../../core/schema/parse/parse-list.ts';
import {
  type AnsweredRecord,
  type Store,
  StoreUnavailable,
  StoreUnsure,
} from '../../store/promises/store.ts';
import type { Principal } from '../auth/principal.ts';
import { authorizeExpand, expanderOf } from './expand.ts';
import { shown } from './shown.ts';

/**
 * Called before the write. Throws `permission_denied` if the key may not read a requested expansion; returns nothing if
 * none is requested. Call the result with the written record and the object of the response.
 */
export function createExpandWritten(store: Pick<Store, 'findAll' | 'sources'>) {
  return (principal: Principal, resource: Resource, query: string) => {
    if (query === '') return undefined;
    const expand = expandOf(resource, query);
    const { resources, identifiers, source } = expand;
    if (resources.length === 0 && !identifiers && !source) return undefined;
    authorizeExpand(principal, resource, expand);
    return async (record: AnsweredRecord, object: string): Promise<string> => {
      try {
        const expansionsOf = await expanderOf(store, principal, resource, [record], expand);
        return shown(object, expansionsOf(record));
      } catch (error) {
        // The record was saved: only its expansions could not be read.
        if (error instanceof StoreUnavailable) throw new StoreUnsure(error.message);
        throw error;
      }
    };
  };
}
