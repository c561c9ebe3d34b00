/** The spreadsheet of an American office is imported whole in one sitting, by keyboard alone, and the next one without a question. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openScreen, windowFor } from '../support/console-page.ts';
import { messagesOf } from '../support/console-texts.ts';
import type { Body } from '../support/service.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const { browser, skip } = await browserGround();

/** After so long, a key begins another word in a list. */
const WORD_ENDS_MS = 1_500;
const ROWS = 65;
const CHAPELS = ['Oak Grove', 'Main St', 'Riverside', 'Hillside'];
const TWICE = 40;
const NO_DAY = 23;
const quoted = (cells: readonly string[]) =>
  cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');

/** As an office writes it: short years, `3:00p`, the family name first, notes, and one case number twice. */
function services(first: number, rows: number): string {
  const header = ['Case No.', 'Deceased (Last, First)', 'DOB', 'Svc Date', 'Start', 'Svc Type'];
  const lines = Array.from({ length: rows }, (_, at) => {
    const nth = first + at;
    const day = nth === NO_DAY ? '2/30/25' : `${(nth % 12) + 1}/${(nth % 27) + 1}/25`;
    const time = ['3:00p', '11:00a', '10:30a', '1:30 PM'][nth % 4] ?? '';
    return quoted([
      `25-${String(nth === TWICE ? 12 : nth).padStart(3, '0')}`,
      `Example, Person ${nth}`,
      `${(nth % 12) + 1}/${(nth % 28) + 1}/${30 + (nth % 50)}`,
      ...[day, time, nth % 3 === 0 ? 'Memorial' : 'Funeral'],
      CHAPELS[nth % 4] ?? '',
      `507 555 0${100 + nth} (${nth % 2 ? 'cell' : 'home'})`,
      nth % 5 === 0 ? 'lilies, "no carnations"' : '',
    ]);
  });
  return [quoted([...header, 'Chapel', 'NOK Phone', 'Notes']), ...lines].join('\r\n');
}

/** Next of kin by case numbers: phones with words behind them, and without their area code. */
function kin(first: number, rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const nth = first + at;
    const phone =
      nth % 3 === 0 ? `555-0${100 + nth}` : `507 555 0${100 + nth} (${nth % 2 ? 'cell' : 'home'})`;
    return quoted([`25-${String(nth).padStart(3, '0')}`, `Kin ${nth} Example`, phone, 'Daughter']);
  });
  return ['Case No.,Next of Kin,NOK Phone,Relation', ...lines].join('\r\n');
}

type Words = Record<string, never> & Body;
const wordsOf = (language: string): Words =>
  JSON.parse(
    readFileSync(
      new URL(`../../console/messages/${language}/imports.json`, import.meta.url),
      'utf8',
    ),
  );

/** Somebody who has no mouse. */
function keyboardOn(page: Page) {
  const { keyboard } = page;
  const name = () =>
    page.evaluate(() => {
      const now = document.activeElement as HTMLElement | null;
      // The page itself has the focus for a moment, while another step is drawn.
      if (now === document.body) return '';
      const labels =
        now instanceof HTMLInputElement || now instanceof HTMLSelectElement ? now.labels : null;
      return (
        now?.getAttribute('aria-label') ??
        labels?.[0]?.innerText.trim() ??
        now?.innerText?.trim() ??
        ''
      );
    });
  /** Goes on with Tab, or back, until the focus is there. */
  const to = async (wanted: string | RegExp, key = 'Tab'): Promise<void> => {
    const seen: string[] = [];
    // What was drawn last may still take the focus.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    for (let step = 0; step < 220; step += 1) {
      const now = await name();
      const isIt = typeof wanted === 'string' ? now.split('\n')[0] === wanted : wanted.test(now);
      if (isIt) return;
      seen.push(now);
      await keyboard.press(key);
    }
    assert.fail(`Nothing that Tab reaches is called ${wanted}: ${[...new Set(seen)].join(' | ')}`);
  };
  return {
    to,
    async press(wanted: string | RegExp): Promise<void> {
      await to(wanted);
      await keyboard.press('Enter');
    },
    async choose(wanted: string | RegExp, option: string): Promise<void> {
      await to(wanted);
      const chosen = () =>
        page.evaluate(
          () => (document.activeElement as HTMLSelectElement).selectedOptions[0]?.text ?? '',
        );
      // Who pauses for a second begins a new word, and types it again.
      await until(async () => {
        await keyboard.type(option);
        if ((await chosen()).startsWith(option)) return true;
        await page.waitForTimeout(WORD_ENDS_MS);
        return false;
      });
    },
    async overwrite(wanted: string | RegExp, text: string): Promise<void> {
      await to(wanted);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
      await keyboard.press('Enter');
    },
    async file(wanted: RegExp, name: string, text: string): Promise<void> {
      // The page may be drawn anew between the two: whoever sees nothing open presses again.
      for (let tries = 0; tries < 5; tries += 1) {
        await to(wanted);
        const opening = page.waitForEvent('filechooser', { timeout: 10_000 });
        opening.catch(() => undefined);
        await keyboard.press('Space');
        const chooser = await opening.catch(() => undefined);
        if (chooser === undefined) continue;
        await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
        return;
      }
      assert.fail(`${wanted} opens nothing`);
    },
  };
}

