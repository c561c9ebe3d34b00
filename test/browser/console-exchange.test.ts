/** What the console has for exchange with other systems: spreadsheets that are imported, and files that are exported. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { administrator, signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';
import { makeRecords } from '../support/console-records.ts';
import { unzipped } from '../support/exported.ts';
import { localServer } from '../support/local-server.ts';
import { keyed } from '../support/secret-key.ts';

const { browser, skip, service } = await browserGround({ settings: keyed() });
const person = await administrator(service);

const WIDE = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
const NARROW = { colorScheme: 'dark', viewport: { width: 820, height: 900 } } as const;

/** Of an answer that was read piece by piece, to its end, Chromium says now and then that it was given up. */
function withoutStreams(complaints: readonly string[]): readonly string[] {
  const streamed = /^failed \S+\/(?:uploads\/upl_\w+\/check|v1\/imports|exports)$/;
  return complaints.filter((one) => !streamed.test(one));
}

describe('exchange with others, in a browser', { skip }, () => {
  it('how old the last checked backup is: quiet where it is new, a warning where there is none or it is old', async () => {
    const { backups } = service.app.store;
    const line = /last checked backup|backup has been checked/i;
    const seen = async (view: typeof WIDE | typeof NARROW): Promise<[string, boolean]> => {
      const { page, complaints } = await openConsole(browser, person, 'feeds', view);
      const said = page.getByText(line);
      await said.waitFor();
      await isSound(page);
      assert.deepEqual(complaints, []);
      const told = await page.locator('.backup').innerText();
      const warns = await page.locator('.backup.warned').isVisible();
      await page.context().close();
      return [told, warns];
    };
    const [none, warnsOfNone] = await seen(NARROW);
    assert.match(none, /No backup has been checked yet\./);
    assert.equal(warnsOfNone, true);
    const hours = (count: number): number => Date.now() - count * 3_600_000;
    await backups.note({ taken_at: hours(72), checked_at: hours(71), number: 1 });
    const [old, warnsOfOld] = await seen(WIDE);
    assert.match(old, /from 3 days ago\. Ask the operator why there is no newer one\./);
    assert.equal(warnsOfOld, true);
    await backups.note({ taken_at: hours(5), checked_at: hours(4), number: 2 });
    const [fresh, warnsOfFresh] = await seen(NARROW);
    assert.match(fresh, /from 5 hr\. ago\. About backups/);
    assert.equal(warnsOfFresh, false);
    const editor = await signedIn(service);
    const { page } = await openConsole(browser, editor, 'feeds', WIDE);
    await page.getByText('No system has sent anything').waitFor();
    assert.equal(await page.getByText(line).count(), 0);
  });

  it('a spreadsheet is looked at, checked, imported, and taken back', async () => {
    const { page, complaints } = await openConsole(browser, person, 'import', WIDE);
    await page.getByText('Choose a file').waitFor();
    await isSound(page);
    await page.getByLabel('What the rows are').selectOption({ label: 'Locations' });
    const table = 'Chapel;External identifier;Notes\nOak Hill;oak;old\n;nameless;\n';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'chapels.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await page.getByText('semicolons').waitFor();
    await page.getByLabel('Goes to: Chapel').selectOption({ label: 'Leave out' });
    await page.getByText('Every row still needs: Name').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Check' }).isDisabled(), true);
    await page.getByLabel('Goes to: Chapel').selectOption('location_name');
    await isSound(page);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'Chapel is empty, and every row needs it.' }).waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('What the import would do').waitFor();
    await page.getByText('1 refused').waitFor();
    await page.getByText('Chapel is empty, and every row needs it.').waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Earlier imports' }).waitFor();
    const names = async (): Promise<string[]> =>
      (await service.get('/v1/locations')).body.data.map(({ name }: { name: string }) => name);
    assert.ok((await names()).includes('Oak Hill'));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download refused rows' }).click();
    assert.equal((await saved).suggestedFilename(), 'chapels.csv.rejected.csv');
    await isSound(page);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This removes 1 record that it created').waitFor();
    await isSound(page);
    assert.deepEqual(await dialog.locator('footer button').allInnerTexts(), ['Cancel', 'Undo']);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The import was undone.').waitFor();
    assert.ok(!(await names()).includes('Oak Hill'));
    assert.deepEqual(withoutStreams(complaints), []);
  });

  it('a list is exported as its filters say, and everything as an archive, with its date in the name', async () => {
    await makeRecords(service);
    for (const view of [WIDE, NARROW]) {
      const { page } = await openConsole(browser, person, 'export?resource=events', view);
      await page.getByText('Only those that match').waitFor();
      await isSound(page);
      await page.context().close();
    }
    const filter = 'visitor_interested_in_pre_planning=true';
    const { page, complaints } = await openConsole(
      browser,
      person,
      `event_check_in_records?${filter}`,
      WIDE,
    );
    await page.getByLabel('Print or download').click();
    await page.getByRole('link', { name: 'Export …' }).click();
    assert.match(page.url(), new RegExp(filter));
    const exported = async (name: RegExp): Promise<Buffer> => {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const file = await saved;
      assert.match(file.suggestedFilename(), name);
      return readFile(await file.path());
    };
    await page.getByLabel('CSV for programs').check();
    const csv = await exported(/^Visitors \d{4}-\d\d-\d\d\.csv$/);
    assert.match(csv.toString(), /Ben Cole/);
    assert.equal(csv.toString().trimEnd().split('\r\n').length, 2);
    await page
      .getByText(/^1 record in Visitors /)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Export', exact: true }).click();
    const archive = unzipped(await exported(/^Ledgerstone \d{4}-\d\d-\d\d\.zip$/));
    assert.ok(archive.get('events.csv')?.includes('Jane Doe'));
    assert.equal(archive.size, 6);
    await isSound(page);
    assert.deepEqual(withoutStreams(complaints), []);
  });

  it('an export goes on beside other screens, is cancelled, and says why it is not whole', async () => {
    const own = await signedIn(service, 'exporting@example.com');
    const { page } = await openConsole(browser, own, 'export', WIDE);
    const button = page.getByRole('button', { name: 'Export', exact: true });
    // Nothing of it arrives until it is let go.
    const held = Promise.withResolvers<void>();
    await page.route('**/console/api/exports', async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    await button.click();
    await page.getByText('Starting …').waitFor();
    await isSound(page);
    await page.getByRole('link', { name: 'Services' }).click();
    await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor();
    await page.locator('#nav summary', { hasText: 'More' }).click();
    await page.getByRole('link', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Starting …').waitFor({ state: 'detached' });
    held.resolve();
    await page.unroute('**/console/api/exports');
    // An answer that breaks off is no file.
    const breaking = await localServer((request, reply) => {
      // What was not read would take with it what is on its way.
      request.resume().on('end', () => reply.write('half of it', () => reply.destroy()));
    });
    await page.route('**/console/api/exports', (route) =>
      route.request().method() === 'POST'
        ? route.continue({ url: `${breaking}/` })
        : route.fulfill({ json: { object: 'list', data: [] } }),
    );
    await button.click();
    await page.getByText('The connection ended before the export was complete.').waitFor();
    await isSound(page);
  });
});
