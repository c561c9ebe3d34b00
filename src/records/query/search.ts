/** Searches records of all resources for a typed text, as far as the key may see them. */
import type { PageReads } from '../../core/fair/page-reads.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Expand, Resource } from '../../core/schema/define.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import type { ListRequest } from '../../core/schema/parse/parse-list.ts';
import { HOME } from '../../core/schema/phones/numbers.ts';
import { presentOne } from '../../core/schema/present/present.ts';
import {
  type Match,
  matchesOf,
  nearMatchesOf,
  nearStartsOf,
  rangesOf,
  readSearchText,
  type SearchText,
} from '../../core/schema/search/searching.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { ListQuery, Scope, Store, StoredRecord } from '../../store/promises/store.ts';
import { authorize, authorizeAction, type Principal } from '../auth/principal.ts';
import { type Narrowing, narrowedScope } from '../auth/region.ts';
import { authorizeExpand, bytesOf, entriesUpTo, expanderOf, shown } from './expand.ts';
import { givingWay, type IsGone, saidOf } from './page.ts';
import { countryAt } from './zones.ts';

/** Bytes of records with their expansions, of all resources together. */
const MAX_BYTES = 2_097_152;
const LOOKED_UP = 64;
/** Places that are asked for their country, until one has one. */
const PLACES = 100;

export interface SearchRequest extends Narrowing {
  readonly q: string;
  readonly limit: number;
  /** Names of resources; `undefined`: all searchable ones. */
  readonly resources: ReadonlySet<string> | undefined;
  /** Filters by what features say of records of a resource. */
  readonly said: (resource: Resource) => ListRequest['said'];
  /** The `expand[]` that applies to records of a resource. */
  readonly expand: (resource: Resource) => Expand;
}

export type SearchRecords = ReturnType<typeof createSearch>;

interface Hit {
  readonly record: StoredRecord;
  readonly matches: readonly Match[];
  /** Whether the match differs from the query by a letter. */
  readonly near?: true;
}

/** Answers with the matches as JSON text. Throws `ApiError` for faults of the caller. */
export function createSearch(
  store: Store,
  resources: readonly Resource[],
  { reads, now }: { readonly reads: PageReads; readonly now: () => number },
) {
  const wantedBy = (principal: Principal, { resources: names }: SearchRequest) => {
    const searched = resources.filter(({ shape }) => shape.searched !== undefined);
    if (names === undefined) {
      const { resources: only } = principal;
      return searched.filter(({ path }) => only?.has(path) ?? true);
    }
    const wanted = searched.filter(({ name }) => names.has(name));
    for (const { path } of wanted) authorize(principal, path, 'read');
    return wanted;
  };

  return async (
    principal: Principal,
    request: SearchRequest,
    timing: Timing,
    isGone?: IsGone,
  ): Promise<string> => {
    authorizeAction(principal, 'read');
    const wanted = wantedBy(principal, request);
    for (const resource of wanted) authorizeExpand(principal, resource, request.expand(resource));
    const began = performance.now();
    const scope = await narrowedScope(store, resources, principal.scope, request);
    const places = [...(request.location ? [request.location] : []), ...scope.accounts];
    const country = /\d/.test(request.q) ? await countryAt(store, places.slice(0, PLACES)) : HOME;
    const text = readSearchText(request.q, country);
    const groups: string[] = [];
    let left = MAX_BYTES;
    for (const resource of wanted) {
      // A key that is limited to locations does not search accounts, which are above them.
      const isBelow = request.location !== undefined || request.region !== undefined;
      if (isBelow && resource.parent === undefined) continue;
      const { found, more } = await reads.run(principal.key, (giveWay) => {
        const most = { records: request.limit, bytes: left, giveWay: givingWay(giveWay, isGone) };
        return findIn(store, resource.shape, scope, text, most);
      });
      if (found.length === 0 && !more) continue;
      const records = found.map((one) => one.record);
      const wantedOnes = new Set(
        await saidOf(store, request.said(resource), resource.shape, records),
      );
      const hits = found.filter(({ record }) => wantedOnes.has(record));
      if (hits.length === 0 && !more) continue;
      const byRecord = new Map(hits.map((one) => [one.record, one]));
      const { entries, bytes } = await entriesUpTo(left, [...byRecord.keys()], (some) =>
        expanderOf(store, principal, resource, some, request.expand(resource)),
      );
      left = Math.max(0, left - bytes);
      const data = entries.map(({ record, expansions }) => {
        const object = shown(presentOne(resource, record), expansions);
        const { matches, near } = byRecord.get(record) ?? {};
        return `{"record":${object},${near ? '"near":true,' : ''}"matches":${JSON.stringify(matches)}}`;
      });
      const hasMore = more || entries.length < hits.length;
      groups.push(
        `{"object":"search_group","resource":"${resource.name}","has_more":${hasMore},"data":[${data}]}`,
      );
    }
    const { building, since = Number.POSITIVE_INFINITY } = await store.search.lag([
      ...scope.accounts,
    ]);
    const index = JSON.stringify({
      status: building > 0 ? 'building' : 'ready',
      behind_seconds: Math.max(0, Math.ceil((now() - since) / 1_000)),
    });
    timing.add('resolve', performance.now() - began);
    return `{"object":"search_result","url":"/v1/search","index":${index},"data":[${groups}]}`;
  };
}

