/** Dialogs begin where people type, give the focus back, and discard nothing without a question. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { administrator, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { flaws, openConsole } from '../support/console-page.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service);
const administering = await administrator(service);

/** What has the focus, as it is called. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `(({ activeElement: one }) => {
      const label = one.labels?.[0]?.innerText ?? one.getAttribute('aria-label') ?? one.innerText;
      return one.tagName + ' ' + label.trim();
    })(document)`,
  );
const focusIs = async (page: Page, wanted: string): Promise<void> => {
  // What has it in the end is told below.
  await until(async () => (await focused(page)) === wanted, 20_000).catch(() => {});
  assert.equal(await focused(page), wanted);
};

describe('a dialog', { skip }, () => {
  it('begins at its first field, and gives the focus back however it is left', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    for (const leave of ['Escape', 'Cancel', 'Close', 'Save']) {
      const edit = page.getByRole('main').getByRole('button', { name: 'Edit' });
      await edit.click();
      await page.getByLabel('Phone').waitFor();
      assert.match(await focused(page), /^(INPUT|TEXTAREA|SELECT) /);
      if (leave === 'Save') await page.getByLabel('Relationship', { exact: true }).fill('cousin');
      if (leave === 'Escape') await page.keyboard.press('Escape');
      else await page.getByRole('dialog').getByRole('button', { name: leave, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await focusIs(page, 'BUTTON Edit');
    }
  });

  it('that only asks begins at what does no harm', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await focusIs(page, 'BUTTON Cancel');
    await page.keyboard.press('Enter');
    await focusIs(page, 'SUMMARY More');
  });

  it('asks before it discards what was typed, whichever way it is left', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByLabel('Relationship', { exact: true });
    await field.fill('great-aunt');
    const ask = page.getByRole('dialog', { name: 'Discard what you typed?' });
    const form = page.getByRole('dialog', { name: 'Edit visitor' });
    for (const leave of ['Escape', 'Cancel', 'Close']) {
      if (leave === 'Escape') await page.keyboard.press('Escape');
      else await form.getByRole('button', { name: leave, exact: true }).click();
      await ask.waitFor();
      await focusIs(page, 'BUTTON Keep editing');
      if (leave === 'Cancel') assert.deepEqual(await flaws(page), []);
      // The second Escape of a row is one that browsers obey, whatever a page says.
      await page.keyboard.press('Escape');
      await ask.waitFor({ state: 'detached' });
      assert.equal(await field.inputValue(), 'great-aunt');
      await field.focus();
    }
    await page.keyboard.press('Escape');
    await ask.getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'detached' });
    await focusIs(page, 'BUTTON Edit');
  });

  it('with an invitation shows Copy in one piece, on a phone, too', async () => {
    const { page } = await openConsole(browser, administering, 'staff', {
      viewport: { width: 390, height: 800 },
    });
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await focusIs(page, 'INPUT Email required');
    await page.keyboard.type('copied@example.com');
    await page.getByRole('radio', { name: 'All locations' }).check();
    await page.getByRole('button', { name: 'Invite a person' }).last().click();
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy' });
    await copy.waitFor();
    await focusIs(page, 'BUTTON Copy');
    const box = await copy.boundingBox();
    assert.ok(box !== null && box.height < 32 && box.width > 30, JSON.stringify(box));
  });
});
