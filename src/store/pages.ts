/** Fills and walks pages of lists. A walk goes on after the last record that it read, even if it was removed. */
import { Buffer } from 'node:buffer';
import { orderKey } from './names.ts';
import type { ListPlace, ListQuery, Page, StoredRecord } from './promises/records.ts';
import type { Store } from './promises/store.ts';
import { parseDocument, type RecordRow, storedKey, toRecord } from './records/records.ts';

export async function* pagesOf(store: Pick<Store, 'list'>, query: Omit<ListQuery, 'before'>) {
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

/** Fills a page, row by row, up to its limits of records and bytes. */
export function createFilling({ limit, bytes = Number.POSITIVE_INFINITY }: ListQuery) {
  const records: StoredRecord[] = [];
  let taken = 0;
  let more = false;
  return {
    /** Adds the next row of the walk; returns whether it had a place on the page. */
    take(row: RecordRow): boolean {
      const record = toRecord(row);
      taken += Buffer.byteLength(record.document);
      more = records.length === limit || (records.length > 0 && taken > bytes);
      if (!more) records.push(record);
      return !more;
    },
    /** Returns the page in the order of the list, which the walk followed or reversed. */
    page: (forward: boolean): Page => ({ records: forward ? records : records.reverse(), more }),
  };
}
