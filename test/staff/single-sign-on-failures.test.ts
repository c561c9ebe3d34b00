/** Whatever goes wrong with single sign-on, the person is told what is true, and the operator which of it it is. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import {
  browserAt,
  type ConsoleBrowser,
  invitation,
  PASSWORD,
  signedIn,
} from '../support/console.ts';
import { type CountedService, startCounted } from '../support/counted-service.ts';
import { type OpenIdProvider, startProvider } from '../support/provider.ts';
import { keyed } from '../support/secret-key.ts';

const provider = await startProvider();
const usual = { ...provider };
const service = await startCounted({ ...keyed(), ...provider.settings });

/** Goes to the provider and comes back, as a browser does, and gives where it ends up. */
async function through(browser: ConsoleBrowser, body: object = {}, on: OpenIdProvider = provider) {
  const begun = await browser.post('/single_sign_on/begin', body);
  assert.equal(begun.status, 200, begun.text);
  const errand = browser.cookie ?? '';
  const answer = await fetch(await on.visit(begun.body.url), {
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: errand },
  });
  assert.equal(answer.status, 303);
  const [cookie = ''] = answer.headers.getSetCookie();
  if (cookie.startsWith('ledgerstone_session=')) browser.cookie = cookie.split(';')[0];
  return answer.headers.get('location') ?? '';
}

const failures = async (on: CountedService) =>
  (await on.scrape()).value('ledgerstone_sign_ins_total', {
    method: 'single_sign_on',
    outcome: 'failed',
  });

beforeEach(() => {
  Object.assign(provider, usual);
});

describe('A failed single sign-on', () => {
  const refusedWith = (error: string) => ({ refusal: { error, error_description: 'because' } });
  const answers = (status: number, body: object = {}) => ({ instead: { status, body } });
  const cases: readonly (readonly [string, Partial<OpenIdProvider>, code: string, said: RegExp])[] =
    [
      ['an expired secret', { secret: 'a new one' }, 'unusable', /secret in OIDC_SECRET_FILE/],
      ...['access_denied', 'login_required', 'interaction_required', 'consent_required'].map(
        (error) => [error, refusedWith(error), 'refused', new RegExp(`${error}: because`)] as const,
      ),
      ...['temporarily_unavailable', 'server_error'].map(
        (error) => [error, refusedWith(error), 'failed', new RegExp(`${error}: because`)] as const,
      ),
      ...['invalid_scope', 'unauthorized_client', 'a_code_of_its_own'].map(
        (error) =>
          [error, refusedWith(error), 'unusable', new RegExp(`${error}: because`)] as const,
      ),
      ['a provider that is down', answers(0), 'failed', /fetch failed/],
      ['a proxy that answers for it', answers(502), 'failed', /answered 502/],
      ['a refused code', answers(400, { error: 'invalid_grant' }), 'unusable', /invalid_grant/],
      ['no ID token', answers(200, { access_token: 'x', token_type: 'Bearer' }), 'unusable', /./],
      ['an answer that is none', answers(200, []), 'unusable', /./],
      ['a clock that is ahead', { ahead: 90 }, 'unusable', /in (89|90|91) seconds only.*clock/],
      ['a clock that is behind', { ahead: -200 }, 'unusable', /had ended \d+ seconds.*clock/],
      ['keys that it does not show', { forging: true }, 'unusable', /./],
      ['an address that has moved', { below: '/moved' }, 'unusable', /./],
    ];
  for (const [name, bent, code, said] of cases) {
    it(`says of ${name} what it is, to the person and to the operator`, async () => {
      provider.subject = 'nobody';
      await through(browserAt(service));
      const before = await failures(service);
      const lines = service.lines.length;
      Object.assign(provider, bent);
      const browser = browserAt(service);
      assert.equal(
        await through(browser),
        `/console/#/sign_in?error=single_sign_on_${code}`,
        'the person',
      );
      assert.equal((await browser.get('/session')).status, 401);
      const [line, ...more] = service.lines.slice(lines).filter(({ msg }) => msg === 'sign-in');
      assert.deepEqual(more, []);
      assert.deepEqual([line?.method, line?.outcome], ['single_sign_on', 'failed']);
      assert.match(String(line?.reason), said);
      assert.doesNotMatch(String(line?.reason), /@example/, 'an address of somebody');
      assert.equal(await failures(service), (before ?? 0) + 1);
    });
  }

  it('is over once the provider is right again, also at another address', async () => {
    provider.subject = 'back again';
    const token = await invitation(service, 'back@example.com');
    assert.equal(await through(browserAt(service), { token }), '/console/');
    provider.below = '/moved';
    const first = await through(browserAt(service));
    assert.match(first, /error=single_sign_on_unusable$/);
    assert.equal(await through(browserAt(service)), '/console/');
    provider.secret = 'a new one';
    await through(browserAt(service));
    provider.secret = usual.secret;
    assert.equal(await through(browserAt(service)), '/console/');
    provider.below = usual.below;
    await through(browserAt(service));
    assert.equal(await through(browserAt(service)), '/console/');
  });

  it('is said of a provider that is not there, once for many who ask', async (test: TestContext) => {
    const port = await closedPort(test);
    const settings = { oidc_issuer: `http://127.0.0.1:${port}`, oidc_client_id: 'x' };
    const alone = await startCounted(settings);
    for (let nth = 0; nth < 5; nth++) {
      const { status, body } = await browserAt(alone).post('/single_sign_on/begin');
      assert.deepEqual([status, body.error.code], [503, 'single_sign_on_failed']);
    }
    assert.equal(await failures(alone), 1);
    assert.match(String(alone.lines.find(({ msg }) => msg === 'sign-in')?.reason), /ECONNREFUSED/);
  });
});

