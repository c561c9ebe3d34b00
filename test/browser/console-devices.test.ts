/** The console on phones, on wide screens, and what Find shows on each. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';
import { resize, settled } from '../support/console-settled.ts';

const { browser, skip, service, made } = await consoleGround();
await service.json('/v1/event_check_in_records/upsert', {
  event_unique_identifier: made.event,
  external_identifier: 'visitor-near',
  visitor_full_name: 'José O’Brien Kowalski',
  visitor_phone_number: '+14155550199',
  visitor_relationship_to_deceased: 'brother',
  visitor_interested_in_pre_planning: true,
});
const person = await administrator(service);
while (await service.app.store.search.feed());

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

describe('on a phone', { skip }, () => {
  it('fields are so large that it does not zoom, numbers can be called, and no key is asked for', async () => {
    const path = `event_check_in_records/${made.visitor}`;
    const { page } = await openConsole(browser, person, path, PHONE);
    const call = page.getByRole('link', { name: '(415) 555-0124' });
    assert.equal(await call.getAttribute('href'), 'tel:+14155550124');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Phone').waitFor();
    const sizes = await page.evaluate<string[]>(
      "[...document.querySelectorAll('input:not([type=radio], [type=checkbox]), select, textarea')].map((one) => getComputedStyle(one).fontSize + ' ' + one.outerHTML)",
    );
    assert.ok(sizes.length > 3);
    for (const size of sizes) assert.ok(Number.parseFloat(size) >= 16, size);
    assert.equal(await page.getByText('Ctrl+Enter saves').isVisible(), false);
  });

  for (const [screen, path, says] of [
    ['visitors', 'event_check_in_records', ['Pre-planning', 'brother', '(415) 555-0199']],
    ['staff', 'staff', ['Administrator', 'Active']],
    ['keys', 'keys', ['Rotate', 'Revoke']],
  ] as const) {
    it(`nothing of ${screen} is cut off`, async () => {
      const { page } = await openConsole(browser, person, path, PHONE);
      await page.locator('.rows tbody tr').first().waitFor();
      await settled(page);
      const wider = await page.evaluate<boolean>(
        "[...document.querySelectorAll('.rows')].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)",
      );
      assert.equal(wider, false);
      for (const text of says) {
        const shown = page.locator('.rows').getByText(text).first();
        if ((await shown.count()) === 0) assert.fail(`${text} is not there.`);
      }
      await isSound(page);
    });
  }

  it('a list has no column that no row fills, and says below the name who is interested', async () => {
    const { page } = await openConsole(browser, person, 'event_check_in_records', PHONE);
    const row = page.getByRole('row', { name: 'Kowalski' });
    await row.waitFor();
    await page.getByRole('columnheader', { name: 'Email' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('columnheader', { name: 'Pre-planning' }).count(), 0);
    assert.equal(await row.getByText('Pre-planning').count(), 1);
    // A number is in one line.
    const lines = await row.locator('.number').evaluate((one) => one.getClientRects().length);
    assert.equal(lines, 1);
  });

  it('Find is one tap away', async () => {
    const { page } = await openConsole(browser, person, 'events', PHONE);
    await page.getByRole('link', { name: 'Find' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
  });
});

describe('on a wide screen', { skip }, () => {
  const WIDE = { viewport: { width: 1920, height: 1000 } };

  it('a record opens beside its list, and a table takes the room that there is', async () => {
    const { page } = await openConsole(browser, person, 'event_check_in_records', WIDE);
    await page.getByRole('link', { name: 'Ana Ruiz' }).waitFor();
    const table = await page.locator('.rows').boundingBox();
    assert.ok((table?.width ?? 0) > 1500, `${table?.width}`);
    await page.getByRole('link', { name: 'Ana Ruiz' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Ruiz' }).waitFor();
    const list = page.getByRole('navigation', { name: 'Visitors', exact: true });
    assert.equal(await list.locator('[aria-current]').count(), 1);
    await list.getByRole('link', { name: /Ben Cole/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Ben Cole' }).waitFor();
    await isSound(page);
    await resize(page, { width: 1280, height: 900 });
    await list.waitFor({ state: 'detached' });
  });

  it('services of today stand beside what is new', async () => {
    const { page } = await openConsole(browser, person, '', WIDE);
    const box = async (name: string) =>
      (await page.getByRole('region', { name }).boundingBox()) ?? { x: 0, width: 0 };
    await page.getByRole('region', { name: 'Services today' }).waitFor();
    await page.getByRole('region', { name: 'Visitors interested in pre-planning' }).waitFor();
    const services = await box('Services today');
    const visitors = await box('Visitors interested in pre-planning');
    assert.ok(visitors.x > services.x + services.width);
    await isSound(page);
  });
});

describe('what is found', { skip }, () => {
  it('can be told apart, and is marked whatever its accents', async () => {
    const { page } = await openConsole(browser, person, 'find');
    await page.locator('input[data-find]').fill('jose');
    const hit = page.locator('main [data-row]', { hasText: 'Kowalski' });
    await hit.waitFor();
    for (const text of ['brother', 'Jane Doe', 'Main Street Chapel', '(415) 555-0199'])
      await hit.getByText(text).waitFor();
    assert.equal(await page.locator('mark').first().innerText(), 'José');
    await isSound(page);
  });

  it('may have another letter, after what is exactly so', async () => {
    const { page } = await openConsole(browser, person, 'find');
    await page.locator('input[data-find]').fill('kowalsky');
    await page.getByText('Spelt nearly so').first().waitFor();
    assert.deepEqual(await page.locator('mark').allInnerTexts(), ['Kowalski', 'Kowalski']);
    await page.locator('input[data-find]').fill('brien');
    await page.locator('mark', { hasText: 'Brien' }).waitFor();
    await page.getByText('Spelt nearly so').first().waitFor({ state: 'detached' });
  });
});
