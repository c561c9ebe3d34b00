/** Whatever way somebody leaves a form in which they have typed, they are asked first, and nothing is gone if they stay. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Dialog, Locator, Page } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { type Step, wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const walk = await wholeWalk({ service, made });
const windows = new Map(
  [...new Set(walk.map((one) => one.person))].map((one) => [
    one,
    shared(() => windowFor(browser, one)),
  ]),
);

const FIELDS =
  'input:is([type=text], [type=email], [type=tel], [type=number], :not([type])):enabled:visible, textarea:enabled:visible';
/** Where there is nothing to lose. */
const BEFORE = 'find';

/** Goes to a screen as a link does, with a page before and behind it. */
async function between(page: Page, step: Step): Promise<void> {
  const follow = (path: string): Promise<unknown> =>
    page.evaluate(
      `(() => { const link = document.createElement('a'); link.href = '/console/${path}'; document.body.append(link); link.click(); link.remove(); })()`,
    );
  await follow(step.path);
  await step.ready(page);
  await follow(BEFORE);
  await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
  await page.goBack();
  await step.ready(page);
}

/** Opens something to type in: what stands in the page, or a dialog of the screen. */
async function fieldOn(page: Page): Promise<Locator | undefined> {
  // A filter is applied as it is left, and nothing of it is lost.
  const inPage = page
    .locator('main form.fields:not(.request-filters), main .card form')
    .locator(FIELDS);
  if ((await inPage.count()) > 0) return inPage.first();
  const main = page.getByRole('main');
  const asking = main
    .locator('.heading .actions button:enabled')
    .or(main.getByRole('button', { name: /…$|^Edit$/ }))
    .filter({ visible: true });
  for (const button of await asking.all()) {
    await button.click();
    const dialog = page.locator('dialog[open]');
    await dialog.waitFor({ timeout: 2_000 }).catch(() => undefined);
    if ((await dialog.count()) === 0) return undefined;
    await dialog.locator('.skeleton').waitFor({ state: 'detached' });
    const field = dialog.locator(FIELDS);
    if ((await field.count()) > 0) return field.first();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  return undefined;
}

/** What the browser asks when the page is about to go; the page stays. */
async function askedByBrowser(page: Page, way: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Dialog>();
  page.once('dialog', resolve);
  // It ends once the browser was answered, or never.
  way().catch(() => undefined);
  const dialog = await promise;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
}

describe('whoever has typed something is asked before it goes', { skip }, () => {
  let tried = 0;
  const screens = walk.filter(
    ({ path }, at) => walk.findIndex((one) => one.path === path) === at && path !== BEFORE,
  );
  for (const step of screens)
    it(step.name, async (test) => {
      const window = await windows.get(step.person)?.();
      assert.ok(window);
      const { page } = await openScreen(window, step.person, BEFORE);
      await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
      await between(page, step);
      const field = await fieldOn(page);
      if (field === undefined) {
        test.diagnostic('Nothing is typed there.');
        return page.close();
      }
      tried += 1;
      const url = page.url();
      const before = await field.inputValue();
      await field.click();
      await field.press('End');
      await page.keyboard.type('7');
      const typed = await field.inputValue();
      assert.notEqual(typed, before);
      const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
      const stays = async (): Promise<void> => {
        await question.waitFor();
        await question.getByRole('button', { name: 'Keep editing' }).click();
        await question.waitFor({ state: 'detached' });
        await until(() => page.url() === url);
        assert.equal(await field.inputValue(), typed);
      };
      for (const way of ['back', 'forward', 'back'] as const) {
        await page.evaluate(`history.${way}()`);
        await stays();
      }
      await askedByBrowser(page, () => page.evaluate('location.reload()'));
      await askedByBrowser(page, () => page.close({ runBeforeUnload: true }));
      if ((await page.locator('dialog[open]').count()) === 0) {
        await page.getByRole('navigation').getByRole('link', { name: 'Today' }).click();
        await stays();
        await page.locator('nav .person summary').click();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await stays();
        await page.getByRole('heading', { level: 1 }).first().click();
        await page.keyboard.press('g');
        await page.keyboard.press('/');
        await page.keyboard.press('Control+k');
        await stays();
      }
      await page.evaluate('history.back()');
      await question.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
      assert.equal(new URL(page.url()).pathname, `/console/${BEFORE}`);
      assert.equal(await page.locator('dialog[open]').count(), 0);
      // What was given up is not asked about again.
      await page.goForward();
      await until(() => new URL(page.url()).pathname === new URL(url).pathname);
      await page.goForward();
      await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
      return page.close();
    });

  it('on many screens', () => {
    assert.ok(tried >= 10, `${tried} forms`);
  });

  it('but not after it was saved', async () => {
    const person = await administrator(service, 'renamed@example.com');
    const window = await windowFor(browser, person);
    const { page } = await openScreen(window, person, 'account');
    await page.getByRole('textbox', { name: 'Your name' }).fill('Renata Renamed');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await until(async () => (await person.get('/session')).body.staff.name === 'Renata Renamed');
    await page.getByRole('navigation').getByRole('link', { name: 'Today' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });
});
