/** Operators find what was removed and restore it, while the service runs. */
// needs: program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';

describe('ledgerstone removals', () => {
  it('lists what was removed by its name, and restores it with all that went with it', async () => {
    const { account, secret, url, run: program, fails, ok } = await servedAccount();
    const location = await makeLocation(url, secret, account);
    const event = await call(url, secret, '/v1/events/upsert', {
      ...{ location_unique_identifier: location, external_identifier: 'f' },
      ...{ event_name: 'Memorial', event_datetime: '2027-03-20T14:30:00Z' },
      person: { full_name: 'Agnes Thornbury' },
    });
    const id = String(JSON.parse(event.text).unique_identifier);
    await call(url, secret, '/v1/event_check_in_records/upsert', {
      ...{ event_unique_identifier: id, external_identifier: 'a' },
      ...{ visitor_full_name: 'Ann', visitor_phone_number: '+14155550123' },
    });
    const Authorization = `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;
    const answer = await fetch(`${url}/v1/events/${id}?cascade=true`, {
      ...{ method: 'DELETE', headers: { Authorization } },
    });
    const removal = answer.headers.get('ledgerstone-removal') ?? '';
    const told = await ok('removals', 'list', '--account', account, '--search', 'agnes');
    assert.match(told, new RegExp(`${removal} .* event +2 .*Agnes Thornbury`));
    const shown = await ok('removals', 'restore', removal, '--dry-run');
    assert.match(shown, /Dry run: 2 restored, 0 left removed\. Nothing was written\./);
    assert.match(await ok('removals', 'restore', removal), /^2 restored, 0 left removed\.$/m);
    const back = await fetch(`${url}/v1/events/${id}`, { headers: { Authorization } });
    assert.equal(back.status, 200);
    assert.match(await fails('removals', 'restore', 'rem_nothing'), /There is no such removal/);
    const empty = await program('removals', 'list', '--account', account, '--json');
    assert.equal(empty.stdout, '[]\n');
  });
});
