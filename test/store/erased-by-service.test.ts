/** What was removed is gone: no byte of it in the files of a SQLite store, nor in the answers that are kept of it. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { authenticatorAt } from '../support/authenticator.ts';
import {
  administrator,
  browserAt,
  invitation,
  redeemWithPasskey,
  usePasskey,
} from '../support/console.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import { type Body, startService } from '../support/service.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { until } from '../support/until.ts';
import { wipe } from '../support/wipe.ts';

/** Stands in every text of what is to go. */
const MARK = 'Rumpelstilzchen';

async function setUp() {
  const ground = await sqliteGround();
  const service = await startService({ ground, settings: { history_days: '0' } });
  /** With an Idempotency-Key of that name. */
  const upsert = (path: string, body: Body, name: string) =>
    service.json(`/v1/${path}`, body, { headers: { 'Idempotency-Key': name } });
  return { service, folder: ground.folder, upsert };
}

/** The files in which a removed record can be read. */
function traces(folder: string): string[] {
  const wanted = MARK.toLowerCase();
  return readdirSync(folder).filter((file) =>
    readFileSync(join(folder, file), 'latin1').toLowerCase().includes(wanted),
  );
}

async function wantErased(folder: string): Promise<void> {
  const still = () => assert.fail(`It is still in ${traces(folder)}.`);
  await until(() => traces(folder).length === 0).catch(still);
}

const event = (location: string, name: string) =>
  eventBody(location, name, {
    event_name: name,
    person: { full_name: name },
    additional_event_metadata: { note: `${name} `.repeat(200) },
  });

const checkIn = (event: string, name: string) =>
  visitorBody(event, name, { visitor_full_name: name });

describe('What is removed', () => {
  it('goes from the files and from kept answers, alone and with what it belonged to', async () => {
    const { service, folder, upsert } = await setUp();
    const location = await service.location();
    const url = (body: Body) => `/v1/events/${body.unique_identifier}`;
    const alone = await upsert('events/upsert', event(location, `${MARK} alone`), 'alone');
    const parent = await upsert('events/upsert', event(location, `${MARK} parent`), 'parent');
    assert.equal(parent.status, 200, parent.text);
    // Every version that was answered is kept.
    for (const round of [1, 2, 3]) {
      const patched = await service.send('PATCH', url(parent.body), {
        headers: { 'Idempotency-Key': `patch${round}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ event_name: `${MARK} ${round}` }),
      });
      assert.equal(patched.status, 200, patched.text);
    }
    const under = parent.body.unique_identifier;
    for (let count = 0; count < 40; count += 1) {
      const visitor = checkIn(under, `${MARK} ${count}`);
      const made = await upsert('event_check_in_records/upsert', visitor, `visitor${count}`);
      assert.equal(made.status, 200, made.text);
    }
    const rows = [checkIn(under, `${MARK} row`), checkIn('evt_none', `${MARK} refused`)];
    const many = await upsert('event_check_in_records/upsert_many', rows, 'many');
    assert.deepEqual([many.body.summary.created, many.body.summary.failed], [1, 1], many.text);
    assert.ok(traces(folder).length > 0);

    const removed = await service.send('DELETE', url(alone.body));
    assert.equal(removed.headers.get('ledgerstone-removed'), '1', removed.text);
    const all = await service.send('DELETE', `${url(parent.body)}?cascade=true`);
    assert.equal(all.headers.get('ledgerstone-removed'), '42', all.text);
    await wantErased(folder);

    const again = await upsert('events/upsert', event(location, `${MARK} parent`), 'parent');
    assert.deepEqual([again.status, again.body.error.code], [404, 'resource_missing']);
    assert.doesNotMatch(again.text, new RegExp(MARK));
    const manyAgain = await upsert('event_check_in_records/upsert_many', rows, 'many');
    assert.equal(manyAgain.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(manyAgain.body, many.body, 'it holds identifiers and outcomes alone');
  });

  it('of a colleague who left goes: email, name, passkeys, sessions, invitations', async () => {
    const { service, folder } = await setUp();
    const { staff } = service.app.store;
    const admin = await administrator(service);
    const accounts = [service.account.unique_identifier];
    const email = `${MARK}@example.com`;
    const invited = await admin.post('/staff/invite', { email, role: 'administrator', accounts });
    assert.equal(invited.status, 200, invited.text);
    const token = await invitation(service, email, { role: 'administrator', accounts });
    const browser = browserAt(service);
    const authenticator = authenticatorAt(service.url);
    const redeemed = await redeemWithPasskey(browser, token, authenticator);
    assert.equal(redeemed.status, 200, redeemed.text);
    const id = redeemed.body.staff.unique_identifier;
    assert.equal((await browser.post('/account', { name: `${MARK} Doe` })).status, 200);
    const passkey = { credential: 'c', public_key: 'k', counter: 0, transports: [] };
    await staff.addPasskey(id, { ...passkey, name: `${MARK} phone` });
    const location = await service.location();
    const changed = await browser.send('PATCH', `/v1/locations/${location}`, {
      location_name: 'Hillside Chapel',
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await usePasskey(browserAt(service), authenticator)).status, 200);
    assert.ok(traces(folder).length > 0);
    assert.equal((await admin.post(`/staff/${id}/remove`)).status, 200);
    await wantErased(folder);
    assert.equal((await browser.get('/session')).status, 401);
  });

  it('with a whole account goes likewise', async () => {
    const { service, folder, upsert } = await setUp();
    const location = await service.location(`${MARK} location`);
    for (let count = 0; count < 40; count += 1) {
      const name = `${MARK} ${count}`;
      const made = await upsert('events/upsert', event(location, name), `event${count}`);
      assert.equal(made.status, 200, made.text);
    }
    await wipe(service.app.store, service.account.unique_identifier);
    await wantErased(folder);
    const again = await upsert('events/upsert', event(location, 'x'), 'event1');
    assert.deepEqual([again.status, again.body.error.param], [404, 'location_unique_identifier']);
  });
});
