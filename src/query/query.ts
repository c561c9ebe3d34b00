/** The entrance for reads. */
import type { Store } from '../store/store.ts';
import { createFind, type FindRecord } from './find.ts';
import { createList, type ListRecords } from './list.ts';

export interface Query {
  readonly find: FindRecord;
  readonly list: ListRecords;
}

export function createQuery(store: Store): Query {
  return { find: createFind(store), list: createList(store) };
}
