/** The spreadsheets of a funeral home's office are taken as they are, and every reason is in the words of the file. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';

const { browser, skip, service } = await browserGround();
const person = await signedIn(service);
const chapel = await service.location('north');
await service.send('PATCH', `/v1/accounts/${service.account.unique_identifier}/settings`, {
  headers: { 'Content-Type': 'application/json' },
  body: '{"time_zone":"America/Chicago"}',
});

const WIDE = { colorScheme: 'light', viewport: { width: 1280, height: 800 } } as const;
const PHONE = { colorScheme: 'dark', viewport: { width: 390, height: 800 } } as const;

async function choose(
  what: string,
  name: string,
  text: string,
  view: typeof WIDE | typeof PHONE = WIDE,
): Promise<Page> {
  const { page } = await openConsole(browser, person, 'import', view);
  await page.getByLabel('What the rows are').selectOption({ label: what });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Check' }).waitFor();
  return page;
}

const goesTo = (page: Page, column: string): Promise<string> =>
  page
    .getByLabel(`Goes to: ${column}`, { exact: true })
    .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text ?? '');

/** Without the names of services, and with a birth date. */
const COUNTY = [
  'Case #,Deceased,Chapel,Date,Time,DOB',
  '3041,Agnes Thornbury,Main Street Chapel,3 Dec 2026,10:30 AM,1 May 1941',
  '3042,Harold Finch,Main Street Chapel,4 Dec 2026,2 PM,',
].join('\n');

const SERVICES = [
  'Riverside Funeral Home – Services,,,,,',
  'Case #,Deceased,Service,Date,Time,Notes',
  '2041,Agnes Thornbury,Memorial,3 Dec 2026,2:30 PM,lilies',
  '2042,Harold Finch,Funeral,"December 4, 2026",10 AM,',
].join('\n');

