/** Limits of signing in fall on those who fail: whoever shares their address comes in all the same. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { authenticatorAt } from '../support/authenticator.ts';
import {
  administrator,
  browserAt,
  type ConsoleBrowser,
  invitation,
  PASSWORD,
  redeemWithPasskey,
  signedIn,
  usePasskey,
} from '../support/console.ts';
import { startProvider } from '../support/provider.ts';
import { connectionsClosed, type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { refused } from '../support/world.ts';

const FLOOD = 150;
const QUARTER_MS = 15 * 60_000;

const provider = await startProvider();

const away = async (browser: ConsoleBrowser, body: object = {}): Promise<string> => {
  const begun = await browser.post('/single_sign_on/begin', body);
  assert.equal(begun.status, 200, begun.text);
  return provider.visit(begun.body.url);
};

/** Comes back with all Lax cookies, and gives where the browser ends up and what it keeps from then on. */
async function back(url: string, cookies: string) {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: cookies },
  });
  const kept = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return { where: answer.headers.get('location') ?? '', kept };
}

/** Signs in by single sign-on, in a browser that keeps these cookies from before. */
async function bySingleSignOn(service: Service, subject: string, before = '', body: object = {}) {
  provider.subject = subject;
  const browser = browserAt(service);
  const url = await away(browser, body);
  return back(url, [browser.cookie, before].filter(Boolean).join('; '));
}

/** The clock by which tries are counted; a test moves it. */
function countingClock(test: TestContext) {
  const clock = { at: performance.now() };
  test.mock.method(performance, 'now', () => clock.at);
  return clock;
}

describe('Whoever shares an address with those who fail', () => {
  const started = async () => {
    const service = await startService({ settings: provider.settings });
    const boss = await administrator(service, 'boss@example.com');
    const token = await invitation(service, 'director@example.com');
    const director = await bySingleSignOn(service, 'director', '', { token });
    assert.equal(director.where, '/console/');
    await signedIn(service, 'editor@example.com');
    return { service, boss, known: director.kept.find((one) => one.includes('known')) ?? '' };
  };
  const byPassword = async (service: Service): Promise<number> => {
    const credentials = { email: 'editor@example.com', password: PASSWORD };
    return (await browserAt(service).post('/sign_in', credentials)).status;
  };
  const byPasskey = async ({ service, boss }: Awaited<ReturnType<typeof started>>) =>
    (await usePasskey(browserAt(service), boss.authenticator)).status;

  it('comes in by every way, however many questions were asked', async () => {
    const on = await started();
    const guest = browserAt(on.service);
    for (let nth = 0; nth < FLOOD; nth++) {
      for (const path of ['/sign_in/passkey/begin', '/single_sign_on/begin'])
        assert.equal((await guest.post(path)).status, 200, `${path} ${nth}`);
    }
    assert.equal(await byPasskey(on), 200);
    assert.equal((await bySingleSignOn(on.service, 'director')).where, '/console/');
    assert.equal(await byPassword(on.service), 200);
  });

  it('comes in by every way, however many have come in before', async () => {
    const on = await started();
    for (let nth = 0; nth < FLOOD; nth++) {
      assert.equal(await byPasskey(on), 200, `passkey ${nth}`);
      const { where } = await bySingleSignOn(on.service, 'director');
      assert.equal(where, '/console/', `single sign-on ${nth}`);
    }
    assert.equal(await byPassword(on.service), 200);
  });

  it('comes in with a passkey, while unknown ones are told that there were too many', async () => {
    const on = await started();
    const stranger = authenticatorAt(on.service.url);
    stranger.register({ challenge: '', rp: { id: '127.0.0.1' }, user: { id: '' } });
    const codes = new Map<string, number>();
    for (let nth = 0; nth < FLOOD; nth++) {
      const { body } = await usePasskey(browserAt(on.service), stranger);
      codes.set(body.error.code, (codes.get(body.error.code) ?? 0) + 1);
    }
    assert.deepEqual(
      [...codes],
      [
        ['sign_in_failed', 120],
        ['passkeys_limited', FLOOD - 120],
      ],
    );
    assert.equal(await byPasskey(on), 200);
    assert.equal((await bySingleSignOn(on.service, 'director')).where, '/console/');
    assert.equal(await byPassword(on.service), 200);
  });

  it('comes in by single sign-on in a browser known from before, else later, and meanwhile otherwise', async (test) => {
    const clock = countingClock(test);
    const on = await started();
    const codes = new Set<string | undefined>();
    for (let nth = 0; nth < FLOOD; nth++)
      codes.add((await bySingleSignOn(on.service, 'a stranger')).where.split('=')[1]);
    assert.deepEqual([...codes], ['sign_in_failed', 'single_sign_on_limited']);
    const again = await bySingleSignOn(on.service, 'director');
    assert.equal(again.where, '/console/#/sign_in?error=single_sign_on_limited');
    const { where } = await bySingleSignOn(on.service, 'director', on.known);
    assert.equal(where, '/console/');
    assert.equal(await byPasskey(on), 200);
    assert.equal(await byPassword(on.service), 200);
    clock.at += QUARTER_MS;
    await connectionsClosed(on.service.url);
    assert.equal((await bySingleSignOn(on.service, 'director')).where, '/console/');
  });

  it('gets no more tries with a browser that is known than without', async (test) => {
    countingClock(test);
    const on = await started();
    const ends = new Set<string>();
    for (let nth = 0; nth < FLOOD; nth++)
      ends.add(
        (await bySingleSignOn(on.service, 'a stranger', on.known)).where.split('=')[1] ?? '',
      );
    assert.deepEqual([...ends], ['sign_in_failed', 'single_sign_on_limited']);
    assert.equal((await bySingleSignOn(on.service, 'director')).where, '/console/');
  });

  it('comes in otherwise while passwords are guessed', async (test) => {
    countingClock(test);
    const on = await started();
    const guess = (nth: number) =>
      browserAt(on.service).post('/sign_in', { email: `${nth}@example.com`, password: 'guessed' });
    for (let nth = 0; nth < 30; nth++) refused(await guess(nth), 401, 'sign_in_failed');
    refused(await guess(30), 429, 'sign_in_limited');
    assert.equal(await byPasskey(on), 200);
    assert.equal((await bySingleSignOn(on.service, 'director')).where, '/console/');
  });

  it('chooses a password, while somebody else tries those that are refused', async (test) => {
    const clock = countingClock(test);
    const { service } = await started();
    const token = await invitation(service, 'new@example.com');
    const choose = (of: string, password: string) =>
      browserAt(service).post('/invitations/redeem', { token: of, password });
    for (let nth = 0; nth < 30; nth++)
      refused(await choose(token, 'aaaaaaaaaaaaaaaaaaaa'), 400, 'password_refused');
    refused(await choose(token, 'aaaaaaaaaaaaaaaaaaaa'), 429, 'new_passwords_limited');
    const other = await invitation(service, 'other@example.com');
    assert.equal((await choose(other, PASSWORD)).status, 200);
    clock.at += QUARTER_MS;
    await connectionsClosed(service.url);
    assert.equal((await choose(token, PASSWORD)).status, 200);
  });
});

