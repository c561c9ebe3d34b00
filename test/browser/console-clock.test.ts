/** The console goes by the clock of the service where that of the device is off, ahead or back, by hours or days, and says so. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openScreen, windowFor } from '../support/console-page.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await administrator(service, 'days@example.com', undefined, [...['hold', 'erase']]);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = 'America/Chicago';

const { status } = await service.patch(
  `/v1/accounts/${service.account.unique_identifier}/settings`,
  { time_zone: ZONE },
  { key: service.key },
);
assert.equal(status, 200);

/** Of the service: the tests look again should it begin meanwhile. */
const today = () => Temporal.Now.plainDateISO(ZONE);

async function openOff(off: number, path: string, options = {}) {
  const window = await windowFor(browser, person, options);
  await window.clock.install({ time: Date.now() + off });
  const asked: URL[] = [];
  window.on('request', (one) => asked.push(new URL(one.url())));
  const { page, complaints } = await openScreen(window, person, path);
  return { window, page, asked, complaints };
}

const notice = (page: Page) => page.getByText(/^The clock of this device is/);

/** Days that requests of lists named. */
const daysOf = (asked: readonly URL[], param: string): readonly string[] =>
  asked.flatMap(({ searchParams }) => searchParams.getAll(param)).map((one) => one.slice(0, 10));

describe('where the clock of the device is off', { skip }, () => {
  for (const [off, words] of [
    [2 * DAY, '2 days ahead of'],
    [-400 * DAY, '400 days behind'],
    [-26 * HOUR, '26 hours behind'],
    [7 * 60_000, '7 minutes ahead of'],
  ] as const)
    it(`by ${words} the service’s, today is the day of the service, from the first request on`, async () => {
      const day = today();
      const { window, page, asked, complaints } = await openOff(off, '');
      await page.getByText(`The clock of this device is ${words} the service’s.`).waitFor();
      const heading = day.toLocaleString('en-US', { dateStyle: 'full' });
      await page.getByText(heading).waitFor();
      await page.locator('.services > li').first().waitFor();
      // Before the browser knows the zone of the homes, days are those of UTC.
      assert.equal(daysOf(asked, 'event_datetime[gte]').at(-1), day.toString());
      assert.deepEqual(
        complaints.filter((one) => one.startsWith('error')),
        [],
      );
      await isSound(page);
      await page.goto(`${service.url}/console/events?event_datetime[days]=today`);
      await page.locator('main tbody tr').first().waitFor();
      await until(() => daysOf(asked, 'event_datetime[gte]').at(-1) === day.toString());
      // Refused requests of the last day are those of the service's day, also where nothing else is drawn again.
      await page.goto(`${service.url}/console/requests?since=24h`);
      await page.locator('main h1').waitFor();
      const since = () => asked.flatMap((one) => one.searchParams.getAll('time[gte]')).at(-1) ?? '';
      await until(() => Math.abs(Date.now() - DAY - Date.parse(since())) < 2 * 60_000);
      await window.close();
    });

  it('nothing is said of a clock that is right but for seconds', async () => {
    const { window, page } = await openOff(20_000, '');
    await page.locator('.services > li').first().waitFor();
    assert.equal(await notice(page).count(), 0);
    await window.close();
  });

  it('dates in forms begin and end with the days of the service, and so do names of files', async () => {
    const { window, page } = await openOff(3 * DAY, `event_check_in_records/${made.visitor}`);
    await notice(page).waitFor();
    const saved = page.waitForEvent('download');
    await page.goto(`${service.url}/console/event_check_in_records`);
    await page.getByLabel('Print or download').click();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    assert.ok((await saved).suggestedFilename().includes(today().toString()));
    await page.goto(`${service.url}/console/holds`);
    await page.getByRole('button', { name: 'Place a hold' }).click();
    const day = page.getByRole('dialog').locator('input[type="date"]');
    assert.equal(await day.getAttribute('min'), today().add({ days: 1 }).toString());
    await window.close();
  });

  it('a clock that is set while the page is open moves nothing, once the service was asked; right again, nothing is said', async () => {
    const { window, page } = await openOff(0, '');
    await page.locator('.services > li').first().waitFor();
    const heading = () => page.locator('main header').first().innerText();
    const before = await heading();
    for (const off of [5 * DAY, -9 * DAY]) {
      await window.clock.setSystemTime(Date.now() + off);
      await window.clock.runFor(21_000);
      await notice(page).waitFor();
      await until(async () => (await heading()) === before);
    }
    await window.clock.setSystemTime(Date.now());
    await window.clock.runFor(21_000);
    await notice(page).waitFor({ state: 'detached' });
    await until(async () => (await heading()) === before);
    await window.close();
  });

  it('is said in the languages of the console', async () => {
    for (const [locale, words] of [
      ['es-US', /El reloj de este dispositivo está 3\shoras adelantado/],
      ['fr-CA', /L’horloge de cet appareil avance de 3\sheures/],
    ] as const) {
      const { window, page } = await openOff(3 * HOUR, '', { locale });
      await page.getByText(words).waitFor();
      await isSound(page);
      await window.close();
    }
  });
});
