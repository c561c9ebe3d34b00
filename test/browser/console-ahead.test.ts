/** What a person may open is there before they open it: on a slow line, and after the service was replaced by a newer one. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administrator, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const { browser, skip, service } = await consoleGround({ settings: keyed() });
const people = [
  ['an administrator', await administrator(service, 'ahead@example.com'), []],
  [
    'a viewer',
    await signedIn(service, 'viewer.ahead@example.com', { role: 'viewer' }),
    ['officers', 'importing'],
  ],
] as const;

describe('the screens in the menu', { skip }, () => {
  for (const [name, person, others] of people)
    it(`need no script once the page of ${name} was idle`, async () => {
      const window = await windowFor(browser, person);
      const scripts = new Set<string>();
      const waiting = new Set<unknown>();
      window.on('request', (request) => {
        if (request.url().endsWith('.js')) waiting.add(request);
      });
      window.on('requestfinished', (request) => {
        const [, script] = /\/assets\/([a-z]+)-[^/]*\.js$/.exec(request.url()) ?? [];
        if (script !== undefined) scripts.add(script);
        waiting.delete(request);
      });
      const { page } = await openScreen(window, person, '');
      const wanted = ['seldom', 'entering', 'integrating'];
      await until(() => waiting.size === 0 && wanted.every((one) => scripts.has(one)));
      for (const other of others) assert.ok(!scripts.has(other), other);
      await window.route('**/assets/*.js', (route) => route.abort());
      // Also those in groups that are folded.
      const links = page.locator('nav .screens a');
      const count = await links.count();
      assert.ok(count > 10, `${count}`);
      const main = page.getByRole('main');
      for (let at = 0; at < count; at += 1) {
        const link = links.nth(at);
        await link.dispatchEvent('click');
        await page
          .locator('nav .screens a')
          .nth(at)
          .and(page.locator('[aria-current]'))
          .waitFor({ state: 'attached' });
        await main.getByRole('heading', { level: 1 }).waitFor();
        await main.locator('.skeleton').waitFor({ state: 'detached' });
        assert.deepEqual(await main.locator('.failure').allInnerTexts(), [], page.url());
      }
      await window.close();
    });
});
