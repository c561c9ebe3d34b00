/** Answers in fewer bytes, where the client asks for it (RFC 9110, section 12.5.3). */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The better first: it is taken where the client likes both as much. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Bytes below which an answer is no sooner there when it is compressed. */
const LEAST_BYTES = 1024;
/** Of eleven: more takes many times as long for a few bytes less. */
const BROTLI_QUALITY = 4;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** The coding that an `Accept-Encoding` asks for most, of those that a text is worth being sent in. */
export function codingFor(text: string, asked: string | undefined): Coding | undefined {
  if (asked === undefined || Buffer.byteLength(text) < LEAST_BYTES) return undefined;
  const weights = weightsIn(asked);
  let found: Coding | undefined;
  let most = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight <= most) continue;
    found = coding;
    most = weight;
  }
  return found;
}

/** Done by other threads: this one goes on meanwhile. */
export function compressed(text: string, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return asGzip(text);
  return asBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/** What each coding named weighs, from 0 to 1; `x-gzip` is an older name of gzip. */
function weightsIn(asked: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const one of asked.toLowerCase().split(',')) {
    const [name = '', weight] = one.split(';').map((part) => part.trim());
    const [, told = '1'] = /^q\s*=\s*([\d.]+)$/.exec(weight ?? '') ?? [];
    weights.set(name.replace(/^x-/, ''), Number(told) || 0);
  }
  return weights;
}
