/** Nobody is signed out without a word: two minutes before, the page says so, and whoever is at work stays signed in. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { CONSOLE_ZONE, isSound, openScreen, standAt, windowFor } from '../support/console-page.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service, 'ends@example.com');
const MINUTE = 60_000;
const IDLE = 60 * MINUTE;

const visitor = `event_check_in_records/${made.visitor}`;
const idle = (page: Page) => page.getByText('Your session ends in two minutes: nobody has used it');
const anyway = (page: Page) =>
  page.getByText('Your session ends in two minutes. Sign in again afterwards');
const stay = (page: Page) => page.getByRole('button', { name: 'Stay signed in' });

/** A window whose clock can be put on, and which counts what its pages have asked and not been answered. */
async function windowAt(now: number): Promise<BrowserContext> {
  const window = await windowFor(browser, person);
  await standAt(window, now);
  await window.addInitScript({ content: COUNTED });
  return window;
}

/** Changes are waited for as long as a page is open. */
const COUNTED = `{
  const { fetch } = globalThis;
  globalThis.unanswered = 0;
  globalThis.fetch = (input, init) => {
    if (String(input).includes('/v1/changes')) return fetch(input, init);
    globalThis.unanswered += 1;
    return fetch(input, init).finally(() => {
      globalThis.unanswered -= 1;
    });
  };
}`;

/** Milliseconds that no test here goes beyond. */
const PASSED = 2 * IDLE;
const dayOf = (time: number) =>
  new Intl.DateTimeFormat('en', { timeZone: CONSOLE_ZONE, dateStyle: 'short' }).format(time);

/** Finds the first time from then on after which the day lasts long enough: lists that name a day are asked for again when it ends. */
function withinDay(time: number): number {
  let from = time;
  while (dayOf(from) !== dayOf(from + PASSED)) from += 10 * MINUTE;
  return from;
}

/** Counts what keeps the session: requests of somebody who is at the page. */
function asked(page: Page): { count: number } {
  const found = { count: 0 };
  page.on('request', (one) => {
    const isOwn = one.url().includes('/console/api/') && !one.url().includes('/v1/changes');
    if (isOwn && one.headers()['ledgerstone-unattended'] === undefined) found.count += 1;
  });
  return found;
}

/** Waits until the page has asked for all that it shows, and has all answers: those that come after the clock was put on are of then. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  let last = Date.now();
  const note = (): void => {
    last = Date.now();
  };
  page.on('request', note);
  await until(async () => {
    if ((await page.evaluate<number>('unanswered')) > 0) note();
    return Date.now() - last > 500;
  });
  page.off('request', note);
}

/** Puts the clock on, and lets it go on by itself for the last seconds, in which the page looks. */
async function pass(window: BrowserContext, ms: number): Promise<void> {
  for (const page of window.pages()) await settled(page);
  const last = 11_000;
  await window.clock.fastForward(ms - last);
  await window.clock.runFor(last);
}

describe('a session that nobody uses', { skip }, () => {
  it('is told two minutes before it ends, not earlier, on whichever screen, and goes on at a press', async () => {
    const { signed_in_at } = person.session;
    for (const path of ['', 'events', visitor, 'find', 'account']) {
      const window = await windowAt(withinDay(Date.parse(signed_in_at) + MINUTE));
      const { page } = await openScreen(window, person, path);
      await pass(window, IDLE - 3 * MINUTE);
      assert.equal(await idle(page).count(), 0, `${path}: too early`);
      await pass(window, 70_000);
      await idle(page).waitFor();
      await isSound(page);
      const session = asked(page);
      await stay(page).click();
      await idle(page).waitFor({ state: 'detached' });
      await until(() => session.count > 0);
      await pass(window, IDLE - 3 * MINUTE);
      assert.equal(await idle(page).count(), 0, `${path}: it has an hour again`);
      await window.close();
    }
  });

  it('is kept by no page that asks by itself: as a day ends', async () => {
    const day = dayOf(Date.now());
    let midnight = Math.floor(Date.now() / IDLE) * IDLE;
    while (dayOf(midnight - IDLE) === day) midnight -= IDLE;
    const window = await windowAt(midnight - IDLE / 2);
    const { page } = await openScreen(window, person, '');
    const asksAgain = page.waitForRequest((one) => one.url().includes('/v1/events?'));
    await pass(window, IDLE - 3 * MINUTE);
    await asksAgain;
    await pass(window, 70_000);
    await idle(page).waitFor();
  });

  it('is said to screen readers, and can be gone on with by keys alone', async () => {
    const window = await windowAt(withinDay(Date.now()));
    const { page } = await openScreen(window, person, visitor);
    await pass(window, IDLE - MINUTE);
    await page.locator('[role=status][aria-live]', { has: idle(page) }).waitFor();
    await stay(page).focus();
    await page.keyboard.press('Enter');
    await idle(page).waitFor({ state: 'detached' });
  });

  it('can be gone on with in front of a dialog, in which nothing is lost', async () => {
    const window = await windowAt(withinDay(Date.now()));
    const { page } = await openScreen(window, person, visitor);
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByLabel('Relationship');
    await field.fill('great-aunt');
    await pass(window, IDLE - MINUTE);
    await idle(page).waitFor();
    await isSound(page);
    await stay(page).click();
    await idle(page).waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), 'great-aunt');
  });

  it('stays without a word while somebody types, and what was typed stays, too', async () => {
    const window = await windowAt(withinDay(Date.now()));
    const { page } = await openScreen(window, person, visitor);
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByLabel('Relationship');
    await pass(window, IDLE - 3 * MINUTE);
    const session = asked(page);
    await field.pressSequentially(' of hers');
    await pass(window, 70_000);
    await until(() => session.count > 0);
    assert.equal(await idle(page).count(), 0);
    assert.match(await field.inputValue(), / of hers$/);
  });

  it('is used in one tab for all: the others take back what they said', async () => {
    const window = await windowAt(withinDay(Date.now()));
    const { page: one } = await openScreen(window, person, visitor);
    const { page: other } = await openScreen(window, person, 'events');
    await one.locator('main h1').waitFor();
    await other.locator('tbody tr').first().waitFor();
    await pass(window, IDLE - MINUTE);
    await Promise.all([idle(one).waitFor(), idle(other).waitFor()]);
    await other.getByRole('button', { name: 'Reload' }).click();
    await other.locator('tbody tr').first().waitFor();
    await pass(window, 20_000);
    await idle(one).waitFor({ state: 'detached' });
  });
});

describe('a session of twelve hours', { skip }, () => {
  it('is over in two minutes, however much it was used: that is said once, without a button that would not help', async () => {
    const window = await windowAt(Date.parse(person.session.ends_at) - 4 * MINUTE);
    const { page } = await openScreen(window, person, visitor);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Relationship').fill('great-aunt');
    assert.equal(await anyway(page).count(), 0);
    await pass(window, 2 * MINUTE + 10_000);
    await anyway(page).waitFor();
    assert.equal(await stay(page).count(), 0);
    assert.equal(await page.getByLabel('Relationship').inputValue(), 'great-aunt');
    await page.locator('.notice').getByRole('button', { name: 'Close' }).click();
    await anyway(page).waitFor({ state: 'detached' });
    await pass(window, 30_000);
    assert.equal(await anyway(page).count(), 0);
  });
});
