/** What was typed is there after signing in again, by whichever way, on every form. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { openTab } from '../support/browser.ts';
import { browserAt, type ConsoleBrowser, invitation } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { flaws, openScreen, windowFor } from '../support/console-page.ts';
import { startProvider } from '../support/provider.ts';

const provider = await startProvider();
const { browser, skip, service, made } = await consoleGround({ settings: provider.settings });

const SSO = 'Continue with Example Group';
const TYPED = 'typed before';

/** Somebody who signs in by their provider alone. */
async function comesBy(subject: string): Promise<ConsoleBrowser> {
  provider.subject = subject;
  const person = browserAt(service);
  const token = await invitation(service, `${subject}@example.com`, { role: 'administrator' });
  const begun = await person.post('/single_sign_on/begin', { token, name: `Somebody ${subject}` });
  const back = await fetch(await provider.visit(begun.body.url), {
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: person.cookie ?? '' },
  });
  person.cookie = back.headers.getSetCookie()[0]?.split(';')[0];
  return person;
}

interface Typing {
  readonly at: string;
  readonly open?: (page: Page) => Promise<void>;
  readonly field: (page: Page) => Locator;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();

const FORMS: Readonly<Record<string, Typing>> = {
  'a record that is corrected': {
    at: `event_check_in_records/${made?.visitor}`,
    open: press('Edit'),
    field: (page) => page.getByLabel('Relationship'),
  },
  'a record that is added': {
    at: 'events',
    open: press('Add service'),
    field: (page) => page.getByLabel('In memory of'),
  },
  'a card': {
    at: 'direct_mail_replies?view=cards',
    field: (page) => page.getByLabel('City'),
  },
  'what the person is called': {
    at: 'account',
    field: (page) => page.getByRole('textbox', { name: 'Your name' }),
  },
  'a dialog': {
    at: 'keys',
    open: press(/Create|Add|New/),
    field: (page) => page.getByRole('dialog').locator('input:not([type=checkbox])').first(),
  },
};

describe('what was typed in', { skip }, () => {
  const ended = async (subject: string, { at, open, field }: Typing) => {
    const person = await comesBy(subject);
    const window = await windowFor(browser, person);
    const { page } = await openScreen(window, person, at);
    await open?.(page);
    await field(page).fill(TYPED);
    await person.post('/sign_out');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Your session has ended.').waitFor();
    return { window, page };
  };
  const isThere = async (page: Page, field: Typing['field']): Promise<void> => {
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
    assert.equal(await field(page).inputValue(), TYPED);
  };

  for (const [name, form] of Object.entries(FORMS))
    it(`${name} is there after single sign-on, in a window of its own that closes`, async () => {
      const { window, page } = await ended(`of ${name}`.replaceAll(' ', '.'), form);
      const closed = window.waitForEvent('page').then((beside) => beside.waitForEvent('close'));
      await page.getByRole('button', { name: SSO }).click();
      await isThere(page, form.field);
      await closed;
    });

  const FIRST = Object.values(FORMS)[0] as Typing;

  it('a form is there where the browser opens no window', async () => {
    const { window, page } = await ended('blocked', FIRST);
    await page.evaluate('window.open = () => null');
    // The tab stays for as long as it is looked at.
    await window.addInitScript('window.close = () => undefined');
    await page.getByRole('button', { name: SSO }).click();
    const link = page.getByRole('link', { name: 'Sign in in a new tab' });
    await link.waitFor();
    assert.deepEqual(await flaws(page), []);
    const [beside] = await Promise.all([window.waitForEvent('page'), link.click()]);
    await isThere(page, FIRST.field);
    await beside.getByText('The tab you came from goes on by itself.').waitFor();
    assert.deepEqual(await flaws(beside), []);
  });

  it('a form is there after a sign-in in another tab', async () => {
    const { window, page } = await ended('tab', FIRST);
    const { page: other } = await openTab(window, `${service.url}/console/`);
    await other.getByRole('button', { name: SSO }).click();
    await other.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await isThere(page, FIRST.field);
  });

  it('a form stays covered where somebody else comes back from the provider', async () => {
    await comesBy('another');
    const { page } = await ended('first', FIRST);
    provider.subject = 'another';
    await page.getByRole('button', { name: SSO }).click();
    await page.getByText('Someone else has since signed in from this browser.').waitFor();
    provider.subject = 'first';
    await page.getByRole('button', { name: SSO }).click();
    await isThere(page, FIRST.field);
  });

  for (const late of ['session', 'seldom'])
    it(`a form is there after the provider refused, in the window that says so, where the ${late} is late`, async () => {
      const { window, page } = await ended(`refused.${late}`, FIRST);
      await window.route(new RegExp(late), async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      });
      provider.subject = 'a stranger';
      const [beside] = await Promise.all([
        window.waitForEvent('page'),
        page.getByRole('button', { name: SSO }).click(),
      ]);
      // The page below the dialog says it, too, and is hidden.
      const refused = beside.getByRole('alert').filter({ visible: true });
      await refused.filter({ hasText: 'No one who may sign in here is known' }).waitFor();
      provider.subject = `refused.${late}`;
      await beside.getByRole('button', { name: SSO }).click();
      await isThere(page, FIRST.field);
    });

  it('the form of an invitation is taken over by single sign-on', async () => {
    const window: BrowserContext = await browser.newContext();
    provider.subject = 'invited';
    const token = await invitation(service, 'invited@example.com');
    const { page } = await openTab(window, `${service.url}/console/#/invitation/${token}`);
    await page.getByLabel('Your name').fill('Invited Somebody');
    await page.getByRole('button', { name: SSO }).click();
    await page.getByText('Invited Somebody').waitFor();
    await window.close();
  });
});
