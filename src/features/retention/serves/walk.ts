/** Walks the records that are old enough for a rule, page by page. */
import type { Resource } from '../../../core/schema/define.ts';
import { pagesOf, placeIn } from '../../../store/pages.ts';
import type { ListQuery, Store, StoredRecord } from '../../../store/promises/store.ts';
import { dateKey, dateText } from '../../../store/records/aged.ts';
import { isStoredTime, type RetentionPlace, type StoredRetentionRule } from '../declares.ts';

const BYTES = 1_048_576;
/** Services that one page looks for children of. */
const SERVICES = 20;

interface Old {
  readonly record: StoredRecord;
  /** The start of its age, in milliseconds since 1970. */
  readonly since: number;
  /** The version of what it belongs to, whose date decides for it. */
  readonly parent_version?: number;
  readonly place: RetentionPlace;
}

interface OldPage {
  readonly old: readonly Old[];
  /** Where the walk goes on. */
  readonly place: RetentionPlace;
}

/** Finds the resource of a rule. */
export function resourceOf(resources: readonly Resource[], resource: string): Resource {
  const found = resources.find(({ name }) => name === resource);
  if (found === undefined) throw new TypeError(`There is no resource ${resource}.`);
  return found;
}

/** The resource by whose date records of a resource age: their own or what they belong to. */
export function datedBy(resource: Resource): Resource | undefined {
  return [resource, resource.parent].find((one) => one !== undefined && dateKey(one.shape));
}

/** A walk over records that were there until then. */
interface AgedWalk {
  readonly store: Store;
  readonly resource: Resource;
  readonly rule: StoredRetentionRule;
  readonly until: number;
  readonly limit: number;
}

/** Yields the records after a place, of `limit` records or of some services each. */
export async function* agedPages(
  walk: AgedWalk,
  after: RetentionPlace | null,
): AsyncGenerator<OldPage, undefined> {
  const dated = isStoredTime(walk.rule.since) ? undefined : datedBy(walk.resource);
  const isOwn = dated === undefined || dated === walk.resource;
  let [old, count]: [Old[], number] = [[], 0];
  let last: RetentionPlace | undefined;
  for await (const page of isOwn ? own(walk, after) : below(walk, dated, after)) {
    old.push(...page.old);
    count += 1;
    last = page.place;
    if (old.length < walk.limit && count < SERVICES) continue;
    yield { old, place: last };
    [old, count] = [[], 0];
  }
  if (last !== undefined && count > 0) yield { old, place: last };
}

async function* own(walk: AgedWalk, after: RetentionPlace | null): AsyncGenerator<OldPage> {
  const { since } = walk.rule;
  const query = queryOf(walk, walk.resource);
  for await (const { records } of pagesOf(walk.store, { ...query, after: after ?? undefined })) {
    const old = records.map((record) => {
      const place = placeIn(query, record);
      const from = isStoredTime(since) ? record[since] : Date.parse(place.key ?? '');
      return { record, since: from, place };
    });
    const { place } = old.at(-1) ?? {};
    if (place !== undefined) yield { old, place };
  }
}

/** Yields pages of what belongs to the services, which have the date of both. */
async function* below(walk: AgedWalk, services: Resource, after: RetentionPlace | null) {
  const { store } = walk;
  const query = { ...queryOf(walk, services), limit: SERVICES, after: after ?? undefined };
  if (after?.child !== undefined) {
    const [service] = await store.findAll(query.shape, [after.unique_identifier], query.scope);
    const isThere = service !== undefined && placeIn(query, service).key === after.key;
    if (isThere) yield* children(walk, query, service, after.child);
  }
  for await (const { records } of pagesOf(store, query))
    for (const service of records) yield* children(walk, query, service, undefined);
}

/** Yields pages of the children of a service, after that one. */
async function* children(
  walk: AgedWalk,
  services: ListQuery,
  service: StoredRecord,
  after: string | undefined,
): AsyncGenerator<OldPage> {
  const its = placeIn(services, service);
  const of = { since: Date.parse(its.key ?? ''), parent_version: service.version };
  const pages = pagesOf(walk.store, {
    ...queryOf(walk, walk.resource),
    order: 'newest',
    where: [{ by: 'parent', is: '=', value: service.unique_identifier }],
    after: after === undefined ? undefined : { unique_identifier: after },
  });
  for await (const { records } of pages) {
    const old = records.map((record) => {
      return { ...of, record, place: { ...its, child: record.unique_identifier } };
    });
    const place = old.at(-1)?.place ?? its;
    if (old.length > 0 || after === undefined) yield { old, place };
  }
}

/** Finds what is old enough, of the resource that the ages are of. */
function queryOf({ rule, until, limit }: AgedWalk, { shape }: Resource): ListQuery {
  const { account, location, since } = rule;
  const anchors = location === null ? undefined : new Set([location]);
  const isStored = isStoredTime(since);
  return {
    shape,
    scope: { accounts: new Set([account]), anchors },
    order: isStored ? 'newest' : { key: since },
    where: [
      isStored
        ? { by: since, is: '<=', value: until }
        : { by: { key: since }, is: '<=', value: dateText(until) },
    ],
    limit,
    bytes: BYTES,
  };
}
