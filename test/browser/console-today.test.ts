/** The first screen of the console keeps up with the day, and an open record with its changes. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import {
  CONSOLE_ZONE,
  isSound,
  openConsole,
  openScreen,
  standAt,
  windowFor,
} from '../support/console-page.ts';
import { resize } from '../support/console-settled.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service);

const put = async (path: string, body: object): Promise<string> => {
  const { status, body: answer, text } = await service.json(`/v1/${path}/upsert`, body);
  assert.equal(status, 200, text);
  return answer.unique_identifier;
};

const serviceAt = (name: string, at: Temporal.ZonedDateTime): Promise<string> =>
  put('events', {
    location_unique_identifier: made.locations[0],
    external_identifier: name,
    event_name: `Memorial service for ${name}`,
    event_datetime: at.toInstant().toString(),
    person: { full_name: name },
  });

/** A day in the middle of which the page's clock stands. */
const today = Temporal.Now.zonedDateTimeISO(CONSOLE_ZONE).startOfDay();
const at = (hours: number, minutes = 0): Temporal.ZonedDateTime => today.add({ hours, minutes });

const openAt = async (clock: Temporal.ZonedDateTime): Promise<Page> => {
  const window = await windowFor(browser, person);
  await standAt(window, clock.epochMilliseconds);
  return (await openScreen(window, person, '')).page;
};

const row = (page: Page, name: string) => page.locator('.services > li', { hasText: name });

