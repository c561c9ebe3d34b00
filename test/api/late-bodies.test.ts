/** A request whose body is still arriving when its caller is shut out does nothing, on every route that takes a body. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { before, describe, it } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { administrator, OWN, signedIn } from '../support/console.ts';
import { pluck } from '../support/pluck.ts';
import { locationBody } from '../support/sent.ts';
import type { Service } from '../support/service.ts';
import { type Route, startWithRoutes } from '../support/service-routes.ts';
import { until } from '../support/until.ts';
import { exchange, type RawAnswer, rawRequest } from '../support/wire.ts';

/** What is promised. */
const A_SECOND = 1_000;
/** For how long a caller whose body arrives is trusted. */
const TRUSTED_MS = 250;
const CONSOLE = '/console/api';
/** These are done by their path alone, and refuse a body before it has come. */
const WITHOUT_BODY =
  /^(\/console\/api)?\/v1\/(removals\/:unique_identifier\/restore|proposals\/:unique_identifier\/(accept|keep)|syncs\/:unique_identifier\/undo|erasures\/:unique_identifier\/acknowledge|retention_rules\/:unique_identifier\/(preview|enable|pause))$/;

let clock = Date.now();
let service: Service;
let routes: readonly Route[];

before(async () => {
  const started = await startWithRoutes({ now: () => clock });
  service = started.service;
  routes = started.routes.filter(
    ({ method, url, isOpen }) =>
      ['POST', 'PUT', 'PATCH'].includes(method) && !isOpen && !url.includes('*'),
  );
});

type Headers = Readonly<Record<string, string>>;

interface Late extends Pick<Route, 'method' | 'url'> {
  readonly body: unknown;
}

let marks = 0;

/** Sends all of these but their last bytes, has something done, and sends the rest. */
async function late(
  headers: Headers,
  all: readonly Late[],
  end: () => Promise<unknown>,
): Promise<RawAnswer[]> {
  let sent = 0;
  let begun = 0;
  const mark = `late-${++marks}`;
  const begins = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    if (request.headers['x-mark'] === mark) begun += 1;
  };
  subscribe('http.server.request.start', begins);
  const ended = Promise.withResolvers<void>();
  const together = async (): Promise<void> => {
    sent += 1;
    if (sent === all.length) {
      // All have been taken for what they are before one that comes later.
      await until(() => begun === all.length);
      unsubscribe('http.server.request.start', begins);
      const path = 'Cookie' in headers ? `${CONSOLE}/session` : '/v1/me';
      const { status } = await service.get(path, { headers, key: null });
      assert.equal(status, 200);
      // Whoever has sent a body by then is not asked for again.
      const taken = performance.now();
      await until(() => performance.now() - taken > TRUSTED_MS);
      await end();
      clock += A_SECOND;
      ended.resolve();
    }
    await ended.promise;
  };
  return Promise.all(
    all.map(async ({ method, url, body }) => {
      const text = JSON.stringify(body);
      const kind = /\/uploads$/.test(url) ? 'octet-stream' : 'json';
      const head = rawRequest(service, `${method} ${url}`, {
        'Content-Type': `application/${kind}`,
        'Content-Length': `${Buffer.byteLength(text)}`,
        'X-Mark': mark,
        ...headers,
      });
      const parts = [head + text.slice(0, -3), text.slice(-3)];
      const [answer] = await exchange(service.url, parts, { together });
      assert.ok(answer, `${method} ${url}`);
      return answer;
    }),
  );
}

function taking(base: string): Late[] {
  return routes
    .filter(({ url }) => url.startsWith(base) && !WITHOUT_BODY.test(url))
    .map(({ method, url }) => ({
      method,
      url: url.replace(/:\w+/g, 'x'),
      body: url.endsWith('upsert_many') ? [{}] : { name: 'late' },
    }));
}

const byKey = (secret: string): Headers => ({ Authorization: `Bearer ${secret}` });
const byPerson = ({ cookie }: { cookie: string | undefined }): Headers => ({
  ...{ ...OWN, Authorization: '', Cookie: cookie ?? '' },
});
const location = (name: string) => locationBody(service.account.unique_identifier, name);
const upsert = (name: string, base = ''): Late => ({
  ...{ method: 'POST', url: `${base}/v1/locations/upsert`, body: location(name) },
});
const isThere = async (name: string): Promise<boolean> => {
  const headers = { 'Ledgerstone-Mode': 'update_only' };
  return (await service.json('/v1/locations/upsert', location(name), { headers })).status === 200;
};
const told = (answers: readonly RawAnswer[]) =>
  answers.map(({ status, body }) => [status, body?.error?.code]);

