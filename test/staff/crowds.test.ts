/** Strangers who try many passwords keep nobody from signing in. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { invite } from '../../src/services/staff/invitations.ts';
import { browserAt, invitation, OWN, PASSWORD, signedIn, tokenIn } from '../support/console.ts';
import type { Answer } from '../support/service.ts';
import { newAccount } from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

describe('While strangers try passwords from many networks', () => {
  const service = served({ settings: { trust_proxy: '127.0.0.1' } });

  const signIn = (email: string, from: string, password: string, cookies = ''): Promise<Answer> =>
    service.send('POST', '/console/api/sign_in', {
      key: null,
      headers: {
        ...{ ...OWN, 'Content-Type': 'application/json' },
        ...{ 'X-Forwarded-For': from, ...(cookies !== '' && { Cookie: cookies }) },
      },
      body: JSON.stringify({ email, password }),
    });
  let nth = 0;
  const stranger = (networks: number): Promise<Answer> => {
    nth += 1;
    const from = `2001:db8:${(nth % networks).toString(16)}::1`;
    return signIn(`nobody${nth}@example.com`, from, 'a wrong password');
  };
  /** As many as there is room for, all the time while the work is done. */
  const crowded = async <T>(work: () => Promise<T>, networks = 60_000): Promise<T> => {
    let isOver = false;
    let refused = 0;
    const all = Array.from({ length: 30 }, async () => {
      // A stranger who waits for long is closed out.
      while (!isOver)
        if ((await stranger(networks).catch(() => undefined))?.status === 503) refused += 1;
    });
    await until(() => refused > 0);
    try {
      return await work();
    } finally {
      isOver = true;
      await Promise.all(all);
    }
  };
  const redeem = (token: string, password: string): Promise<Answer> =>
    browserAt(service).post('/invitations/redeem', { token, password });
  /** The cookies of a browser that somebody has signed in with. */
  const cookiesOf = async (email: string): Promise<string> => {
    const token = await invitation(service, email);
    return browserOf(await redeem(token, PASSWORD));
  };
  const browserOf = ({ headers }: Answer): string =>
    headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .filter((one) => !one?.includes('session'))
      .join('; ');

  it('people sign in with the browser that they have signed in with before', async () => {
    const email = 'owner@example.com';
    const cookies = await cookiesOf(email);
    const statuses = await crowded(async () => {
      const each: number[] = [];
      for (let count = 0; count < 2; count++)
        each.push((await signIn(email, '2001:db8:ffff::1', PASSWORD, cookies)).status);
      return each;
    });
    assert.deepEqual(statuses, [200, 200]);
  });

  it('people sign in from networks that have not failed', async () => {
    const people = ['first', 'second'].map((name) => `${name}.elsewhere@example.com`);
    for (const email of people) await signedIn(service, email);
    const from = (network: string) => async () => {
      const each: number[] = [];
      for (const email of people)
        each.push((await signIn(email, `${network}:fff${each.length}::1`, PASSWORD)).status);
      return each;
    };
    // A few that try again and again, and many of one provider that try once each.
    assert.deepEqual(await crowded(from('2001:db8'), 40), [200, 200]);
    assert.deepEqual(await crowded(from('2001:db9')), [200, 200]);
  });

  it('others who fail make nobody wait who has not', async (test) => {
    stopClock(test);
    await signedIn(service, 'sought@example.com');
    const tried: number[] = [];
    for (const network of ['fe', 'fd'])
      for (let count = 0; count < 9; count++)
        tried.push((await signIn('sought@example.com', `2001:db8:${network}::1`, 'wrong')).status);
    assert.ok(tried.includes(429) && !tried.includes(200), tried.join());
    const answer = await signIn('sought@example.com', '2001:db8:fffa::1', PASSWORD);
    assert.equal(answer.status, 200, answer.text);
  });

  it('an attempt refused for lack of room does not count as a wrong one', async () => {
    await signedIn(service, 'refused@example.com');
    const from = '2001:db8:fffe::1';
    await crowded(async () => {
      for (let refused = 0; refused < 6; ) {
        const { status } = await signIn('refused@example.com', from, PASSWORD);
        assert.notEqual(status, 429);
        if (status === 503) refused += 1;
      }
    });
    assert.equal((await signIn('refused@example.com', from, PASSWORD)).status, 200);
  });

  /** Tries are slowed by this clock: on a busy machine a request may take as long as the first wait. */
  const stopClock = (test: TestContext): void => {
    const at = performance.now();
    test.mock.method(performance, 'now', () => at);
  };
  const guess = async (email: string, from: string, cookies = ''): Promise<number> =>
    (await signIn(email, from, 'a wrong password', cookies)).status;

  it('knowing an email is not enough to keep its owner from signing in', async (test) => {
    stopClock(test);
    const email = 'known@example.com';
    const cookies = await cookiesOf(email);
    const others = await cookiesOf(`colleague.of.${email}`);
    const from = '2001:db8:fffd::1';
    for (let count = 0; count < 5; count++) assert.equal(await guess(email, from), 401);
    assert.equal((await signIn(email, from, PASSWORD)).status, 429);
    assert.equal((await signIn(email, from, PASSWORD, others)).status, 429);
    assert.equal((await signIn(email, from, PASSWORD, cookies)).status, 200);
    // Whoever has the browser guesses no faster than others do.
    for (let count = 0; count < 5; count++) assert.equal(await guess(email, from, cookies), 401);
    assert.equal(await guess(email, from, cookies), 429);
  });

  it('whoever shares the email in another account guesses no more, and learns nothing', async (test) => {
    stopClock(test);
    const { store } = service.app;
    const theirs = await newAccount(store, 'Theirs');
    const own = 'their own orchard lantern';
    /** What another account's administrator is answered, who has made a person of that email for themselves. */
    const answers = async (email: string, from: string): Promise<readonly number[]> => {
      const grant = { role: 'editor', anchors: null, region: null, allow: [] } as const;
      const apart = email.startsWith('shared') ? 'apart' : null;
      const invited = { email, apart, ...grant, accounts: [theirs] };
      const { link } = await invite(store.staff, invited, service.url, Date.now());
      const redeemed = await redeem(tokenIn(link), own);
      const cookie = browserOf(redeemed);
      const tried: number[] = [redeemed.status];
      const signInAs = async (password: string, cookies?: string): Promise<void> => {
        tried.push((await signIn(email, from, password, cookies)).status);
      };
      for (let count = 0; count < 4; count++) {
        await signInAs('a wrong password');
        await signInAs(own);
      }
      await signInAs('a wrong password', cookie);
      await signInAs(own, cookie);
      for (let count = 0; count < 2; count++) await signInAs('a wrong password');
      await signInAs(own, cookie);
      for (let count = 0; count < 6; count++) await signInAs('a wrong password', cookie);
      return tried;
    };
    const email = 'shared@example.com';
    const cookies = await cookiesOf(email);
    const shared = await answers(email, '2001:db8:fffb::1');
    assert.equal((await signIn(email, '2001:db8:fffb::1', PASSWORD)).status, 429);
    assert.deepEqual(shared, await answers('alone@example.com', '2001:db8:fffa:1::1'));
    assert.equal(shared.at(-1), 429);
    // Its owner is kept out of no browser and no network of their own.
    assert.equal((await signIn(email, '2001:db8:fffb::1', PASSWORD, cookies)).status, 200);
    assert.equal((await signIn(email, '2001:db8:fff9::1', PASSWORD)).status, 200);
  });

  it('a browser is known no more once the password has changed', async (test) => {
    stopClock(test);
    const email = 'changing@example.com';
    const cookies = await cookiesOf(email);
    await cookiesOf(email);
    const from = '2001:db8:fffc::1';
    for (let count = 0; count < 5; count++) assert.equal(await guess(email, from), 401);
    assert.equal((await signIn(email, from, PASSWORD, cookies)).status, 429);
  });
});
