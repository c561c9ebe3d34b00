/** Fetches what a setting names, which may lie in the operator's own network. */
import { lookUpAside } from '../aside/names.ts';
import type { Exchange } from './exchange.ts';

/** Far more than a provider of single sign-on says of itself. */
const MOST_BYTES = 1_048_576;
/** Answers that have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

let exchange: Promise<Exchange> | undefined;

/** As `fetch`, for what is read whole: redirects are answers, and names are looked up where they keep nobody from signing in. */
export async function fetchNamed(address: string, options: RequestInit = {}): Promise<Response> {
  const ending = options.signal ?? new AbortController().signal;
  const request = new Request(address, options);
  const url = new URL(request.url);
  const standard = url.protocol === 'https:' ? 443 : 80;
  const destination = {
    url,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? standard : Number(url.port),
    onlyAllowed: false,
  };
  // Loaded by the first request: TLS is a tenth of what a start loads.
  exchange ??= import('./exchange.ts').then((module) => module.createExchange());
  try {
    const answer = await (await exchange).send(destination, lookUpAside, {
      method: request.method === 'POST' ? 'POST' : 'GET',
      headers: { 'Accept-Encoding': 'identity', ...Object.fromEntries(request.headers) },
      body: request.body === null ? undefined : await request.text(),
      bytes: MOST_BYTES,
      signal: ending,
    });
    if (!answer.isWhole) throw new Error(`its answer is longer than ${MOST_BYTES} bytes`);
    const { status, headers } = answer;
    return new Response(EMPTY.has(status) ? null : new Uint8Array(answer.body), {
      status,
      headers: Object.entries(headers).flatMap(([name, value = '']) =>
        [value].flat().map((one): [string, string] => [name, one]),
      ),
    });
  } catch (error) {
    ending.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  }
}
