/** Reads one record, or finds an image of it, as far as the key may see it. */

import { ApiError } from '../../core/errors.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { parseStored, stringify } from '../../core/schema/json/json.ts';
import { parseRead } from '../../core/schema/parse/parse-list.ts';
import { imagesOf } from '../../core/schema/present/images.ts';
import { presentOne } from '../../core/schema/present/present.ts';
import { inWords } from '../../core/schema/present/words.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { missingOrErased, recordMissing } from '../../store/promises/refusals.ts';
import type { AnsweredRecord, Store } from '../../store/promises/store.ts';
import type { RecordAt } from '../../store/records/versions.ts';
import type { Principal } from '../auth/principal.ts';
import type { History } from '../changes/history.ts';
import { authorizeExpand, expanderOf, shown } from './expand.ts';
import type { ReadParams } from './list.ts';

/**
 * Answers with a record as JSON text, and with a tag that no other text at this address has: the version, followed by
 * those of expansions. Throws `resource_missing`, the same whether the record does not exist or the key may not see it.
 */
export function createFind(store: Store, history: Pick<History, 'at'>) {
  return async (
    principal: Principal,
    resource: Resource,
    unique_identifier: string,
    { query, unknown }: ReadParams,
    timing: Timing,
  ) => {
    const { expand, version } = timing.measure('parse', () => parseRead(resource, query, unknown));
    authorizeExpand(principal, resource, expand);

    const resolving = performance.now();
    const record =
      version === undefined
        ? await store.find(resource.shape, unique_identifier, principal.scope)
        : recordAt(
            unique_identifier,
            version,
            await history.at(principal, resource, unique_identifier, version),
          );
    if (record === undefined)
      throw await missingOrErased(store, resource.shape, unique_identifier, principal.scope);
    const expansions = (await expanderOf(store, principal, resource, [record], expand))(record);
    timing.add('resolve', performance.now() - resolving);

    return {
      unique_identifier: record.unique_identifier,
      account: record.account,
      tag: [record.version, ...expansions.map(({ tag }) => tag)].join(';'),
      body: timing.measure('present', () => shown(presentOne(resource, record), expansions)),
    };
  };
}

function recordAt(
  unique_identifier: string,
  version: number,
  { document, updated_at, anchor, now }: RecordAt,
): AnsweredRecord {
  const { account, parent = null, external_identifier, inserted_at } = now;
  return {
    unique_identifier,
    account,
    anchor,
    parent,
    external_identifier,
    document: stringify(document),
    version,
    inserted_at,
    updated_at,
  };
}

export type FindImage = ReturnType<typeof createFindImage>;

/**
 * Gives the URL of an image of a record, the record's account, and the member that has the URL. Throws
 * `resource_missing` if the record or image does not exist, or the key may not see it.
 */
export function createFindImage(store: Pick<Store, 'find'>) {
  return async (
    { scope }: Principal,
    resource: Resource,
    unique_identifier: string,
    index: string,
  ) => {
    const { shape, name } = resource;
    const record = await store.find(shape, unique_identifier, scope);
    if (record === undefined) throw recordMissing(shape);
    const images = imagesOf(resource);
    const urls = images?.urls(parseStored(record.document) as JsonObject) ?? [];
    const url = /^\d$/.test(index) ? urls[Number(index)] : undefined;
    if (images !== undefined && url !== undefined) {
      return { url, account: record.account, param: `${images.param}.${index}` };
    }
    const most = urls.length - 1;
    const has = ['none', 'one image, 0'][urls.length] ?? `${urls.length} images, 0 to ${most}`;
    const message = `There is no such image: the ${inWords(name)} has ${has}.`;
    throw new ApiError('resource_missing', { param: 'index', message });
  };
}
