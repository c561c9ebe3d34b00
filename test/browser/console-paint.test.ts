/** What people see before the console's script is there, and what the page asks for by then. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openConsole } from '../support/console-page.ts';
import { settled } from '../support/console-settled.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service);

const VIEWPORTS = [1280, 820].map((width) => ({ width, height: 900 }));

/** A link or a mark of the navigation: what it says, where it leads, and where it stands beside the others. */
interface Painted {
  readonly says: string;
  readonly href: string;
  readonly x: number;
  readonly height: number;
}

function paintedIn(page: Page): Promise<readonly Painted[]> {
  return page.evaluate<readonly Painted[]>(`
    [...document.querySelectorAll('.brand a, #nav li > a')].map((link) => {
      const { x, height } = link.getBoundingClientRect();
      return { says: link.textContent, href: link.getAttribute('href'), x, height };
    })`);
}

describe('the first paint of the console', { skip }, () => {
  for (const viewport of VIEWPORTS) {
    it(`is the navigation as it stays, ${viewport.width} wide`, async () => {
      const { page } = await openConsole(browser, person, 'events', { viewport });
      await page.getByText('Jane Doe').first().waitFor();
      const later = await paintedIn(page);
      await page.route('**/assets/script-*.js', (route) => route.abort());
      await page.reload();
      assert.equal(await page.getByText('Jane Doe').count(), 0);
      const first = await paintedIn(page);
      assert.ok(first.length > 6, `${first.length} links`);
      for (const one of first)
        assert.deepEqual(
          one,
          later.find(({ href, says }) => href === one.href && says === one.says),
        );
    });
  }

  it('shows a skeleton in place of the screen', async () => {
    const { page } = await openConsole(browser, person, 'events');
    await page.route('**/assets/script-*.js', (route) => route.abort());
    await page.reload();
    await page.locator('main .skeleton').waitFor();
  });

  for (const [screen, path, asked] of [
    ['today', () => '', () => '/v1/direct_mail_replies?'],
    ['a list', () => 'events?order=event_datetime', () => '/v1/events?'],
    ['a record', () => `event_check_in_records/${made.visitor}`, () => `/${made.visitor}?`],
    ['a record by itself', () => `locations/${made.locations[0]}`, () => `/v1/locations/`],
  ] as const) {
    it(`of ${screen} asks for its data before the script is there, and once`, async () => {
      const { page } = await openConsole(browser, person, 'account');
      await page.getByText('Where you are signed in').waitFor();
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      let held: (() => void) | undefined;
      await page.route('**/assets/script-*.js', async (route) => {
        await new Promise<void>((resolve) => {
          held = resolve;
        });
        await route.continue();
      });
      const isAsked = (part: string) =>
        page.waitForRequest((request) => request.url().includes(part));
      const first = Promise.all([isAsked('/api/session'), isAsked(asked())]);
      await page.goto(`${service.url}/console/${path()}`, { waitUntil: 'commit' });
      await first;
      await until(() => held !== undefined);
      held?.();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      for (const part of ['/api/session', asked()])
        assert.equal(
          urls.filter((url) => url.includes(part) && !/\/(history|pins|settings)/.test(url)).length,
          1,
          part,
        );
    });
  }

  it('of an invitation asks for nothing', async () => {
    const { page } = await openConsole(browser, person, 'account');
    const urls: string[] = [];
    page.on('request', (request) => urls.push(new URL(request.url()).pathname));
    await page.goto('about:blank');
    await page.goto(`${service.url}/console/#/invitation/nothing`);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    assert.ok(!urls.includes('/console/api/session'));
  });

  it('goes on where a script of the page is no more: it says so, and loads the page again', async () => {
    const { page } = await openConsole(browser, person, 'events');
    await page.getByText('Jane Doe').first().waitFor();
    const asked = /\/assets\/(seldom|integrating)-[^/]*\.js$/;
    await page.route(asked, (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByText('Jane Doe').first().waitFor();
    await page.locator('#nav summary', { hasText: 'More' }).click();
    await page.getByRole('link', { name: 'Export' }).first().click();
    await page.getByRole('alert').waitFor();
    await page.unroute(asked);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
  });
});
