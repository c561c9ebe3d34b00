/** Single sign-on: whoever was invited comes in by their provider, and nobody else does. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserAt, type ConsoleBrowser, invitation, signedIn } from '../support/console.ts';
import { startProvider } from '../support/provider.ts';
import { keyed } from '../support/secret-key.ts';
import { startService } from '../support/service.ts';
import { refused } from '../support/world.ts';

const provider = await startProvider();
const service = await startService({ settings: { ...keyed(), ...provider.settings } });

describe('Single sign-on', () => {
  /** Goes to the provider, and gives where it sends the browser back to. */
  const away = async (browser: ConsoleBrowser, body: object = {}): Promise<string> => {
    const begun = await browser.post('/single_sign_on/begin', body);
    assert.equal(begun.status, 200, begun.text);
    return provider.visit(begun.body.url);
  };
  /** Comes back, as a browser does from another site, and gives where it ends up. */
  const back = async (browser: ConsoleBrowser, url: string): Promise<string> => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: browser.cookie ?? '' },
    });
    assert.equal(answer.status, 303);
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined) browser.cookie = cookie.split(';')[0];
    return answer.headers.get('location') ?? '';
  };

  it('lets in an invited person, and later the same identity of the provider', async () => {
    const methods = await browserAt(service).get('/sign_in');
    assert.deepEqual(methods.body.single_sign_on, { name: 'Example Group' });

    provider.subject = 'admin';
    const token = await invitation(service, 'admin@example.com', { role: 'administrator' });
    const first = browserAt(service);
    assert.equal(await back(first, await away(first, { token })), '/console/');
    const { body } = await first.get('/session');
    assert.deepEqual([body.method, body.staff.email], ['single_sign_on', 'admin@example.com']);

    const second = browserAt(service);
    assert.equal(await back(second, await away(second)), '/console/');
    assert.equal((await second.get('/session')).body.staff.email, 'admin@example.com');
  });

  it('leads back to the page that was left, and to no other site', async () => {
    provider.subject = 'admin';
    const browser = browserAt(service);
    const to = '/console/events/evt_1?mode=live';
    assert.equal(await back(browser, await away(browser, { to })), to);
    for (const other of [
      'https://evil.example',
      '//evil.example',
      '/console//evil.example',
      '/v1/me',
    ])
      assert.equal((await browser.post('/single_sign_on/begin', { to: other })).status, 400, other);
  });

  it('recognizes no person by email alone', async () => {
    await signedIn(service, 'editor@example.com');
    provider.subject = 'somebody with the email of the editor';
    const browser = browserAt(service);
    const where = await back(browser, await away(browser));
    assert.equal(where, '/console/#/sign_in?error=sign_in_failed');
    assert.equal((await browser.get('/session')).status, 401);
  });

  it('takes an answer once, in the browser that asked', async () => {
    provider.subject = 'admin';
    const victim = browserAt(service);
    const attacker = browserAt(service);
    const url = await away(attacker);
    await away(victim);
    assert.match(await back(victim, url), /error=sign_in_unfinished$/, 'of another browser');
    const own = browserAt(service);
    const again = await away(own);
    const binder = own.cookie;
    assert.equal(await back(own, again), '/console/');
    own.cookie = binder;
    assert.match(await back(own, again), /error=sign_in_unfinished$/, 'once more');
  });

  it('believes no forged or changed answer', async () => {
    provider.subject = 'admin';
    const browser = browserAt(service);
    provider.forging = true;
    assert.match(await back(browser, await away(browser)), /error=single_sign_on_unusable$/);
    assert.equal((await browser.get('/session')).status, 401);
    provider.forging = false;
    const url = new URL(await away(browser));
    url.searchParams.set('code', 'made up');
    assert.match(await back(browser, url.href), /error=single_sign_on_unusable$/);
    assert.equal((await browser.get('/session')).status, 401);
    const denied = new URL(await away(browser));
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    assert.match(await back(browser, denied.href), /error=single_sign_on_refused$/);
    assert.equal((await browser.get('/session')).status, 401);
  });

  it('lets keys be made only soon after the provider has authenticated the person', async () => {
    provider.subject = 'admin';
    const browser = browserAt(service);
    const made = async () => {
      const accounts = [service.account.unique_identifier];
      const { status, body } = await browser.post('/keys', { accounts });
      return [status, body.error?.code];
    };
    const now = Math.floor(Date.now() / 1000);
    for (const time of [undefined, now - 8 * 3_600, now - 11 * 60, now + 3_600]) {
      provider.authTime = time;
      assert.equal(await back(browser, await away(browser)), '/console/');
      assert.deepEqual(await made(), [403, 'reauthentication_needed'], String(time));
    }
    provider.authTime = now - 5 * 60;
    await back(browser, await away(browser));
    assert.deepEqual(await made(), [200, undefined]);
  });

  it('confirms a person only if the provider has authenticated the same one again', async () => {
    provider.subject = 'admin';
    provider.authTime = undefined;
    const browser = browserAt(service);
    await back(browser, await away(browser));
    let session = browser.cookie;
    const confirm = async (): Promise<string> => {
      browser.cookie = session;
      const begun = await browser.post('/single_sign_on/begin', { again: true });
      browser.cookie = begun.headers.getSetCookie()[0]?.split(';')[0];
      return back(browser, await provider.visit(begun.body.url));
    };
    const now = Math.floor(Date.now() / 1000);
    for (const time of [undefined, now - 5 * 60, now + 3_600]) {
      provider.authTime = time;
      assert.match(await confirm(), /error=confirmation_impossible$/, String(time));
    }
    const { searchParams } = provider.asked.at(-1) as URL;
    assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0']);
    provider.authTime = now;
    assert.equal(await confirm(), '/console/');
    session = browser.cookie;
    const accounts = [service.account.unique_identifier];
    assert.equal((await browser.post('/keys', { accounts })).status, 200);

    const token = await invitation(service, 'another@example.com');
    provider.subject = 'another';
    const other = browserAt(service);
    await back(other, await away(other, { token }));
    assert.match(await confirm(), /error=identity_of_another$/, 'somebody else who is known here');
    provider.authTime = undefined;
  });

  it('lets no disabled person in', async () => {
    provider.subject = 'gone';
    const token = await invitation(service, 'gone@example.com');
    const browser = browserAt(service);
    await back(browser, await away(browser, { token }));
    const { body } = await browser.get('/session');
    await service.app.store.staff.disable(body.staff.unique_identifier);
    assert.match(await back(browser, await away(browser)), /error=sign_in_failed$/);
  });

  it('says so while the provider cannot be reached', async () => {
    const settings = { oidc_issuer: 'http://127.0.0.1:9', oidc_client_id: 'x' };
    const alone = await startService({ settings });
    refused(await browserAt(alone).post('/single_sign_on/begin'), 503, 'single_sign_on_failed');
  });
});
