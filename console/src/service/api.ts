/** How this page calls the service: the client, with the session, and the console's own requests. */

import { answerOf } from '../../../client/src/answer.ts';
import { LedgerstoneError } from '../../../client/src/error.ts';
import type { HistoryEntry } from '../../../client/src/generated/changes.d.ts';
import { Ledgerstone } from '../../../client/src/generated/ledgerstone.ts';
import type { Pin } from '../../../client/src/generated/objects.d.ts';
import { parseJson, toJson } from '../../../client/src/json.ts';
import type { Page } from '../../../client/src/list.ts';
import { refusalIn, sender } from '../../../client/src/send.ts';
import { unlessAborted } from '../../../client/src/wait.ts';
import type { Json, Shown } from '../records/records.ts';
import { BASE, PATIENCE_MS, send, takeAhead } from './ahead.ts';

/** The session is a cookie; no key is sent. */
const NO_KEY = 'session';

async function consoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET' } = init;
  const ahead = method === 'GET' ? takeAhead(String(input)) : undefined;
  const answer = await (ahead ?? send(input, init));
  // A proxy's own answer says nothing of the session.
  if (!answer.ok)
    refused(
      (
        await answer
          .clone()
          .text()
          .then((text) => parseJson(text) as { readonly error?: { readonly code?: unknown } })
          .catch(() => undefined)
      )?.error?.code,
    );
  return answer;
}

let refused: (code: unknown) => void = () => undefined;

/** Calls back when a request is refused, whoever sent it, and before they see it: the session may have ended. */
export function whenRefused(listener: typeof refused): void {
  refused = listener;
}

// Failures are shown at once, and people retry by themselves.
const settings = { key: NO_KEY, url: BASE, tries: 1, fetch: consoleFetch };

/** The public interface, behind the session. */
export const api = new Ledgerstone(settings);

const sendToConsole = sender(settings);

/** A request to the console's own endpoints: `ask('GET', '/session')`. */
export function ask<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  options: {
    readonly signal?: AbortSignal;
    readonly query?: object;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<T> {
  const { signal, query, headers } = options;
  return sendToConsole({
    method,
    path,
    ...(headers === undefined ? {} : { headers }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: toJson(body) }),
    options: { signal },
  }) as Promise<T>;
}

/** Sends a request whose answer is read as it arrives. Throws `LedgerstoneError`, and what `signal` is aborted with. */
export function post(
  path: string,
  body: string | Blob,
  type: string,
  { signal, lines = false }: { readonly signal?: AbortSignal; readonly lines?: boolean } = {},
) {
  const headers = { 'Content-Type': type, ...(lines && { Accept: 'application/x-ndjson' }) };
  return answered(path, { method: 'POST', headers, body }, signal);
}

async function answered(path: string, init: RequestInit, signal: AbortSignal | undefined) {
  let answer: Response;
  try {
    const asked = consoleFetch(BASE + path, { ...init, signal: signal ?? null });
    // What was asked ahead does not know the signal.
    answer = await unlessAborted(asked, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw cut(cause);
  }
  if (answer.ok) return answer;
  throw refusalIn(answer, await answer.text().catch(() => ''), BASE);
}

function cut(cause: unknown): LedgerstoneError {
  const message = String(cause);
  return new LedgerstoneError({ type: 'connection_error', code: 'connection_failed', message });
}

export type PageOf<T> = Page<T>;

/** How many there are, as far as they are counted, and how that is shown: `50+`. */
export function counted(page: PageOf<object> | undefined) {
  const count = page?.data.length ?? 0;
  return { count, shown: page?.has_more ? `${count}+` : String(count) };
}

export interface Change extends Omit<HistoryEntry, 'changes'> {
  readonly changes?:
    | readonly { readonly member: string; readonly before: Json; readonly after: Json }[]
    | null;
}

interface Options {
  readonly signal?: AbortSignal;
}

/** The records of any resource, as a screen that knows them by their description needs them. */
interface Records {
  list(params: object, options?: Options): { page(): Promise<PageOf<Shown>> };
  retrieve(
    id: string,
    options?: Options & { expand?: readonly string[]; version?: number },
  ): Promise<Shown>;
  history(id: string, params?: object, options?: Options): { page(): Promise<PageOf<Change>> };
  patch(id: string, params: object, options?: { ifMatch?: string | undefined }): Promise<Shown>;
  remove(
    id: string,
    options?: { cascade?: boolean; dryRun?: boolean; ifMatch?: string | undefined },
  ): Promise<object>;
  pins(id: string, options?: Options): Promise<readonly Pin[]>;
  removePin(id: string, member: string): Promise<readonly Pin[]>;
  restore(id: string, options: { version: number; ifMatch?: string | undefined }): Promise<Shown>;
}

export function recordsOf(path: string): Records {
  return (api as unknown as Readonly<Record<string, Records>>)[path] as Records;
}

/** A page of the records of a resource, by its path name. */
export function listed(path: string, params: object, signal?: AbortSignal): Promise<PageOf<Shown>> {
  return recordsOf(path)
    .list(params, signal && { signal })
    .page();
}

interface Found {
  readonly data: readonly { readonly data: readonly { readonly record: Shown }[] }[];
}

export async function recordsCalled(
  { name }: { readonly name: string },
  q: string,
  params: object,
  signal: AbortSignal,
): Promise<readonly Shown[]> {
  const body = { q, resource: [name], ...params };
  const { data } = await ask<Found>('POST', '/v1/search', body, { signal });
  return data.flatMap((group) => group.data.map(({ record }) => record));
}

export function etagOf(record: object): string | undefined {
  return answerOf(record)?.etag;
}

/**
 * The text of an answer as it was sent: numbers preserve every digit. Throws where it did not begin in time, or did not
 * arrive whole.
 */
export async function textOf(path: string, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const end = (): void => ending.abort(signal?.reason);
  const late = setTimeout(() => ending.abort(cut('No answer came.')), PATIENCE_MS);
  signal?.addEventListener('abort', end, { once: true });
  const answer = await answered(path, {}, ending.signal).finally(() => clearTimeout(late));
  return answer.text().catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw cut(cause);
  });
}

export function isRefusal(error: unknown): error is LedgerstoneError {
  return error instanceof Error && 'code' in error && 'requestId' in error;
}

/** Tells the audit what is printed, before it is. `what`: the path name of a resource, or `today`. */
export async function printed(what: string): Promise<void> {
  await ask('POST', '/printed', { what });
}