const shots = process.env.SHOTS;
let shot = 0;
async function look(page: Page, called: string): Promise<void> {
  shot += 1;
  if (shots)
    await page.screenshot({
      path: `${shots}/${String(shot).padStart(2, '0')}-${called}.png`,
      fullPage: true,
    });
  await isSound(page);
}

for (const [language, locale, width] of [
  ['en', 'en-US', 1280],
  ['es', 'es-MX', 390],
] as const)
  describe(`an office in ${language}, ${width} wide, by keyboard`, { skip }, () => {
    it('brings its services and next of kin in one sitting, and the second file of a kind without a question', async () => {
      const service = await startService({});
      const person = await signedIn(service);
      const { account } = service;
      await service.send('PATCH', `/v1/accounts/${account.unique_identifier}/settings`, {
        headers: { 'Content-Type': 'application/json' },
        body: '{"time_zone":"America/Chicago"}',
      });
      for (const [external_identifier, location_name] of [
        ['oak', 'Oak Grove Cemetery Chapel'],
        ['main', 'Main Street Chapel'],
      ])
        await service.json('/v1/locations/upsert', {
          account_unique_identifier: account.unique_identifier,
          ...{ external_identifier, location_name },
        });
      const says = wordsOf(language);
      const view = { locale, viewport: { width, height: 900 } };
      const window = await windowFor(browser, person, view);
      const { page } = await openScreen(window, person, 'import');
      const keys = keyboardOn(page);
      const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
      const detail = (column: string) => says.detail.replace('{column}', column);
      const field = (column: string) => `${says.field}: ${column}`;
      const ready = (count: number) =>
        page
          .locator('.counts')
          .getByText(new RegExp(`^${count} `))
          .first()
          .waitFor();
      const opened = new RegExp(`^(${messagesOf(language).get('files.choose')})`);

      await keys.to(says.what);
      await keys.file(opened, 'services 2025.csv', services(1, ROWS));
      await page.getByText('services 2025.csv').first().waitFor();
      await look(page, `${language}-match`);
      for (const column of ['NOK Phone', 'Notes']) {
        await keys.choose(field(column), detail(column).slice(0, 26));
      }
      await keys.press(says.check);
      await heading(says.fix.title);
      await ready(0);
      await look(page, `${language}-fix`);

      await keys.choose('Oak Grove', 'Oak');
      await keys.choose('Main St', 'Main');
      for (const name of ['Riverside', 'Hillside']) {
        await keys.press(says.addPlaceCalled.replace('{name}', name));
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await ready(ROWS - 1);
      await look(page, `${language}-fix-placed`);

      // Both people of one case number are there, and one of them gets another.
      const cell = (column: string, row: number) =>
        says.fix.cell.replace('{column}', column).replace('{row}', String(row));
      await page.getByText('Example, Person 12').waitFor();
      await page.getByText(`Example, Person ${TWICE}`).waitFor();
      await keys.overwrite(cell('Case No.', TWICE + 1), '25-040');
      await page.getByText(says.fix.mended).first().waitFor();

      // Elsewhere and back: nothing is lost.
      await keys.to(says.fix.go);
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await page.locator('h1').filter({ hasNotText: says.steps.import }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('i');
      await heading(says.fix.title);
      await ready(ROWS - 1);

      await page.getByText(says.fix.mended).first().waitFor();
      const summary = page.locator('.kind.bad summary').first();
      await summary.waitFor();
      await keys.press(new RegExp(`^${await summary.innerText()}$`));
      await keys.overwrite(cell('Svc Date', NO_DAY + 1), '2/28/25');
      await ready(ROWS);
      await look(page, `${language}-fix-done`);
      await keys.press(says.fix.go);
      await heading(says.wouldBe);
      await look(page, `${language}-import`);
      await keys.press(new RegExp(`${ROWS}`));
      await page.getByRole('button', { name: says.again }).waitFor();
      await look(page, `${language}-done`);

      const { body } = await service.get('/v1/events?external_identifier=25-040');
      const [made] = body.data as Body[];
      assert.equal(made?.public_data.person.full_name, 'Person 40 Example');
      assert.equal(made?.event_datetime, '2025-05-14T20:00:00Z');
      assert.deepEqual(made?.public_data.additional_event_metadata, {
        'NOK Phone': '507 555 0140 (home)',
        Notes: 'lilies, "no carnations"',
      });
      const all = (await service.get('/v1/events?limit=100')).body.data as Body[];
      assert.equal(all.length, ROWS);
      const at = new Set(all.map((one) => one.location_unique_identifier));
      assert.equal(at.size, CHAPELS.length);

      const story = await openScreen(
        window,
        person,
        `events/${made?.unique_identifier}?tab=history`,
      );
      const who = story.page.locator('.history strong', { hasText: 'services 2025.csv' }).first();
      assert.match(await who.innerText(), /^\p{Lu}/u, 'a sentence begins');
      await story.page.close();

      // The next file of the kind: nothing is asked.
      await keys.press(says.again);
      await keys.file(opened, 'services 2026.csv', services(101, 3));
      await page.getByText(says.asIn.replace('{name}', 'services 2025.csv')).waitFor();
      await keys.press(says.check);
      await heading(says.wouldBe);
      await look(page, `${language}-second`);
      await keys.press(/^\D*3 /);
      await page.getByRole('button', { name: says.again }).waitFor();

      // Next of kin: words behind phones, and an area code, are asked once for all rows.
      await keys.press(says.again);
      const of = page.getByLabel(says.what);
      const kinds = await of.locator('option').allInnerTexts();
      const own = kinds.find((one) => /kin|familiar/i.test(one)) ?? '';
      await keys.choose(says.what, own.slice(0, 8));
      await keys.file(opened, 'kin.csv', kin(1, 30));
      await page.getByText('kin.csv').first().waitFor();
      await look(page, `${language}-kin-match`);
      await keys.press(says.check);
      await heading(says.fix.title);
      await look(page, `${language}-kin-fix`);
      await keys.to(says.phoneWordsAs[''], 'Tab');
      await page.keyboard.press('ArrowDown');
      await ready(20);
      await keys.to(says.areaCode);
      await page.keyboard.type('507');
      await ready(30);
      await look(page, `${language}-kin-fixed`);
      await keys.press(says.fix.go);
      await keys.press(/^\D*30 /);
      await page.getByRole('button', { name: says.again }).waitFor();
      const found = await service.get('/v1/event_administrators?limit=100');
      assert.equal(found.body.data.length, 30);
      assert.match(JSON.stringify(found.body.data), /\+15075550103/);
    });
  });

describe('an office that begins', { skip }, () => {
  const files = (name: string, text: string) => ({
    ...{ name, mimeType: 'text/csv', buffer: Buffer.from(text) },
  });

  it('adds its first location where one is needed, and combines the columns of a name', async () => {
    const service = await startService({});
    const person = await signedIn(service);
    const view = { locale: 'en-US', viewport: { width: 1280, height: 900 } };
    const { page } = await openScreen(await windowFor(browser, person, view), person, 'import');
    const head = 'Case #,Given,Middle,Family,Service,Svc Date,Start';
    const rows = ['1,Dana,M.,Example,Funeral,3/4/2027,2 PM', '2,Kim,,Example,Wake,3/25/2027,3:00p'];
    await page.getByLabel('What the rows are').selectOption({ label: 'Services' });
    const file = files('first.csv', [head, ...rows].join('\n'));
    await page.locator('input[type=file]').setInputFiles(file);

    // Said where it can be given, and beside the button what lacks.
    await page.getByText('There is no location yet.').waitFor();
    const zone = page.getByLabel('Time zone of the times');
    assert.match((await zone.getAttribute('aria-describedby')) ?? '', /fault/);
    await page.getByText('Every row still needs: Location').waitFor();
    await look(page, 'begins');
    await zone.selectOption('America/Chicago');
    await page.getByRole('button', { name: 'Add a location' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Hill Chapel');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a location' }).click();
    await page.getByText('Location added.').waitFor();
    const all = page.getByLabel('All rows belong to');
    await until(async () => (await all.inputValue()) !== '');

    await page.getByRole('button', { name: 'Combine columns' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Goes to').selectOption({ label: 'In memory of' });
    await dialog.getByLabel('Made of').fill('');
    for (const column of ['Given', 'Middle', 'Family'])
      await dialog.getByRole('button', { name: column, exact: true }).click();
    assert.equal(await dialog.getByLabel('Made of').inputValue(), '{Given} {Middle} {Family}');
    await dialog.getByText('Dana M. Example · Kim Example').waitFor();
    await look(page, 'combine');
    await dialog.getByRole('button', { name: 'Combine', exact: true }).click();
    await page.getByText('Part of In memory of.').first().waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const stored = (await service.get('/v1/events?limit=9')).body.data as Body[];
    assert.deepEqual(stored.map((one) => one.public_data.person.full_name).sort(), [
      'Dana M. Example',
      'Kim Example',
    ]);

    // The same file with other values: what changes is shown field by field, and is taken back.
    await page.getByRole('button', { name: 'Import another file' }).click();
    const again = [head, ...rows.map((row) => row.replace('Wake', 'Vigil'))].join('\n');
    await page.locator('input[type=file]').setInputFiles(files('again.csv', again));
    await page.getByText('Matched as in first.csv.').waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    const change = page.getByRole('row', { name: /Kim.*Wake.*Vigil/ });
    await change.waitFor();
    await page.getByText('1 changed').waitFor();
    await look(page, 'changes');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The import was undone.').waitFor();
    const names = (await service.get('/v1/events?limit=9')).body.data as Body[];
    assert.deepEqual(names.map((one) => one.event_name).sort(), ['Funeral', 'Wake']);
  });

  it('finds every reading as it was left the last time, also where it was unticked, or ticked again', async () => {
    const service = await startService({});
    const person = await signedIn(service);
    await service.location('main');
    const view = { locale: 'en-US', viewport: { width: 1280, height: 900 } };
    const { page } = await openScreen(await windowFor(browser, person, view), person, 'import');
    const { fix } = wordsOf('en');
    const READINGS = [fix.turn, fix.readYears, fix.readTimes];
    const table = (first: number) =>
      [
        'Case #,Deceased,Service,DOB,Svc Date,Start',
        `${first}1,"Example, Dana",Funeral,1/2/1940,3/25/2027,3:00 PM`,
        `${first}2,"Sample, Kim",Wake,1/25/41,3/26/2027,11:00 AM`,
        `${first}3,"Model, Ash",Wake,1/26/1942,3/27/2027,11:00a`,
      ].join('\n');
    const states = [
      [true, true, true],
      [false, false, false],
      [true, false, true],
      [false, true, false],
      [true, true, true],
    ];
    await page.getByLabel('What the rows are').selectOption({ label: 'Services' });
    for (const [at, wanted] of states.entries()) {
      await page.locator('input[type=file]').setInputFiles(files(`${at}.csv`, table(at + 1)));
      if (at === 0) {
        await page.getByLabel('Time zone of the times').selectOption('America/Chicago');
        await page.getByLabel('All rows belong to').selectOption({ index: 1 });
      }
      await page.getByRole('button', { name: 'Check' }).click();
      const go = page.getByRole('button', { name: 'Continue' });
      const run = page.getByRole('button', { name: /^Import \d rows?$/ });
      await go.or(run).first().waitFor();
      // Where nothing is open, the import is next, and the way back leads to the readings.
      if (await run.isVisible()) await page.getByRole('button', { name: 'Back' }).click();
      const boxes = READINGS.map((label) => page.getByLabel(label));
      const found = await Promise.all(boxes.map((box) => box.isChecked()));
      assert.deepEqual(found, states[Math.max(at - 1, 0)], `file ${at}`);
      for (const [nth, box] of boxes.entries()) await box.setChecked(wanted[nth] ?? true);
      await go.click();
      const count = 1 + wanted.slice(1).filter(Boolean).length;
      await page.getByText(`${count} new`).waitFor();
      await run.click();
      await page.getByRole('heading', { name: 'Done' }).waitFor();
      const { body } = await service.get(`/v1/events?external_identifier=${at + 1}1`);
      const name = wanted[0] ? 'Dana Example' : 'Example, Dana';
      assert.equal(body.data[0].public_data.person.full_name, name);
      await page.getByRole('button', { name: 'Import another file' }).click();
    }
  });
});
