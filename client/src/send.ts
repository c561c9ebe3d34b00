/** Sends requests: address, key, time limit, and how answers are read. */
import { keepAnswer } from './answer.ts';
import { ConnectionError, type ErrorDetails, LedgerstoneError } from './error.ts';
import { errorClasses } from './generated/errors.ts';
import { isExact, parseJson, toJson } from './json.ts';
import type { Limit } from './limit.ts';
import { queryText } from './query.ts';
import { retrying } from './retry.ts';
import type { RequestOptions, Settings } from './settings.ts';

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the address, from `/v1/`. */
  readonly path: string;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** JSON, unless `Content-Type` is among the headers. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
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
  const { fetch = globalThis.fetch } = settings;
  const key = keyOf(settings);
  const base = addressOf(settings);
  return ({
    method,
    path,
    query = {},
    headers = {},
    body,
    isOnce = false,
    limit,
    options = {},
  }) => {
    const all: Record<string, string> = { Authorization: `Bearer ${key}` };
    if (body !== undefined) all['Content-Type'] = 'application/json';
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) all[name] = value;
    }
    const url = base + path + queryText(query);
    const request = {
      method,
      headers: all,
      redirect: 'error',
      ...(body === undefined ? {} : { body }),
    } as const;
    const limitPatience = limit === undefined ? patience : Math.max(patience, LIMIT_PATIENCE);
    const retries = { tries, patience, limitPatience, isOnce, limit };
    return retrying(retries, options.signal, async () => {
      const time = options.timeout ?? timeout;
      const answer = await attempt(fetch, url, request, time, options.signal);
      limit?.hear(answer.response.headers);
      return read(answer, base);
    });
  };
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
    throw new TypeError(`url is ${toJson(url)}: send the whole address with https://, ${example}.`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError(
      `url holds a user or a password: leave them out, and send the API key as key, ${example}.`,
    );
  }
  if (parsed.search !== '' || parsed.hash !== '' || /\/v1\/*$/.test(parsed.pathname)) {
    throw new TypeError(
      `url is ${toJson(url)}: send only the address of the service, without /v1 and what follows it, ${example}.`,
    );
  }
  return parsed.href.replace(/\/+$/, '');
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
  const inTime = AbortSignal.timeout(timeout);
  const signals = signal === undefined ? inTime : AbortSignal.any([inTime, signal]);
  try {
    const response = await fetch(url, { ...request, signal: signals });
    return { response, text: await response.text() };
  } catch (cause) {
    // Your own signal is your own reason.
    signal?.throwIfAborted();
    throw inTime.aborted
      ? connectionError('answer_timeout', `No answer came within ${timeout} ms.`, { cause })
      : connectionError('connection_failed', `The service could not be reached: ${reason(cause)}`, {
          cause,
        });
  }
}

function read({ response, text }: Arrived, base: string): unknown {
  const { status, ok, headers } = response;
  const isLines = headers.get('Content-Type')?.startsWith('application/x-ndjson');
  const value = parsed(isLines ? `{"lines":[${text.trim().replaceAll('\n', ',')}]}` : text);
  const error = ok ? undefined : value?.error;
  if (value === undefined || (!ok && typeof error?.code !== 'string')) {
    const what = `The answer with status ${status} is not one of Ledgerstone: is the address right, is there a proxy?`;
    throw connectionError('answer_unreadable', what, { status });
  }
  if (ok) {
    keepAnswer(value, response);
    return value;
  }
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  const retryAfter = Number.isNaN(seconds) ? {} : { retryAfter: seconds };
  const details = { ...(error as ErrorDetails), ...docUrl(error, base), ...retryAfter, status };
  const known = errorClasses as Readonly<Record<string, typeof LedgerstoneError>>;
  throw new (known[details.type] ?? LedgerstoneError)(details);
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
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
