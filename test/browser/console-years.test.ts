/** A year of two digits is asked about wherever a day is typed: never 27, and never silently 1927 or 2027. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await administrator(service, 'days@example.com', undefined, [...['hold', 'erase']]);

/** Types into a field of days as people do, part by part, and goes on to the next field. */
async function typeDay(field: Locator, keys: string): Promise<void> {
  await field.focus();
  const { keyboard } = field.page();
  for (const [at, some] of keys.split('\t').entries()) {
    if (at > 0) await keyboard.press('Tab');
    await keyboard.type(some);
  }
  await field.blur();
}

/** What the page has sent to change something. */
function changesOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (one) => {
    if (/^(?:POST|PATCH|PUT)$/.test(one.method()))
      sent.push(`${one.url()} ${one.postData() ?? ''}`);
  });
  return sent;
}

const OLD = /"0\d{3}-\d\d-\d\d/;

describe('a year of two digits', { skip }, () => {
  it('is asked about on a record, which is not saved before, and saved as it was meant', async () => {
    const { page } = await openConsole(browser, person, `events/${made.event}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.locator('form.edit');
    const born = form.locator('input[type="date"]').first();
    const sent = changesOf(page);
    await typeDay(born, '03041927');
    assert.equal(await page.getByText('Which year is meant?').count(), 0);
    await typeDay(born, '030427');
    assert.equal(await born.inputValue(), '0027-03-04');
    await page.getByText('Which year is meant?').waitFor();
    await isSound(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Write the year of .* with four digits\.$/).waitFor();
    assert.deepEqual(sent, []);
    await form.getByRole('button', { name: '1927' }).click();
    assert.equal(await born.inputValue(), '1927-03-04');
    assert.equal(await page.getByText('Which year is meant?').count(), 0);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    assert.equal(sent.filter((one) => OLD.test(one)).length, 0);
    const { text } = await service.get(`/v1/events/${made.event}`);
    assert.match(text, /1927-03-04/);
    await page.context().close();
  });

  it('is asked about in each form that has a day', async () => {
    for (const [path, open] of [
      ['holds', 'Place a hold'],
      ['privacy', 'Begin a request'],
      ['keys', 'Create a key'],
      [`event_check_in_records/${made.visitor}`, 'Edit'],
      ['events', 'Add service'],
    ] as const) {
      const { page } = await openConsole(browser, person, path);
      const sent = changesOf(page);
      await page.getByRole('button', { name: open }).first().click();
      const dialog = page.locator('dialog[open]');
      await dialog.locator('footer').waitFor();
      const days = dialog.locator('input[type="date"], input[type="datetime-local"]');
      for (const field of await days.all()) {
        const isTime = (await field.getAttribute('type')) === 'datetime-local';
        await typeDay(field, isTime ? '030427\t0230p' : '030427');
        assert.match(await field.inputValue(), /^0027-03-04/);
        const asked = dialog.getByText('Which year is meant?');
        await asked.waitFor();
        await dialog.getByRole('button', { name: '2027' }).click();
        assert.match(await field.inputValue(), /^2027-03-04/);
        await asked.waitFor({ state: 'detached' });
      }
      // Whatever else is missing, it is not sent with such a year.
      for (const field of await days.all()) await typeDay(field, '030427\t0230p');
      await dialog.locator('button[type="submit"]').click();
      await isSound(page);
      assert.deepEqual(
        sent.filter((one) => OLD.test(one)),
        [],
        path,
      );
      assert.equal(await dialog.count(), 1, path);
      await page.context().close();
    }
  });

  it('is asked about in the filter of a list', async () => {
    const { page } = await openConsole(browser, person, 'events');
    await page.getByLabel('Filter by Date and time').click();
    const from = page.locator('input[type="date"]').first();
    await typeDay(from, '030427');
    await page.getByText('Which year is meant?').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Write the year of From with four digits.').waitFor();
    assert.ok(!page.url().includes('0027'));
    await page.getByRole('button', { name: '2027' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/2027-03-04/);
    await page.context().close();
  });
});
