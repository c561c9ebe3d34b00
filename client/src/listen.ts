/** Forwards notifications to a program on this machine, which cannot be reached from outside: `ledgerstone-listen`. */
import type { ChangePage, ListedChange } from './changes.ts';
import { ConnectionError, LedgerstoneError } from './error.ts';
import type { ChangeListParams } from './generated/changes.d.ts';
import { Ledgerstone } from './generated/ledgerstone.ts';
import { toJson } from './json.ts';
import { isPassing } from './retry.ts';
import { wait } from './wait.ts';

/** The program that notifications are forwarded to, and which of them. */
export interface Listening {
  /** The URL of the program, such as `http://localhost:3000/webhooks`. */
  readonly forward: string;
  /** The address of the service. */
  readonly service: string;
  readonly key: string;
  /** Required if the key has several. */
  readonly account?: string | undefined;
  /** `event.created`, `event.*`, `*.deleted` or `*`; everything by default. */
  readonly notification?: readonly string[] | undefined;
  /** Sends the record with the change. */
  readonly full?: boolean | undefined;
  /** Prints JSON, one object a line. */
  readonly json?: boolean | undefined;
  /** Secret that signs the notifications, `whsec_…`; by default a new one, which is printed. */
  readonly secret?: string | undefined;
}

/** Where lines are printed. */
export interface Printer {
  out(line: string): void;
  error(line: string): void;
}

const WAIT_SECONDS = 30;
const ANSWER_MS = 60_000;
const FORWARD_MS = 15_000;
const RETRY_MS = 2_000;
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** Runs until the signal stops it. Throws `TypeError` for an option that cannot be right, and what the service refuses. */
export async function listen(options: Listening, print: Printer, stop: AbortSignal): Promise<void> {
  if (!/^https?:\/\/[^/]/.test(options.forward))
    throw new TypeError(`${toJson(options.forward)} is not a URL. Write http://….`);
  // One attempt each: this loop says when the service is away, and tries again.
  const api = new Ledgerstone({ key: options.key, url: options.service, tries: 1 });
  const { notification = ['*'], account, forward, json } = options;
  const secret = options.secret ?? newSecret();
  const sign = await signer(secret);
  const params = {
    account,
    ...filters(notification),
    expand: options.full ? (['record'] as const) : undefined,
  };
  print.out(json ? toJson({ secret, forward }) : `Secret: ${secret}`);
  if (!json) print.out(`Forwarding changes to ${forward}. Ctrl-C stops it.`);
  // From now on; of a log that is empty, from its beginning.
  let starting_after: string | undefined = 'now';
  let isAway = false;
  let hasAnswered = false;
  while (!stop.aborted) {
    const again: number | undefined = starting_after?.startsWith('chg_') ? WAIT_SECONDS : undefined;
    const page: ChangePage<Forwarded> | undefined = await api.changes
      .list({ ...params, starting_after, wait: again }, { signal: stop, timeout: ANSWER_MS })
      .page()
      .catch((error: unknown) => {
        // Without a network, a name is as unknown as one that does not exist.
        const isOut = hasAnswered && error instanceof ConnectionError;
        if (!stop.aborted && !isOut && !isPassing(error)) throw error;
        return undefined;
      });
    if (stop.aborted) return;
    if ((page === undefined) !== isAway) {
      isAway = !isAway;
      const says = isAway ? 'does not answer; trying until it does' : 'answers again';
      print.error(`${options.service} ${says}.`);
    }
    hasAnswered ||= page !== undefined;
    if (page === undefined || page.position === null) await rest(stop);
    if (page === undefined) continue;
    for (const change of page.data) {
      if (!isWanted(notification, change)) continue;
      const line = await forwarded(change, options, sign, stop);
      if (stop.aborted) return;
      print.out(line);
    }
    starting_after = page.position ?? undefined;
  }
}

/** The message to print if listening failed. */
export function failureOf(error: unknown): string | undefined {
  if (error instanceof TypeError) return error.message;
  if (!(error instanceof LedgerstoneError)) return undefined;
  const { status, message } = error;
  return status === undefined ? message : `The service answers ${status}: ${plain(message)}`;
}

type Sign = (text: string) => Promise<string>;
type Forwarded = ListedChange<never>;

async function forwarded(
  change: Forwarded,
  { forward, json }: Listening,
  sign: Sign,
  stop: AbortSignal,
): Promise<string> {
  const { unique_identifier: id, resource, outcome, occurred_at, record } = change;
  const type = `${resource}.${outcome}`;
  const body = toJson({ type, timestamp: occurred_at, data: change });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${await sign(`${id}.${timestamp}.${body}`)}`,
  };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(FORWARD_MS)]);
  const began = performance.now();
  const sent = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
  const { status_code, error } = await fetch(forward, sent).then(
    async (response) => {
      await response.body?.cancel();
      const error = response.ok ? null : 'Webhooks are retried; listen sends each change once.';
      return { status_code: response.status, error };
    },
    (cause: unknown) => ({ status_code: null, error: `no answer: ${reasonOf(cause)}` }),
  );
  const duration_ms = Math.round(performance.now() - began);
  if (json) return toJson({ change: id, type, record, status_code, error, duration_ms });
  const answer = [status_code, error].filter((one) => one !== null).join(' ');
  return `${occurred_at}  ${type}  ${record}  ${answer}`;
}

/** Names that the service filters by itself; it also refuses unknown ones. */
function filters(notification: readonly string[]): Pick<ChangeListParams, 'resource' | 'outcome'> {
  const [resource = [], outcome = []] = [0, 1].map((at) => [
    ...new Set(notification.map((pattern) => partsOf(pattern)[at] ?? '*')),
  ]);
  return {
    ...(resource.includes('*') ? {} : { resource }),
    ...(outcome.includes('*') ? {} : { outcome: [...outcome, 'erased'] }),
  } as ReturnType<typeof filters>;
}

function isWanted(notification: readonly string[], { resource, outcome }: Forwarded): boolean {
  return notification.some((pattern) => {
    const [name, what = '*'] = partsOf(pattern);
    const isErased = outcome === 'erased';
    return (name === '*' || name === resource) && (what === '*' || what === outcome || isErased);
  });
}

function partsOf(pattern: string): readonly [resource: string, outcome: string | undefined] {
  const dot = pattern.indexOf('.');
  return dot < 0 ? [pattern, undefined] : [pattern.slice(0, dot), pattern.slice(dot + 1)];
}

function newSecret(): string {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Signs as Standard Webhooks says. */
async function signer(secret: string): Promise<Sign> {
  const wrong = new TypeError('The secret is not whsec_… and base 64 after it.');
  if (!secret.startsWith(PREFIX)) throw wrong;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (one) => one.charCodeAt(0));
  } catch {
    throw wrong;
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return async (text) =>
    toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Why a program was not reached, in a few words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `not within ${FORWARD_MS / 1000} seconds`;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  if (code === 'ECONNREFUSED') return 'nothing is listening there';
  return typeof code === 'string' ? code : error.message;
}

/** A text that a terminal shows and does not obey. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

async function rest(stop: AbortSignal): Promise<void> {
  await wait(RETRY_MS, stop).catch(() => undefined);
}
