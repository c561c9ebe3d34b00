/** Sends requests: address, key, time limit, and how answers are read. */
import { keepAnswer } from './answer.ts';
import { ConnectionError, type ErrorDetails, LedgerstoneError } from './error.ts';
import { errorClasses } from './generated/errors.ts';
import { isExact, parseJson, toJson } from './json.ts';
import type { Limit } from './limit.ts';
import { queryText } from './query.ts';
import { retrying } from './retry.ts';
import { bodyText, isKind, isPlain, requireQuery, unsaid } from './said.ts';
import type { RequestOptions, Settings } from './settings.ts';
import { LONGEST_TIMER, unlessAborted } from './wait.ts';

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the address, from `/v1/`. */
  readonly path: string;
  readonly query?: object;
  /** Where the page is of a list, in place of what the query says of that. */
  readonly cursor?: object | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** What the caller sends as JSON. */
  readonly json?: unknown;
  /** JSON that is written already, unless `Content-Type` is among the headers. */
  readonly body?: string | Uint8Array;
  /** Where the options have none. */
  readonly timeout?: number | undefined;
  /** It must not be done twice, and takes no Idempotency-Key: only what was certainly not done is sent again. */
  readonly isOnce?: boolean;
  /** The limit of a request with many rows: it waits for that of the key longer than others, and in line. */
  readonly limit?: Limit;
  readonly options?: RequestOptions | undefined;
}

/** For how long the rows of an import wait for the limit of the key. */
const LIMIT_PATIENCE = 600_000;

/** Answers with the JSON of the answer, or with the `lines` of NDJSON, or throws. */
export type Send = (outgoing: Outgoing) => Promise<unknown>;

/** Methods that send requests. */
export class Operations {
  protected readonly send: Send;

  constructor(send: Send) {
    this.send = send;
  }
}

/** Makes a function that sends requests to this service with this key. */
export function sender(settings: Partial<Settings> = {}): Send {
  const { timeout = 30_000, tries = Number.POSITIVE_INFINITY, patience = 60_000 } = settings;
  for (const [name, value] of Object.entries({ timeout, tries, patience }))
    requireTime(name, value);
  // Tests and tracers replace it later.
  const { fetch = (...request) => globalThis.fetch(...request) } = settings;
  const key = keyOf(settings);
  const base = addressOf(settings);
  return async (outgoing) => {
    const {
      method,
      path,
      query = {},
      headers = {},
      isOnce = false,
      limit,
      options = {},
    } = outgoing;
    requireOptions(options);
    const body = bodyOf(outgoing);
    const all: Record<string, string> = { Authorization: `Bearer ${key}` };
    if (body !== undefined) all['Content-Type'] = 'application/json';
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) all[name] = headerText(name, value);
    requireQuery(query);
    const url = base + path + queryText({ ...query, ...defined(outgoing.cursor) });
    const request = {
      method,
      headers: all,
      // A runtime follows none with a key, and some know no word for that.
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    } as const;
    const limitPatience = limit === undefined ? patience : Math.max(patience, LIMIT_PATIENCE);
    const retries = { tries, patience, limitPatience, isOnce, limit };
    return retrying(retries, options.signal, async () => {
      const time = options.timeout ?? outgoing.timeout ?? timeout;
      const answer = await attempt(fetch, url, request, time, options.signal);
      limit?.hear(answer.response.headers);
      return read(answer, base);
    });
  };
}

/** What is undefined takes the place of nothing. */
const defined = (cursor: object = {}): object =>
  Object.fromEntries(Object.entries(cursor).filter(([, value]) => value !== undefined));

/** Options of any request. One that is not known would be passed over, such as a `dry_run`, and the request done. */
const OPTIONS: ReadonlySet<string> = new Set([
  ...['signal', 'timeout', 'dryRun', 'unknownFields', 'ifMatch', 'idempotencyKey', 'mode'],
  ...['cascade', 'rows', 'sync', 'expand', 'version'],
]);

/** Throws a `TypeError` for what is no option. */
function requireOptions(options: RequestOptions): void {
  if (!isPlain(options))
    throw unsaid('options', 'of a class', 'send a plain object, such as { signal }.');
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!OPTIONS.has(name))
      throw new TypeError(
        `${name} is no option of a request. There are ${[...OPTIONS].join(', ')}.`,
      );
    if (name === 'timeout') requireTime(name, value);
    if (/^(?:dryRun|cascade)$/.test(name) && typeof value !== 'boolean')
      throw unsaid(name, String(value), 'send true or false.');
  }
}

