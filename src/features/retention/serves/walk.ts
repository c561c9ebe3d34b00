/** Walks the records that are old enough for a rule, page by page. */

import type { Resource } from '../../../core/schema/define.ts';
import { pagesOf, placeIn } from '../../../store/pages.ts';
import type { ListQuery, Store, StoredRecord } from '../../../store/promises/store.ts';
import { dateKey, dateText } from '../../../store/records/aged.ts';
import type { RetentionPlace } from '../declares/run.ts';
import { isStoredTime, type StoredRetentionRule } from '../declares.ts';

const BYTES = 1_048_576;
/** Services that one page looks for children of. */
const SERVICES = 20;

export interface Old {
  readonly record: StoredRecord;
  /** The start of its age, in milliseconds since 1970. */
  readonly since: number;
  /** The version of what it belongs to, whose date decides for it. */
  readonly parent_version?: number;
  readonly place: RetentionPlace;
}

export interface OldPage {
  readonly old: readonly Old[];
  /** Where the walk goes on. */
  readonly place: RetentionPlace;
}

/** The resource by whose date records of a resource age: their own or what they belong to. */
export function datedBy(resource: Resource): Resource | undefined {
  return [resource, resource.parent].find((one) => one !== undefined && dateKey(one.shape));
}

export class AgedWalk {
  readonly resource: Resource;
  readonly #store: Store;
  readonly #rule: StoredRetentionRule;
  readonly #until: number;
  readonly #limit: number;
  /** The record that has the date, where that is not the record itself. */
  readonly #services: Resource | undefined;

  /** Walks over records that were there until then. */
  constructor(
    store: Store,
    resource: Resource,
    { rule, until, limit }: { rule: StoredRetentionRule; until: number; limit: number },
  ) {
    this.#store = store;
    this.#rule = rule;
    this.#until = until;
    this.#limit = limit;
    this.resource = resource;
    const dated = isStoredTime(rule.since) ? undefined : datedBy(resource);
    this.#services = dated === resource ? undefined : dated;
  }

  /** Yields the records after a place, of `limit` records or of some services each. */
  async *pages(after: RetentionPlace | null): AsyncGenerator<OldPage, undefined> {
    let [old, count]: [Old[], number] = [[], 0];
    let last: RetentionPlace | undefined;
    for await (const page of this.#services
      ? this.#below(this.#services, after)
      : this.#own(after)) {
      old.push(...page.old);
      count += 1;
      last = page.place;
      if (old.length < this.#limit && count < SERVICES) continue;
      yield { old, place: last };
      [old, count] = [[], 0];
    }
    if (last !== undefined && count > 0) yield { old, place: last };
  }

  async *#own(after: RetentionPlace | null): AsyncGenerator<OldPage> {
    const { since } = this.#rule;
    const query = this.#query(this.resource);
    for await (const { records } of pagesOf(this.#store, { ...query, after: after ?? undefined })) {
      const old = records.map((record) => {
        const place = placeIn(query, record);
        const from = isStoredTime(since) ? record[since] : Date.parse(place.key ?? '');
        return { record, since: from, place };
      });
      const { place } = old.at(-1) ?? {};
      if (place !== undefined) yield { old, place };
    }
  }

  async *#below(services: Resource, after: RetentionPlace | null): AsyncGenerator<OldPage> {
    const query = { ...this.#query(services), limit: SERVICES, after: after ?? undefined };
    if (after?.child !== undefined) {
      const [service] = await this.#store.findAll(
        query.shape,
        [after.unique_identifier],
        query.scope,
      );
      const isThere = service !== undefined && placeIn(query, service).key === after.key;
      if (isThere) yield* this.#children(query, service, after.child);
    }
    for await (const { records } of pagesOf(this.#store, query))
      for (const service of records) yield* this.#children(query, service, undefined);
  }

  /** The children of a service, after that one. */
  async *#children(
    services: ListQuery,
    service: StoredRecord,
    after: string | undefined,
  ): AsyncGenerator<OldPage> {
    const its = placeIn(services, service);
    const of = { since: Date.parse(its.key ?? ''), parent_version: service.version };
    const pages = pagesOf(this.#store, {
      ...this.#query(this.resource),
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
  #query({ shape }: Resource): ListQuery {
    const { account, location, since } = this.#rule;
    const anchors = location === null ? undefined : new Set([location]);
    const isStored = isStoredTime(since);
    return {
      shape,
      scope: { accounts: new Set([account]), anchors },
      order: isStored ? 'newest' : { key: since },
      where: [
        isStored
          ? { by: since, is: '<=', value: this.#until }
          : { by: { key: since }, is: '<=', value: dateText(this.#until) },
      ],
      limit: this.#limit,
      bytes: BYTES,
    };
  }
}
