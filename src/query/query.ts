/** The entrance for reads. */
import type { Store } from '../store/store.ts';
import { createFind, type Find } from './find.ts';
import { createList, type List } from './list.ts';

export interface Query {
  readonly find: Find;
  readonly list: List;
}

export function createQuery(store: Store): Query {
  return { find: createFind(store), list: createList(store) };
}
