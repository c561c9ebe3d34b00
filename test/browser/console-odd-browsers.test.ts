/** Browsers that store nothing, people who compose their words, and password managers: the console is whole for each. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { newWindow, openTab } from '../support/browser.ts';
import { administrator, browserAt, invitation, PASSWORD, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openScreen, windowFor } from '../support/console-page.ts';
import { wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const person = await administrator(service, 'ada@example.com');
const walk = await wholeWalk({ service, made });

/** How a browser stores nothing. */
const STORES_NOTHING: Readonly<Record<string, string>> = {
  'whose storage throws': `for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { get() { throw new DOMException('denied', 'SecurityError'); } });`,
  'that has no room': `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };`,
  'that has no storage': `for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { value: null });`,
};

describe('a browser', { skip }, () => {
  for (const [name, script] of Object.entries(STORES_NOTHING))
    it(`${name} shows each screen, and remembers what was chosen until the page goes`, async () => {
      for (const one of new Set(walk.map((step) => step.person))) {
        const window = await windowFor(browser, one);
        await window.addInitScript(script);
        for (const step of walk.filter((step) => step.person === one)) {
          const { page, complaints } = await openScreen(window, one, step.path);
          await step.ready(page);
          assert.deepEqual(
            complaints.filter((text) => text.startsWith('error')),
            [],
            step.name,
          );
          await page.close();
        }
      }
      const window = await windowFor(browser, person);
      await window.addInitScript(script);
      const { page } = await openScreen(window, person, 'events');
      await page.locator('nav .person summary').click();
      await page.getByRole('radio', { name: 'Dark' }).check();
      await page.getByRole('link', { name: 'Jane Doe' }).click();
      await page.getByRole('heading', { level: 1, name: 'Jane Doe' }).waitFor();
      assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    });

  it('without cookies says what is missing', async () => {
    const window = await newWindow(browser, { locale: 'en-US' });
    await window.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })",
    );
    const { page } = await openTab(window, `${service.url}/console/`);
    await page.getByText('This browser keeps no cookies').waitFor();
    await isSound(page);
  });

  it('whose address cannot be read shows that nothing is there', async () => {
    const window = await windowFor(browser, person);
    for (const path of ['%E0%A4%A', 'events/%zz']) {
      const { page } = await openScreen(window, person, path);
      await page
        .getByText(/There is nothing|not there|no longer/)
        .first()
        .waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Today' }).waitFor();
      await page.close();
    }
  });
});

/** A key while a word is being composed, as the browser tells of it. */
const compose = (page: Page, key: string, more = {}): Promise<unknown> =>
  page.evaluate(
    `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ key, bubbles: true, cancelable: true, isComposing: true, ...more })}))`,
  );

describe('a key that ends a word', { skip }, () => {
  it('sends no form, leaves no dialog and leads nowhere', async () => {
    const window = await windowFor(browser, person);
    const { page } = await openScreen(window, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('山田');
    await compose(page, 'Enter', { ctrlKey: true });
    await compose(page, 'Escape');
    await page.waitForFunction('true');
    assert.equal(await dialog.getByLabel('Name').inputValue(), '山田');
    assert.equal(await page.getByRole('dialog').count(), 1);
    const { body } = await service.get(`/v1/event_check_in_records/${made.visitor}`);
    assert.notEqual(body.visitor_full_name, '山田');
    await dialog.getByLabel('Name').press('Control+Enter');
    await page.getByText('Saved.').waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await compose(page, '?');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });
});

/** What a password manager keeps as the name: the published rule of browsers. */
const KEPT = `(() => {
  const password = document.querySelector('input[type=password]');
  const all = [...(password.form ?? document).querySelectorAll('input')];
  const texts = all.filter((one) => ['text', 'email', 'tel', 'url', 'search', 'number'].includes(one.type));
  const named = texts.find((one) => one.autocomplete === 'username');
  return (named ?? texts.filter((one) => one.compareDocumentPosition(password) & 4).at(-1))?.value;
})()`;

/** Puts values in as a manager does that tells nobody. */
const putIn = (page: Page, values: Readonly<Record<string, string>>): Promise<unknown> =>
  page.evaluate(`(() => {
    for (const [name, value] of Object.entries(${JSON.stringify(values)})) {
      const one = document.querySelector('input[name=' + name + ']');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(one, value);
    }
  })()`);

describe('a password manager', { skip }, () => {
  it('keeps the email by an invitation, and what it puts in without an event is taken', async () => {
    const token = await invitation(service, 'ann@example.com');
    const window = await newWindow(browser, { locale: 'en-US' });
    const { page } = await openTab(window, `${service.url}/console/#/invitation/${token}`);
    await page.getByLabel('Your name').fill('Ann Bee');
    const summary = page.locator('summary', { hasText: /password/i });
    if (!(await page.locator('input[name=password]').isVisible())) await summary.click();
    assert.equal(await page.evaluate(KEPT), 'ann@example.com');
    await isSound(page);
    await putIn(page, { password: PASSWORD });
    await page.locator('details button[type=submit]').click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.getByText('Ann Bee').first().waitFor();
  });

  it('signs in with what it puts in without an event', async () => {
    await signedIn(service, 'ben@example.com');
    const window = await newWindow(browser, { locale: 'en-US' });
    const { page } = await openTab(window, `${service.url}/console/`);
    await page.locator('input[name=password]').waitFor();
    await putIn(page, { email: 'ben@example.com', password: PASSWORD });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });

  it('keeps the email where a password is changed, and that is changed to what it put in', async () => {
    const cara = await signedIn(service, 'cara@example.com');
    const window = await windowFor(browser, cara);
    const { page } = await openScreen(window, cara, 'account');
    const field = page.locator('input[type=password]');
    await field.waitFor();
    assert.equal(await page.evaluate(KEPT), 'cara@example.com');
    const other = 'lantern orchard pebble eleven';
    await page.evaluate(
      `Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(document.querySelector('input[type=password]'), '${other}')`,
    );
    await page.locator('form:has(input[type=password]) button[type=submit]').click();
    await until(async () => {
      const { status } = await browserAt(service).post('/sign_in', {
        ...{ email: 'cara@example.com', password: other },
      });
      return status === 200;
    });
  });
});
