/** Reads one page of a list from the store. */
import { ApiError, Faults } from '../../core/errors.ts';
import { parentOf, type Resource } from '../../core/schema/define.ts';
import {
  type AncestorFilter,
  type Comparison,
  type ListRequest,
  MAX_TOTAL,
} from '../../core/schema/parse/parse-list.ts';
import type { Total } from '../../core/schema/present/present.ts';
import { inWords, withArticle } from '../../core/schema/present/words.ts';
import { externalOf, identifierOf, type Reference } from '../../core/schema/reference.ts';
import { keyText } from '../../core/schema/shape.ts';
import type { FindSaid } from '../../store/books/tables.ts';
import { placeIn } from '../../store/pages.ts';
import { findSealed } from '../../store/promises/erasing/sealed.ts';
import { noSuchAs, noSuchBelow } from '../../store/promises/refusals.ts';
import type {
  Filter,
  ListPlace,
  ListQuery,
  Page,
  Scope,
  Store,
  StoredRecord,
} from '../../store/promises/store.ts';
import type { Principal } from '../auth/principal.ts';
import { scopeOf } from '../auth/region.ts';
import { fromSource } from './expand.ts';

interface PageReading {
  /** As of `ListQuery`. */
  readonly bytes: number;
  readonly giveWay: () => Promise<void>;
  readonly isGone: IsGone;
  /** Where the walk of an earlier page goes on, in place of the cursor of the request. */
  readonly after?: ListPlace | undefined;
}

export type IsGone = (() => boolean) | undefined;

/** Throws `ApiError` if the caller may not see the cursor or a filter's record, or is gone. */
export async function pageOf(
  store: Store,
  principal: Principal,
  resource: Resource,
  request: ListRequest,
  { bytes, after, ...reading }: PageReading,
): Promise<Page & { readonly parent: string | undefined }> {
  const { limit, cursor, order, said } = request;
  const { parent, ...query } = await queryOf(store, principal, resource, request, reading);
  const list = { ...query, order, limit, bytes };
  const found = (side: 'after' | 'before', place: ListPlace | undefined) =>
    said.length === 0
      ? store.list({ ...list, [side]: place })
      : saidPage(store, said, list, { side, place });
  if (after !== undefined || cursor === undefined)
    return { ...(await found('after', after)), parent };
  const { side, unique_identifier, param } = cursor;
  const record = await store.find(resource.shape, unique_identifier, query.scope);
  if (record !== undefined) return { ...(await found(side, placeIn(list, record))), parent };
  throw new ApiError('value_invalid', {
    param,
    message: `${param} is not the unique_identifier of ${withArticle(inWords(resource.name))} that you may see.`,
  });
}

type SaidList = Pick<
  ListQuery,
  'bytes' | 'giveWay' | 'limit' | 'order' | 'scope' | 'shape' | 'where'
>;

/** A page of the records of which that is so: as many pages of all records are read as it takes. */
async function saidPage(
  store: Pick<Store, 'list' | 'said'>,
  said: ListRequest['said'],
  list: SaidList,
  { side, place }: { readonly side: 'after' | 'before'; readonly place: ListPlace | undefined },
): Promise<Page> {
  const backward = side === 'before';
  // Along the walk: a page before a place comes in the order of the list.
  let found: StoredRecord[] = [];
  for (let from = place, isMore = true; isMore; ) {
    const { records, more } = await store.list({ ...list, [side]: from });
    const some = await saidOf(store, said, list.shape, records);
    found = backward ? [...some, ...found] : [...found, ...some];
    if (found.length >= list.limit) {
      const page = backward ? found.slice(-list.limit) : found.slice(0, list.limit);
      return { records: page, more: more || page.length < found.length };
    }
    const last = backward ? records[0] : records.at(-1);
    from = last && placeIn(list, last);
    isMore = more && last !== undefined;
    // A page has no more bytes than another one, so what it has so far is one.
    if (isMore && found.length > 0 && bytesIn(found) > (list.bytes ?? Number.MAX_SAFE_INTEGER) / 2)
      return { records: found, more: true };
    await list.giveWay?.();
  }
  return { records: found, more: false };
}

const bytesIn = (records: readonly StoredRecord[]): number =>
  records.reduce((sum, { document }) => sum + document.length, 0);

/** Gives those of which that is so. */
export async function saidOf<One extends Parameters<FindSaid>[1][number]>(
  { said: books }: Pick<Store, 'said'>,
  said: ListRequest['said'],
  shape: Resource['shape'],
  records: readonly One[],
): Promise<readonly One[]> {
  let left = records;
  for (const [name, is] of said) {
    const some = await books[name]?.(shape, left);
    left = left.filter(({ unique_identifier }) => (some?.has(unique_identifier) ?? false) === is);
  }
  return left;
}

