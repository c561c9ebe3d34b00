/** Fetches images that records refer to, for their viewers, who load them only from this service. */
import { ApiError } from '../../core/errors.ts';
import { FairSlots } from '../../core/fair/slots.ts';
import type { Outbound } from '../../core/outbound/outbound.ts';
import { OutboundError } from '../../core/outbound/outbound-error.ts';
import { MAX_IMAGE_MIB } from '../../core/schema/present/images.ts';

/** Each pixel takes a browser four bytes of memory. */
const MAX_PIXELS = 100_000_000;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;

const MIB = 1_048_576;
/** The time for a fetch, including redirects. */
const PATIENCE_MS = 10_000;
const MAX_REDIRECTS = 3;
/** Fetches in progress, and those that wait: more would wait longer than a viewer does. */
const SLOTS = { slots: 4, ofGroup: 2 };
const WAITING = { most: 128, ofGroup: 32 };
const RETRY_SECONDS = '2';

export type Images = ReturnType<typeof createImages>;

export function createImages(outbound: Pick<Outbound, 'send'>) {
  const slots = new FairSlots({ ...SLOTS, waiting: { ...WAITING, refusal } });

  const load = async (account: string, url: string, param: string, signal: AbortSignal) => {
    const { status, body, isWhole } = await outbound.send({
      url,
      use: 'image',
      group: account,
      signal,
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
    /**
     * The image at that address, for a record of that account and until the caller is gone. Throws
     * `image_unavailable` with `param` where there is none, `images_waiting` and `service_unavailable`.
     */
    async fetch(account: string, url: string, param: string, gone: AbortSignal): Promise<Buffer> {
      try {
        return await slots.run(account, () => load(account, url, param, gone), gone);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        throw unavailable(param, error.isRefusal ? `Its URL ${error.message}.` : error.message);
      }
    },
  };
}

function refusal(ofAccount: boolean): ApiError {
  const headers = { 'Retry-After': RETRY_SECONDS };
  return ofAccount
    ? new ApiError('images_waiting', { headers, values: { most: WAITING.ofGroup } })
    : new ApiError('service_unavailable', {
        headers,
        message: 'Too many images are being fetched. Retry in a moment.',
      });
}

function unavailable(param: string, why: string): ApiError {
  return new ApiError('image_unavailable', { param, message: `The image cannot be shown. ${why}` });
}

/** Its fault, as the end of a sentence; `undefined` where there is none. */
function jpegFault(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== START || bytes[2] !== 0xff) return 'is not a JPEG';
  for (let at = 2; at + 8 < bytes.length; ) {
    // Any number of fill bytes may stand before a marker.
    if (bytes[at] !== 0xff) return 'is a damaged JPEG';
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END || marker === SCAN) break;
    // All kinds of JPEG have a segment with the size before the picture.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const pixels = numberAt(bytes, at + 5) * numberAt(bytes, at + 7);
      return pixels > MAX_PIXELS ? `has more than ${MAX_PIXELS / 1e6} megapixels` : undefined;
    }
    const length = numberAt(bytes, at + 2);
    if (length < 2) break;
    at += 2 + length;
  }
  return 'is a damaged JPEG';
}

function numberAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
