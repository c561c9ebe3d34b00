/** Passkeys: made with an invitation, good for sign-in, and worth nothing to anybody else. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Authenticator, authenticatorAt } from '../support/authenticator.ts';
import {
  administrator,
  browserAt,
  invitation,
  redeemWithPasskey,
  signedIn,
  usePasskey,
} from '../support/console.ts';
import { served } from '../support/world.ts';

describe('A passkey', () => {
  const service = served();

  const enrolled = async (email: string): Promise<Authenticator> =>
    (await administrator(service, email)).authenticator;

  it('lets an administrator in, who cannot take a password', async () => {
    const token = await invitation(service, 'admin@example.com', { role: 'administrator' });
    const refused = await browserAt(service).post('/invitations/redeem', {
      token,
      password: 'pebble orchard lantern seven',
    });
    assert.equal(refused.body.error.code, 'passkey_needed');

    const authenticator = authenticatorAt(service.url);
    const redeemed = await redeemWithPasskey(browserAt(service), token, authenticator);
    assert.equal(redeemed.status, 200, redeemed.text);
    assert.equal(redeemed.body.method, 'passkey');
    assert.equal(redeemed.body.may_administer, true);

    const signed = await usePasskey(browserAt(service), authenticator);
    assert.equal(signed.status, 200, signed.text);
    assert.equal(signed.body.staff.email, 'admin@example.com');
  });

  it('answers each question once', async () => {
    const authenticator = await enrolled('once@example.com');
    const browser = browserAt(service);
    const { ceremony, options } = (await browser.post('/sign_in/passkey/begin')).body;
    const credential = authenticator.answer(options);
    assert.equal((await browser.post('/sign_in/passkey', { ceremony, credential })).status, 200);
    const again = await browserAt(service).post('/sign_in/passkey', { ceremony, credential });
    assert.equal(again.body.error.code, 'passkey_refused');
  });

  it('is refused from another address, unknown, or copied', async () => {
    const authenticator = await enrolled('copied@example.com');
    const elsewhere = authenticatorAt('http://127.0.0.1:1');
    const token = await invitation(service, 'elsewhere@example.com');
    const refused = await redeemWithPasskey(browserAt(service), token, elsewhere);
    assert.equal(refused.body.error.code, 'passkey_refused');

    const unknown = authenticatorAt(service.url);
    unknown.register({ challenge: '', rp: { id: '127.0.0.1' }, user: { id: '' } });
    assert.equal((await usePasskey(browserAt(service), unknown)).body.error.code, 'sign_in_failed');

    authenticator.counter = 5;
    assert.equal((await usePasskey(browserAt(service), authenticator)).status, 200);
    authenticator.counter = 2;
    const copied = await usePasskey(browserAt(service), authenticator);
    assert.equal(copied.body.error.code, 'sign_in_failed');
  });

  it('of another person does not confirm who is signed in', async () => {
    const other = await enrolled('other@example.com');
    const browser = await signedIn(service, 'own@example.com');
    const answer = await usePasskey(browser, other, '/reauthenticate/passkey');
    assert.equal(answer.body.error.code, 'sign_in_failed');
  });

  it('is gone when its person is invited again', async () => {
    const authenticator = await enrolled('again@example.com');
    await invitation(service, 'again@example.com', { role: 'administrator' });
    assert.equal((await usePasskey(browserAt(service), authenticator)).status, 401);
  });
});
