/** What a click would end for a colleague or a system is asked first, with what it does. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  administrator,
  browserAt,
  type ConsoleBrowser,
  PASSWORD,
  signedIn,
} from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { flaws, openConsole } from '../support/console-page.ts';
import { until } from '../support/until.ts';

let ahead = 0;
const { browser, skip, service } = await browserGround({ now: () => Date.now() + ahead });
const administering = await administrator(service);

const isIn = async (colleague: ConsoleBrowser): Promise<boolean> =>
  (await colleague.get('/session')).status === 200;

/** Clicks, reads what it would do, and leaves it; then does it. */
async function asks(
  page: Page,
  button: string,
  does: RegExp,
  submit: string,
  untouched: () => Promise<unknown>,
) {
  const click = async (): Promise<void> => {
    const [doing = '', of] = button.split(': ');
    if (of !== undefined) await page.getByLabel(`More: ${of}`).click();
    await page
      .locator('main')
      .getByRole('button', { name: doing, exact: of === undefined })
      .click();
  };
  const dialog = page.getByRole('dialog');
  await click();
  await dialog.getByText(does).waitFor();
  assert.deepEqual(await flaws(page), []);
  assert.match(
    (await dialog.getByRole('button', { name: submit }).getAttribute('class')) ?? '',
    /danger/,
  );
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await untouched();
  await click();
  await dialog.getByRole('button', { name: submit }).click();
}

describe('an administrator', { skip }, () => {
  const DOINGS = [
    ['Sign out', /signed out everywhere/, 'Signed out everywhere.'],
    ['New invitation', /password and passkeys stop working/, 'The invitation'],
    ['Disable', /cannot sign in until/, 'Disabled, and signed out everywhere.'],
  ] as const;
  for (const [doing, does, done] of DOINGS) {
    it(`is asked before “${doing}” ends what a colleague has`, async () => {
      const email = `${doing.replace(' ', '-').toLowerCase()}@example.com`;
      const colleague = await signedIn(service, email);
      const { page } = await openConsole(browser, administering, 'staff');
      await asks(page, `${doing}: ${email}`, does, doing, async () =>
        assert.equal(await isIn(colleague), true),
      );
      await page.getByText(done, { exact: true }).first().waitFor();
      assert.equal(await isIn(colleague), false);
    });
  }

  it('is asked before a key is suspended', async () => {
    const { secret } = await service.newKey({ name: 'Lobby tablets' });
    const status = async () => (await service.get('/v1/me', { key: secret })).status;
    const { page } = await openConsole(browser, administering, 'keys');
    await asks(page, 'Suspend: Lobby tablets', /is refused until you resume/, 'Suspend', async () =>
      assert.equal(await status(), 200),
    );
    await page.getByText('Suspended').waitFor();
    // It is refused everywhere within a second.
    await until(async () => (await status()) === 401);
  });
});

describe('whoever ends their own sessions', { skip }, () => {
  it('is asked first', async () => {
    const own = await signedIn(service, 'twice@example.com');
    const elsewhere = browserAt(service);
    await elsewhere.post('/sign_in', { email: 'twice@example.com', password: PASSWORD });
    const { page } = await openConsole(browser, own, 'account');
    await asks(page, 'End all others', /signed out everywhere but here/, 'End', async () =>
      assert.equal(await isIn(elsewhere), true),
    );
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
    assert.equal(await isIn(elsewhere), false);
  });
});

describe('whoever signs in by passkey alone', { skip }, () => {
  it('is asked for that to confirm, and for no password', async () => {
    // Browsers know no passkeys for an address that is a number.
    const url = service.url.replace('127.0.0.1', 'localhost');
    const named = Object.create(service, { url: { value: url } });
    const there = Object.create(administering, { service: { value: named } });
    const { page } = await openConsole(browser, there, 'staff');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('Email').fill('later@example.com');
    await page.getByRole('radio', { name: 'All locations' }).check();
    ahead = 11 * 60_000;
    const invite = page.getByRole('dialog', { name: 'Invite a person' });
    await invite.getByRole('button', { name: 'Invite a person' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm' });
    await confirm.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    assert.equal(await confirm.getByLabel('Password').count(), 0);
    assert.deepEqual(await flaws(page), []);
  });
});
