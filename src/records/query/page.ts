/** Reads one page of a list from the store. */
import { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { type ListRequest, MAX_TOTAL } from '../../core/schema/parse/parse-list.ts';
import type { Total } from '../../core/schema/present/present.ts';
import { inWords, withArticle } from '../../core/schema/present/words.ts';
import { placeIn } from '../../store/pages.ts';
import type { Filter, ListPlace, Page, Scope, Store } from '../../store/promises/store.ts';
import { foundAbove } from './above.ts';
import { whereOf } from './where.ts';

/** How a page is read. */
export interface PageReading {
  /** As of `ListQuery`. */
  readonly bytes: number;
  readonly giveWay: () => Promise<void>;
  readonly isGone: IsGone;
  /** Filters in addition to those of the request. */
  readonly from?: readonly Filter[];
  /** Where the walk of an earlier page goes on, in place of the cursor of the request. */
  readonly after?: ListPlace | undefined;
}

/** Whether the client is gone. */
export type IsGone = (() => boolean) | undefined;

/** Throws `ApiError` if the caller may not see the cursor or a filter's record, or is gone. */
export async function pageOf(
  store: Store,
  scope: Scope,
  { shape, name }: Resource,
  { limit, cursor, above, comparisons, order }: Omit<ListRequest, 'expand' | 'total' | 'source'>,
  { bytes, giveWay, isGone, from = [], after }: PageReading,
): Promise<Page & { readonly parent: string | undefined }> {
  const inside = await foundAbove(store, scope, above);
  const parent = inside.find(({ filter }) => filter.by === 'parent')?.value;
  const list = {
    shape,
    scope,
    order,
    where: [...whereOf([...inside, ...comparisons]), ...from],
    limit,
    bytes,
    giveWay: givingWay(giveWay, isGone),
  };
  if (after !== undefined || cursor === undefined)
    return { ...(await store.list({ ...list, after })), parent };
  const { side, unique_identifier, param } = cursor;
  const record = await store.find(shape, unique_identifier, scope);
  if (record !== undefined)
    return { ...(await store.list({ ...list, [side]: placeIn(list, record) })), parent };
  throw new ApiError('value_invalid', {
    param,
    message: `${param} is not the unique_identifier of ${withArticle(inWords(name))} that you may see.`,
  });
}

/** The number of records in the whole list. Throws like `pageOf`. */
export async function totalOf(
  store: Store,
  scope: Scope,
  { shape }: Resource,
  { above, comparisons }: Pick<ListRequest, 'above' | 'comparisons'>,
  { giveWay, isGone, from = [] }: Omit<PageReading, 'bytes' | 'after'>,
): Promise<Total> {
  const inside = await foundAbove(store, scope, above);
  const count = await store.count({
    shape,
    scope,
    where: [...whereOf([...inside, ...comparisons]), ...from],
    limit: MAX_TOTAL,
    giveWay: givingWay(giveWay, isGone),
  });
  return { count: Math.min(count, MAX_TOTAL), more: count > MAX_TOTAL };
}

/** Yields between reads, and throws once the client is gone. */
export function givingWay(giveWay: () => Promise<void>, isGone: IsGone): () => Promise<void> {
  return async () => {
    await giveWay();
    if (isGone?.() === true) throw new ApiError('request_timeout', { message: LEFT });
  };
}

const LEFT = 'You closed the connection before the list was read.';
