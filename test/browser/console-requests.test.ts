/** Whoever runs a feed reads why its requests were refused, and finds those they look for. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';
import { resize } from '../support/console-settled.ts';
import { until } from '../support/until.ts';

const { browser, skip, service } = await browserGround();
const person = await signedIn(service);
await service.json('/v1/events/upsert', '{x');
await service.json('/v1/event_check_in_records/upsert', { visitor_fullname: 'Wilhelmina' });
await person.get('/v1/locations?limit=0');
const { requests } = service.app.store;
await until(async () => (await requests.refused({ limit: 10 })).length === 3);

const VIEWS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
] as const;

describe('the screen of refused requests', { skip }, () => {
  for (const view of VIEWS) {
    it(`tells what the partner was told, and no value, ${view.viewport.width} wide`, async () => {
      const { page, complaints } = await openConsole(browser, person, 'requests', view);
      await page.getByText('The body is not valid JSON at byte 1: expected').waitFor();
      await page.getByText('unknown, like visitor_full_name').waitFor();
      assert.doesNotMatch(await page.locator('main').innerText(), /Wilhelmina|visitor_fullname/);
      await isSound(page);
      assert.deepEqual(complaints, []);
    });
  }

  it('keeps what staff did apart, and is filtered', async () => {
    const { page } = await openConsole(browser, person, 'requests', VIEWS[0]);
    const entries = page.locator('.refused > li');
    await entries.first().waitFor();
    assert.equal(await entries.count(), 2);
    await page.getByLabel('Sent by').selectOption('staff');
    await page.getByText('/v1/locations').waitFor();
    assert.equal(await entries.count(), 1);
    // What is typed stays when rows arrive that were asked for before.
    let arrive: () => void = () => undefined;
    const typed = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/requests\?/, (route) => typed.then(() => route.continue()));
    await page.getByRole('button', { name: 'Remove the filter Sent by' }).click();
    await page.getByLabel('Path begins with').fill('/v1/event_check');
    arrive();
    await page.getByText('json_invalid').first().waitFor();
    await page.getByLabel('Path begins with').press('Enter');
    await page.getByText('json_invalid').first().waitFor({ state: 'detached' });
    assert.equal(await entries.count(), 1);
    await page.getByLabel('Status').fill('409');
    await page.getByLabel('Status').press('Enter');
    await page.getByText('Nothing matches').waitFor();
    await isSound(page);
  });
});

describe('the feeds', { skip }, () => {
  it('say of what was refused at no known location that it is just that', async () => {
    await until(async () => (await person.get('/v1/activity')).body.data.length > 0);
    const { page } = await openConsole(browser, person, 'feeds', VIEWS[0]);
    const row = page.getByRole('row', { name: /Not known: refused before it was read/ });
    await row.waitFor();
    assert.doesNotMatch(await row.innerText(), /never/i);
    assert.match(await row.innerText(), /2$/);
    await resize(page, { width: 390, height: 800 });
    await row.getByText('Refused: 2').waitFor();
    await isSound(page);
  });
});
