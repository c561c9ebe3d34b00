/** A page that a browser translates, by putting elements of its own in place of texts, shows what is stored after each change. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { consoleGround } from '../support/console-ground.ts';
import { openConsole, openScreen, windowFor } from '../support/console-page.ts';
import { wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const walk = (await wholeWalk({ service, made }))
  // Each look at it is one more of its entries.
  .filter(({ path }) => path !== 'audit');

/** Puts elements in place of each text, and of each that comes: two in one another, as some do, or one before the text goes. */
const TRANSLATE = {
  'replaces a text': 'text.replaceWith(outer)',
  'puts its own before a text, and takes that away': 'text.before(outer); text.remove()',
} as const;
const translating = (way: string): string => `(() => {
  const put = (text) => {
    if (!text.data.trim() || text.parentElement?.closest('script, style, svg, textarea, option, select, font')) return;
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.append(text.data);
    outer.append(inner);
    ${way};
  };
  const all = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    found.forEach(put);
  };
  all(document.body);
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const one of addedNodes)
        if (one.isConnected && one.nodeType === 3) put(one);
        else if (one.isConnected && one.nodeType === 1 && one.localName !== 'font') all(one);
  }).observe(document.body, { childList: true, subtree: true });
})()`;

/** What stands on the screen, without what the clock changes, and without blanks: an element more may end a line. */
const textOf = async (page: Page): Promise<string> =>
  (await page.getByRole('main').innerText())
    .replaceAll(/\d+ (s|sec|min|second|minute)\S*/g, '…')
    .replaceAll(/req_\w{22}/g, 'req_')
    .replaceAll(/\s/g, '');

const follow = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(
    `(() => { const link = document.createElement('a'); link.href = '/console/${path}'; document.body.append(link); link.click(); link.remove(); })()`,
  );

for (const [name, way] of Object.entries(TRANSLATE))
  describe(`a page whose translator ${name}`, { skip }, () => {
    const pages = new Map(
      [...new Set(walk.map((one) => one.person))].map((person) => [
        person,
        shared(async () => {
          const window = await windowFor(browser, person);
          const { page, complaints } = await openScreen(window, person, 'find');
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.evaluate(translating(way));
          return { window, page, complaints };
        }),
      ]),
    );

    for (const step of walk)
      it(`shows ${step.name} as one that is not translated`, async () => {
        const opened = await pages.get(step.person)?.();
        assert.ok(opened);
        const { window, page } = opened;
        await follow(page, 'find');
        await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
        await follow(page, step.path);
        const { page: plain } = await openScreen(window, step.person, step.path);
        await step.ready(plain);
        let last = ['', ''];
        await until(async () => {
          last = [await textOf(page), await textOf(plain)];
          return last[0] === last[1];
        }).catch(() => assert.equal(last[0], last[1]));
        assert.ok((await page.locator('main font').count()) > 0);
        await plain.close();
      });

    it('shows a name that was corrected, a filter, a notice, and what was taken back', async () => {
      const person = walk.find(({ path }) => path === 'event_check_in_records')?.person;
      assert.ok(person);
      const { page, complaints } = await openConsole(
        browser,
        person,
        `event_check_in_records/${made.visitor}`,
      );
      const heading = page.getByRole('heading', { level: 1 });
      await heading.waitFor();
      await page.evaluate(translating(way));
      const before = await heading.innerText();
      for (const after of ['Zora Renamed', 'Zadie Renamed', before]) {
        await page.getByRole('button', { name: 'Edit' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill(after);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        await until(async () => (await heading.innerText()) === after);
        await page.getByText('Saved.').waitFor();
      }
      await page.getByRole('link', { name: 'History' }).click();
      await page.getByText('Zadie Renamed').first().waitFor();
      await page.getByRole('link', { name: 'Record' }).click();
      await until(async () => (await heading.innerText()) === before);
      assert.deepEqual(
        complaints.filter((one) => one.startsWith('error')),
        [],
      );
    });
  });