describe('A question to a browser', () => {
  let late = 0;
  const starting = startService({ now: () => Date.now() + late, settings: provider.settings });

  it('is good for five minutes, for its purpose, and as it was asked', async () => {
    const service = await starting;
    const { authenticator } = await administrator(service, 'asked@example.com');
    const browser = browserAt(service);
    const ask = async () => (await browser.post('/sign_in/passkey/begin')).body;
    const answer = async (ceremony: string, credential: object) =>
      (await browser.post('/sign_in/passkey', { ceremony, credential })).body.error?.code;

    const other = await ask();
    const one = await ask();
    const credential = authenticator.answer(one.options);
    assert.equal(await answer(other.ceremony, credential), 'sign_in_failed', 'of another question');
    for (const ceremony of ['', 'x', one.ceremony.slice(1), `${one.ceremony}x`, `0${one.ceremony}`])
      assert.ok(
        ['passkey_refused', 'parameter_missing'].includes(await answer(ceremony, credential)),
        ceremony,
      );
    const invited = await invitation(service, 'registers@example.com');
    const registering = (await browser.post('/invitations/passkey', { token: invited })).body;
    const wrong = authenticator.answer({ ...registering.options, rpId: '127.0.0.1' });
    assert.equal(await answer(registering.ceremony, wrong), 'passkey_refused');
    late = 5 * 60_000;
    assert.equal(await answer(one.ceremony, credential), 'passkey_refused', 'too late');
    late = 0;
    assert.equal(await answer(one.ceremony, credential), undefined);
  });

  it('of two tabs is answered in each, whichever comes back first', async () => {
    const service = await starting;
    const token = await invitation(service, 'tabs@example.com');
    await bySingleSignOn(service, 'tabs', '', { token });
    const browser = browserAt(service);
    const one = await away(browser);
    const first = browser.cookie ?? '';
    const second = await away(browser);
    const cookies = `${first}; ${browser.cookie}`;
    assert.equal((await back(one, cookies)).where, '/console/');
    assert.equal((await back(second, cookies)).where, '/console/');
  });

  it('leaves no more with the browser than its headers have room for', async () => {
    const service = await starting;
    const kept = new Map<string, string>();
    const to = `/console/events?${'a'.repeat(900)}`;
    for (let nth = 0; nth < 20; nth++) {
      const cookies = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
      const { headers, status } = await service.send('POST', '/console/api/single_sign_on/begin', {
        key: null,
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          'Ledgerstone-Console': '1',
          'Content-Type': 'application/json',
          ...(cookies === '' ? {} : { Cookie: cookies }),
        },
        body: JSON.stringify({ to }),
      });
      assert.equal(status, 200, `${nth} tabs`);
      for (const one of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
        if (value === '') kept.delete(name);
        else kept.set(name, value);
      }
    }
    assert.ok(kept.size > 1 && kept.size < 10, String(kept.size));
  });
});

describe('Several processes', {
  skip: process.env.TEST_STORE !== 'postgres' && 'one process alone serves a SQLite store',
}, () => {
  it('ask and are answered as one', async () => {
    const ground = await serviceGround();
    whenOver(ground.remove);
    const [one, other] = [await startService({ ground }), await startService({ ground })];
    const token = await invitation(one, 'processes@example.com', { role: 'administrator' });
    const authenticator = authenticatorAt(one.url);
    assert.equal((await redeemWithPasskey(browserAt(one), token, authenticator)).status, 200);
    const { ceremony, options } = (await browserAt(other).post('/sign_in/passkey/begin')).body;
    const credential = authenticator.answer(options);
    const answers = await Promise.all(
      [one, one, one].map((at) => browserAt(at).post('/sign_in/passkey', { ceremony, credential })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  });
});
