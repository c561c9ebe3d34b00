/** Compresses answers where the client accepts it (RFC 9110, section 12.5.3). */
import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

/** In order of preference, for clients that accept both equally. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Smaller answers arrive no sooner when they are compressed. */
const MIN_BYTES = 1024;
/** Quality 4 of 11: higher ones take many times as long for a few bytes less. The window is the memory of a stream. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
/** About how many bytes of memory a stream takes to compress. */
export const COMPRESSING_BYTES = 1_048_576;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** The coding that an `Accept-Encoding` prefers, of those worth using for this many bytes. */
export function codingFor(bytes: number, accepted: string | undefined): Coding | undefined {
  if (accepted === undefined || bytes < MIN_BYTES) return undefined;
  const weights = weightsIn(accepted);
  let found: Coding | undefined;
  let most = 0;
  for (const coding of CODINGS) {
    // `x-gzip` is an older name of gzip.
    const weight = weights.get(coding) ?? weights.get(`x-${coding}`) ?? weights.get('*') ?? 0;
    if (weight <= most) continue;
    found = coding;
    most = weight;
  }
  return found;
}

/** Other threads compress; this one goes on. */
export function compressed(text: string, coding: Coding): Promise<Buffer> {
  return coding === 'gzip' ? asGzip(text) : asBrotli(text, BROTLI);
}

/** Compresses a text that is made while it is read. Destroying either end destroys the other. */
export function compressing(text: Readable, coding: Coding): Readable {
  const coder = coding === 'gzip' ? createGzip() : createBrotliCompress(BROTLI);
  // Errors reach the reader through the compressed stream.
  return pipeline(text, coder, () => {});
}

/** The weight of each name in it, from 0 to 1; names are in lower case. */
export function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const one of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
    let weight = 1;
    for (const parameter of parameters) {
      const [, quality] = /^q\s*=\s*([\d.]+)$/.exec(parameter) ?? [];
      if (quality !== undefined) weight = Number(quality) || 0;
    }
    weights.set(name, weight);
  }
  return weights;
}
