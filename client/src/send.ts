/** Sends requests: the address, the key, the time limit, and what an answer is made of. */
import { keepAnswer } from './answer.ts';
import { ConnectionError, type ErrorDetails, LedgerstoneError } from './error.ts';
import { errorClasses } from './generated/errors.ts';
import { queryText } from './query.ts';
import { retrying } from './retry.ts';
import type { RequestOptions, Settings } from './settings.ts';

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the address, from `/v1/`. */
  readonly path: string;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** JSON. */
  readonly body?: string;
  /** It must not be done twice, and takes no Idempotency-Key: only what was certainly not done is sent again. */
  readonly isOnce?: boolean;
  readonly options?: RequestOptions | undefined;
}

/** Answers with the JSON of the answer, or throws. */
export type Send = (outgoing: Outgoing) => Promise<unknown>;

/** What sends requests to this service with this key. */
export function sender(settings: Settings): Send {
  const { key, timeout = 30_000, tries = 3, fetch = globalThis.fetch } = settings;
  const base = new URL(settings.url).href.replace(/\/$/, '');
  if (key === '') throw new TypeError('An API key is needed: new Ledgerstone({ key, url }).');
  return ({ method, path, query = {}, headers = {}, body, isOnce = false, options = {} }) => {
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
    return retrying({ tries, isOnce }, options.signal, () =>
      attempt(fetch, url, request, options.timeout ?? timeout, options.signal),
    );
  };
}

async function attempt(
  fetch: typeof globalThis.fetch,
  url: string,
  request: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted();
  const inTime = AbortSignal.timeout(timeout);
  const signals = signal === undefined ? inTime : AbortSignal.any([inTime, signal]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...request, signal: signals });
    text = await response.text();
  } catch (cause) {
    // Your own signal is your own reason.
    signal?.throwIfAborted();
    throw inTime.aborted
      ? connectionError('answer_timeout', `No answer came within ${timeout} ms.`, { cause })
      : connectionError('connection_failed', `The service could not be reached: ${reason(cause)}`, {
          cause,
        });
  }
  return read(response, text);
}

function read(response: Response, text: string): unknown {
  const { status, ok } = response;
  const value = parsed(text);
  const error = ok ? undefined : value?.error;
  if (value === undefined || (!ok && typeof error?.code !== 'string')) {
    const what = `The answer with status ${status} is not one of Ledgerstone: is the address right, is there a proxy?`;
    throw connectionError('answer_unreadable', what, { status });
  }
  if (ok) {
    keepAnswer(value, response);
    return value;
  }
  const asked = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const retryAfter = Number.isNaN(asked) ? {} : { retryAfter: asked };
  const details = { ...(error as ErrorDetails), ...retryAfter, status };
  const known = errorClasses as Readonly<Record<string, typeof LedgerstoneError>>;
  throw new (known[details.type] ?? LedgerstoneError)(details);
}

/** As an object; `undefined` where it is none. */
function parsed(text: string): { readonly error?: Partial<ErrorDetails> | null } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
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