/** Limits for the matches of one resource, and how to yield between reads. */
interface Most {
  readonly records: number;
  readonly bytes: number;
  readonly giveWay: () => Promise<void>;
}

/** Matching records: those that the whole text names, then the newest, then those that match except for a letter. */
async function findIn(
  store: Store,
  shape: RecordShape,
  scope: Scope,
  text: SearchText,
  most: Most,
): Promise<{ readonly found: readonly Hit[]; readonly more: boolean }> {
  const found = new Map<string, Hit>();
  let bytes = 0;
  const isFull = () => found.size > most.records || (found.size > 0 && bytes > most.bytes);
  const take = (records: readonly StoredRecord[], near = false): void => {
    for (const record of records) {
      if (isFull()) return;
      const document = parseStored(record.document) as JsonObject;
      const exact = matchesOf(shape, document, record, text);
      const isNear = exact.length === 0 && near;
      const matches = isNear ? nearMatchesOf(shape, document, text) : exact;
      if (matches.length === 0) continue;
      found.set(record.unique_identifier, { record, matches, ...(isNear ? { near } : {}) });
      bytes += bytesOf(record);
    }
  };
  const lookUp = async (records: readonly string[], near = false): Promise<void> => {
    for (let at = 0; at < records.length && !isFull(); at += LOOKED_UP) {
      const wanted = records.slice(at, at + LOOKED_UP).filter((one) => !found.has(one));
      const there = await store.findAll(shape, wanted, scope);
      const byAge = [...there].sort((a, b) => (a.unique_identifier > b.unique_identifier ? -1 : 1));
      take(byAge, near);
    }
  };
  // One after the other: each yields by itself.
  for (const read of namedBy(store, shape, scope, text, most)) take(await read());
  const ranges = rangesOf(shape, text);
  const within = shape.parent === undefined ? { ...scope, anchors: undefined } : scope;
  const hits =
    ranges.length === 0
      ? { records: [], all: true }
      : await store.search.find({ scope: within, ranges });
  await lookUp(hits.records);
  const near = nearStartsOf(shape, text);
  if (near.length > 0 && !isFull())
    await lookUp(await store.search.findNear({ scope: within, near }), true);
  return { found: [...found.values()].slice(0, most.records), more: isFull() || !hits.all };
}

/** Records that the whole text names: by one of our identifiers, one of the caller's, or an email address. */
function namedBy(
  store: Store,
  shape: RecordShape,
  scope: Scope,
  { identifier, email }: SearchText,
  { records, giveWay }: Most,
): readonly (() => Promise<readonly StoredRecord[]>)[] {
  if (identifier === '' || identifier.includes('\0')) return [];
  const listed = async (where: NonNullable<ListQuery['where']>) => {
    const most = { limit: records + 1, bytes: MAX_BYTES / 2 };
    return (await store.list({ shape, scope, order: 'newest', where, ...most, giveWay })).records;
  };
  const named: (() => Promise<readonly StoredRecord[]>)[] = [];
  if (identifier.startsWith(shape.prefix))
    named.push(() => store.findAll(shape, [identifier], scope));
  if (shape.parent !== undefined)
    named.push(() => listed([{ by: 'external_identifier', is: '=', value: identifier }]));
  for (const { name: key, path: at } of shape.keys) {
    const isEmail = shape.searched?.some(
      ({ as, path }) => as === 'email' && path.join('.') === at.join('.'),
    );
    if (email !== undefined && isEmail)
      named.push(() => listed([{ by: { key }, is: '=', value: email }]));
  }
  return named;
}
