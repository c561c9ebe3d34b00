/** Every screen comes to be in few requests one behind the other, shows nothing for a moment that it does not mean, and reads nothing twice. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newWindow } from '../support/browser.ts';
import { invitation, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { comeToBe } from '../support/console-rounds.ts';
import { wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';
import { shared } from '../support/shared.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const walk = await wholeWalk({ service, made });
const windows = new Map(
  [...new Set(walk.map((one) => one.person))].map((one) => [
    one,
    shared(async () => {
      const window = await windowFor(browser, one);
      // Whoever was here before has the time zones of the locations.
      const { page } = await openScreen(window, one, 'find');
      await page.waitForFunction("localStorage.getItem('zones') !== null");
      await page.close();
      return window;
    }),
  ]),
);

/** Who is signed in, and what the screen shows. */
const MOST = 2;

/** Where passkeys can be made. */
const home = service.url.replace('127.0.0.1', 'localhost');

describe('every screen, as it comes to be', { skip }, () => {
  for (const { name, path, ready, begun, person } of walk)
    it(name, async () => {
      const window = await windows.get(person)?.();
      assert.ok(window);
      const { rounds, asked, momentary, twice } = await comeToBe(
        window,
        `${service.url}/console/${path}`,
        begun,
        ready,
      );
      assert.ok(rounds <= MOST, `${rounds} requests in a row: ${JSON.stringify(asked)}`);
      assert.deepEqual(momentary, []);
      assert.deepEqual(twice, []);
    });

  it('an invitation', async () => {
    const token = await invitation(service, 'invited@example.com');
    const window = await newWindow(browser);
    const { momentary } = await comeToBe(window, `${home}/console/#/invitation/${token}`, (page) =>
      page.getByRole('textbox').first().isVisible(),
    );
    assert.deepEqual(momentary, []);
  });

  it('the sign-in', async () => {
    await signedIn(service, 'signs-in@example.com');
    const window = await newWindow(browser);
    const { momentary } = await comeToBe(window, `${home}/console/events`, (page) =>
      page.getByLabel('Email').isVisible(),
    );
    assert.deepEqual(momentary, []);
  });
});
