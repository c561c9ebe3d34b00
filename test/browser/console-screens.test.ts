/** Every screen of the console: accessible, light and dark, wide and narrow, with nothing loaded that is not its own. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { open } from '../support/browser.ts';
import { administrator, type ConsoleBrowser, invitation, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import {
  flaws,
  inspect,
  openConsole,
  openScreen,
  overflows,
  windowFor,
} from '../support/console-page.ts';
import { visitorBody } from '../support/sent.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service);
await service.json('/v1/events/upsert', { event_name: 'Refused' });
const long = {
  visitor_full_name: 'Gwendolyn Featherstonehaugh',
  visitor_relationship_to_deceased: 'daughter-in-law',
  visitor_email_address: 'gwendolyn.featherstonehaugh@example.com',
  visitor_interested_in_pre_planning: true,
};
const visitor = visitorBody(made.event, 'visitor-long', long);
await service.json('/v1/event_check_in_records/upsert', visitor);
const invited = await invitation(service, 'new@example.com');
const administering = await administrator(service);
const windowOf = (one: ConsoleBrowser) =>
  shared(async () => {
    const window = await windowFor(browser, one);
    await inspect(window);
    return window;
  });
const theirs = windowOf(person);
const administrators = windowOf(administering);

/** Each screen, and what is there once it is filled. */
const SCREENS: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['today', '', 'Services today'],
  ['find', 'find', 'Find'],
  ['services', 'events', 'Jane Doe'],
  ['visitors', 'event_check_in_records', 'Ella Frost'],
  ['a list in which nothing matches', 'events?external_identifier=none', 'Nothing matches'],
  ['a list that is refused', 'events?order=nothing', 'Try again'],
  ['locations', 'locations', 'Riverside Chapel'],
  ['a record', `events/${made.event}`, 'Ella Frost'],
  ['its history', `events/${made.event}?tab=history`, 'Version 1'],
  ['its JSON', `events/${made.event}?tab=json`, '"full_name": "Jane Doe"'],
  ['its requests', `events/${made.event}?tab=curl`, 'curl -u'],
  ['cards', 'direct_mail_replies?view=cards', 'Image 1 of 2'],
  ['a record that is not there', 'events/evt_nothing', 'It no longer exists'],
  ['my account', 'account', 'Where you are signed in'],
  ['feeds', 'feeds', 'Refused in the last 24 hours'],
  ['requests', 'requests', 'parameter_missing'],
  ['keys', 'keys', 'Create a key'],
  ['staff', 'staff', 'Invite a person'],
  ['webhooks', 'webhooks', 'No endpoints yet'],
  ['import', 'import', 'Choose a file'],
  ['export', 'export', 'What to export'],
  ['an address that leads nowhere', 'nothing', 'There is nothing at this address.'],
];

/** What people meet who are not signed in. */
const ENTRIES: typeof SCREENS = [
  ['sign-in', 'events', 'Sign in'],
  ['an invitation', `#/invitation/${invited}`, 'You are invited as new@example.com.'],
];

describe('every screen, in a browser', { skip }, () => {
  for (const [name, path, ready] of SCREENS) {
    it(`${name}, light and dark, wide and narrow`, async () => {
      const window = await (ADMINISTRATION.test(path) ? administrators : theirs)();
      const { page, complaints } = await openScreen(window, person, path);
      await page.getByRole('main').getByText(ready).first().waitFor();
      assert.deepEqual(await flaws(page), []);
      assert.deepEqual(
        complaints.filter((one) => !isExpected(one)),
        [],
      );
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
      await page.setViewportSize({ width, height: 900 });
      await page.locator('.folded').first().waitFor();
      await fits();
      assert.ok((await heads()).length < wide.length);
      const text = await row.innerText();
      for (const value of ['daughter-in-law', 'gwendolyn.featherstonehaugh@example.com'])
        assert.ok(text.includes(value), value);
    }
    await page.setViewportSize({ width: 1600, height: 900 });
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

/** Screens of administrators. */
const ADMINISTRATION = /^keys|^staff|^webhooks|=json|=curl/;

/** What a screen shows as failed has failed; images of addresses that lead nowhere do, too. */
function isExpected(complaint: string): boolean {
  return /status of 4(00|04|24)|^4(00|04|24) /.test(complaint);
}