function requireTime(name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value > 0))
    throw unsaid(name, String(value), 'send a number above 0.');
}

/** What a header may hold. An empty one would mean that there is none. */
const HEADER = /^[\x20-\x7e\x80-\xff]+$/;

function headerText(name: string, value: unknown): string {
  if (typeof value === 'string' && HEADER.test(value)) return value;
  const what = typeof value === 'string' ? toJson(value) : String(value);
  throw unsaid(name, what, 'send a text without line breaks, of letters that a header may hold.');
}

function bodyOf(outgoing: Outgoing): string | Uint8Array<ArrayBuffer> | undefined {
  if ('json' in outgoing) {
    if (typeof outgoing.json !== 'object' || outgoing.json === null)
      throw unsaid('The body', String(outgoing.json), 'send an object of its members.');
    return bodyText(outgoing.json);
  }
  const { body } = outgoing;
  const isFile =
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    isKind(body, 'ArrayBuffer', 'Blob', 'File');
  if ('body' in outgoing && !isFile)
    throw unsaid('The file', 'no file', 'send its bytes, its text or a Blob.');
  return body as string | Uint8Array<ArrayBuffer>;
}

/** The key, which goes into a header. An unset variable and a stray line break are the commonest mistakes. */
function keyOf({ key }: Partial<Settings>): string {
  if (typeof key !== 'string' || key === '') {
    throw new TypeError(
      'key is missing: new Ledgerstone({ key, url }) needs an API key, sk_live_… or sk_test_…. Is the variable set?',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(
      'key holds a space, a line break or another character that no API key has: send it without.',
    );
  }
  return key;
}

/** Without a slash at its end. */
function addressOf({ url }: Partial<Settings>): string {
  const example = 'such as https://records.example.com';
  if (typeof url !== 'string' || url === '') {
    throw new TypeError(
      `url is missing: new Ledgerstone({ key, url }) needs the address of the service, ${example}. Is the variable set?`,
    );
  }
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {}
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(
      `url is ${toJson(shown(url))}: send the whole address with https://, ${example}.`,
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError(
      `url holds a user or a password: leave them out, and send the API key as key, ${example}.`,
    );
  }
  if (parsed.search !== '' || parsed.hash !== '' || /\/v1\/*$/.test(parsed.pathname)) {
    throw new TypeError(
      `url is ${toJson(shown(url))}: send only the address of the service, without /v1 and what follows it, ${example}.`,
    );
  }
  return parsed.href.replace(/\/+$/, '');
}

/** An address without what may be a secret: a user, a password, a query. */
function shown(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1').replace(/[?#].*$/s, '');
}

interface Arrived {
  readonly response: Response;
  readonly text: string;
}

async function attempt(
  fetch: typeof globalThis.fetch,
  url: string,
  request: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Arrived> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  let isLate = false;
  const end = (): void => ending.abort(signal?.reason);
  const timer = setTimeout(
    () => {
      isLate = true;
      end();
    },
    Math.min(timeout, LONGEST_TIMER),
  );
  // Not `AbortSignal.any`: of a signal that lives as long as the process, runtimes keep every one that was made of it.
  signal?.addEventListener('abort', end, { once: true });
  const answered = async (): Promise<Arrived> => {
    const response = await fetch(url, { ...request, signal: ending.signal });
    return { response, text: await response.text() };
  };
  try {
    const arrived = await unlessAborted(answered(), ending.signal);
    refuseRedirect(arrived.response, url);
    return arrived;
  } catch (cause) {
    if (cause instanceof ConnectionError) throw cause;
    // Your own signal is your own reason.
    signal?.throwIfAborted();
    throw isLate
      ? connectionError('answer_timeout', `No answer came within ${timeout} ms.`, { cause })
      : unreached(cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** The key is for the service alone, wherever that says that it is. */
function refuseRedirect({ status, type, headers }: Response, url: string): void {
  if (type !== 'opaqueredirect' && !(status >= 300 && status < 400)) return;
  const to = headers.get('Location');
  let where = 'elsewhere';
  try {
    if (to !== null) where = `to ${shown(new URL(to, url).href)}`;
  } catch {}
  const message = `The address leads ${where}, and a key is sent to no other one: give the address of the service itself as url.`;
  throw connectionError('address_redirects', message, status === 0 ? {} : { status });
}

/** What does not pass by itself, by the codes of Node. */
const LASTING: readonly (readonly [RegExp, ConnectionError['code'], string])[] = [
  [/^ENOTFOUND$/, 'name_unknown', 'There is no host of that name'],
  [
    /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY))/,
    'certificate_untrusted',
    'The certificate of the service is not trusted',
  ],
  [
    /^(?:ERR_SSL_WRONG_VERSION|ERR_SSL_PACKET_LENGTH)/,
    'tls_unavailable',
    'Nothing speaks TLS there',
  ],
];

function unreached(cause: unknown): ConnectionError {
  const why = reason(cause);
  const { code = '' } = ((cause as Error | undefined)?.cause ?? cause ?? {}) as { code?: unknown };
  const [, lasting, what] = LASTING.find(([codes]) => codes.test(String(code))) ?? [];
  return lasting === undefined
    ? connectionError('connection_failed', `The service could not be reached: ${why}`, { cause })
    : connectionError(lasting, `${what}: ${why}`, { cause });
}

function read({ response, text }: Arrived, base: string): unknown {
  const isLines = response.headers.get('Content-Type')?.startsWith('application/x-ndjson');
  const value = parsed(isLines ? `{"lines":[${text.trim().replaceAll('\n', ',')}]}` : text);
  if (!response.ok || value === undefined) throw refusalOf(response, value?.error, base);
  keepAnswer(value, response);
  return value;
}

/** The error of an answer: the service's own, or that it is somebody else's. */
function refusalOf(
  { status, ok, headers }: Response,
  error: Partial<ErrorDetails> | null | undefined,
  base: string,
): LedgerstoneError {
  const also = { status, ...retryAfterOf(headers) };
  if (ok || typeof error?.code !== 'string') {
    const what = `The answer with status ${status} is not one of Ledgerstone: is the address right, is there a proxy?`;
    return connectionError('answer_unreadable', what, also);
  }
  const details = { ...(error as ErrorDetails), ...docUrl(error, base), ...also };
  const known = errorClasses as Readonly<Record<string, typeof LedgerstoneError>>;
  return new (known[details.type] ?? LedgerstoneError)(details);
}

/** The error of an answer that is no success, by its text. */
export function refusalIn(response: Response, text: string, base: string): LedgerstoneError {
  return refusalOf(response, parsed(text)?.error, base);
}

/** Reads `Retry-After` of any answer, the service's or a proxy's: seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(headers: Headers): Pick<ErrorDetails, 'retryAfter'> {
  const text = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(text)) return { retryAfter: Number(text) };
  const until = Date.parse(text);
  if (Number.isNaN(until)) return {};
  // The date is by the clock of the machine that sent it.
  const now = Date.parse(headers.get('Date') ?? '');
  const seconds = (until - (Number.isNaN(now) ? Date.now() : now)) / 1000;
  return { retryAfter: Math.max(0, Math.ceil(seconds)) };
}

/** Leads to this service, also where that does not know its own address. */
function docUrl(
  error: Partial<ErrorDetails> | null | undefined,
  base: string,
): Partial<ErrorDetails> {
  const doc_url = error?.doc_url;
  return doc_url?.startsWith('/') === true ? { doc_url: new URL(doc_url, base).href } : {};
}

/** As an object; `undefined` where it is none. */
function parsed(text: string): { readonly error?: Partial<ErrorDetails> | null } | undefined {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !isExact(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function connectionError(
  code: ConnectionError['code'],
  message: string,
  more: Partial<ErrorDetails>,
): ConnectionError {
  return new ConnectionError({ type: 'connection_error', code, message, ...more });
}

/** Why the runtime could not connect; `fetch` itself says no more than that it failed. */
function reason(cause: unknown): string {
  // Errors of another realm are no instances of this one's.
  const { cause: below, message } = (cause ?? {}) as { cause?: unknown; message?: unknown };
  const text = (below as { message?: unknown } | null | undefined)?.message ?? message;
  return typeof text === 'string' ? text : String(cause);
}
