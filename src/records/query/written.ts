/** Puts what a record belongs to into the answer to its write. */

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
 * To be called before the write: throws `permission_denied` where the key may not read what the query requests, and
 * gives nothing where it requests nothing. The result is to be called with what was written, and the object that is
 * answered.
 */
export type ExpandWritten = (
  principal: Principal,
  resource: Resource,
  query: string,
) => ((record: AnsweredRecord, object: string) => Promise<string>) | undefined;

export function createExpandWritten(store: Pick<Store, 'findAll'>): ExpandWritten {
  return (principal, resource, query) => {
    if (query === '') return undefined;
    const expand = expandOf(resource, query);
    if (expand.resources.length === 0 && !expand.identifiers) return undefined;
    authorizeExpand(principal, resource, expand);
    return async (record, object) => {
      try {
        const expansionsOf = await expanderOf(store, principal, resource, [record], expand);
        return shown(object, expansionsOf(record));
      } catch (error) {
        // It was saved: only what it belongs to could not be read.
        if (error instanceof StoreUnavailable) throw new StoreUnsure(error.message);
        throw error;
      }
    };
  };
}
