/** What staff removed comes back whole: at once, from the list of what was removed, or from the page that it had. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { flaws, openConsole } from '../support/console-page.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service);

/** A service with two visitors, and their unique identifiers. */
async function family(name: string): Promise<readonly [event: string, ...visitors: string[]]> {
  const { body } = await service.json('/v1/events/upsert', {
    ...{ location_unique_identifier: made.locations[1], external_identifier: name },
    ...{ event_name: 'Visitation', event_datetime: '2027-03-20T14:30:00Z' },
    person: { full_name: name },
  });
  const event = body.unique_identifier;
  const visitors: string[] = [];
  for (const visitor of ['Ida', 'Leo']) {
    const { body: one } = await service.json('/v1/event_check_in_records/upsert', {
      ...{ event_unique_identifier: event, external_identifier: `${name} ${visitor}` },
      ...{ visitor_full_name: `${visitor} of ${name}`, visitor_phone_number: '+14155550188' },
    });
    visitors.push(one.unique_identifier);
  }
  return [event, ...visitors];
}

const isThere = async (event: string, visitors: readonly string[]): Promise<boolean> => {
  const paths = [`events/${event}`, ...visitors.map((one) => `event_check_in_records/${one}`)];
  const answers = await Promise.all(paths.map((path) => service.get(`/v1/${path}`)));
  return answers.every(({ status }) => status === 200);
};

async function removeOn(page: Page): Promise<void> {
  await page.getByLabel('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Remove …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('3 records in all.').waitFor();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Removed 3 records.').waitFor();
}

const removeElsewhere = (event: string) =>
  service.send('DELETE', `/v1/events/${event}?cascade=true`);

describe('whoever has removed a service with its people', { skip }, () => {
  it('undoes it whole, right afterwards', async () => {
    const [event, ...visitors] = await family('Agnes Thornbury');
    const { page } = await openConsole(browser, person, `events/${event}`);
    await removeOn(page);
    assert.equal(await isThere(event, visitors), false);
    assert.deepEqual(await flaws(page), []);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 records restored.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Agnes Thornbury' }).waitFor();
    await page.getByText('Ida of Agnes Thornbury').first().waitFor();
    assert.equal(await isThere(event, visitors), true);
  });

  it('is told what stays removed, and why', async () => {
    const [event] = await family('Basil Orr');
    const { page } = await openConsole(browser, person, `events/${event}`);
    await removeOn(page);
    await family('Basil Orr');
    await page.getByRole('button', { name: 'Undo' }).click();
    const told = page.getByRole('status').filter({ hasText: 'Nothing was restored.' });
    await told.getByText('3 records stay removed:').waitFor();
    await told.getByText('Basil Orr').first().waitFor();
    await told.getByRole('button', { name: 'Close' }).click();
    await told.waitFor({ state: 'detached' });
  });

  it('finds it in the list of what was removed, and restores it there', async () => {
    const [event, ...visitors] = await family('Clara Voss');
    const [other] = await family('Dora Finch');
    await Promise.all([removeElsewhere(event), removeElsewhere(other)]);
    const { page } = await openConsole(browser, person, '');
    await page.locator('#nav summary', { hasText: 'More' }).click();
    await page.getByRole('link', { name: 'Removed', exact: true }).click();
    await page.getByRole('link', { name: 'Dora Finch' }).waitFor();
    await page.getByRole('searchbox').fill('voss');
    await page.getByRole('link', { name: 'Dora Finch' }).waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /Clara Voss/ });
    assert.match(await row.innerText(), /Service[\s\S]*2 others/);
    assert.deepEqual(await flaws(page), []);
    await row.getByRole('button', { name: 'Restore' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore Clara Voss?' });
    await dialog.getByText('3 records will be restored.').waitFor();
    assert.deepEqual(await flaws(page), []);
    assert.equal(await isThere(event, visitors), false);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { level: 1, name: 'Clara Voss' }).waitFor();
    assert.equal(await isThere(event, visitors), true);
    await page.goto(`${service.url}/console/removed`);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('Nothing matches').waitFor();
    assert.doesNotMatch(page.url(), /nothing/, 'what is looked for may be a name');
  });

  it('sees whose page it was, and restores everything from there', async () => {
    const [event, visitor = '', ...others] = await family('Edna Hale');
    await removeElsewhere(event);
    const { page } = await openConsole(browser, person, `event_check_in_records/${visitor}`);
    await page.getByRole('heading', { level: 1, name: 'Ida of Edna Hale' }).waitFor();
    await page.getByText(/^Ida of Edna Hale was removed today at .+ with Edna Hale\.$/).waitFor();
    await page.goto(`${service.url}/console/events/${event}`);
    await page.getByRole('heading', { level: 1, name: 'Edna Hale' }).waitFor();
    await page.getByText(/^Edna Hale was removed today at .+ with 2 others\.$/).waitFor();
    assert.deepEqual(await flaws(page), []);
    await page.getByRole('button', { name: 'Restore everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('3 records restored.').waitFor();
    await page.getByText('Leo of Edna Hale').first().waitFor();
    assert.equal(await isThere(event, [visitor, ...others]), true);
  });

  it('may not restore where they may only look', async () => {
    const [event] = await family('Fay Lund');
    await removeElsewhere(event);
    const viewer = await signedIn(service, 'viewer@example.com', { role: 'viewer' });
    const { page } = await openConsole(browser, viewer, 'removed');
    await page.getByRole('link', { name: 'Fay Lund' }).click();
    await page.getByRole('heading', { level: 1, name: 'Fay Lund' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Restore', exact: false }).count(), 0);
  });
});
