/** The entrance for reads, and for what answers to writes read beside what was written. */
import type { Store } from '../store/store.ts';
import { createFind, type FindRecord } from './find.ts';
import { createList, type ListRecords } from './list.ts';
import { createExpandWritten, type ExpandWritten } from './written.ts';

export interface Query {
  readonly find: FindRecord;
  readonly list: ListRecords;
  readonly expandWritten: ExpandWritten;
}

export function createQuery(store: Store): Query {
  return {
    find: createFind(store),
    list: createList(store),
    expandWritten: createExpandWritten(store),
  };
}
