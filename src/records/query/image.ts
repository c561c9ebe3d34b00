/** Finds the address of an image of a record, as far as the key may see it. */

import { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { imagesOf } from '../../core/schema/present/images.ts';
import { inWords } from '../../core/schema/present/words.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { recordMissing } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Principal } from '../auth/principal.ts';

export interface ImageAddress {
  readonly url: string;
  /** The record's account. */
  readonly account: string;
  /** The member of the record that has the URL. */
  readonly param: string;
}

/** Throws `resource_missing` if the record or image does not exist, or the key may not see it. */
export type FindImage = (
  principal: Principal,
  resource: Resource,
  unique_identifier: string,
  index: string,
) => Promise<ImageAddress>;

export function createFindImage(store: Pick<Store, 'find'>): FindImage {
  return async ({ scope }, resource, unique_identifier, index) => {
    const { shape, name } = resource;
    const record = await store.find(shape, unique_identifier, scope);
    if (record === undefined) throw recordMissing(shape);
    const images = imagesOf(resource);
    const urls = images?.urls(parseStored(record.document) as JsonObject) ?? [];
    const url = /^\d$/.test(index) ? urls[Number(index)] : undefined;
    if (images !== undefined && url !== undefined) {
      return { url, account: record.account, param: `${images.param}.${index}` };
    }
    const has =
      urls.length === 1 ? 'one image, 0' : `${urls.length} images, 0 to ${urls.length - 1}`;
    throw new ApiError('resource_missing', {
      param: 'index',
      message: `There is no such image: the ${inWords(name)} has ${urls.length === 0 ? 'none' : has}.`,
    });
  };
}