describe('A client of the provider', () => {
  const ways = [undefined, ['client_secret_basic'], ['client_secret_post']] as const;
  const both = ['client_secret_post', 'client_secret_basic'];
  const cases = [
    ...ways.map((offered) => [offered, offered?.[0] ?? 'client_secret_basic'] as const),
    ...both.map((takes) => [both, takes] as const),
  ];
  for (const [offered, takes] of cases)
    it(`shows its secret by ${takes} where ${offered?.join(' and ') ?? 'nothing'} is offered`, async () => {
      const own = await startProvider();
      Object.assign(own, { ways: offered, takes, subject: 'director' });
      const on = await startCounted({ ...keyed(), ...own.settings });
      const token = await invitation(on, 'director@example.com');
      assert.equal(await through(browserAt(on), { token }, own), '/console/');
      assert.equal(await through(browserAt(on), {}, own), '/console/');
      assert.equal(await failures(on), 0);
    });
});

describe('Whoever accepts an invitation by single sign-on', () => {
  it('may make a passkey at once, whatever the provider says of times', async () => {
    provider.subject = 'boss';
    const token = await invitation(service, 'boss@example.com', { role: 'administrator' });
    const browser = browserAt(service);
    assert.equal(await through(browser, { token }), '/console/');
    const accounts = [service.account.unique_identifier];
    assert.equal((await browser.post('/keys', { accounts })).status, 200);
    assert.equal((await browser.post('/account/passkeys/begin')).status, 200);
    const confirmed = await through(browser, { again: true });
    assert.equal(confirmed, '/console/#/sign_in?error=confirmation_impossible');
  });

  it('is told that they are somebody already, and keeps what they are', async () => {
    provider.subject = 'one of two';
    const first = await invitation(service, 'one@example.com');
    await through(browserAt(service), { token: first });
    const second = await invitation(service, 'two@example.com', { role: 'administrator' });
    const where = await through(browserAt(service), { token: second });
    assert.equal(where, '/console/#/sign_in?error=identity_taken');
    const browser = browserAt(service);
    assert.equal(await through(browser), '/console/');
    assert.equal((await browser.get('/session')).body.staff.email, 'one@example.com');
  });

  it('is told of a link that was cut, and comes in by one with more at its end', async () => {
    const token = await invitation(service, 'copied@example.com');
    for (const cut of [token.slice(1), token.slice(0, -1), `${token}a`, '', '.']) {
      const { status, body } = await browserAt(service).post('/invitations/look', { token: cut });
      const code = cut === '' ? body.error.code : 'invitation_incomplete';
      assert.deepEqual([status, body.error.code], [400, code], cut);
    }
    for (const end of ['.', ')', ' ', '%20', '>', '\n', '", thanks'])
      assert.equal(
        (await browserAt(service).post('/invitations/look', { token: token + end })).status,
        200,
        end,
      );
    const body = { token: `${token}.`, password: PASSWORD };
    assert.equal((await browserAt(service).post('/invitations/redeem', body)).status, 200);
  });
});

describe('A session by single sign-on', () => {
  const open = async (browser: ConsoleBrowser) =>
    (await browser.get('/account')).body.sessions.length;

  it('replaces the one that the browser had, however it was opened', async () => {
    provider.subject = 'many tabs';
    provider.authTime = Math.floor(Date.now() / 1000) + 30;
    const token = await invitation(service, 'tabs@example.com');
    const browser = browserAt(service);
    await through(browser, { token });
    for (let nth = 0; nth < 3; nth++) {
      const begun = await browser.send('POST', '/single_sign_on/begin', { again: nth > 0 });
      const errand = browser.cookie ?? '';
      const answer = await fetch(await provider.visit(begun.body.url), {
        redirect: 'manual',
        headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: errand },
      });
      assert.equal(answer.headers.get('location'), '/console/');
      browser.cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
      assert.equal(await open(browser), 1);
    }
  });

  it('has the provider ask who it is after somebody has signed out, until somebody signs in', async () => {
    provider.subject = 'at the front desk';
    const token = await invitation(service, 'desk@example.com');
    const browser = browserAt(service);
    await through(browser, { token });
    const out = await browser.post('/sign_out');
    const kept = out.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    const asks = async (cookie: string) => {
      const next = browserAt(service);
      next.cookie = cookie;
      const { body } = await next.post('/single_sign_on/begin');
      return new URL(body.url).searchParams.get('prompt');
    };
    assert.equal(await asks(kept.join('; ')), 'login');
    assert.equal(await asks(''), null);

    const person = await signedIn(service, 'by-word@example.com');
    const left = (await person.post('/sign_out')).headers.getSetCookie();
    assert.equal(await asks(left.map((one) => one.split(';')[0]).join('; ')), null);
  });
});

/** A port at which nobody listens. */
async function closedPort(test: TestContext): Promise<number> {
  const server = createServer();
  test.after(() => server.close());
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}