describe('today', { skip }, () => {
  it('tells of each service where it is, whom to call, how near it is, and that it is past', async () => {
    await serviceAt('Early Bird', at(6));
    await serviceAt('Under Way', at(11, 30));
    const page = await openAt(at(11, 45));
    const jane = row(page, 'Jane Doe');
    await jane.getByText('Ruth Doe').waitFor();
    assert.equal(
      await jane.getByRole('link', { name: '(415) 555-0100' }).getAttribute('href'),
      'tel:+14155550100',
    );
    await jane.getByText('in 15 min.').waitFor();
    await jane.getByText('5 visitors').waitFor();
    await jane.getByText('Celebration of life').waitFor();
    assert.equal((await jane.innerText()).split('Jane Doe').length, 2);
    const early = await row(page, 'Early Bird').locator('.whom').innerText();
    assert.deepEqual(early.split(/\n+/), ['Early Bird', 'Memorial service']);
    assert.match((await jane.locator('.place').innerText()).trim(), /^Main Street Chapel/);
    await row(page, 'Under Way').getByText('15 min. ago').waitFor();
    assert.equal(await row(page, 'Under Way').getByText('0 visitors').count(), 1);
    assert.equal(await row(page, 'Walter Moreno').getByText('visitors').count(), 0);
    const pale = (name: string) =>
      row(page, name).evaluate((one) => one.classList.contains('past'));
    assert.deepEqual([await pale('Early Bird'), await pale('Under Way')], [true, false]);
    await page.clock.runFor(10 * 60_000);
    await jane.getByText('in 5 min.').waitFor();
    await isSound(page);
  });

  it('opens a service wherever its row is clicked, the next of kin by their name, and no row where text is chosen', async () => {
    const page = await openAt(at(11, 45));
    const jane = row(page, 'Jane Doe');
    await jane.getByRole('link', { name: 'Ruth Doe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ruth Doe' }).waitFor();
    await page.goBack();
    await jane.locator('.place').click();
    await page.getByRole('heading', { level: 1, name: 'Jane Doe' }).waitFor();
    await page.goto(`${service.url}/console/event_check_in_records`);
    const ana = page.getByRole('row', { name: /Ana Ruiz/ });
    await ana.locator('td').last().click();
    await page.getByRole('heading', { level: 1, name: 'Ana Ruiz' }).waitFor();
  });

  it('is one of the eight screens of those who run services; what they seldom need is folded away', async () => {
    const page = await openAt(at(11, 45));
    const shown = page.locator('#nav .screens a:visible');
    await shown.first().waitFor();
    const own = ['Today', 'Find', 'Services', 'Next of kin', 'Visitors', 'Arrangements'];
    assert.deepEqual(await shown.allInnerTexts(), [...own, 'Mail replies', 'Locations']);
    await page.locator('#nav summary', { hasText: 'More' }).click();
    await page.getByRole('link', { name: 'Removed', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Removed' }).waitFor();
    await isSound(page);
    await page.goto(`${service.url}/console/`);
    await page.getByRole('link', { name: 'Removed', exact: true }).waitFor();
    await page.locator('#nav summary', { hasText: 'More' }).click();
    // It is stored a moment after the click.
    await page.waitForFunction(() => localStorage.getItem('nav more') === null);
    await page.reload();
    await row(page, 'Jane Doe').waitFor();
    assert.equal(await shown.count(), 8);
  });

  for (const [locale, language, words] of [
    ['de-DE', 'en', /^(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day, .* 20\d\d\. Times are in /],
    [
      'es-MX',
      'es',
      /^(Domingo|Lunes|Martes|Miércoles|Jueves|Viernes|Sábado),? .* 20\d\d\. Horario: /,
    ],
  ] as const)
    it(`is in one language, its dates too, in a browser of ${locale}`, async () => {
      const { page } = await openConsole(browser, person, '', { locale });
      await row(page, 'Jane Doe').waitFor();
      const about = await page.locator('.heading .about').innerText();
      assert.match(about, words);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
    });

  it('shows what arrives without being asked', async () => {
    const { page } = await openConsole(browser, person, 'account');
    const followed = page.waitForResponse((answer) => answer.url().includes('/changes'));
    await page.goto(`${service.url}/console/`);
    await row(page, 'Jane Doe').waitFor();
    await followed;
    await serviceAt('Late Arrival', at(23, 30));
    await row(page, 'Late Arrival').waitFor();
  });

  it('finds the visits of these days behind old ones that were imported', async () => {
    const visit = (event: string, name: string) => ({
      event_unique_identifier: event,
      external_identifier: name,
      visitor_full_name: name,
      visitor_phone_number: '+14155550199',
      visitor_interested_in_pre_planning: true,
    });
    await put('event_check_in_records', visit(made.event, 'Nora Present'));
    const old = await serviceAt('Long Ago', at(0).subtract({ years: 1 }));
    const rows = Array.from({ length: 120 }, (_, nth) => visit(old, `Old Guest ${nth}`));
    const { status } = await service.json('/v1/event_check_in_records/upsert_many', rows);
    assert.equal(status, 200);
    const page = await openAt(at(11, 45));
    const interested = page.getByRole('region', { name: 'Visitors interested in pre-planning' });
    await interested.getByRole('link', { name: /Nora Present/ }).waitFor();
    assert.equal(await interested.getByText('Old Guest').count(), 0);
  });

  it('turns at midnight', async () => {
    const page = await openAt(at(23, 59).add({ seconds: 45 }));
    await page
      .getByRole('region', { name: 'Services tomorrow' })
      .getByText('Walter Moreno')
      .waitFor();
    await page.clock.runFor(30_000);
    await page.getByRole('region', { name: 'Services today' }).getByText('Walter Moreno').waitFor();
    await row(page, 'Jane Doe').waitFor({ state: 'detached' });
  });

  it('has the service below the name on a phone, and no relative time on paper', async () => {
    const page = await openAt(at(11, 45));
    const jane = row(page, 'Jane Doe');
    await jane.getByText('Ruth Doe').waitFor();
    await resize(page, { width: 390, height: 844 });
    const tops = await jane.evaluate((one) =>
      ['strong', '.whom .quiet', '.place', '.kin', '.visitors'].map(
        (part) => one.querySelector(part)?.getBoundingClientRect().top ?? 0,
      ),
    );
    assert.deepEqual(
      tops,
      tops.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(tops).size, tops.length);
    await isSound(page);
    await resize(page, { width: 1280, height: 900 });
    await page.emulateMedia({ media: 'print' });
    assert.equal(await jane.getByText('in 15 min.').isVisible(), false);
    assert.equal(await jane.getByText('(415) 555-0100').isVisible(), true);
    await page.context().close();
    // Where the reader's clock shows another time, the head says whose clock it is, and no row again.
    const { page: abroad } = await openConsole(browser, person, '', { timezoneId: 'Asia/Tokyo' });
    const time = row(abroad, 'Jane Doe').locator('time').first();
    await abroad.getByText('Times are in Chicago time.').waitFor();
    await time.waitFor();
    assert.doesNotMatch(await time.innerText(), /C[SD]T/);
    await abroad.emulateMedia({ media: 'print' });
    const [ends, begins] = await row(abroad, 'Jane Doe').evaluate((one) => {
      const text = document.createRange();
      text.selectNodeContents(one.querySelector('time') as Element);
      const name = one.querySelector('strong') as Element;
      return [text.getBoundingClientRect().right, name.getBoundingClientRect().left];
    });
    assert.ok(
      (ends ?? 0) < (begins ?? 0),
      `the time ends at ${ends}, the name begins at ${begins}`,
    );
  });
});

describe('an open record', { skip }, () => {
  it('tells who changed it, and shows that when asked; what is being typed stays', async () => {
    const { page } = await openConsole(browser, person, 'account');
    const followed = page.waitForResponse((answer) => answer.url().includes('/changes'));
    await page.goto(`${service.url}/console/event_check_in_records/${made.visitor}`);
    await page.getByRole('heading', { name: 'Ella Frost' }).waitFor();
    await followed;
    const patch = (relationship: string) =>
      service.patch(`/v1/event_check_in_records/${made.visitor}`, {
        visitor_relationship_to_deceased: relationship,
      });
    assert.equal((await patch('cousin')).status, 200);
    const told = page.getByRole('button', { name: /changed this: show/ });
    await told.waitFor();
    assert.equal(await page.getByText('cousin').count(), 0);
    await told.click();
    await page.getByText('cousin').waitFor();
    await told.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Relationship').fill('aunt');
  });
});
