/** Times in the console are those of the home, wherever its reader sits: around midnight, and when clocks change. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { administrator, signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openScreen, standAt, windowFor } from '../support/console-page.ts';
import { until } from '../support/until.ts';

const { browser, skip, service } = await browserGround();
const person = await administrator(service);

const json = { 'Content-Type': 'application/json' };
const account = service.account.unique_identifier;

const put = async (path: string, body: object): Promise<string> => {
  const { status, body: answer, text } = await service.json(`/v1/${path}/upsert`, body);
  assert.equal(status, 200, text);
  return answer.unique_identifier;
};
const home = (name: string): Promise<string> =>
  put('locations', {
    ...{ account_unique_identifier: account, external_identifier: name, location_name: name },
  });
const serviceAt = (location: string, name: string, event_datetime: string): Promise<string> =>
  put('events', {
    ...{ location_unique_identifier: location, external_identifier: name, event_datetime },
    ...{ event_name: 'Memorial service', person: { full_name: name } },
  });
const set = async (path: string, settings: object): Promise<void> => {
  const body = JSON.stringify(settings);
  const { status, text } = await service.send('PATCH', `/v1/${path}/settings`, {
    headers: json,
    body,
  });
  assert.equal(status, 200, text);
};

/** Where the page's clock stands, and the reader sits in Chicago. */
const openAt = async (clock: string, path: string): Promise<Page> => {
  const window = await windowFor(browser, person);
  await standAt(window, new Date(clock));
  return (await openScreen(window, person, path)).page;
};

/** Takes a zone from what a page's browser knows. */
const LACKS = (lacking: string): void => {
  const Own = Intl.DateTimeFormat;
  const Less = new Proxy(Own, {
    construct: (target, [locales, options], made) => {
      if (options?.timeZone === lacking) throw new RangeError(`Invalid time zone: ${lacking}`);
      return Reflect.construct(target, [locales, options], made);
    },
  });
  Intl.DateTimeFormat = Less;
};

/** Has a page's browser call the zone of its device so. */
const CALLS = (timeZone: string | undefined): void => {
  const Own = Intl.DateTimeFormat;
  const named = (made: Intl.DateTimeFormat, options: Intl.DateTimeFormatOptions | undefined) => {
    const real = made.resolvedOptions.bind(made);
    if (options?.timeZone === undefined)
      made.resolvedOptions = () => ({ ...real(), timeZone }) as Intl.ResolvedDateTimeFormatOptions;
    return made;
  };
  Intl.DateTimeFormat = new Proxy(Own, {
    construct: (target, [locales, options]) => named(new target(locales, options), options),
    apply: (target, _, [locales, options]) => named(target(locales, options), options),
  });
};

