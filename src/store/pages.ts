/** Walks lists page by page. A walk goes on after the last record that it read, also where that was removed. */
import { orderKey } from './names.ts';
import type { ListPlace, ListQuery, Page, StoredRecord } from './promises/records.ts';
import type { Store } from './promises/store.ts';
import { storedKey } from './records/indexed.ts';
import { parseDocument } from './records/records.ts';

export async function* pagesOf(
  store: Pick<Store, 'list'>,
  query: Omit<ListQuery, 'before'>,
): AsyncGenerator<Page> {
  let { after } = query;
  for (let more = true; more; ) {
    const page = await store.list({ ...query, after });
    yield page;
    const last = page.records.at(-1);
    after = last && placeIn(query, last);
    more = page.more;
  }
}

/** The place of a record in a list. */
export function placeIn(
  { shape, order }: Pick<ListQuery, 'shape' | 'order'>,
  { unique_identifier, document }: Pick<StoredRecord, 'unique_identifier' | 'document'>,
): ListPlace {
  if (order === 'newest') return { unique_identifier };
  const key = storedKey(orderKey(shape, order.key), parseDocument(document));
  return { unique_identifier, key };
}
