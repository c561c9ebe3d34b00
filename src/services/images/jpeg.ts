/** Checks that bytes are a JPEG image that browsers can show safely. */

/** Each pixel takes a browser four bytes of memory. */
const MAX_PIXELS = 100_000_000;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;

/** Its fault, as the end of a sentence; `undefined` where there is none. */
export function jpegFault(bytes: Uint8Array): string | undefined {
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
    if (isFrame(marker)) {
      const pixels = numberAt(bytes, at + 5) * numberAt(bytes, at + 7);
      return pixels > MAX_PIXELS ? `has more than ${MAX_PIXELS / 1e6} megapixels` : undefined;
    }
    const length = numberAt(bytes, at + 2);
    if (length < 2) break;
    at += 2 + length;
  }
  return 'is a damaged JPEG';
}

/** Whether a segment has the size: all kinds of JPEG have one of these before the picture. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function numberAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
