/** Finds a person's records through indexes: by phone number, email address, name, and identifier. */
import { ApiError } from '../../core/errors.ts';
import { type ErasureMatch, SIMILAR } from '../../core/objects/records/erasure.ts';
import { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { keyText } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { SearchRecords } from '../../records/query/search.ts';
import { missingAt } from '../../store/promises/refusals.ts';
import { type Store, wholeAccount } from '../../store/promises/store.ts';
import type { Details } from './everywhere/mentions.ts';

/** The most matches of an erasure: more cannot be those of one person. */
export const MAX_MATCHES = 1_000;
const MAX_NAMED = 50;

/** A name. A date, if given, distinguishes the records that also contain it. */
export interface KnownName {
  readonly full_name: string;
  readonly birth_date?: string | null | undefined;
  readonly service_date?: string | null | undefined;
}

/** The details by which to find the person. */
interface Selectors {
  readonly phone_numbers?: readonly string[] | null | undefined;
  readonly email_addresses?: readonly string[] | null | undefined;
  readonly names?: readonly KnownName[] | null | undefined;
  /** Unique identifiers, including those of removed records. */
  readonly records?: readonly string[] | null | undefined;
}

/** Returns the details to look for in texts. */
export function detailsOf({ phone_numbers, email_addresses, names }: Selectors): Details {
  return {
    names: (names ?? []).map(({ full_name }) => full_name),
    phones: phone_numbers ?? [],
    texts: email_addresses ?? [],
  };
}

interface IndexLook {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly search: SearchRecords;
  readonly caller: Principal;
  readonly account: string;
}

export async function look(
  looking: IndexLook,
  { phone_numbers, email_addresses, names, records }: Selectors,
): Promise<readonly ErasureMatch[]> {
  const { store, resources, account } = looking;
  const scope = wholeAccount(account);
  const found = new Map<string, { resource: string; reasons: Set<string> }>();
  const add = (resource: string, record: string, reason: string): void => {
    const { reasons } = found.getOrInsertComputed(record, () => ({ resource, reasons: new Set() }));
    reasons.add(reason);
    if (found.size > MAX_MATCHES) throw new ApiError('matches_too_many');
  };
  for (const { shape } of resources.filter(({ parent }) => parent !== undefined)) {
    /** Finds the records that have these texts in a declared key of that kind. */
    const find = async (as: 'digits' | 'email', texts: readonly string[], reason: string) => {
      const searched = shape.searched?.filter((one) => one.as === as) ?? [];
      const paths = searched.map(({ path }) => path.join('.'));
      const keys = shape.keys.filter(({ path }) => paths.includes(path.join('.')));
      const pages = keys.flatMap((key) =>
        texts.map((text) => {
          const by = { by: { key: key.name }, is: '=', value: keyText(key, text) } as const;
          return store.list({ shape, scope, order: 'newest', limit: MAX_MATCHES + 1, where: [by] });
        }),
      );
      for (const { records } of await Promise.all(pages))
        for (const one of records) add(shape.resource, one.unique_identifier, reason);
    };
    await find('digits', phone_numbers ?? [], 'phone_number');
    await find('email', email_addresses ?? [], 'email_address');
  }
  for (const name of names ?? []) {
    const hits = await named(looking, name.full_name);
    const dated = await datedOf(looking, hits, name);
    for (const { resource, record, near } of hits)
      add(resource, record, near ? SIMILAR : dated.has(record) ? 'name_and_date' : 'name');
  }
  for (const [at, record] of (records ?? []).entries()) {
    const resource = await resourceOf(looking, record);
    if (resource === undefined)
      throw missingAt(`records.${at}`, (resources.at(-1) as Resource).shape, record);
    add(resource, record, 'named');
  }
  return [...found].map(([record, { resource, reasons }]) => ({
    resource,
    record,
    reasons: [...reasons],
  }));
}

type Found = readonly {
  readonly resource: string;
  readonly record: string;
  /** Whether the name in the record is only spelt similarly. */
  readonly near: boolean;
}[];

/** A date, or a time with its date, in a document. */
const DATES = /"(\d{4}-\d\d-\d\d)(T[^"]*)?"/g;
const DAY_MS = 86_400_000;

