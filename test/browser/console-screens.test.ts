/** Every screen of the console: accessible, light and dark, wide and narrow, with nothing loaded that is not its own. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entries } from '../../console/src/entries.ts';
import { resources } from '../../src/core/resources/index.ts';
import { open } from '../support/browser.ts';
import { administrator, invitation, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import {
  flaws,
  inspect,
  openConsole,
  openScreen,
  overflows,
  windowFor,
} from '../support/console-page.ts';
import { faint, listen, lostByKeys, ugly, unreachable } from '../support/console-reach.ts';
import { resize } from '../support/console-settled.ts';
import { wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const long = {
  visitor_full_name: 'Gwendolyn Featherstonehaugh',
  visitor_relationship_to_deceased: 'daughter-in-law',
  visitor_email_address: 'gwendolyn.featherstonehaugh@example.com',
  visitor_interested_in_pre_planning: true,
};
const visitor = visitorBody(made.event, 'visitor-long', long);
await service.json('/v1/event_check_in_records/upsert', visitor);
const invited = await invitation(service, 'new@example.com');
const walk = await wholeWalk({ service, made });
const [person, administering] = [
  await signedIn(service, 'one@example.com'),
  await administrator(service, 'other@example.com'),
];
/** A window for each person, in which scripts are compiled once. */
const windows = new Map(
  [...new Set(walk.map((one) => one.person))].map((one) => [
    one,
    shared(async () => {
      const window = await windowFor(browser, one);
      await inspect(window);
      await listen(window);
      return window;
    }),
  ]),
);

/** What people meet who are not signed in. */
const ENTRIES: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['sign-in', 'events', 'Sign in'],
  ['an invitation', `#/invitation/${invited}`, 'You are invited as new@example.com.'],
];

describe('every screen, in a browser', { skip }, () => {
  it('has an address and a letter of its own', () => {
    const paths = [...entries, ...resources].map(({ path }) => path);
    assert.equal(new Set(paths).size, paths.length, paths.join());
    const letters = entries.flatMap(({ letter }) => letter ?? []);
    assert.equal(new Set(letters).size, letters.length, letters.join());
  });

  for (const { name, path, ready, person: whose } of walk) {
    it(`${name}, light and dark, wide and narrow, and for everybody`, async () => {
      const window = await windows.get(whose)?.();
      assert.ok(window);
      const { page, complaints } = await openScreen(window, whose, path);
      await ready(page);
      assert.deepEqual(await flaws(page), []);
      assert.deepEqual(await unreachable(page), []);
      assert.deepEqual(await ugly(page), []);
      assert.deepEqual(await faint(page), []);
      assert.deepEqual(
        complaints.filter((one) => !isExpected(one)),
        [],
      );
      // What is left cuts its requests off.
      assert.deepEqual(await lostByKeys(page), []);
    });
  }

  for (const [name, path, ready] of ENTRIES) {
    it(`${name}, light and dark, wide and narrow`, async () => {
      const { page } = await open(browser, `${service.url}/console/${path}`);
      await page.getByText(ready).first().waitFor();
      assert.deepEqual(await flaws(page), []);
    });
  }

  it('a list fits a narrow window: what has no column of its own stands below the name', async () => {
    const { page } = await openConsole(browser, person, 'event_check_in_records', {
      viewport: { width: 1600, height: 900 },
    });
    const row = page.getByRole('row', { name: 'Gwendolyn' });
    await row.waitFor();
    const heads = () => page.getByRole('columnheader').allInnerTexts();
    const fits = () =>
      until(() =>
        page.evaluate<boolean>(
          "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.rows'))",
        ),
      );
    const wide = await heads();
    assert.ok(wide.includes('Relationship'));
    for (const width of [820, 700]) {
      await resize(page, { width, height: 900 });
      await page.locator('.folded').first().waitFor();
      await fits();
      assert.ok((await heads()).length < wide.length);
      const text = await row.innerText();
      for (const value of ['daughter-in-law', 'gwendolyn.featherstonehaugh@example.com'])
        assert.ok(text.includes(value), value);
    }
    await resize(page, { width: 1600, height: 900 });
    await page.locator('.folded').first().waitFor({ state: 'detached' });
    assert.deepEqual(await heads(), wide);
  });

  it('on a low window, with every screen and their own name within reach', async () => {
    const height = 480;
    const { page } = await openConsole(browser, administering, 'events', {
      viewport: { width: 1280, height },
    });
    const name = page.locator('.person summary');
    await name.waitFor();
    const below = async () => {
      const box = await name.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    };
    assert.ok((await below()) <= height, `${await below()}`);
    await page.getByRole('link', { name: 'Staff' }).click();
    await page.getByRole('heading', { name: 'Staff' }).waitFor();
    assert.ok((await below()) <= height);
    await name.click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click({ trial: true });
  });

  it('at 400 %, with the navigation behind a button', async () => {
    const { page } = await openConsole(browser, person, `events/${made.event}`, {
      viewport: { width: 320, height: 640 },
    });
    await page.getByText('Ella Frost').waitFor();
    assert.equal(await overflows(page), false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Mail replies' }).click();
    await page.getByRole('heading', { name: 'Mail replies' }).waitFor();
  });

  it('the dialogs, too', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Phone').waitFor();
    assert.deepEqual(await flaws(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    assert.deepEqual(await flaws(page), []);
  });
});

/** Whether a complaint is no fault: a screen shows what has failed, images have addresses that lead nowhere, and a window that no page has opened stays open. */
function isExpected(complaint: string): boolean {
  if (complaint.startsWith('console: Scripts may close only the windows')) return true;
  return /status of 4(00|04|24)|^4(00|04|24) /.test(complaint);
}
