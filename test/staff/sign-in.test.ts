/** People come in by invitation and password, and work with the records that are theirs. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserAt, invitation, OWN, PASSWORD, signedIn } from '../support/console.ts';
import { locationBody } from '../support/sent.ts';
import { refused, served } from '../support/world.ts';

describe('Signing in to the console', () => {
  const service = served();

  it('takes an invitation once, and then email and password', async () => {
    const token = await invitation(service, 'Director@Example.com');
    const first = browserAt(service);
    const looked = await first.post('/invitations/look', { token });
    assert.equal(looked.body.email, 'director@example.com');
    const chosen = { token, password: PASSWORD };
    const redeemed = await first.post('/invitations/redeem', { ...chosen, name: 'A' });
    assert.equal(redeemed.status, 200, redeemed.text);
    assert.equal(redeemed.body.staff.role, 'editor');
    assert.equal(redeemed.body.accounts[0].unique_identifier, service.account.unique_identifier);

    const again = await browserAt(service).post('/invitations/redeem', chosen);
    refused(again, 410, 'invitation_invalid');

    const second = browserAt(service);
    const typed = { email: ' director@EXAMPLE.com', password: PASSWORD };
    const signed = await second.post('/sign_in', typed);
    assert.equal(signed.status, 200, signed.text);
    assert.equal((await second.get('/session')).body.staff.email, 'director@example.com');
    await second.post('/sign_out');
    assert.equal(second.cookie, undefined);
  });

  it('reads and writes by /console/api/v1 as the person, in JSON alone', async () => {
    const browser = await signedIn(service);
    const body = locationBody(service.account.unique_identifier, 'chapel');
    const made = await browser.post('/v1/locations/upsert', body);
    assert.equal(made.status, 200, made.text);
    const list = await browser.get('/v1/locations');
    assert.equal(list.body.data[0].unique_identifier, made.body.unique_identifier);
    const changes = await browser.get('/v1/changes');
    assert.equal(changes.body.data.at(-1).key, browser.session.staff.unique_identifier);

    const type = { ...OWN, 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = await browser.send('POST', '/v1/locations/upsert', 'a=b', type);
    assert.equal(form.status, 415);
  });
});