/** Finds the hits that contain one of the dates, or whose parent does. */
async function datedOf(
  { store, resources, account }: IndexLook,
  hits: Found,
  { birth_date = null, service_date = null }: KnownName,
): Promise<ReadonlySet<string>> {
  const dated = new Set<string>();
  if (birth_date === null && service_date === null) return dated;
  const shapes = new Map(resources.map(({ shape }) => [shape.resource, shape]));
  const documents = documentsOf(store, resources, account, hits);
  for await (const { resource, record, document, parent } of documents) {
    const shape = shapes.get(resource.shape.parent?.resource ?? '');
    const above = shape && parent && (await store.find(shape, parent, wholeAccount(account)));
    const own = [...JSON.stringify(document).matchAll(DATES)];
    const all = above ? [...own, ...above.document.matchAll(DATES)] : own;
    const isBorn = own.some(([, date, time]) => time === undefined && date === birth_date);
    // The day of a time depends on the time zone.
    const isServed = all.some(
      ([, date = '', time]) =>
        time !== undefined &&
        service_date !== null &&
        Math.abs(Date.parse(date) - Date.parse(service_date)) <= DAY_MS,
    );
    if (isBorn || isServed) dated.add(record);
  }
  return dated;
}

/** Finds records that contain all words of a name. */
async function named({ search, caller, account, resources }: IndexLook, q: string): Promise<Found> {
  const below = resources.filter(({ parent, anchor }) => parent !== undefined && !anchor);
  const request = {
    q,
    limit: MAX_NAMED,
    account,
    resources: new Set(below.map(({ name }) => name)),
    said: () => [],
    expand: () => ({ resources: [], others: [] }),
  };
  const { data } = JSON.parse(await search(caller, request, new Timing())) as {
    readonly data: readonly {
      readonly resource: string;
      readonly has_more: boolean;
      readonly data: readonly {
        readonly near?: true;
        readonly record: { readonly unique_identifier: string };
      }[];
    }[];
  };
  if (data.some(({ has_more }) => has_more)) throw new ApiError('matches_too_many');
  return data.flatMap(({ resource, data }) =>
    data.map(({ record, near = false }) => ({ resource, record: record.unique_identifier, near })),
  );
}

/** Returns the resource of an existing or removed record; `undefined` if the account has no such record. */
async function resourceOf({ store, resources, account }: IndexLook, record: string) {
  const one = resources.find(({ prefix, parent }) => parent && record.startsWith(prefix));
  if (one === undefined || record.includes('\0')) return undefined;
  const { shape } = one;
  const found = await store.find(shape, record, wholeAccount(account));
  const gone = found ?? (await store.log.gone(shape.resource, record, [account]));
  return gone && shape.resource;
}

const AT_ONCE = 50;

/** Reads the documents of these records; leaves out records without one. */
export async function* documentsOf(
  store: Pick<Store, 'findAll' | 'log'>,
  resources: readonly Resource[],
  account: string,
  wanted: readonly { readonly resource: string; readonly record: string }[],
) {
  for (const resource of resources) {
    const { shape } = resource;
    const own = wanted.filter((one) => one.resource === shape.resource).map(({ record }) => record);
    for (let at = 0; at < own.length; at += AT_ONCE) {
      const some = own.slice(at, at + AT_ONCE);
      const found = await store.findAll(shape, some, wholeAccount(account));
      for (const { unique_identifier: record, external_identifier, document, ...one } of found)
        yield {
          resource,
          record,
          external_identifier: external_identifier ?? '',
          parent: one.parent ?? undefined,
          document: parseStored(document) as JsonObject,
          removed: false,
          position: one.position,
        };
      const there = new Set(found.map(({ unique_identifier }) => unique_identifier));
      for (const record of some.filter((one) => !there.has(one))) {
        const gone = await store.log.gone(shape.resource, record, [account]);
        if (gone === undefined) continue;
        const { position, external_identifier, parent } = gone;
        const [last] = await store.log.of({ account, record, position, limit: 1, bytes: 1 });
        const document = parseStored(last?.content ?? '{}') as JsonObject;
        const found = { resource, record, external_identifier, document, parent, position };
        yield { ...found, removed: true };
      }
    }
  }
}
