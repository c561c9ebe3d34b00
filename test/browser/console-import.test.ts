/** People import spreadsheets that are not as they should be, and leave in the middle. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';

const { browser, skip, service } = await browserGround();
const folder = mkdtempSync(join(tmpdir(), 'console import '));
const person = await signedIn(service);
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

const WIDE = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
const NARROW = { colorScheme: 'dark', viewport: { width: 820, height: 900 } } as const;

/** The screen, with a file of locations chosen. */
async function choose(
  name: string,
  content: string | Uint8Array,
  view: BrowserContextOptions = WIDE,
): Promise<{ page: Page; path: string }> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const { page } = await openConsole(browser, person, 'import', view);
  await page.getByLabel('What the rows are').selectOption({ label: 'Locations' });
  await page.locator('input[type=file]').setInputFiles(path);
  return { page, path };
}

async function importIt(page: Page, rows: string): Promise<void> {
  await page.getByRole('button', { name: 'Check' }).click();
  const fixed = page.getByRole('button', { name: 'Continue' });
  const all = page.getByRole('button', { name: `Import ${rows}` });
  await fixed.or(all).waitFor();
  if (await fixed.isVisible()) await fixed.click();
  await all.click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
}

const found = async (external_identifier: string): Promise<Body> =>
  (await service.get(`/v1/locations?external_identifier=${external_identifier}`)).body.data[0];

const HEADER = 'location_name,external_identifier';