const COUNTED_AT_ONCE = 500;
const COUNTED_BYTES = 1_048_576;

/** The number of records in the whole list. Throws like `pageOf`. */
export async function totalOf(
  ...[store, principal, resource, request, reading]: Parameters<typeof queryOf>
): Promise<Total> {
  const { parent: _, ...query } = await queryOf(store, principal, resource, request, reading);
  if (request.said.length > 0) {
    const { order, said } = request;
    const list = { ...query, order, limit: COUNTED_AT_ONCE, bytes: COUNTED_BYTES };
    let count = 0;
    for (let place: ListPlace | undefined, isMore = true; isMore && count <= MAX_TOTAL; ) {
      const { records, more } = await saidPage(store, said, list, { side: 'after', place });
      count += records.length;
      const last = records.at(-1);
      place = last && placeIn(list, last);
      isMore = more && last !== undefined;
    }
    return { count: Math.min(count, MAX_TOTAL), more: count > MAX_TOTAL };
  }
  const count = await store.count({ ...query, limit: MAX_TOTAL });
  return { count: Math.min(count, MAX_TOTAL), more: count > MAX_TOTAL };
}

/** The common part of reading a list and counting it, and the ancestor that all its records have, if they do. */
async function queryOf(
  store: Store,
  principal: Principal,
  resource: Resource,
  request: ListRequest,
  { giveWay, isGone }: Pick<PageReading, 'giveWay' | 'isGone'>,
) {
  const from = await fromSource(store, principal, request.source);
  const scope = await scopeOf(store, principal.scope, resource, request);
  const inside = await foundAbove(store, scope, request.above);
  return {
    shape: resource.shape,
    scope,
    where: [...whereOf([...inside, ...request.comparisons]), ...from],
    giveWay: givingWay(giveWay, isGone),
    parent: inside.find(({ filter }) => filter.by === 'parent')?.value,
  };
}

/** Yields between reads, and throws once the client is gone. */
export function givingWay(giveWay: () => Promise<void>, isGone: IsGone): () => Promise<void> {
  const message = 'You closed the connection before the list was read.';
  return async () => {
    await giveWay();
    if (isGone?.() === true) throw new ApiError('request_timeout', { message });
  };
}

/** Throws `resource_missing`, like an upsert, if the parent does not exist or the key may not see it. */
async function foundAbove(store: Store, scope: Scope, named: readonly AncestorFilter[]) {
  const faults = new Faults();
  const found: Comparison[] = [];
  for (const { filter, resource, reference } of named) {
    const record = await find(store, scope, resource, reference, faults);
    if (record !== undefined) found.push({ filter, is: '=', value: record.unique_identifier });
  }
  faults.throwIfAny();
  return found;
}

async function find(
  store: Store,
  scope: Scope,
  resource: Resource,
  reference: Reference,
  faults: Faults,
): Promise<StoredRecord | undefined> {
  const { shape, name } = resource;
  if (typeof reference === 'string') {
    const found = await store.find(shape, reference, scope);
    if (found === undefined)
      faults.add(identifierOf(resource), 'resource_missing', noSuchAs(shape, reference));
    return found;
  }
  const parent = parentOf(resource);
  const above = await find(store, scope, parent, reference.parent, faults);
  if (above === undefined) return undefined;
  const { account, unique_identifier } = above;
  const id = reference.external_identifier;
  const findBy = (external_identifier: string) =>
    store.findPair(shape, { account, parent: unique_identifier, external_identifier });
  const there = (await findBy(id)) ?? (await findSealed(store, shape, id, findBy));
  // The key may see its parent, but not the record.
  const found = there && (await store.find(shape, there.unique_identifier, scope));
  if (found === undefined)
    faults.add(externalOf(resource), 'resource_missing', noSuchBelow(parent.name, name));
  return found;
}

export function whereOf(comparisons: readonly Comparison[]): readonly Filter[] {
  return comparisons.flatMap(({ filter: { by }, is, value }): readonly Filter[] => {
    if (by === 'inserted_at' || by === 'updated_at') return wholeSeconds(by, is, Date.parse(value));
    if (typeof by === 'string') return [{ by, is, value }];
    return [{ by: { key: by.name }, is, value: keyText(by, value) }];
  });
}

/** Stores have milliseconds, and responses show whole seconds: times that look equal to a caller must be equal. */
function wholeSeconds(by: 'inserted_at' | 'updated_at', is: Filter['is'], start: number) {
  const next = start + 1000;
  const from = { by, is: '>=', value: is === '>' ? next : start } as const;
  const to = { by, is: '<', value: is === '<' ? start : next } as const;
  if (is === '=') return [from, to];
  return [is === '>' || is === '>=' ? from : to];
}
