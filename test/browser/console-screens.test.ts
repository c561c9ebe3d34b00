/** Every screen of the console: accessible, light and dark, wide and narrow, with nothing loaded that is not its own. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { administrator, type ConsoleBrowser, signedIn } from '../support/console.ts';
import { openConsole, overflows, violations } from '../support/console-page.ts';
import { type Made, makeRecords } from '../support/console-records.ts';
import { type Service, startService } from '../support/service.ts';

const { browser: launched, skip } = await launchBrowser();
const browser = launched as Browser;
let service: Service;
let person: ConsoleBrowser;
let administering: ConsoleBrowser;
let made: Made;
before(async () => {
  service = await startService();
  made = await makeRecords(service);
  person = await signedIn(service);
  await service.json('/v1/events/upsert', { event_name: 'Refused' });
  administering = await administrator(service);
});
after(async () => {
  await launched?.close();
  await service.stop();
});

const VIEWS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 820, height: 900 } },
] as const;

/** Each screen, and what is there once it is filled. */
const SCREENS: readonly (readonly [name: string, path: () => string, ready: string])[] = [
  ['today', () => '', 'Services today'],
  ['find', () => 'find', 'Find'],
  ['services', () => 'events', 'Jane Doe'],
  ['visitors', () => 'event_check_in_records', 'Ella Frost'],
  ['a list in which nothing matches', () => 'events?external_identifier=none', 'Nothing matches'],
  ['a list that is refused', () => 'events?order=nothing', 'Try again'],
  ['locations', () => 'locations', 'Riverside Chapel'],
  ['a record', () => `events/${made.event}`, 'Ella Frost'],
  ['its history', () => `events/${made.event}?tab=history`, 'Version 1'],
  ['its JSON', () => `events/${made.event}?tab=json`, '"full_name": "Jane Doe"'],
  ['its requests', () => `events/${made.event}?tab=curl`, 'curl -u'],
  ['cards', () => 'direct_mail_replies?view=cards', 'Image 1 of 2'],
  ['a record that is not there', () => 'events/evt_nothing', 'It is not there any more'],
  ['my account', () => 'account', 'Where you are signed in'],
  ['feeds', () => 'feeds', 'Refused in the last 24 hours'],
  ['requests', () => 'requests', 'parameter_missing'],
  ['keys', () => 'keys', 'Create a key'],
  ['staff', () => 'staff', 'Invite a person'],
  ['an address that leads nowhere', () => 'nothing', 'There is nothing at this address.'],
];

describe('every screen, in a browser', { skip }, () => {
  for (const view of VIEWS) {
    for (const [name, path, ready] of SCREENS) {
      it(`${name}, ${view.colorScheme}, ${view.viewport.width} wide`, async () => {
        const { page, complaints } = await openConsole(
          browser,
          ADMINISTRATION.includes(path()) ? administering : person,
          path(),
          view,
        );
        await page.getByRole('main').getByText(ready).first().waitFor();
        assert.deepEqual(await violations(page), []);
        assert.equal(await overflows(page), false, 'It is wider than the window.');
        assert.deepEqual(
          complaints.filter((one) => !isExpected(one)),
          [],
        );
        await page.context().close();
      });
    }
  }

  it('at 400 %, with the navigation behind a button', async () => {
    const { page } = await openConsole(browser, person, `events/${made.event}`, {
      viewport: { width: 320, height: 640 },
    });
    await page.getByText('Ella Frost').waitFor();
    assert.equal(await overflows(page), false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Mail replies' }).click();
    await page.getByRole('heading', { name: 'Mail replies' }).waitFor();
    await page.context().close();
  });

  it('the dialogs, too', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Phone').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.context().close();
  });
});

/** Screens of administrators. */
const ADMINISTRATION = ['keys', 'staff'];

/** What a screen shows as failed has failed; images of addresses that lead nowhere do, too. */
function isExpected(complaint: string): boolean {
  return /status of 4(00|04|24)|^4(00|04|24) /.test(complaint);
}
