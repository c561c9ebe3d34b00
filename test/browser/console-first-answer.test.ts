/** What is not known yet is not taken for what is not allowed, and what fails says so, also where nobody waits for it. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openScreen, windowFor } from '../support/console-page.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await administrator(service);

const BAD_GATEWAY = {
  ...{ status: 502, contentType: 'text/html' },
  body: '<html><h1>Bad gateway</h1></html>',
};

/** How the first request of a page can fail. */
const FAILURES: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'a page of a proxy': (route) => route.fulfill(BAD_GATEWAY),
  'an answer of the service': (route) =>
    route.fulfill({
      ...{ status: 503, contentType: 'application/json', headers: { 'Retry-After': '600' } },
      json: {
        error: {
          ...{ type: 'api_error', code: 'service_unavailable', message: 'The store is away.' },
          errors: [],
        },
      },
    }),
  'no connection': (route) => route.abort('connectionreset'),
};

const isWhole = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Staff' }).waitFor();
  await page.locator('nav .person').waitFor();
};

describe('a page whose first request fails', { skip }, () => {
  for (const [name, fail] of Object.entries(FAILURES))
    it(`says so, and is whole when it is tried again: ${name}`, async () => {
      const window = await windowFor(browser, person);
      let isMended = false;
      await window.route(/\/console\/api\/session$/, (route) =>
        isMended ? route.continue() : fail(route),
      );
      const { page } = await openScreen(window, person, `event_check_in_records/${made.visitor}`);
      const again = page.getByRole('main').getByRole('button', { name: /^Try(ing)? again/ });
      await again.waitFor();
      assert.equal(await page.getByRole('alert').count(), 1);
      await isSound(page);
      isMended = true;
      await again.click();
      await isWhole(page);
      await window.close();
    });

  it('is tried again by itself', async () => {
    const window = await windowFor(browser, person);
    let asked = 0;
    await window.route(/\/console\/api\/session$/, (route) => {
      asked += 1;
      return asked === 1 ? route.fulfill(BAD_GATEWAY) : route.continue();
    });
    const { page } = await openScreen(window, person, `event_check_in_records/${made.visitor}`);
    await isWhole(page);
  });
});

describe('what nobody waits for', { skip }, () => {
  it('says why it failed: signing out without a connection', async () => {
    const window = await windowFor(browser, person);
    const { page } = await openScreen(window, person, 'events');
    await page.getByRole('link', { name: 'Jane Doe' }).waitFor();
    await page.route(/\/sign_out$/, (route) => route.abort('connectionreset'));
    await page.locator('nav .person summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.notice').getByText('cannot be reached').waitFor();
    await page.getByRole('link', { name: 'Jane Doe' }).waitFor();
    assert.equal((await person.get('/session')).status, 200);
  });
});
