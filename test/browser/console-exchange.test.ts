/** What the console has for exchange with other systems: spreadsheets that are imported, and webhooks. */
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
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const { browser, skip, service } = await browserGround({ settings: keyed() });
const person = await administrator(service);
const receiver = await startReceiver();

const WIDE = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
const NARROW = { colorScheme: 'dark', viewport: { width: 820, height: 900 } } as const;

/** Of an answer that was read piece by piece, to its end, Chromium says now and then that it was given up. */
function withoutStreams(complaints: readonly string[]): readonly string[] {
  const streamed = /^failed \S+\/(?:imports\/(?:preview|run)|exports)$/;
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
    await backups.note({ taken_at: hours(72), checked_at: hours(71) });
    const [old, warnsOfOld] = await seen(WIDE);
    assert.match(old, /from 3 days ago\. Ask the operator why there is no newer one\./);
    assert.equal(warnsOfOld, true);
    await backups.note({ taken_at: hours(5), checked_at: hours(4) });
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
    await page.getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This removes 1 record that it created').waitFor();
    await isSound(page);
    assert.deepEqual(await dialog.locator('footer button').allInnerTexts(), ['Cancel', 'Undo']);
    await dialog.getByRole('button', { name: 'Undo' }).click();
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
    const csv = await exported(/^event_check_in_records-\d{4}-\d\d-\d\d\.csv$/);
    assert.match(csv.toString(), /Ben Cole/);
    assert.equal(csv.toString().trimEnd().split('\r\n').length, 2);
    await page
      .getByText(/^1 record in event_check_in_records-/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Export', exact: true }).click();
    const archive = unzipped(await exported(/^ledgerstone-\d{4}-\d\d-\d\d\.zip$/));
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
    const breaking = await localServer((_, reply) => {
      reply.write('half of it');
      setTimeout(() => reply.destroy(), 200);
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

  it('a webhook endpoint tells what failed and why, and sends it again', async () => {
    const key = (await service.newKey({ allow: ['webhooks'] })).secret;
    const url = receiver.url;
    const asked = { url, description: 'Case management' };
    const { body } = await service.json('/v1/webhook_endpoints', asked, { key });
    receiver.answer = () => ({ status: 500 });
    await service.location();
    await until(() => receiver.received.length > 0);
    for (const view of [WIDE, NARROW]) {
      const { page } = await openConsole(browser, person, 'webhooks', view);
      await page.getByRole('link', { name: 'Case management' }).waitFor();
      await page.getByText(/^Failing since /).waitFor();
      assert.equal(await page.getByText('Enabled').count(), 0);
      await isSound(page);
      await page.context().close();
    }
    const path = `webhooks/${body.unique_identifier}`;
    const { page, complaints } = await openConsole(browser, person, path, NARROW);
    await page.getByText('location.created').first().waitFor();
    await page.getByText('500').first().waitFor();
    const next = page.locator('.next').first();
    const [cell, text] = await Promise.all([next.locator('..').boundingBox(), next.boundingBox()]);
    assert.ok(text && cell && text.x + text.width <= cell.x + cell.width, 'it is not cut off');
    await isSound(page);
    receiver.answer = () => ({ status: 200 });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await page.getByRole('button', { name: 'Send again …' }).click();
    await isSound(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(complaints, []);
  });
});
