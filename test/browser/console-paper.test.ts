/** What people print: a list with all that its filters mean, and a record, without anything to press. */
// needs: --ci, browser

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openConsole } from '../support/console-page.ts';
import { resize } from '../support/console-settled.ts';
import { visitorBody } from '../support/sent.ts';

const { browser, skip, service, made } = await consoleGround();
/** More than a page of the list, which has 50, and than a sheet. */
const MORE_VISITORS = 70;
const person = await signedIn(service);
const rows = Array.from({ length: MORE_VISITORS }, (_, index) =>
  visitorBody(made.event, `printed-${index}`, { visitor_full_name: `Visitor ${index}` }),
);
const { status } = await service.json('/v1/event_check_in_records/upsert_many', rows);
assert.equal(status, 200);

/** What a browser would print is looked at when it is asked to. */
async function printed(page: Page): Promise<string[]> {
  await page.evaluate(`void (globalThis.onPaper = new Promise((done) => {
    globalThis.print = () =>
      done([...document.querySelectorAll('tbody th')].map((one) => one.innerText));
  }))`);
  await page.getByLabel('Print or download').click();
  await page.getByRole('button', { name: 'Print' }).click();
  return page.evaluate<string[]>('globalThis.onPaper');
}

async function sheetsOf(page: Page): Promise<number> {
  const paper = (await page.pdf({ format: 'Letter' })).toString('latin1');
  return paper.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

/** Nothing of these is of use on paper. */
const TO_PRESS = '.side, .tabs, main button, main a.button, .chip.off';

async function isPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await resize(page, { width: 720, height: 960 });
  assert.equal(await page.locator(TO_PRESS).filter({ visible: true }).count(), 0);
  assert.equal(
    await page.evaluate('getComputedStyle(document.body).backgroundColor'),
    'rgb(255, 255, 255)',
  );
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
}

/** Nobody knows later which day was today. */
async function hasWholeTimes(page: Page): Promise<void> {
  const times = page.locator('main time[data-paper]');
  assert.match((await times.first().getAttribute('data-paper')) ?? '', /\b20\d\d, /);
  const size = "getComputedStyle(document.querySelector('main time[data-paper]')).fontSize";
  assert.equal(await page.evaluate(size), '0px');
}

describe('on paper', { skip }, () => {
  it('the visitors of a service are all there, under whose service it was', async () => {
    const path = `event_check_in_records?event_unique_identifier=${made.event}`;
    const { page, complaints } = await openConsole(browser, person, path, { colorScheme: 'dark' });
    await page.getByText('Service: Jane Doe').waitFor();
    await page.getByText(`50 shown of ${MORE_VISITORS + 5}`).waitFor();
    const names = await printed(page);
    assert.equal(names.length, MORE_VISITORS + 5);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.includes('Visitor 0') && names.includes('Ana Ruiz'));
    // Afterwards the page is as it was.
    await page.getByText(`50 shown of ${MORE_VISITORS + 5}`).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 50);
    await isPaper(page);
    assert.equal(await page.getByText('Service: Jane Doe').isVisible(), true);
    assert.ok((await sheetsOf(page)) >= 2);
    assert.deepEqual(complaints, []);
  });

  it('a service has its fields, its next of kin and its visitors', async () => {
    const { page } = await openConsole(browser, person, `events/${made.event}`, {
      colorScheme: 'dark',
    });
    await page.getByRole('heading', { name: 'Visitors' }).waitFor();
    await page.getByText('Ruth Doe').waitFor();
    await isPaper(page);
    await hasWholeTimes(page);
    for (const text of ['Jane Doe', 'Ruth Doe', 'Celebration of life'])
      assert.equal(await page.getByText(text).first().isVisible(), true, text);
    assert.ok((await sheetsOf(page)) >= 1);
  });

  it('a group of a filter, a day and a location says so', async () => {
    const [main] = made.locations;
    const day = encodeURIComponent('2020-01-01T00:00:00-06:00');
    const { page } = await openConsole(
      browser,
      person,
      `events?location_unique_identifier=${main}&event_datetime[gte]=${day}`,
    );
    await page.getByRole('link', { name: 'Jane Doe' }).waitFor();
    await isPaper(page);
    await hasWholeTimes(page);
    for (const text of ['Location: Main Street Chapel', 'Date and time: from'])
      assert.equal(await page.getByText(text).first().isVisible(), true, text);
  });
});
