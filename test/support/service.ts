/** A running service for a test: the real app on a real socket, over a store of its own. */
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { type App, createApp } from '../../src/app/app.ts';
import { type CommandLineSettings, readSettings } from '../../src/core/config.ts';
import { createLog, type Log } from '../../src/core/observe/log.ts';
import type { BackgroundPace } from '../../src/core/pace.ts';
import type { Operation } from '../../src/edge/operations/operation.ts';
import { issueKey } from '../../src/records/auth/issue-key.ts';
import type { NewKey, StoredKey } from '../../src/store/promises/keys.ts';
import type { Account } from '../../src/store/promises/store.ts';
import { joined, outside, whenOver } from './at-end.ts';
import { parseJson } from './parse-json.ts';
import { RELEASE } from './release.ts';
import { serviceGround } from './service-ground.ts';
import type { Ground } from './store-world.ts';
import { until } from './until.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** As it arrived. */
  readonly text: string;
  /** As JSON, where it is any. */
  readonly body: Body;
}

/** What tests look into: members of members, whatever they are. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by assertions alone
export type Body = any;

export interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** The key to send; `null` for none. The service's own key of the whole account where left out. */
  readonly key?: string | null;
}

export interface Service {
  readonly app: App;
  readonly url: string;
  readonly account: Account;
  /** A key that may do everything in the account. */
  readonly key: string;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  get(path: string, sent?: Sent): Promise<Answer>;
  /** Upserts by JSON: a value, or the text as it is. */
  json(path: string, body: unknown, sent?: Sent): Promise<Answer>;
  /** PATCHes by JSON. */
  patch(path: string, body: unknown, sent?: Sent): Promise<Answer>;
  /** Upserts by form: names and values, or the text as it is. */
  form(path: string, body: Readonly<Record<string, string>> | string, sent?: Sent): Promise<Answer>;
  /** Another key; of the whole account, which may do everything, where not said otherwise. */
  newKey(limits?: Partial<Omit<NewKey, 'hash'>>): Promise<{ secret: string; key: StoredKey }>;
  /** A location, and an event at it. */
  location(external_identifier?: string): Promise<string>;
  event(location: string, external_identifier?: string): Promise<string>;
  /** The same service as somebody has it who has an account of their own; it stops with this one. */
  another(): Promise<Service>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Where its records are, and stay when it stops; a store of its own, which goes with it, where left out. */
  readonly ground?: Ground;
  /** The account and its key that the store has from before; new ones where left out. */
  readonly as?: Pick<Service, 'account' | 'key'>;
  readonly settings?: CommandLineSettings;
  readonly now?: () => number;
  readonly elapsed?: () => number;
  /** Shorter than real where left out. */
  readonly pace?: BackgroundPace;
  readonly log?: Log;
  readonly operations?: readonly Operation[];
}

/** A fiftieth of what background work waits, and never so little that it takes the processor. */
export const shortPace: BackgroundPace = (ms) => Math.min(ms, Math.max(50, ms / 50));

/** What has taken requests, by its port. */
const servers = new Map<string, Server>();
subscribe('http.server.request.start', (message) => {
  const { server } = message as { readonly server: Server };
  const address = server.address();
  if (typeof address === 'object' && address !== null) servers.set(`${address.port}`, server);
});

/** A stopping service leaves idle connections half a second for what may be on its way; nothing is when a test is over. */
export function endIdle(url: string): void {
  const { port } = new URL(url);
  servers.get(port)?.closeIdleConnections();
  servers.delete(port);
}

/**
 * Waits until the service has closed all connections that nobody uses. After a jump of the clock that measures how long
 * they are idle, it closes them soon, perhaps while a request is on its way.
 */
export async function connectionsClosed(url: string): Promise<void> {
  const server = servers.get(new URL(url).port);
  const count = (): Promise<number> =>
    new Promise((resolve, reject) => {
      if (server === undefined) return resolve(0);
      server.getConnections((error, open) => (error === null ? resolve(open) : reject(error)));
    });
  await until(async () => (await count()) === 0);
}

/** Ends with the test, the suite or the file that starts it. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const ground = options.ground ?? (await serviceGround());
  const where = { database_url: ground.url, database_distribution: ground.distribution ?? '' };
  const given = { ...where, port: '0', ...options.settings };
  const app =
    RELEASE !== undefined
      ? await (await import('./released-app.ts')).releasedApp(given)
      : await createApp(readSettings(given, {}), {
          pace: shortPace,
          ...options,
          log: options.log ?? createLog('silent'),
        });
  let url: string | undefined;
  const stop = whenOver(async () => {
    if (url !== undefined) endIdle(url);
    await app.close();
    if (options.ground === undefined) await ground.remove();
  });
  try {
    url = await app.start();
    return await withAccount(app, url, stop, options.as);
  } catch (error) {
    // Its servers and connections would keep the process of the tests alive.
    await stop();
    throw error;
  }
}

let common: Promise<Service> | undefined;

/** A new account in a service with settings of no kind, which all tests of this process share that need no more. */
export async function joinService(): Promise<Service> {
  if (common === undefined) {
    common = outside(() => startService());
    // The next file tries again.
    common.catch(() => {
      common = undefined;
    });
  }
  return (await joined(common)).another();
}

async function withAccount(
  app: App,
  url: string,
  stop: Service['stop'],
  as?: ServiceOptions['as'],
): Promise<Service> {
  const named = { name: 'Example Funeral Group', livemode: false };
  const account = as?.account ?? (await app.store.accounts.create(named));

  const newKey: Service['newKey'] = (limits = {}) =>
    issueKey(app.store.keys, account.livemode, {
      accounts: [account.unique_identifier],
      ...limits,
    });
  const secret = as?.key ?? (await newKey()).secret;

  const send: Service['send'] = async (method, path, { headers = {}, body, key = secret } = {}) => {
    const authorization =
      key === null ? {} : { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
    const answer = await fetch(url + path, {
      method,
      headers: { ...authorization, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? Buffer.from(body) : Buffer.from(body) }),
      redirect: 'manual',
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
  };
  const withType = (type: string, sent: Sent): Sent => ({
    ...sent,
    headers: { 'Content-Type': type, ...sent.headers },
  });
  const asJson =
    (method: string): Service['json'] =>
    (path, body, sent = {}) =>
      send(method, path, {
        ...withType('application/json', sent),
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
  const json = asJson('POST');

  return {
    app,
    url,
    account,
    key: secret,
    send,
    get: (path, sent) => send('GET', path, sent),
    json,
    patch: asJson('PATCH'),
    form: (path, body, sent = {}) =>
      send('POST', path, {
        ...withType('application/x-www-form-urlencoded', sent),
        body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
      }),
    newKey,
    async location(external_identifier = 'chapel') {
      const { body } = await json('/v1/locations/upsert', {
        account_unique_identifier: account.unique_identifier,
        external_identifier,
        location_name: 'Main Street Chapel',
      });
      return body.unique_identifier;
    },
    async event(location_unique_identifier, external_identifier = 'service') {
      const { body } = await json('/v1/events/upsert', {
        location_unique_identifier,
        external_identifier,
        event_name: 'Celebration of life',
        event_datetime: '2026-11-20T14:30:00Z',
      });
      return body.unique_identifier;
    },
    another: () => withAccount(app, url, async () => {}),
    stop,
  };
}

function parsed(text: string): Body {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