describe('While the body of a request arrives', { concurrency: true }, () => {
  it('its key is revoked: no route of /v1 goes on', async () => {
    const { secret, key } = await service.newKey({ allow: Object.keys(rights) });
    const all = taking('/v1/');
    const urls = all.map(({ url }) => url);
    for (const known of ['/v1/events/upsert', '/v1/events/upsert_many', '/v1/webhook_endpoints'])
      assert.ok(urls.includes(known), known);
    const revoke = () => service.app.store.keys.revoke(key.unique_identifier);
    const answers = await late(byKey(secret), all, revoke);
    for (const [at, one] of told(answers).entries())
      assert.deepEqual(one, [401, 'api_key_revoked'], `${all[at]?.method} ${all[at]?.url}`);
  });

  it('its person is disabled: no route of the console goes on', async () => {
    const person = await administrator(service, 'late@example.com');
    // No role has the right to erase, to hold or to see the audit.
    const all = taking(`${CONSOLE}/`).filter(
      ({ url }) => !/\/(?:v1\/(?:erasures|holds|retention_rules)|names\/records)/.test(url),
    );
    const urls = all.map(({ url }) => url);
    for (const known of ['/keys', '/staff/invite', '/account/password', '/v1/imports', '/exports'])
      assert.ok(urls.includes(CONSOLE + known), known);
    const disable = () => service.app.store.staff.disable(person.session.staff.unique_identifier);
    const answers = await late(byPerson(person), all, disable);
    for (const [at, one] of told(answers).entries())
      assert.deepEqual(one, [401, 'sign_in_needed'], `${all[at]?.method} ${all[at]?.url}`);
  });

  it('its key is suspended: the record is not saved', async () => {
    const { secret, key } = await service.newKey();
    const suspend = () => service.app.store.keys.suspend(key.unique_identifier);
    const answers = await late(byKey(secret), [upsert('suspended')], suspend);
    assert.deepEqual(told(answers), [[401, 'api_key_suspended']]);
    assert.ok(!(await isThere('suspended')));
  });

  it('its key may write no longer, or an account of it is closed: the record is not saved', async () => {
    const { accounts, keys } = service.app.store;
    const { secret, key } = await service.newKey();
    const { unique_identifier } = key;
    const grant = { unique_identifier, does: 'grant', permissions: ['read'], allow: [] } as const;
    const answers = await late(byKey(secret), [upsert('limited')], () => keys.changeAll([grant]));
    assert.deepEqual(told(answers), [[403, 'permission_denied']]);
    const { unique_identifier: other } = (await service.another()).account;
    const both = await service.newKey({ accounts: [service.account.unique_identifier, other] });
    const close = () => accounts.close(other);
    const closed = await late(byKey(both.secret), [upsert('limited')], close);
    assert.deepEqual(told(closed), [[403, 'permission_denied']]);
    assert.ok(!(await isThere('limited')));
  });

  it('nothing ends: it is saved', async () => {
    const { secret } = await service.newKey();
    const person = await signedIn(service, 'slow@example.com');
    const none = async (): Promise<void> => {};
    const answers = [
      ...(await late(byKey(secret), [upsert('slow')], none)),
      ...(await late(byPerson(person), [upsert('slow person', CONSOLE)], none)),
    ];
    assert.deepEqual(pluck(answers, 'status'), [200, 200]);
  });
});

it('an administrator who is disabled meanwhile leaves no key, no invitation, and nothing saved', async () => {
  const { keys, staff } = service.app.store;
  const person = await administrator(service, 'left@example.com');
  const accounts = [service.account.unique_identifier];
  const before = (await keys.list()).length;
  const invited = { email: 'friend@example.com', role: 'administrator', accounts };
  const all = [
    { method: 'POST', url: `${CONSOLE}/keys`, body: { accounts } },
    { method: 'POST', url: `${CONSOLE}/staff/invite`, body: invited },
    upsert('disabled', CONSOLE),
  ];
  const answers = await late(byPerson(person), all, () =>
    staff.disable(person.session.staff.unique_identifier),
  );
  assert.deepEqual(told(answers), Array(3).fill([401, 'sign_in_needed']));
  assert.equal((await keys.list()).length, before);
  assert.equal(await staff.withEmail('friend@example.com'), undefined);
  assert.ok(!(await isThere('disabled')));
});
