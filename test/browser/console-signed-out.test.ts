/** Once a session has ended nobody reads a record, in whichever tab it stands; what was typed is there afterwards. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { PASSWORD, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { flaws, openConsole, openScreen, windowFor } from '../support/console-page.ts';

const { browser, skip, service, made } = await consoleGround();

/** What can be read on the page, by eyes and by screen readers, in its title, too. */
async function legible(page: Page): Promise<string> {
  const [text, title, tree] = await Promise.all([
    page.evaluate<string>('document.body.innerText'),
    page.title(),
    page.locator('body').ariaSnapshot(),
  ]);
  return `${title} ${text} ${tree}`;
}

async function isUnreadable(page: Page): Promise<void> {
  await page.getByText('Your session has ended.').waitFor();
  assert.doesNotMatch(await legible(page), /Ella|Frost|555|Jane/);
  const backdrop = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('dialog.entry'), '::backdrop').backgroundColor",
  );
  assert.match(backdrop, /^rgb\(/);
}

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('whoever signs out', { skip }, () => {
  it('hides every other tab at once, and finds what they typed when they come back', async () => {
    const person = await signedIn(service, 'tabs@example.com');
    const window = await windowFor(browser, person);
    const path = `event_check_in_records/${made.visitor}`;
    const { page: reading } = await openScreen(window, person, path);
    const { page: typing } = await openScreen(window, person, path);
    const { page: leaving } = await openScreen(window, person, 'events');
    await reading.getByRole('heading', { level: 1, name: 'Ella Frost' }).waitFor();
    await typing.getByRole('button', { name: 'Edit' }).click();
    await typing.getByLabel('Relationship').fill('great-aunt');
    await leaving.getByText('tabs@example.com').click();
    await leaving.getByRole('button', { name: 'Sign out' }).click();
    await leaving.getByLabel('Password').waitFor();
    await isUnreadable(reading);
    await isUnreadable(typing);
    assert.deepEqual(await flaws(typing), []);
    for (let times = 0; times < 3; times += 1) await typing.keyboard.press('Escape');
    await isUnreadable(typing);
    await signInAgain(typing);
    await typing.getByLabel('Relationship').waitFor();
    assert.equal(await typing.getByLabel('Relationship').inputValue(), 'great-aunt');
    // They share the session, and need not be asked twice.
    await reading.getByRole('heading', { level: 1, name: 'Ella Frost' }).waitFor();
    await reading.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(await reading.title(), /Ella Frost/);
  });

  it('types on in the field of a card in which they were', async () => {
    const person = await signedIn(service, 'cards@example.com');
    const { page } = await openConsole(browser, person, 'direct_mail_replies?view=cards');
    await page.getByLabel('City').fill('Spring');
    await person.post('/sign_out');
    await isUnreadable(page);
    await signInAgain(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('field');
    assert.equal(await page.getByLabel('City').inputValue(), 'Springfield');
  });

  it('is noticed by whatever is refused first, also an image', async () => {
    const person = await signedIn(service, 'images@example.com');
    const window = await windowFor(browser, person);
    const { page } = await openScreen(window, person, '');
    const ended = Promise.withResolvers<void>();
    // The page asks for nothing else once it is shown.
    await page.route('**/images/*', (route) => ended.promise.then(() => route.continue()));
    await page.route('**/v1/changes*', () => undefined);
    await page.goto(new URL('direct_mail_replies?view=cards', page.url()).href);
    await page.getByLabel('City').waitFor();
    await page.getByText('Loading the image').first().waitFor();
    await person.post('/sign_out');
    ended.resolve();
    await page.getByRole('heading', { name: /session has ended|Sign in/ }).waitFor();
    await isUnreadable(page);
    await signInAgain(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('City').waitFor();
    assert.doesNotMatch(await legible(page), /session has ended/);
  });

  it('leaves nothing to a person who goes back', async () => {
    const person = await signedIn(service, 'back@example.com');
    const window = await windowFor(browser, person);
    const path = `event_check_in_records/${made.visitor}`;
    const { page } = await openScreen(window, person, path);
    await page.getByRole('heading', { level: 1, name: 'Ella Frost' }).waitFor();
    await page.getByText('back@example.com').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/console/');
    await page.getByLabel('Password').waitFor();
    await page.goBack();
    await page.getByLabel('Password').waitFor();
    assert.doesNotMatch(await legible(page), /Ella|Frost|555/);
  });

  it('elsewhere is noticed when the tab is looked at again', async () => {
    const person = await signedIn(service, 'elsewhere@example.com');
    const window = await windowFor(browser, person);
    const path = `event_check_in_records/${made.visitor}`;
    const { page } = await openScreen(window, person, path);
    await page.getByRole('heading', { level: 1, name: 'Ella Frost' }).waitFor();
    await page.getByText('elsewhere@example.com').waitFor();
    await person.post('/sign_out');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await isUnreadable(page);
  });
});
