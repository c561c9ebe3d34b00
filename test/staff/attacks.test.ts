/** What people with bad intent try at the door of the console, and what they get. */
// needs: --ci, both stores with --all, long
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { authenticatorAt } from '../support/authenticator.ts';
import {
  browserAt,
  type ConsoleBrowser,
  invitation,
  OWN,
  PASSWORD,
  redeemWithPasskey,
  signedIn,
} from '../support/console.ts';
import { type Answer, type Body, type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { until } from '../support/until.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { refused, served } from '../support/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const credentials = { email: 'editor@example.com', password: PASSWORD };

/** What is answered to a request that names the host by itself. */
async function named(service: Service, line: string, headers: object, body?: string) {
  const sent = rawRequest(service, line, { Authorization: '', ...headers }, body);
  const [answer] = await exchange(service.url, sent);
  return answer ?? assert.fail(line);
}

describe('The door of the console', () => {
  let person: ConsoleBrowser & { session: Body };
  let late = 0;
  const service = served({ now: () => Date.now() + late }, async () => {
    person = await signedIn(service);
  });

  describe('turns away requests of other pages', () => {
    const { 'Sec-Fetch-Site': _, ...ours } = OWN;
    const foreign: readonly (readonly [why: string, headers: Record<string, string>])[] = [
      ['another site', { ...OWN, 'Sec-Fetch-Site': 'cross-site' }],
      ['another port or name of the same site', { ...OWN, 'Sec-Fetch-Site': 'same-site' }],
      ['an address that was typed', { ...OWN, 'Sec-Fetch-Site': 'none' }],
      ['without our header', { 'Sec-Fetch-Site': 'same-origin' }],
      ['with another value of it', { ...OWN, 'Ledgerstone-Console': '0' }],
      ['an older browser, another origin', { ...ours, Origin: 'https://evil.example' }],
      ['an older browser, another port', { ...ours, Origin: 'http://127.0.0.1:1' }],
      ['an older browser, no origin', { ...ours, Origin: 'null' }],
      ['who says nothing', ours],
    ];
    const requests: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['GET', '/session'],
      ['GET', '/v1/accounts'],
      ['GET', '/nothing/here'],
      ['POST', '/sign_in', credentials],
      ['POST', '/sign_out', {}],
      ['POST', '/account', { name: 'Taken over' }],
      ['POST', '/v1/locations/upsert', { external_identifier: 'x', location_name: 'x' }],
      ['DELETE', '/account/sessions/ses_1'],
    ];
    for (const [why, headers] of foreign) {
      it(why, async () => {
        for (const [method, path, body] of requests) {
          const answer = await person.send(method, path, body, headers);
          refused(answer, 403, 'cross_site_refused');
          assert.equal(answer.headers.getSetCookie().length, 0);
        }
        assert.equal((await person.get('/session')).body.staff.name, null);
      });
    }

    it('also where a path is written another way', async () => {
      for (const path of ['/console/%61pi/sign_in', '/%63onsole/api/sign_in']) {
        const { status } = await service.send('POST', path, {
          key: null,
          headers: { 'Content-Type': 'application/json', Cookie: person.cookie ?? '' },
          body: JSON.stringify(credentials),
        });
        assert.ok(status === 403 || status === 401 || status === 404, `${path}: ${status}`);
      }
    });

    it('an older browser at our own origin comes in', async () => {
      const headers = { 'Ledgerstone-Console': '1', Origin: service.url };
      assert.equal((await person.send('GET', '/session', undefined, headers)).status, 200);
    });
  });

  it('gives a cookie that no script reads and no other path gets, and answers that are not cached', async () => {
    const answer = await browserAt(service).post('/sign_in', credentials);
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(
      cookie,
      /^ledgerstone_session=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    for (const path of ['/session', '/v1/accounts', '/v1/nothing']) {
      const { headers } = await person.get(path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.equal(headers.get('access-control-allow-origin'), null);
    }
  });

  it('takes no session chosen by another person, and changes it with each sign-in', async () => {
    const browser = browserAt(service);
    const chosen = `ledgerstone_session=${'A'.repeat(43)}`;
    browser.cookie = chosen;
    await browser.post('/sign_in', credentials);
    const first = browser.cookie;
    assert.notEqual(first, chosen);
    await browser.post('/reauthenticate', { password: PASSWORD });
    assert.notEqual(browser.cookie, first);
    const stale = browserAt(service);
    for (const cookie of [chosen, first]) {
      stale.cookie = cookie;
      assert.equal((await stale.get('/session')).status, 401);
    }
  });

  it('does not keep the token itself', async () => {
    const token = person.cookie?.split('=')[1] ?? '';
    const book = service.app.store.staff;
    const sessions = await book.sessions(person.session.staff.unique_identifier);
    const kept = JSON.stringify([await book.list(), sessions]);
    assert.ok(!kept.includes(token));
    assert.ok(!kept.includes(PASSWORD));
  });

  /** Until it is noted that somebody was there, which no answer waits for. */
  const seen = async ({ session }: { session: Body }): Promise<void> => {
    await until(async () => {
      const [last] = await service.app.store.staff.sessions(session.staff.unique_identifier);
      return last === undefined || Date.now() + late - last.seen_at < MINUTE;
    });
  };

  it('lets a session end after an hour without a request, and after twelve at the latest', async () => {
    const idle = await signedIn(service, 'idle@example.com');
    late = 59 * MINUTE;
    assert.equal((await idle.get('/session')).status, 200);
    await seen(idle);
    late = 118 * MINUTE;
    assert.equal((await idle.get('/session')).status, 200, 'it was not idle');
    await seen(idle);
    late = 179 * MINUTE;
    const followed = await idle.get('/v1/changes');
    assert.equal(followed.status, 401, 'more than an hour');
    late = 0;
    const busy = await signedIn(service, 'busy@example.com');
    for (late = 0; late < 12 * HOUR; late += 50 * MINUTE) {
      assert.equal((await busy.get('/session')).status, 200);
      await seen(busy);
    }
    late = 12 * HOUR + MINUTE;
    assert.equal((await busy.get('/session')).status, 401);
    late = 0;
  });

  it('ends a session of the future, once the clock that was ahead is right', async () => {
    for (const ahead of [24 * HOUR, 2 * MINUTE]) {
      late = ahead;
      const early = await signedIn(service, 'early@example.com');
      assert.equal((await early.get('/session')).status, 200);
      late = 0;
      assert.equal((await early.get('/session')).status, 401, `${ahead} ms`);
    }
    // Clocks of two processes differ a little.
    late = MINUTE / 2;
    const near = await signedIn(service, 'near@example.com');
    late = 0;
    assert.equal((await near.get('/session')).status, 200);
  });

  it('ends what a clock that is a day ahead calls old, and opens it again once the clock is right', async () => {
    let ahead = 0;
    // A count of time that goes by the clock itself would believe it, and upkeep ends what is old by then.
    const elapsed = () => performance.now();
    const own = await startService({ now: () => Date.now() + ahead, elapsed });
    const yesterday = await signedIn(own, 'yesterday@example.com');
    ahead = 24 * HOUR;
    for (const path of ['/session', '/v1/changes', '/v1/accounts'])
      assert.equal((await yesterday.get(path)).status, 401, path);
    ahead = 0;
    assert.equal((await yesterday.get('/session')).status, 200);
  });

  it('does not count the requests a page repeats by itself as activity', async () => {
    const away = await signedIn(service, 'away@example.com');
    for (late = 0; late < HOUR; late += 15 * MINUTE)
      assert.equal((await away.get('/v1/changes')).status, 200);
    late = HOUR + MINUTE;
    assert.equal((await away.get('/v1/changes')).status, 401);
    late = 0;
  });

  it('does not count what a page asks of anything while nobody is at it', async () => {
    const away = await signedIn(service, 'left@example.com');
    const headers = { ...OWN, 'Ledgerstone-Unattended': '1' };
    for (const path of ['/session', '/account', '/v1/accounts', '/v1/events']) {
      for (late = 0; late < HOUR; late += 15 * MINUTE)
        assert.equal((await away.send('GET', path, undefined, headers)).status, 200, path);
    }
    late = HOUR + MINUTE;
    assert.equal((await away.get('/session')).status, 401);
    late = 0;
  });

  describe('keeps invitations for those they are for:', () => {
    const redeem = (token: string): Promise<Answer> =>
      browserAt(service).post('/invitations/redeem', { token, password: PASSWORD });

    it('of many who redeem one at once, one is let in', async () => {
      const token = await invitation(service, 'raced@example.com');
      const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(token)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410, 410, 410]);
    });

    it('after 48 hours, and after another one, it is worth nothing', async () => {
      const token = await invitation(service, 'late@example.com', {}, Date.now() - 48 * HOUR);
      assert.equal((await redeem(token)).body.error.code, 'invitation_invalid');
      const first = await invitation(service, 'twice@example.com');
      const second = await invitation(service, 'twice@example.com');
      assert.equal((await redeem(first)).status, 410);
      assert.equal((await redeem(second)).status, 200);
    });

    it('one that is made up gets the same answer', async () => {
      const answer = await redeem('A'.repeat(43));
      assert.deepEqual([answer.status, answer.body.error.code], [410, 'invitation_invalid']);
    });

    it('one that nobody was ever sent, because it is too short, is called incomplete', async () => {
      for (const token of ['x', 'A'.repeat(42), "' OR 1=1 --"])
        assert.equal((await redeem(token)).body.error.code, 'invitation_incomplete');
    });

    it('a passkey that was asked for with one is no good for another', async () => {
      const mine = await invitation(service, 'mine@example.com');
      const theirs = await invitation(service, 'theirs@example.com');
      const browser = browserAt(service);
      const asked = await browser.post('/invitations/passkey', { token: mine });
      const { ceremony, options } = asked.body;
      const credential = authenticatorAt(service.url).register(options);
      const sent = { token: theirs, ceremony, credential };
      const answer = await browser.post('/invitations/redeem', sent);
      assert.equal(answer.body.error.code, 'passkey_refused');
      const own = await redeemWithPasskey(browser, theirs, authenticatorAt(service.url));
      assert.equal(own.status, 200);
    });

    it('refuses passwords that are guessed first', async () => {
      const token = await invitation(service, 'director@funeral.example');
      for (const password of [
        ...['fourteen chars', 'aaaaaaaaaaaaaaaaaaaa', 'passwordpassword', '1234567890123456'],
        ...['qwertyuiopasdfgh', 'abcabcabcabcabcabc'],
        ...['director@funeral.example', 'Password12345678!'],
      ]) {
        const answer = await browserAt(service).post('/invitations/redeem', { token, password });
        const isShort = password.length < 15;
        refused(answer, 400, isShort ? 'password_too_short' : 'password_refused', 'password');
      }
    });
  });

  it('is open over HTTPS or to this machine alone', async () => {
    const sent = JSON.stringify(credentials);
    const headers = { ...OWN, 'Content-Type': 'application/json', 'Content-Length': sent.length };
    const status = async (Host: string): Promise<number> =>
      (await named(service, 'POST /console/api/sign_in', { ...headers, Host }, sent)).status;
    assert.equal(await status('localhost:8080'), 200);
    assert.equal(await status('rebound.example:8080'), 403, 'a name that leads to this machine');
    assert.equal(await status('localhost@evil.example'), 400, 'no host');
  });
});

