/** The console tells which systems are silent, and administrators say what is expected of them. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Expectation } from '../../../src/features/expectations/declares.ts';
import { administrator, signedIn } from '../../support/console.ts';
import { browserGround } from '../../support/console-ground.ts';
import { isSound, openConsole, openScreen, windowFor } from '../../support/console-page.ts';

const { browser, skip, service } = await browserGround();

describe('what is expected of systems', { skip, concurrency: false }, () => {
  it('is told on Today, shown under Feeds, confirmed and turned off by administrators', async () => {
    const { store } = service.app;
    const account = service.account.unique_identifier;
    const [oak, elm] = [await service.location('oak'), await service.location('elm')];
    const { key } = await service.newKey({ name: 'Tablet' });
    await store.sources.assign(account, key.unique_identifier, 'Tablets');
    const source = (await store.sources.list([account])).find(({ name }) => name === 'Tablets');
    assert.ok(source);
    const now = Date.now();
    const expect = (location: string, more: Partial<Expectation>) =>
      store.expectations.put({
        ...{ account, source: source.unique_identifier, location, hours: 'mon-fri 8-18' },
        ...{ every: 'hour', silent_after: 3, closed_days: '', status: 'learned' },
        ...{ learned_days: 30, kept_days: 29, state: 'on_time', since: now, silent_since: null },
        ...{ last_at: now, refused_at: null, refusal: null, inserted_at: now, updated_at: now },
        ...more,
      });
    const silent_since = now - 7_200_000;
    await expect(oak, { state: 'silent', since: silent_since, silent_since, last_at: null });
    await expect(elm, {});
    const viewer = await signedIn(service, 'viewer@example.com', { role: 'viewer' });
    const theirs = await windowFor(browser, viewer);
    const { page: read } = await openScreen(theirs, viewer, 'feeds');
    await read.getByRole('heading', { name: 'What is expected' }).waitFor();
    assert.equal(await read.getByRole('button', { name: 'Confirm' }).count(), 0);
    await theirs.close();

    const person = await administrator(service);
    const { page } = await openConsole(browser, person, '');
    await page.getByRole('link', { name: '1 system is silent' }).click();
    const table = page.getByRole('table', { name: 'What is expected' });
    await table.getByText('Silent').waitFor();
    await isSound(page);
    const rows = table.locator('tbody tr');
    const text = (await rows.first().textContent()) ?? '';
    for (const part of [/Tablets/, /Silent/, /Mon–Fri 8–18, at least hourly/, /Came on 29 of 30/]) {
      assert.match(text, part);
    }
    await rows.first().getByRole('button', { name: 'Confirm' }).click();
    await rows.first().getByText('Set by a person').waitFor();
    await rows.nth(1).getByRole('button', { name: 'Turn off' }).click();
    await rows.nth(1).getByText('Turned off').waitFor();
    await rows.first().getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tablets' });
    await isSound(page);
    await dialog.getByLabel('Monday', { exact: true }).uncheck();
    await dialog.getByLabel('Saturday', { exact: true }).check();
    await dialog.getByLabel('Saturday, until').fill('12');
    await dialog.getByLabel('Closed days').fill('Christmas');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.fault').waitFor();
    await dialog.getByLabel('Closed days').fill('12-25');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rows.first().getByText('Tue–Fri 8–18, Sat 8–12, at least hourly').waitFor();
    const all = await store.expectations.list({ accounts: [account], limit: 9 });
    assert.deepEqual(all.map(({ status }) => status).sort(), ['confirmed', 'off']);
    const changed = all.find(({ status }) => status === 'confirmed');
    assert.deepEqual([changed?.hours, changed?.closed_days], ['tue-fri 8-18, sat 8-12', '12-25']);
  });
});