describe('whoever imports a file', { skip }, () => {
  it('is asked which sheet of a workbook is meant', async () => {
    const sheet = (name: string, chapel: string) => ({
      name,
      rows: [HEADER.split(','), [chapel, `sheet-${name}`]],
    });
    const workbook = await writeXlsx({ sheets: [sheet('Old', 'Hill'), sheet('New', 'Vale')] });
    const { page } = await choose('chapels.xlsx', workbook, NARROW);
    await page.getByText('Which sheet do you want to import?').waitFor();
    await isSound(page);
    await page.getByLabel('New').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('td.samples, th').getByText('Vale').waitFor();
    await importIt(page, '1 row');
    assert.equal((await found('sheet-New')).name, 'Vale');
    assert.equal(await found('sheet-Old'), undefined);
  });

  it('is asked what separates the cells, where two would do', async () => {
    const { page } = await choose(
      'either.csv',
      'location_name,external_identifier;x\nHill,a;b\nVale,c;d\n',
    );
    await page.getByText('What separates the cells?').waitFor();
    await isSound(page);
    await page.getByLabel('Commas').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('td.samples, th').getByText('external_identifier;x').waitFor();
  });

  it('is told in the words of the screen that a file does not say how its dates are written', async () => {
    const location = await service.location('dated');
    const path = join(folder, 'services.csv');
    writeFileSync(
      path,
      `location_unique_identifier,external_identifier,event_name,event_datetime\n${location},d1,Service,03/04/2026 10:00\n`,
    );
    const { page } = await openConsole(browser, person, 'import', WIDE);
    await page.getByLabel('What the rows are').selectOption({ label: 'Services' });
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByLabel('Time zone').selectOption('America/Chicago');
    await page.getByRole('button', { name: 'Check' }).click();
    const said = page.getByRole('alert');
    await said.waitFor();
    assert.match(await said.innerText(), /^services\.csv has dates such as 03\/04\/2026/);
    assert.doesNotMatch(await said.innerText(), /--/);
    await page.getByLabel('Dates such as 03/04/2026').selectOption('mdy');
    await importIt(page, '1 row');
    const { body } = await service.get('/v1/events?external_identifier=d1');
    assert.equal(Date.parse(body.data[0].event_datetime), Date.parse('2026-03-04T16:00:00Z'));
  });

  it('brings a guest book by case numbers alone, with names for its guests, and notes as details', async () => {
    const [one, two] = [await service.location('gb-one'), await service.location('gb-two')];
    await service.event(one, 'gb-1');
    for (const at of [one, two]) await service.event(at, 'gb-2');
    const path = join(folder, 'guests.csv');
    writeFileSync(
      path,
      'Guest,Guest Phone,Case #\nDana Example,(415) 555-0100,gb-1\nKim Example,(415) 555-0101,gb-2\n',
    );
    const { page } = await openConsole(browser, person, 'import', WIDE);
    await page.getByLabel('What the rows are').selectOption({ label: 'Visitors' });
    await page.locator('input[type=file]').setInputFiles(path);
    assert.equal(
      await page.getByLabel('Identifier', { exact: true }).inputValue(),
      '{Case #} {Guest}',
    );
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 identifier is known at several locations').waitFor();
    await isSound(page);
    await page.getByLabel('gb-2').selectOption(two);
    await page.getByText('2 rows can be imported').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const { body } = await service.get(
      '/v1/event_check_in_records?external_identifier=gb-2%20Kim%20Example',
    );
    assert.equal(body.data[0]?.visitor_phone_number, '+14155550101', JSON.stringify(body));

    writeFileSync(
      path,
      `Case #,Service,Date,Deceased,Notes,Flowers\ngb-3,Funeral,2027-03-20 14:30,Dana,"say ""hello""",lilies\n`,
    );
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByLabel('What the rows are').selectOption({ label: 'Services' });
    await page.locator('input[type=file]').setInputFiles(path);
    for (const name of ['Notes', 'Flowers'])
      await page.getByLabel(`Goes to: ${name}`).selectOption({ label: `Detail named “${name}”` });
    await page.getByLabel('Time zone').selectOption('America/Chicago');
    await page.getByLabel('All rows belong to').selectOption(one);
    await importIt(page, '1 row');
    const made = (await service.get('/v1/events?external_identifier=gb-3')).body.data[0];
    assert.deepEqual(made?.public_data.additional_event_metadata, {
      Notes: 'say "hello"',
      Flowers: 'lilies',
    });
  });

  it('brings the second file of a kind without a question', async () => {
    const rows = (id: string) => `Nr,Wie,Egal\n${id},Chapel ${id},x\n`;
    const { page } = await choose('first list.csv', rows('like-1'));
    await page.getByLabel('Goes to: Nr').selectOption({ label: 'Identifier' });
    await page.getByLabel('Goes to: Wie').selectOption({ label: 'Name' });
    await importIt(page, '1 row');
    const next = await choose('second list.csv', rows('like-2'));
    await next.page.getByText('Matched as in first list.csv.').waitFor();
    await isSound(next.page);
    await importIt(next.page, '1 row');
    assert.equal((await found('like-2')).name, 'Chapel like-2');
  });

  it('chooses once for each kind of values, on a phone', async () => {
    const location = await service.location('kinds');
    await service.event(location, 'kinds-1');
    const path = join(folder, 'kinds.csv');
    const rows = ['"Example, Dana",507 555 0111 (cell),kinds-1', 'Kim Example,555-0143,kinds-1'];
    writeFileSync(path, ['Guest,Guest Phone,Case #', ...rows].join('\n'));
    const phone = { colorScheme: 'light', viewport: { width: 390, height: 844 } } as const;
    const { page } = await openConsole(browser, person, 'import', phone);
    await page.getByLabel('What the rows are').selectOption({ label: 'Visitors' });
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 phone number has words beside it: 507 555 0111 (cell).').waitFor();
    await page.getByLabel('Leave them out').check();
    await page.getByLabel('Area code of numbers of seven digits').fill('507');
    assert.equal(await page.getByLabel('Turn them round').isChecked(), true, 'as it is told');
    await page.getByText('2 rows can be imported').waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const { body } = await service.get('/v1/event_check_in_records?limit=100');
    const guests = body.data.flatMap((one: Body) =>
      String(one.external_identifier).startsWith('kinds-1')
        ? [[one.visitor_full_name, one.visitor_phone_number]]
        : [],
    );
    assert.deepEqual(guests.sort(), [
      ['Dana Example', '+15075550111'],
      ['Kim Example', '+15075550143'],
    ]);
  });

  it('chooses how a file is encoded by what its names are then', async () => {
    const text = `${HEADER}\nJos\x8e Hill,enc-1\nPe\x96a Vale,enc-2\n`;
    const { page } = await choose('old.csv', Buffer.from(text, 'latin1'));
    await page.getByText('JosŽ Hill, Pe–a Vale').waitFor();
    await page.getByLabel('Encoding').selectOption('macintosh');
    await page.getByText('José Hill, Peña Vale').first().waitFor();
    await isSound(page);
    await importIt(page, '2 rows');
    assert.equal((await found('enc-2')).name, 'Peña Vale');
  });

  it('is told of a workbook that is none, of a file that is gone, and of one that is too large', async () => {
    const broken = await choose('broken.xlsx', 'PK no workbook at all');
    await broken.page.getByText('broken.xlsx cannot be read as XLSX').waitFor();
    await isSound(broken.page);
    await broken.page.context().close();

    const { page, path } = await choose('gone.csv', `${HEADER}\nHill,gone\n`);
    await page.locator('td.samples, th').getByText('Hill').waitFor();
    // It is sent once: it may be taken away then, while the service has it.
    rmSync(path);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Change the columns' }).click();
    const { uploads } = service.app.store.imports;
    await uploads.remove(await uploads.ofAccount(service.account.unique_identifier));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('gone.csv was changed or removed after you chose it.').waitFor();
    await isSound(page);
    writeFileSync(path, `${HEADER}\nHill,gone\n`);
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await page.locator('input[type=file]').setInputFiles(path);
    await importIt(page, '1 row');

    const large = join(folder, 'large.csv');
    writeFileSync(large, `${HEADER}\n`);
    truncateSync(large, 100 * 1_048_576);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.locator('input[type=file]').setInputFiles(large);
    await page.getByText('large.csv has 100 MB, and the limit here is 32 MB.').waitFor();
    assert.deepEqual(
      sent.filter((url) => url.includes('/v1/uploads')),
      [],
    );
  });

  it('mends the refused rows in the file that they download', async () => {
    const { page } = await choose('fixed.csv', `${HEADER}\nHill,m1\n,m2\nVale,m3\n`);
    await importIt(page, '2 rows');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download refused rows' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    assert.match(text, /^\uFEFF_row,_error,location_name,external_identifier\r\n3,/);
    const fixed = text.replace(/,,m2/, ',Dale,m2');
    await page.getByRole('button', { name: 'Import another file' }).click();
    const path = join(folder, 'fixed.csv.rejected.csv');
    writeFileSync(path, fixed);
    await page.locator('input[type=file]').setInputFiles(path);
    await importIt(page, '1 row');
    assert.equal((await found('m2')).name, 'Dale');
  });

  it('takes it back, but for what was changed since', async () => {
    const { page } = await choose('undone.csv', `${HEADER}\nHill,u1\nVale,u2\n`);
    await importIt(page, '2 rows');
    const { unique_identifier } = await found('u2');
    await service.patch(`/v1/locations/${unique_identifier}`, { location_name: 'Valley' });
    await page
      .getByRole('row', { name: /undone\.csv/ })
      .getByRole('button', { name: 'Undo' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 record was changed since, and stays as it is.').waitFor();
    await isSound(page);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The import was undone.').waitFor();
    assert.equal(await found('u1'), undefined);
    assert.equal((await found('u2')).name, 'Valley');
  });

  it('may leave in the middle: what is in stays in, is told, and the same file brings the rest', async () => {
    const ROWS = 36_000;
    const rows = Array.from({ length: ROWS }, (_, at) => `Chapel ${at},closed-${at}`);
    const { page, path } = await choose('closed.csv', `${HEADER}\n,nameless\n${rows.join('\n')}\n`);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Continue' }).click({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Import 36,000 rows' }).click({ timeout: 30_000 });
    await page.getByText('The import stops if you close this page.').waitFor();
    await page.getByText(/^[\d,]+ of 36,001 rows/).waitFor();
    await page.context().close();
    const stopped = async (): Promise<Body | undefined> => {
      const { data } = (await service.get('/v1/imports')).body;
      return data.find(({ files }: Body) => files[0].name === 'closed.csv');
    };
    await until(async () => (await stopped())?.counts.failed > 0);

    const { page: again } = await openConsole(browser, person, 'import', NARROW);
    const entry = again.getByRole('row', { name: /closed\.csv/ });
    await entry.getByText('Not finished').waitFor();
    await isSound(again);
    await entry.getByRole('button', { name: 'Refused rows' }).click();
    const refused = again.getByRole('dialog', { name: 'Refused rows of closed.csv' });
    await refused.getByText('Name is empty, and every row needs it.').waitFor();
    await isSound(again);
    const saved = again.waitForEvent('download');
    await refused.getByRole('button', { name: 'Download refused rows' }).click();
    assert.match(readFileSync(await (await saved).path(), 'utf8'), /\r\n2,.*,,nameless/);
    await again.keyboard.press('Escape');
    await again.getByLabel('What the rows are').selectOption({ label: 'Locations' });
    await again.locator('input[type=file]').setInputFiles(path);
    await again.getByRole('button', { name: 'Check' }).click();
    await again.getByRole('button', { name: 'Continue' }).click({ timeout: 30_000 });
    await again.getByRole('button', { name: /^Import [\d,]+ rows$/ }).click({ timeout: 30_000 });
    await again.getByRole('heading', { name: 'Done' }).waitFor({ timeout: 30_000 });
    const counts = await again.locator('.import-result .counts').innerText();
    const [created, unchanged] = ['new', 'unchanged'].map((what) =>
      Number(new RegExp(`([\\d,]+) ${what}`).exec(counts)?.[1]?.replaceAll(',', '')),
    );
    assert.equal((created ?? 0) + (unchanged ?? 0), ROWS, counts);
    assert.ok((unchanged ?? 0) > 0, 'some were in');
    assert.ok((created ?? 0) > 0, 'and some were not');
  });
});