describe('Behind HTTPS', () => {
  const service = served({ settings: { public_url: 'https://records.example.com' } });

  it('the cookie is secure, and links lead to the public address', async () => {
    const token = await invitation(service, 'a@example.com');
    const browser = browserAt(service);
    const answer = await browser.post('/invitations/redeem', { token, password: PASSWORD });
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(
      cookie,
      /^__Host-ledgerstone_session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    assert.equal((await browser.get('/session')).status, 200);
    const asked = await browser.post('/sign_in/passkey/begin');
    assert.equal(asked.body.options.rpId, 'records.example.com');
  });

  it('no cookie opens a session that plain HTTP or a sibling of the site could have set', async () => {
    const attacker = await signedIn(service, 'attacker@example.com');
    const token = attacker.cookie?.split('=')[1];
    const victim = browserAt(service);
    for (const name of ['ledgerstone_session', '__Secure-ledgerstone_session']) {
      victim.cookie = `${name}=${token}`;
      assert.equal((await victim.get('/session')).status, 401, name);
    }
    victim.cookie = `ledgerstone_session=${token}; ${attacker.cookie}`;
    assert.equal((await victim.get('/session')).body.staff.email, 'attacker@example.com');
  });

  it('browsers are told to come back by HTTPS alone, but for those on this machine', async () => {
    const told = async (Host: string, path: string): Promise<string | undefined> =>
      (await named(service, `GET ${path}`, { Host })).headers['strict-transport-security'];
    for (const path of ['/console/', '/v1/accounts', '/docs/', '/nothing', '/console/api/session'])
      assert.equal(await told('records.example.com', path), 'max-age=31536000', path);
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080'])
      assert.equal(await told(host, '/console/'), undefined, host);
    const { headers } = await (await startService()).get('/v1/accounts');
    assert.equal(headers.get('strict-transport-security'), null);
  });
});

describe('Guessing', () => {
  let clock = 0;
  const { TEST_HASHES } = process.env;
  before(() => {
    if (TEST_HASHES !== undefined) process.env.TEST_HASHES = 'full';
  });
  after(() => {
    if (TEST_HASHES !== undefined) process.env.TEST_HASHES = TEST_HASHES;
  });
  const service = served({ now: () => Date.now() + clock }, async () => {
    await signedIn(service, 'known@example.com');
    await signedIn(service, 'guessed@example.com');
  });
  const guess = (email: string, password = 'not the password at all'): Promise<Answer> =>
    browserAt(service).post('/sign_in', { email, password });

  it('gets the same answer for an unknown email, after as much work', async () => {
    const took = { known: 0, unknown: 0 };
    for (let nth = 0; nth < 4; nth++) {
      for (const which of ['known', 'unknown'] as const) {
        const began = process.cpuUsage();
        const answer = await guess(`${which}@example.com`);
        const { user, system } = process.cpuUsage(began);
        took[which] += user + system;
        refused(answer, 401, 'sign_in_failed');
      }
    }
    const ratio = took.unknown / took.known;
    // Without the work of a hash it would be less than a tenth.
    assert.ok(ratio > 0.3 && ratio < 3, String(ratio));
    assert.equal((await guess('known@example.com', PASSWORD)).status, 200);
  });

  it('waits from the fifth failure on, for every person, and then the right password is taken', async (test) => {
    let elapsed = Math.round(performance.now());
    test.mock.method(performance, 'now', () => elapsed);
    const statuses: number[] = [];
    for (let nth = 0; nth < 6; nth++) statuses.push((await guess('guessed@example.com')).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    const early = await guess('guessed@example.com', PASSWORD);
    refused(early, 429, 'sign_in_limited');
    // A clock that is set ahead ends no wait, and one that is put back makes none longer.
    for (clock of [24 * HOUR, -24 * HOUR]) {
      const { status, headers } = await guess('guessed@example.com', PASSWORD);
      assert.equal(status, 429);
      assert.equal(Number(headers.get('retry-after')), 1);
    }
    clock = 0;
    elapsed += Number(early.headers.get('retry-after')) * 1000;
    assert.equal((await guess('guessed@example.com', PASSWORD)).status, 200);
  });
});

describe('What was taken away', {
  skip: process.env.TEST_STORE !== 'postgres' && 'one process alone serves a SQLite store',
}, () => {
  it('is gone within a second in every process', async () => {
    const ground = await serviceGround();
    whenOver(ground.remove);
    const one = await startService({ ground });
    const other = await startService({ ground });
    const person = await signedIn(one, 'two@example.com');
    const there = browserAt(other);
    there.cookie = person.cookie;
    assert.equal((await there.get('/session')).status, 200);
    await person.post('/sign_out');
    assert.equal((await there.get('/session')).status, 401);
    const again = await signedIn(one, 'two@example.com');
    there.cookie = again.cookie;
    await one.app.store.staff.disable(again.session.staff.unique_identifier);
    assert.equal((await there.get('/v1/accounts')).status, 401);
  });
});
