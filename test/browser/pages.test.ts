/** The manual in a real browser: accessible, light and dark, wide and narrow, with and without its script. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { chaptersOf } from '../../manual/pages.ts';
import { resources } from '../../src/core/resources/index.ts';
import { ALL } from '../support/all.ts';
import { newWindow, open, openTab } from '../support/browser.ts';
import { browserGround } from '../support/console-ground.ts';
import { inspect, overflows, violations } from '../support/console-page.ts';

const pages = chaptersOf(
  resources.map((one) => ({ path: one.path, title: one.path, says: one.says })),
).flatMap((chapter) => chapter.pages);

const { browser, skip, service } = await browserGround();

describe('every page, in a browser', { skip }, () => {
  const VIEWS = [
    { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
    { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  ] as const;
  const EVERY = ['/', ...pages.map(({ path }) => path)];
  // The others are made of the same pieces.
  const SOME = ['/', '/docs', '/docs/quick-start', '/docs/resources/events', '/docs/errors'];
  for (const view of ALL ? VIEWS : VIEWS.slice(0, 2)) {
    const { colorScheme, viewport } = view;
    describe(`${colorScheme}, ${viewport.width} wide`, () => {
      let window: BrowserContext;
      before(async () => {
        window = await newWindow(browser, view);
        await inspect(window);
      });
      for (const path of ALL && view === VIEWS[0] ? EVERY : SOME) {
        it(path, async () => {
          const { page, complaints } = await openTab(window, service.url + path);
          assert.deepEqual(await violations(page), []);
          assert.equal(await overflows(page), false, 'It is wider than the window.');
          assert.deepEqual(complaints, []);
        });
      }
    });
  }
});

describe('a reader', { skip }, () => {
  it('chooses a language once, for every example and every page', async () => {
    const { page } = await open(browser, `${service.url}/docs/quick-start`);
    assert.equal(await page.locator('pre[data-language=python]:visible').count(), 0);
    await page.getByRole('button', { name: 'Python' }).first().click();
    const others = 'pre[data-language=sh]:visible, pre[data-language=ts]:visible';
    assert.equal(await page.locator(`.chosen :is(${others})`).count(), 0);
    assert.ok((await page.locator('pre[data-language=python]:visible').count()) > 5);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.waitForURL('**/docs/resources/events');
    assert.ok((await page.locator('pre[data-language=python]:visible').count()) > 5);
    assert.equal(
      await page.getByRole('button', { name: 'Python' }).first().getAttribute('aria-pressed'),
      'true',
    );
  });

  it('copies an example as it is shown', async () => {
    const { page } = await open(browser, `${service.url}/docs/quick-start`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      `API=${service.url}\nKEY=sk_test_…`,
    );
  });

  it('finds by keyboard, and is led to the place', async () => {
    const { page, complaints } = await open(browser, `${service.url}/docs/resources/events`);
    await page.keyboard.press('/');
    await page.keyboard.type('datetime_offset_missing');
    await page.locator('.finder ol a').first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#datetime_offset_missing');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nosuchword <blink>');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.finder').isVisible(), false);
    assert.deepEqual(complaints, []);
  });

  it('turns the pages dark or light, and finds them so again', async () => {
    const { page } = await open(browser, `${service.url}/docs`, { colorScheme: 'light' });
    const background = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.goto(`${service.url}/docs/merging`);
    assert.equal(await background(), dark);
  });

  it('with a phone has the navigation behind a button', async () => {
    const { page } = await open(browser, `${service.url}/docs/merging`, {
      viewport: { width: 390, height: 844 },
    });
    const link = page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Settings' });
    assert.equal(await link.isVisible(), false);
    await page.getByRole('button', { name: 'Menu' }).click();
    assert.deepEqual(await violations(page), []);
    await link.click();
    await page.waitForURL('**/docs/settings');
  });

  it('at 400 % scrolls no page sideways', async () => {
    const viewport = { width: 320, height: 640 };
    const { page } = await open(browser, `${service.url}/docs/merging`, { viewport });
    const paths = await page
      .getByRole('navigation', { name: 'Pages', includeHidden: true })
      .locator('a[href]')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href.split('#')[0] ?? ''));
    const own = [...new Set(paths)].filter((one) => one.startsWith(`${service.url}/docs`));
    assert.ok(own.length > 40);
    const wide: string[] = [];
    for (const path of own) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      const by = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (by > 0) wide.push(`${path} by ${by}`);
    }
    assert.deepEqual(wide, []);
  });

  it('without scripts reads every example', async () => {
    const { page } = await open(browser, `${service.url}/docs/quick-start`, {
      javaScriptEnabled: false,
    });
    for (const language of ['sh', 'ts', 'python']) {
      assert.ok(await page.locator(`pre[data-language=${language}]`).first().isVisible(), language);
    }
    for (const name of ['Python', 'Copy', 'Search']) {
      assert.equal(await page.getByRole('button', { name }).first().isVisible(), false, name);
    }
  });

  it('prints the text and the examples, and nothing around them', async () => {
    const { page } = await open(browser, `${service.url}/docs/quick-start`);
    await page.emulateMedia({ media: 'print' });
    for (const around of ['.top', '#nav', '.contents', '.copy', 'main footer']) {
      assert.equal(await page.locator(around).first().isVisible(), false, around);
    }
    assert.ok(await page.locator('pre[data-language=sh]').first().isVisible());
  });
});
