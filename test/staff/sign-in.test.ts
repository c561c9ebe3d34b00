/** People come in by invitation and password, and work with the records that are theirs. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserAt, invitation, PASSWORD, signedIn } from '../support/console.ts';
import { served } from '../support/world.ts';

describe('Signing in to the console', () => {
  const service = served();

  it('takes an invitation once, and then email and password', async () => {
    const token = await invitation(service, 'Director@Example.com');
    const first = browserAt(service);
    const looked = await first.post('/invitations/look', { token });
    assert.equal(looked.body.email, 'director@example.com');
    const redeemed = await first.post('/invitations/redeem', {
      token,
      password: PASSWORD,
      name: 'A',
    });
    assert.equal(redeemed.status, 200, redeemed.text);
    assert.equal(redeemed.body.staff.role, 'editor');
    assert.equal(redeemed.body.accounts[0].unique_identifier, service.account.unique_identifier);

    const again = await browserAt(service).post('/invitations/redeem', {
      token,
      password: PASSWORD,
    });
    assert.equal(again.status, 410);
    assert.equal(again.body.error.code, 'invitation_invalid');

    const second = browserAt(service);
    const signed = await second.post('/sign_in', {
      email: ' director@EXAMPLE.com',
      password: PASSWORD,
    });
    assert.equal(signed.status, 200, signed.text);
    assert.equal((await second.get('/session')).body.staff.email, 'director@example.com');
    await second.post('/sign_out');
    assert.equal(second.cookie, undefined);
  });

  it('reads and writes by /console/api/v1 as the person, in JSON alone', async () => {
    const browser = await signedIn(service);
    const made = await browser.post('/v1/locations/upsert', {
      account_unique_identifier: service.account.unique_identifier,
      external_identifier: 'chapel',
      location_name: 'Main Street Chapel',
    });
    assert.equal(made.status, 200, made.text);
    const list = await browser.get('/v1/locations');
    assert.equal(list.body.data[0].unique_identifier, made.body.unique_identifier);
    const changes = await browser.get('/v1/changes');
    assert.equal(changes.body.data.at(-1).key, browser.session.staff.unique_identifier);

    const form = await service.send('POST', '/console/api/v1/locations/upsert', {
      key: null,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        'Ledgerstone-Console': '1',
        Cookie: browser.cookie ?? '',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'a=b',
    });
    assert.equal(form.status, 415);
  });
});
