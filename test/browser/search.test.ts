/** The manual's search finds what partners type, their own pages first. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ASKED } from '../../manual/asked.ts';
import { open } from '../support/browser.ts';
import { browserGround } from '../support/console-ground.ts';

/** What is typed, and where the first that is found leads. */
const WORDS: Readonly<Record<string, string>> = {
  timezone: '/docs/merging#identifiers-text-and-times',
  'time zone': '/docs/locations',
  duplicate: '/docs/merging#identifiers-text-and-times',
  cancel: '/docs/merging#identifiers-text-and-times',
  emoji: '/docs/merging#identifiers-text-and-times',
  deprecation: '/docs/versioning',
  breaking: '/docs/versioning',
  SDK: '/docs/client',
  PHP: '/docs/other-languages',
  Postman: '/docs/other-languages#postman',
  'C#': '/docs/other-languages',
  sandbox: '/docs/self-test',
  'test mode': '/docs/self-test',
  gzip: '/docs/bulk#compressed-bodies',
  signature: '/docs/webhooks#receive',
  // Only code says it.
  'webhook-signature': '/docs/webhooks',
  upsertMany: '/docs/client',
  // Only its address does.
  bulk: '/docs/bulk',
  // Who operates the service finds their pages, too.
  postgresql: '/docs/postgresql',
  production: '/docs/production',
};

const { browser, skip, service } = await browserGround();

/** Returns what types into the search, and says where the first that is found leads. */
async function finderOn(page: Page): Promise<(typed: string) => Promise<string>> {
  await page.keyboard.press('/');
  return async (typed) => {
    await page.locator('.finder input').fill('');
    await page.locator('.finder ol a').first().waitFor({ state: 'detached' });
    await page.locator('.finder input').fill(typed);
    const first = await page.locator('.finder ol a').first().getAttribute('href');
    const { pathname, hash } = new URL(first ?? '', `${service.url}/docs`);
    return pathname + hash;
  };
}

describe('a partner who searches the manual', { skip }, () => {
  it('finds the page that says it', async () => {
    const { page } = await open(browser, `${service.url}/docs`);
    const first = await finderOn(page);
    const found: Record<string, string> = {};
    for (const [word, wanted] of Object.entries(WORDS)) {
      const place = await first(word);
      found[word] = place.startsWith(wanted) ? wanted : place;
    }
    assert.deepEqual(found, WORDS);
  });

  it('finds by the words that people have for it, typed in any letters and as far as they are telling', async () => {
    const { page } = await open(browser, `${service.url}/docs`);
    const first = await finderOn(page);
    for (const [place, all] of Object.entries(ASKED))
      for (const asked of all)
        for (const typed of [asked, asked.toUpperCase(), asked.slice(0, -1)])
          assert.equal(await first(typed), `/docs/${place}`, typed);
  });

  it('finds what has the most of the words, where no page has them all', async () => {
    const { page } = await open(browser, `${service.url}/docs`);
    await page.keyboard.press('/');
    for (const asked of [
      'guest book',
      'move a service to another chapel',
      'webhook zzzzzz',
      'how do I cancel a service',
    ]) {
      await page.locator('.finder input').fill('');
      await page.locator('.finder ol a').first().waitFor({ state: 'detached' });
      await page.locator('.finder input').fill(asked);
      await page.locator('.finder ol a').first().waitFor();
    }
    await page.locator('.finder input').fill('zzzzzz');
    await page.locator('.finder .none', { hasText: 'Nothing found' }).waitFor();
  });

  it('loads an index that is small: half a megabyte for all pages', async () => {
    const index = await (await fetch(`${service.url}/docs/search.json`)).text();
    const all = JSON.parse(index) as readonly { readonly path: string }[];
    // The list of changes gets longer with each release, and is longest before one.
    const own = all.filter(({ path }) => path === '/docs/changelog');
    const bytes = index.length - JSON.stringify(own).length;
    assert.ok(bytes < 524_288, `${bytes} bytes`);
    assert.ok(own.length > 0 && JSON.stringify(own).length < 98_304);
  });
});
