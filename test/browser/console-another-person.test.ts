/** In a browser that people share, a page is its own person's alone: it shows and saves nothing for who signs in after them. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { openTab } from '../support/browser.ts';
import { PASSWORD, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { flaws, openScreen, windowFor } from '../support/console-page.ts';
import { answered } from '../support/console-settled.ts';

const { browser, skip, service, made } = await consoleGround();

const legible = async (page: Page): Promise<string> => {
  const [text, title, tree] = await Promise.all([
    page.evaluate<string>('document.body.innerText'),
    page.title(),
    page.locator('body').ariaSnapshot(),
  ]);
  return `${title} ${text} ${tree}`;
};

const isCovered = async (page: Page): Promise<void> => {
  await page.getByText('Someone else has since signed in from this browser.').waitFor();
  assert.doesNotMatch(await legible(page), /Ella|Frost|555|Jane|great-aunt/);
};

const relationship = (page: Page): Locator => page.getByRole('textbox', { name: 'Relationship' });

const signIn = async (page: Page, email: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** A window of the first, whose session has ended, with a tab in which something was typed that is not saved. */
async function left(name: string) {
  const cara = await signedIn(service, `${name}.cara@example.com`);
  await signedIn(service, `${name}.bert@example.com`);
  const window = await windowFor(browser, cara);
  const path = `event_check_in_records/${made.visitor}`;
  const { page } = await openScreen(window, cara, path);
  await page.getByRole('button', { name: 'Edit' }).click();
  await relationship(page).fill(`great-aunt of ${name}`);
  await cara.post('/sign_out');
  return { window, page, cara: `${name}.cara@example.com`, bert: `${name}.bert@example.com` };
}

async function enterElsewhere(window: BrowserContext, email: string): Promise<Page> {
  const { page } = await openTab(window, `${service.url}/console/`);
  await signIn(page, email);
  await page.getByText(email).waitFor();
  return page;
}

const stored = async (): Promise<string> =>
  (await service.get(`/v1/event_check_in_records/${made.visitor}`)).text;

describe('a tab of whom another person follows', { skip }, () => {
  it('is covered at once, saves nothing for them, and goes on as its own', async () => {
    const { window, page, cara, bert } = await left('follows');
    const other = await enterElsewhere(window, bert);
    await isCovered(page);
    assert.deepEqual(await flaws(page), []);
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    await isCovered(page);
    assert.doesNotMatch(await stored(), /great-aunt/);
    await signIn(page, cara);
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
    assert.equal(await relationship(page).inputValue(), 'great-aunt of follows');
    // Now it is the other tab that belongs to somebody else.
    await other.getByText('Someone else has since signed in from this browser.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const reader = await signedIn(service, 'reader@example.com');
    const { body } = await reader.get(`/v1/event_check_in_records/${made.visitor}/history`);
    const [saved] = await service.app.store.staff.allWithEmail(cara);
    assert.equal(body.data[0].key, saved?.unique_identifier);
  });

  for (const code of ['sign_in_needed', 'reauthentication_needed']) {
    it(`stays covered when what it asked before is refused later: ${code}`, async () => {
      const { window, cara, bert } = await left(code);
      const other = await enterElsewhere(window, bert);
      const late = Promise.withResolvers<void>();
      const isAsked = Promise.withResolvers<void>();
      await other.route(/\/console\/api\/v1\/events\?/, async (route) => {
        isAsked.resolve();
        await late.promise;
        const error = { status: 401, code, message: 'Sign in.' };
        await route.fulfill({ status: 401, json: { error } });
      });
      await other.getByRole('link', { name: 'Services', exact: true }).click();
      await isAsked.promise;
      const [page] = window.pages();
      assert.ok(page);
      await signIn(page, cara);
      await isCovered(other);
      const refused = other.waitForResponse((answer) => answer.status() === 401);
      late.resolve();
      await refused;
      await answered(other);
      await isCovered(other);
      assert.equal(await other.getByRole('dialog', { name: 'Sign in' }).count(), 1);
    });
  }

  it('is refused by the service, if no tab has told it', async () => {
    const { window, page, bert } = await left('silent');
    await window.addInitScript({ content: 'BroadcastChannel.prototype.postMessage = () => {};' });
    await enterElsewhere(window, bert);
    // What the page asks by itself once a minute may have told it already.
    const covered = isCovered(page);
    await Promise.any([page.getByRole('button', { name: 'Save' }).click(), covered]);
    await covered;
    assert.doesNotMatch(await stored(), /silent.bert/);
  });

  it('notices when it is looked at again', async () => {
    const { window, page, bert } = await left('front');
    await window.addInitScript({ content: 'BroadcastChannel.prototype.postMessage = () => {};' });
    await enterElsewhere(window, bert);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await isCovered(page);
  });

  it('begins again for the other person, without what was typed', async () => {
    const { window, page, bert } = await left('leaves');
    await enterElsewhere(window, bert);
    await isCovered(page);
    await page.getByRole('button', { name: 'Continue as the person who is signed in now' }).click();
    await page.getByText(bert).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Ella Frost' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    assert.notEqual(await relationship(page).inputValue(), 'great-aunt of leaves');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    assert.doesNotMatch(kept, /great-aunt/);
  });

  it('begins again for another person who signs in on it', async () => {
    const { page, bert } = await left('same');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, bert);
    await page.getByText(bert).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    assert.notEqual(await relationship(page).inputValue(), 'great-aunt of same');
  });
});
