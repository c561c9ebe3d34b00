/** Walks the records that are old enough for a rule, page by page. */

import type { Resource } from '../../../core/schema/define.ts';
import { type DeclaredKey, keyValue } from '../../../core/schema/shape.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { Filter, ListQuery, Store, StoredRecord } from '../../../store/promises/store.ts';
import { dateKey, dateText } from '../../../store/records/aged.ts';
import type { RetentionPlace } from '../declares/run.ts';
import { isStoredTime, type StoredRetentionRule } from '../declares.ts';

const BYTES = 1_048_576;
/** Services that one page looks for children of. */
const SERVICES = 20;

export const START: RetentionPlace = { after: null };

export interface Old {
  readonly record: StoredRecord;
  /** The start of its age, in milliseconds since 1970. */
  readonly since: number;
}

export interface OldPage {
  readonly old: readonly Old[];
  /** Where the walk goes on, as long as the records that it names exist; `null`: it is through. */
  readonly place: RetentionPlace | null;
  /** A record that the place named was removed meanwhile: the walk begins again. */
  readonly isAgain?: true;
}

const AGAIN: OldPage = { old: [], place: START, isAgain: true };

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
  /** The key of the date, where ages are counted from one. */
  readonly #key: DeclaredKey | undefined;

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
    this.#key = dated && dateKey(dated.shape);
    this.#services = dated === resource ? undefined : dated;
  }

  async page(place: RetentionPlace): Promise<OldPage> {
    if (this.#services === undefined) return this.#own(place);
    return place.within === undefined
      ? this.#ofServices(this.#services, place)
      : this.#within(place, place.within);
  }

  /**
   * Whether a record is old enough as it is now: it, or what it belongs to, may have changed since its page was read.
   * With the version of what it belongs to, if that decides.
   */
  async aged(
    record: StoredRecord,
  ): Promise<{ readonly isOld: boolean; readonly parent_version?: number | undefined }> {
    const { since } = this.#rule;
    if (isStoredTime(since)) return { isOld: this.#sinceOf(record) <= this.#until };
    const scope = { accounts: new Set([record.account]), anchors: undefined };
    const [dated] =
      this.#services === undefined
        ? [record]
        : await this.#store.findAll(this.#services.shape, [record.parent ?? ''], scope);
    const value =
      dated && this.#key && keyValue(this.#key, JSON.parse(dated.document) as JsonObject);
    const isOld = value !== undefined && value !== null && value <= dateText(this.#until);
    return this.#services === undefined ? { isOld } : { isOld, parent_version: dated?.version };
  }

  async #own({ after }: RetentionPlace): Promise<OldPage> {
    const page = await this.#list(this.resource, after, this.#limit);
    if (page === undefined) return AGAIN;
    const last = page.records.at(-1);
    return {
      old: page.records.map((record) => ({ record, since: this.#sinceOf(record) })),
      place: page.more && last !== undefined ? { after: last.unique_identifier } : null,
    };
  }

  /** Children of the services after that one, until they are a page. */
  async #ofServices(services: Resource, { after }: RetentionPlace): Promise<OldPage> {
    const page = await this.#list(services, after, SERVICES);
    if (page === undefined) return AGAIN;
    const old: Old[] = [];
    let last = after;
    for (const service of page.records) {
      if (old.length >= this.#limit) return { old, place: { after: last } };
      const { unique_identifier } = service;
      const since = this.#sinceOf(service);
      const found = await this.#children(unique_identifier, undefined);
      const records = found?.records ?? [];
      const end = records.at(-1)?.unique_identifier;
      old.push(...records.map((record) => ({ record, since })));
      if (found?.more === true && end !== undefined) {
        return {
          old,
          place: { after: last, within: { service: unique_identifier, since, after: end } },
        };
      }
      last = unique_identifier;
    }
    return { old, place: page.more ? { after: last } : null };
  }

  async #within(
    { after }: RetentionPlace,
    { service, since, after: child }: NonNullable<RetentionPlace['within']>,
  ): Promise<OldPage> {
    const found = await this.#children(service, child);
    if (found === undefined) return AGAIN;
    const old = found.records.map((record) => ({ record, since }));
    const end = found.records.at(-1);
    if (!found.more || end === undefined) return { old, place: { after: service } };
    return { old, place: { after, within: { service, since, after: end.unique_identifier } } };
  }

  #children(service: string, after: string | undefined) {
    return this.#store.list({
      ...this.#query(this.resource, after ?? null, this.#limit),
      order: 'newest',
      where: [{ by: 'parent', is: '=', value: service }],
    });
  }

  #list(resource: Resource, after: string | null, limit: number) {
    const { since } = this.#rule;
    const where: Filter = isStoredTime(since)
      ? { by: since, is: '<=', value: this.#until }
      : { by: { key: since }, is: '<=', value: dateText(this.#until) };
    return this.#store.list({
      ...this.#query(resource, after, limit),
      order: isStoredTime(since) ? 'newest' : { key: since },
      where: [where],
    });
  }

  #query({ shape }: Resource, after: string | null, limit: number): Omit<ListQuery, 'order'> {
    const { account, location } = this.#rule;
    const anchors = location === null ? undefined : new Set([location]);
    return {
      shape,
      scope: { accounts: new Set([account]), anchors },
      limit,
      bytes: BYTES,
      ...(after === null ? {} : { cursor: { side: 'after', unique_identifier: after } }),
    };
  }

  #sinceOf({ document, inserted_at, updated_at }: StoredRecord): number {
    const { since } = this.#rule;
    if (isStoredTime(since)) return since === 'inserted_at' ? inserted_at : updated_at;
    const key = this.#key;
    return Date.parse((key && keyValue(key, JSON.parse(document) as JsonObject)) ?? '');
  }
}
