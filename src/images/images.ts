/** Fetches images that records refer to, for people who look at them: they come through this service, and from nowhere else. */
import { ApiError } from '../errors.ts';
import { FairSemaphore } from '../fair/semaphore.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { MAX_IMAGE_MIB } from '../schema/images.ts';
import { jpegFault } from './jpeg.ts';

const MIB = 1_048_576;
/** For all of it, redirects included. */
const PATIENCE_MS = 10_000;
const MAX_REDIRECTS = 3;
const AT_ONCE = 4;
/** More than this would wait longer than anybody looks on. */
const MAX_WAITING = 64;

export interface Images {
  /** The image at that address, for whoever has that key. Throws `image_unavailable` with `param` where there is none. */
  fetch(key: string, url: string, param: string): Promise<Buffer>;
}

export function createImages(outbound: Pick<Outbound, 'send'>): Images {
  const places = new FairSemaphore(AT_ONCE);
  let waiting = 0;

  const load = async (url: string, param: string): Promise<Buffer> => {
    const { status, body, isWhole } = await outbound.send({
      url,
      use: 'image',
      headers: { Accept: 'image/jpeg' },
      ms: PATIENCE_MS,
      bytes: MAX_IMAGE_MIB * MIB,
      redirects: MAX_REDIRECTS,
    });
    if (status !== 200) throw unavailable(param, `Its URL answers with status ${status}.`);
    if (!isWhole) throw unavailable(param, `It is larger than ${MAX_IMAGE_MIB} MiB.`);
    const fault = jpegFault(body);
    if (fault !== undefined) throw unavailable(param, `What its URL answers ${fault}.`);
    return body;
  };

  return {
    async fetch(key, url, param) {
      if (waiting >= MAX_WAITING) {
        throw new ApiError('service_unavailable', {
          message: 'Too many images are being fetched. Retry in a moment.',
          headers: { 'Retry-After': '2' },
        });
      }
      waiting += 1;
      try {
        return await places.run(key, () => load(url, param));
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        throw unavailable(param, error.isRefusal ? `Its URL ${error.message}.` : error.message);
      } finally {
        waiting -= 1;
      }
    },
  };
}

function unavailable(param: string, why: string): ApiError {
  return new ApiError('image_unavailable', {
    param,
    message: `The image cannot be shown. ${why}`,
  });
}