describe('times of homes', { skip, concurrency: false }, () => {
  it('are UTC until a time zone is set, for which administrators are asked, also by an import', async () => {
    const colleague = await signedIn(service, 'viewer@example.com', { role: 'viewer' });
    const other = await windowFor(browser, colleague);
    const { page: theirs } = await openScreen(other, colleague, '');
    await theirs.getByText('An administrator can set one.').waitFor();
    await theirs.getByRole('button', { name: 'Not now' }).click();
    await theirs.reload();
    await theirs.getByText('Times are in UTC.').waitFor();
    assert.equal(await theirs.getByText('No time zone is set').count(), 0);
    await serviceAt(await home('First Chapel'), 'Una First', '2027-03-01T15:00:00Z');
    const listed = await openAt('2027-03-01T12:00:00Z', 'events');
    await listed.getByText('Times are in UTC.', { exact: true }).waitFor();
    // The head says whose clock it is, and no row again.
    await listed.getByRole('cell', { name: 'Today, 3:00 PM', exact: true }).waitFor();
    await listed.context().close();
    const page = await openAt('2027-03-01T12:00:00Z', '');
    await page.getByText('No time zone is set for Example Funeral Group').waitFor();
    await page.locator('.services time', { hasText: /^3:00 PM(?! UTC)/ }).waitFor();
    await page.locator('.about', { hasText: 'Times are in UTC.' }).waitFor();
    await isSound(page);
    assert.equal(await page.getByRole('button', { name: 'Not now' }).count(), 0);
    const importing = await openAt('2027-03-01T12:00:00Z', 'import');
    await importing.getByText('No time zone is set for Example Funeral Group').waitFor();
    await importing.getByLabel('What the rows are').selectOption({ label: 'Services' });
    const sheet = 'Location,Case,Service,Date\nx,1,Wake,2027-03-20 10:00\n';
    await importing
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) });
    await importing.getByText('Every row still needs: Time zone of the times').waitFor();
    const check = importing.getByRole('button', { name: 'Check' });
    assert.equal(await check.isDisabled(), true);
    await importing.getByLabel('Time zone', { exact: true }).selectOption('America/Denver');
    await importing.getByRole('button', { name: 'Use Denver time' }).waitFor();
    await importing
      .getByLabel('Time zone of the times')
      .selectOption({ label: 'Eastern Time (New York)' });
    assert.equal(await check.isDisabled(), false);
    await importing.context().close();
    await page.getByRole('button', { name: 'Use Chicago time' }).click();
    await page.getByText('Times are in Chicago time.').waitFor();
    assert.equal(await page.getByText('No time zone is set').count(), 0);
    const { body } = await service.get(`/v1/accounts/${account}/settings`);
    assert.equal(body.time_zone, 'America/Chicago');
    await Promise.all([page.context().close(), other.close()]);
  });

  it('are on the day of each home, around midnight', async () => {
    const [east, west] = [await home('East Chapel'), await home('West Chapel')];
    await set(`locations/${east}`, { time_zone: 'America/New_York', region: 'Atlantic' });
    await set(`locations/${west}`, { time_zone: 'America/Los_Angeles', region: 'Pacific' });
    // At 23:30 in Chicago it is 00:30 of the next day in New York, and 21:30 in Los Angeles.
    await serviceAt(east, 'Eve Early', '2027-05-11T14:00:00-04:00');
    await serviceAt(west, 'Walt Late', '2027-05-10T23:45:00-07:00');
    await serviceAt(west, 'Wanda Next', '2027-05-11T09:00:00-07:00');
    const page = await openAt('2027-05-10T23:30:00-05:00', '');
    const today = page.getByRole('region', { name: 'Services today' });
    const tomorrow = page.getByRole('region', { name: 'Services tomorrow' });
    await today.getByText('Eve Early').waitFor();
    await today.getByText('2:00 PM EDT').waitFor();
    await today.getByText('11:45 PM PDT').waitFor();
    await tomorrow.getByText('Wanda Next').waitFor();
    assert.equal(await today.getByText('Wanda Next').count(), 0);
    await isSound(page);
    await page.goto(`${service.url}/console/events`);
    await page.getByRole('row', { name: /Eve Early.*Today, 2:00 PM EDT/ }).waitFor();
    await page.getByRole('row', { name: /Walt Late.*Today, 11:45 PM PDT/ }).waitFor();
    await page.getByRole('row', { name: /Wanda Next.*Tomorrow, 9:00 AM PDT/ }).waitFor();
    await page.getByText('Each time is that of its location.').waitFor();
    // The list of one home has its days alone.
    const one = `events?location_unique_identifier=${west}&event_datetime[days]=today`;
    await page.goto(`${service.url}/console/${one}`);
    await page.getByRole('row', { name: /Walt Late/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /Wanda Next/ }).count(), 0);
  });

  it('are those of a home whose clocks have changed, also where they are typed', async () => {
    const south = await home('South Chapel');
    await set(`locations/${south}`, { time_zone: 'America/New_York' });
    // Clocks go forward on 14 March 2027, and back on 7 November.
    const id = await serviceAt(south, 'Spring Forward', '2027-03-14T06:30:00Z');
    await serviceAt(south, 'After It', '2027-03-14T07:30:00Z');
    await serviceAt(south, 'Fall Back', '2027-11-07T05:30:00Z');
    await serviceAt(south, 'Once More', '2027-11-07T06:30:00Z');
    const page = await openAt('2027-01-10T12:00:00Z', `events?location_unique_identifier=${south}`);
    await page.getByRole('row', { name: /Spring Forward.*1:30 AM EST/ }).waitFor();
    await page.getByRole('row', { name: /After It.*3:30 AM EDT/ }).waitFor();
    await page.getByRole('row', { name: /Fall Back.*1:30 AM EDT/ }).waitFor();
    // At that moment the clocks of Chicago show the same.
    await page.getByRole('row', { name: /Once More.*1:30 AM(?! E)/ }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByLabel('Print or download').click();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    assert.match(text, /2027-03-14 01:30:00-05:00/);
    assert.match(text, /2027-11-07 01:30:00-04:00/);
    assert.match(text, /2027-11-07 01:30:00-05:00/);
    await page.goto(`${service.url}/console/events/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByLabel('Date and time');
    assert.equal(await field.inputValue(), '2027-03-14T01:30');
    await page.getByText('New York time').first().waitFor();
    await field.fill('2027-03-14T15:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('3:00 PM EDT').first().waitFor();
    const { body } = await service.get(`/v1/events/${id}`);
    assert.equal(body.event_datetime, '2027-03-14T19:00:00Z');
  });

  it('are set on the record of the home and of the account, and lists are limited to a region', async () => {
    const north = await home('North Chapel');
    await serviceAt(north, 'Nora North', '2027-05-11T14:00:00Z');
    const page = await openAt('2027-05-10T12:00:00Z', `locations/${north}`);
    await page.getByText('from the account').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    const zone = dialog.getByLabel('Time zone');
    const names = await zone.locator('option').allInnerTexts();
    assert.ok(names.indexOf('Mountain Time (Denver)') < 9, 'those of the country come first');
    assert.ok(names.every((name) => !name.includes('_')));
    await zone.selectOption({ label: 'Mountain Time (Denver)' });
    await dialog.getByLabel('Region').fill('Mountains');
    await isSound(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Mountains').waitFor();
    const { body } = await service.get(`/v1/locations/${north}/settings`);
    assert.deepEqual([body.time_zone, body.region], ['America/Denver', 'Mountains']);
    await isSound(page);
    await page.goto(`${service.url}/console/events`);
    await page.getByLabel('Filter by Region').click();
    await page.getByRole('button', { name: 'Mountains' }).click();
    await page.getByRole('row', { name: /Nora North.*8:00 AM MDT/ }).waitFor();
    // The heading, and that one.
    await until(async () => (await page.getByRole('row').count()) === 2);
    await page.goto(`${service.url}/console/accounts/${account}`);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('State').fill('IL');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('IL', { exact: true }).waitFor();
    const given = await service.get(`/v1/accounts/${account}/settings`);
    assert.equal(given.body.state, 'IL');
  });

  it('are those of UTC under its name where the browser lacks the zone of the home, also where they are typed', async () => {
    const border = await home('Border Chapel');
    await set(`locations/${border}`, { time_zone: 'America/Ciudad_Juarez' });
    const id = await serviceAt(border, 'Rita Border', '2027-03-20T16:00:00Z');
    const window = await windowFor(browser, person);
    await window.addInitScript(LACKS, 'America/Ciudad_Juarez');
    const { page } = await openScreen(
      window,
      person,
      `events?location_unique_identifier=${border}`,
    );
    const row = page.getByRole('row', { name: /Rita Border/ });
    await row.waitFor();
    await page.getByText('This browser does not know the time zone of Ciudad Juarez.').waitFor();
    const unnamed = `[...document.querySelectorAll('time')].map((one) => one.textContent)
      .filter((text) => /\\d:\\d\\d/.test(text) && !/\\d:\\d\\d [AP]M (UTC|C[SD]T)/.test(text))`;
    assert.match(await row.innerText(), /4:00 PM UTC/);
    assert.deepEqual(await page.evaluate<string[]>(unnamed), []);
    await isSound(page);
    await page.goto(`${service.url}/console/events/${id}`);
    await page.getByText('4:00 PM UTC').first().waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('In UTC: this browser does not know Ciudad Juarez time').waitFor();
    const field = page.getByLabel('Date and time');
    assert.equal(await field.inputValue(), '2027-03-20T16:00');
    await field.fill('2027-03-20T17:30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('5:30 PM UTC').first().waitFor();
    const { body } = await service.get(`/v1/events/${id}`);
    assert.equal(body.event_datetime, '2027-03-20T17:30:00Z');
    // What is set stands there by its name, and stays.
    await page.goto(`${service.url}/console/locations/${border}`);
    await page.getByText('Ciudad Juarez time', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    const zone = page.getByRole('dialog').getByLabel('Time zone');
    assert.equal(await zone.inputValue(), 'America/Ciudad_Juarez');
    await window.close();
  });

  it('of homes whose zone has several names are those of one zone', async () => {
    const [old, current] = [await home('Old Name'), await home('New Name')];
    await set(`locations/${old}`, { time_zone: 'us/eastern' });
    await set(`locations/${current}`, { time_zone: 'America/New_York' });
    const id = await serviceAt(old, 'Olga Old', '2027-03-20T16:00:00Z');
    const page = await openAt('2027-03-19T12:00:00Z', `events?location_unique_identifier=${old}`);
    await page.getByRole('row', { name: /Olga Old.*12:00 PM EDT/ }).waitFor();
    await page.goto(`${service.url}/console/events/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('In Eastern time').waitFor();
    await page.goto(`${service.url}/console/locations/${old}`);
    await page.getByRole('button', { name: 'Change' }).click();
    const zone = page.getByRole('dialog').getByLabel('Time zone');
    assert.equal(await zone.inputValue(), 'us/eastern');
    await page.context().close();
  });

  for (const said of ['Etc/Unknown', undefined, 'Etc/GMT+5'])
    it(`are shown, and none is proposed, where the browser calls its own zone ${said}`, async () => {
      const [north] = [await home(`North of ${said}`)];
      const id = await serviceAt(north, `Nora ${said}`, '2027-01-20T16:00:00Z');
      const window = await windowFor(browser, person);
      await window.addInitScript(CALLS, said);
      const { page, complaints } = await openScreen(window, person, `events/${id}`);
      // Whether the reader's clock shows the same is not known, unless the browser has its zone.
      const zoned = /10:00 AM( CST)?/;
      await page
        .getByText(said === 'Etc/GMT+5' ? zoned : /10:00 AM CST/)
        .first()
        .waitFor();
      await page.goto(`${service.url}/console/locations/${north}`);
      await page.getByRole('button', { name: 'Change' }).click();
      const zone = page.getByRole('dialog').getByLabel('Time zone');
      const names = await zone.locator('option').allInnerTexts();
      assert.ok(names.length > 300);
      assert.ok(!names.some((name) => /Unknown|Etc|GMT|undefined/.test(name)));
      assert.deepEqual(
        complaints.filter((one) => one.startsWith('error')),
        [],
      );
      await window.close();
    });
});
