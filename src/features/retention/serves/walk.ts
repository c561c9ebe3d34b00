/** Walks the records that are old enough for a rule, page by page. */

import type { Resource } from '../../../core/schema/define.ts';
import { pagesOf, placeIn } from '../../../store/pages.ts';
import type { ListPlace, ListQuery, Store, StoredRecord } from '../../../store/promises/store.ts';
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

  /**
   * Whether a record is old enough as it is now: it, or what it belongs to, may have changed since its page was read.
   * With the version of what it belongs to, if that decides.
   */
  async aged(
    record: StoredRecord,
  ): Promise<{ readonly isOld: boolean; readonly parent_version?: number | undefined }> {
    const { since } = this.#rule;
    if (isStoredTime(since)) return { isOld: record[since] <= this.#until };
    if (this.#services === undefined) return { isOld: this.#isOld(this.resource, record) };
    const scope = { accounts: new Set([record.account]), anchors: undefined };
    const above = [record.parent ?? ''];
    const [dated] = await this.#store.findAll(this.#services.shape, above, scope);
    const isOld = dated !== undefined && this.#isOld(this.#services, dated);
    return { isOld, parent_version: dated?.version };
  }

  #isOld(dated: Resource, record: StoredRecord): boolean {
    const { key = '' } = placeIn(this.#query(dated), record);
    return key !== '' && key <= dateText(this.#until);
  }

  async *#own(after: RetentionPlace | null): AsyncGenerator<OldPage> {
    const { since } = this.#rule;
    const query = this.#query(this.resource);
    for await (const { records } of pagesOf(this.#store, { ...query, after: after ?? undefined })) {
      const old = records.map((record) => {
        const { key = '' } = placeIn(query, record);
        return { record, since: isStoredTime(since) ? record[since] : Date.parse(key) };
      });
      const last = records.at(-1);
      if (last !== undefined) yield { old, place: placeIn(query, last) };
    }
  }

  async *#below(services: Resource, after: RetentionPlace | null): AsyncGenerator<OldPage> {
    if (after?.child !== undefined) yield* this.#children(after, after.child);
    const query = { ...this.#query(services), limit: SERVICES, after: after ?? undefined };
    for await (const { records } of pagesOf(this.#store, query))
      for (const service of records) yield* this.#children(placeIn(query, service), undefined);
  }

  /** The children of the service at a place, after that one. */
  async *#children(service: ListPlace, after: string | undefined): AsyncGenerator<OldPage> {
    const since = Date.parse(service.key ?? '');
    const pages = pagesOf(this.#store, {
      ...this.#query(this.resource),
      order: 'newest',
      where: [{ by: 'parent', is: '=', value: service.unique_identifier }],
      after: after === undefined ? undefined : { unique_identifier: after },
    });
    for await (const { records } of pages) {
      const old = records.map((record) => ({ record, since }));
      const child = records.at(-1)?.unique_identifier;
      if (child !== undefined) yield { old, place: { ...service, child } };
      else if (after === undefined) yield { old, place: service };
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
