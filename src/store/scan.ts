/** Passes over what has no index, records or the log, for what may meet an expression. */
import { plainText } from '../core/schema/search/folding.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import { onePiece } from './follow.ts';
import type { Scan, ScanQuery } from './promises/search.ts';
import type { Store } from './promises/store.ts';

export async function scan(
  store: Pick<Store, 'list' | 'log'>,
  shapes: readonly RecordShape[],
  { account, place, rough }: ScanQuery,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): Promise<Scan> {
  const meets = (text: string): boolean => rough === undefined || rough.test(plainText(text));
  if (place.in === 'log') {
    const query = { after: place.after, limit: count, bytes, documents: true };
    const page = await onePiece(store.log.follow(account, query));
    // Swept up to there, or the store was restored: from the first that is stored.
    if (typeof page === 'string') return { met: [], next: { in: 'log' } };
    const met = page.changes.flatMap(({ resource, record, content: text }) =>
      text !== null && meets(text) ? [{ resource, record, text }] : [],
    );
    const last = page.changes.at(-1);
    if (!page.more || last === undefined) return { met, next: undefined };
    const { position, place: at, token } = last;
    return { met, next: { in: 'log', after: { position, place: at, token } } };
  }
  const { resource, after } = place;
  const shape = shapes.find((one) => one.resource === resource);
  if (shape === undefined) return { met: [], next: undefined };
  const page = await store.list({
    shape,
    order: 'newest',
    limit: count,
    bytes,
    scope: { accounts: new Set([account]), anchors: undefined },
    after: after === undefined ? undefined : { unique_identifier: after },
  });
  const met = page.records.flatMap(({ unique_identifier: record, document: text }) =>
    meets(text) ? [{ resource, record, text }] : [],
  );
  const last = page.records.at(-1)?.unique_identifier;
  const isThrough = !page.more || last === undefined;
  return { met, next: isThrough ? undefined : { in: 'records', resource, after: last } };
}