describe('whoever imports the spreadsheet of an office', { skip }, () => {
  it('has its header found below a title, its date and time joined, and all rows put under one location', async () => {
    const page = await choose('Services', 'services.csv', SERVICES);
    const check = page.getByRole('button', { name: 'Check' });
    const place = page.getByLabel('All rows belong to');
    // There is one alone.
    await place
      .locator('option:checked', { hasText: 'Main Street Chapel' })
      .waitFor({ state: 'attached' });
    assert.equal(await check.isDisabled(), false);
    await place.selectOption({ label: 'The location that a column names' });
    await page.getByText('Every row still needs: Location').waitFor();
    assert.equal(await check.isDisabled(), true);
    assert.equal(await page.getByLabel('The columns are named in').inputValue(), '2');
    assert.equal(await goesTo(page, 'Case #'), 'Case number');
    assert.equal(await goesTo(page, 'Deceased'), 'In memory of');
    assert.equal(await goesTo(page, 'Date'), 'Date and time');
    assert.equal(await goesTo(page, 'Time'), 'Date and time');
    assert.equal(await goesTo(page, 'Notes'), 'Leave out');
    await page.getByText('Not understood: choose where it goes').waitFor();
    await place.selectOption({ label: 'Main Street Chapel' });
    await isSound(page);
    await check.click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const { body } = await service.get(`/v1/events?location_unique_identifier=${chapel}`);
    const times = body.data.map((one: { event_datetime: string }) => one.event_datetime).sort();
    assert.deepEqual(times, ['2026-12-03T20:30:00Z', '2026-12-04T16:00:00Z']);
  });

  it('imports a sheet without names of services as it is: the names that it would make are shown before', async () => {
    const page = await choose('Services', 'county.csv', COUNTY, PHONE);
    const check = page.getByRole('button', { name: 'Check' });
    const name = page.getByLabel('Service', { exact: true });
    assert.equal(await name.inputValue(), 'Service for {Deceased}');
    await page.getByText('Service for Agnes Thornbury · Service for Harold Finch').waitFor();
    await name.fill('Funeral of {Deceased}');
    await page.getByText('Funeral of Agnes Thornbury · Funeral of Harold Finch').waitFor();
    assert.equal(await check.isDisabled(), false);
    await isSound(page);
    await name.fill('');
    await page.getByText('Every row still needs: Service').waitFor();
    assert.equal(await check.isDisabled(), true);
    await name.fill('Funeral of {Deceased}');
    await check.click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const { body } = await service.get('/v1/events?external_identifier=3041');
    assert.equal(body.data[0].event_name, 'Funeral of Agnes Thornbury');
    assert.equal(body.data[0].public_data.person.full_name, 'Agnes Thornbury');
    assert.equal(body.data[0].event_datetime, '2026-12-03T16:30:00Z');
  });

  it('has what lacks proposed from what the file has: a name in parts, and who a reply is of', async () => {
    const services = [
      'Case #,Service,Date,Time,First,Middle,Last,additional_event_metadata.note',
      '6041,Memorial,3 Dec 2026,2:30 PM,Agnes,M.,Thornbury,lilies',
    ].join('\n');
    const page = await choose('Services', 'parts.csv', services);
    const name = page.getByLabel('In memory of', { exact: true });
    assert.equal(await name.inputValue(), '{First} {Middle} {Last}');
    await page.getByText('Agnes M. Thornbury').waitFor();
    for (const column of [
      'Case #',
      'Service',
      'Date',
      'Time',
      'First',
      'additional_event_metadata.note',
    ])
      assert.notEqual(await goesTo(page, column), '', column);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const { body } = await service.get('/v1/events?external_identifier=6041');
    assert.equal(body.data[0].public_data.person.full_name, 'Agnes M. Thornbury');

    const cards = 'Name,Number,Images\nDana Example,(415) 555-0100,https://example.com/a.jpg';
    const replies = await choose('Mail replies', 'cards.csv', cards);
    const own = replies.getByLabel('Identifier', { exact: true });
    assert.equal(await own.inputValue(), '{Name} {Number}');
    assert.equal(await replies.getByRole('button', { name: 'Check' }).isDisabled(), false);
  });

  it('may check once every row can be made, and not before', async () => {
    const page = await choose('Services', 'county.csv', COUNTY);
    const check = page.getByRole('button', { name: 'Check' });
    const needs = (text: string) => page.getByText(`Every row still needs: ${text}`).waitFor();
    const choice = (column: string) => page.getByLabel(`Goes to: ${column}`, { exact: true });
    await choice('Deceased').selectOption({ label: 'Service' });
    await needs('In memory of');
    assert.equal(await check.isDisabled(), true, 'a birth date needs its person');
    await page.getByLabel('In memory of', { exact: true }).fill('{Deceased}');
    assert.equal(await check.isDisabled(), false, 'one column for two fields');
    await choice('Case #').selectOption({ label: 'Service' });
    await page.getByText('Two columns are for Service: leave one of them out.').first().waitFor();
    assert.equal(await check.isDisabled(), true);
    await choice('Case #').selectOption({ label: 'Case number' });
    await check.click();
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
  });

  it('names locations as people do, and is asked which one is meant by a name that means none or two', async () => {
    const { account } = service;
    const locations: string[] = [];
    for (const [as, name] of [
      ['e1', 'Élan Chapel'],
      ['t1', 'Twin Chapel'],
      ['t2', 'Twin Chapel'],
    ]) {
      const { body } = await service.json('/v1/locations/upsert', {
        account_unique_identifier: account.unique_identifier,
        external_identifier: as,
        location_name: name,
      });
      locations.push(body.unique_identifier);
    }
    const [elan, , twin] = locations;
    const text = [
      'Case,Deceased,Service,Chapel,Date and time',
      'p1,Ann Ash,Memorial,elan  CHAPEL,3 Dec 2026 2:30 PM',
      'p2,Ben Birch,Memorial,t1,3 Dec 2026 2:30 PM',
      'p3,Cora Cedar,Memorial,Twin chapel,3 Dec 2026 2:30 PM',
      'p4,Dora Dill,Memorial,The old one,3 Dec 2026 2:30 PM',
    ].join('\n');
    const page = await choose('Services', 'chapels.csv', text);
    assert.equal(await goesTo(page, 'Chapel'), 'Location: name or identifier');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: '2 names of locations are not known' }).waitFor();
    await isSound(page);
    await page
      .getByRole('combobox', { name: 'Twin chapel' })
      .selectOption({ label: 'Twin Chapel · t2' });
    await page
      .getByRole('combobox', { name: 'The old one' })
      .selectOption({ label: 'Élan Chapel' });
    await page.getByText('4 rows can be imported').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Import 4 rows' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const at = async (location: string | undefined): Promise<string[]> => {
      const { body } = await service.get(`/v1/events?location_unique_identifier=${location}`);
      return body.data
        .map((one: { external_identifier: string }) => one.external_identifier)
        .sort();
    };
    assert.deepEqual(await at(elan), ['p1', 'p4']);
    assert.deepEqual(await at(twin), ['p3']);
    assert.deepEqual(await at(locations[1]), ['p2']);
  });

  it('chooses another row as the header, and sees the columns that it names', async () => {
    const page = await choose('Services', 'odd.csv', 'one,two\nCase,Deceased\n1,Ann\n');
    await page.getByLabel('The columns are named in').selectOption('1');
    await page.getByLabel('Goes to: one').waitFor();
  });

  it('chooses the service of a guest book by the name of the deceased', async () => {
    await service.json('/v1/events/upsert', {
      location_unique_identifier: chapel,
      external_identifier: 'guest book',
      event_name: 'Wake',
      event_datetime: '2026-12-05T16:00:00Z',
      person: { full_name: 'Wanda Reyes' },
    });
    const text = 'Id,Name,E-Mail,Cell,Pre-Need\n1,Ada,ada@example.com,(217) 555-0101,Y\n';
    const page = await choose('Visitors', 'guests.csv', text, PHONE);
    assert.equal(await goesTo(page, 'E-Mail'), 'Email');
    assert.equal(await goesTo(page, 'Pre-Need'), 'Pre-planning');
    await page.getByText('Every row still needs: Service').waitFor();
    const parent = page.getByRole('group', { name: 'All rows belong to' });
    await parent.getByRole('searchbox').fill('Wanda');
    await parent.getByRole('button', { name: 'Wanda Reyes' }).click();
    await parent.getByText('Wanda Reyes').waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const { body } = await service.get('/v1/event_check_in_records?external_identifier=1');
    assert.equal(body.data[0].public_data.visitor_interested_in_pre_planning, true);
  });

  it('reads each reason whole, with the column and what stands in it, and all of a row at once', async () => {
    const page = await choose(
      'Visitors',
      'faults.csv',
      [
        'Id,Name,Phone,Pre-planning,Service,Location',
        '1,,555,perhaps,,',
        '2,Bo,(217) 555-0102,yes,guest book,north',
        '2,Bo Again,(217) 555-0102,yes,guest book,north',
      ].join('\n'),
    );
    await page.getByRole('button', { name: 'Check' }).click();
    await page
      .getByRole('heading', { name: '1 identifier stands beside different people.' })
      .waitFor();
    await page.getByRole('heading', { name: 'Phone is not a phone number: write it' }).waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    const heading = page.getByRole('heading', { name: 'What the import would do' });
    await heading.waitFor();
    assert.equal(await heading.evaluate((one) => one === document.activeElement), true);
    const { y = -1 } = (await heading.boundingBox()) ?? {};
    assert.ok(y >= 0 && y < 700, `the result is in view, at ${y}`);
    // As loud as a refusal, also where it can be imported.
    await page.locator('.fault', { hasText: 'different people' }).waitFor();
    const why = await page.locator('.import-refused td.why').first().innerText();
    assert.match(why, /^Pre-planning "perhaps" must be /m);
    assert.match(why, /^Name is empty, and every row needs it\.$/m);
    assert.match(why, /^Phone "555" is not a phone number: write it with its area code/m);
    assert.match(why, /^Service is empty, and every row needs it\.$/m);
    assert.doesNotMatch(why, /…|_|RFC|E\.164/);
    await isSound(page);
  });

  it('is asked about a header that appears twice', async () => {
    const page = await choose('Locations', 'twice.csv', 'Id,Name,Name\nt1,Hill,Dale\n');
    assert.equal(await goesTo(page, 'Name'), 'Name');
    assert.equal(await goesTo(page, 'Name (2)'), 'Leave out');
    await page.getByText('Not understood: choose where it goes').waitFor();
  });

  it('downloads a template of which every column is understood', async () => {
    const kinds = [
      'Locations',
      'Services',
      'Next of kin',
      'Visitors',
      'Arrangements',
      'Mail replies',
    ];
    const { page } = await openConsole(browser, person, 'import', WIDE);
    for (const label of kinds) {
      await page.getByLabel('What the rows are').selectOption({ label });
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download a template' }).click();
      const path = await (await saved).path();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'template.csv', mimeType: 'text/csv', buffer: readFileSync(path) });
      await page.getByRole('button', { name: 'Check' }).waitFor();
      assert.equal(await page.getByText('Not understood').count(), 0, label);
      assert.equal(await page.getByText('Every row still needs').count(), 0, label);
      await page.getByRole('button', { name: 'Choose another file' }).click();
    }
  });
});
