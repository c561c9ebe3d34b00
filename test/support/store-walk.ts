/** Lists walked page by page, in either direction. */
import assert from 'node:assert/strict';
import { placeIn } from '../../src/store/pages.ts';
import type { ListQuery, Store, StoredRecord } from '../../src/store/promises/store.ts';

/** The records of all pages, in the order of the list; `meanwhile` comes after each page. */
export async function walk(
  store: Store,
  { side, ...query }: Omit<ListQuery, 'after' | 'before'> & { readonly side: 'after' | 'before' },
  meanwhile: (seen: readonly StoredRecord[]) => Promise<unknown> = async () => {},
): Promise<StoredRecord[]> {
  let seen: StoredRecord[] = [];
  if (side === 'before') {
    // The walk back begins at the last record there is.
    const { bytes, ...whole } = query;
    const all = await store.list({ ...whole, limit: 100_000 });
    seen = all.records.slice(-1);
  }
  for (let more = true; more; ) {
    const at = side === 'after' ? seen.at(-1) : seen[0];
    const page = await store.list({ ...query, [side]: at && placeIn(query, at) });
    const full = page.records.length === query.limit || query.bytes !== undefined;
    assert.ok(full || !page.more, 'full where there is more');
    seen = side === 'after' ? [...seen, ...page.records] : [...page.records, ...seen];
    more = page.more;
    await meanwhile(seen);
  }
  return seen;
}
