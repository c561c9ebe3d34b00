/** An officer finds what there is of a person who asks to be forgotten, looks at it, and erases what they tick. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { administrator, type ConsoleBrowser, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openConsole, saysWhatLacks } from '../support/console-page.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const settings = keyed();
const { browser, skip, service, made } = await consoleGround({ settings });
const officer = await signedIn(service, 'officer@example.com', {
  ...{ role: 'viewer', allow: ['erase'] },
});

const PATH = 'event_check_in_records';
const DAY_MS = 86_400_000;

async function visit(name: string): Promise<string> {
  const { body } = await service.json(`/v1/${PATH}/upsert`, {
    ...{ event_unique_identifier: made.event, external_identifier: `id of ${name}` },
    ...{ visitor_full_name: name, visitor_phone_number: '+12175550177' },
    ...{ visitor_relationship_to_deceased: 'Neighbor' },
  });
  return body.unique_identifier;
}

const martin = await visit('Martin Kowalski');
const [nora, otto] = [await visit('Nora Lindqvist'), await visit('Otto Lindqvist')];

describe('an officer', { skip, concurrency: false }, () => {
  it('finds a person whose name they type with a wrong letter, and nothing ticks that one for them', async () => {
    await visit('Marta Kowalsky');
    const { page } = await openConsole(browser, officer, 'privacy');
    await page.getByRole('button', { name: 'Begin a request' }).first().click();
    await until(async () => (await service.get('/v1/search?q=kowalsk')).body.data.length > 0);
    await page.keyboard.type('Martin Kowalsky');
    await page.keyboard.press('Enter');
    const row = page.getByRole('listitem').filter({ hasText: 'Martin Kowalski' });
    await row.getByText('Found by a name spelt nearly so').waitFor();
    await page.getByText('names also with one other letter').waitFor();
    assert.equal(await row.getByRole('checkbox').isChecked(), false);
    assert.equal(await page.getByText('Marta Kowalsky').count(), 0);
    assert.equal(await page.getByRole('button', { name: /^Tick/ }).isDisabled(), true);
    await isSound(page);
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Erase 1 record …' }).waitFor();
    assert.notEqual(martin, undefined);
  });

  it('sees what is overdue, begins a request, ticks one of two, erases it, and closes another', async () => {
    const account = service.account.unique_identifier;
    const received_at = `${new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 19)}Z`;
    await officer.post('/v1/erasures', {
      ...{ account, records: [made.visitor], reference: 'Letter 6', received_at },
    });
    const { page } = await openConsole(browser, officer, '');
    await page.getByRole('link', { name: 'Privacy', exact: true }).click();
    const todo = page.getByRole('table', { name: 'To do' });
    await todo.getByText('Overdue since').waitFor();
    await isSound(page);

    await page.getByRole('button', { name: 'Begin a request' }).click();
    const form = page.getByRole('dialog', { name: 'Begin a request' });
    const find = form.getByRole('button', { name: 'Find their records' });
    await form.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
    await find.click();
    await form.getByRole('alert').getByText('Fill in at least one').waitFor();
    await form.getByLabel('Phone numbers').fill('12345');
    await find.click();
    await form.getByText(/Phone numbers is not a phone number/).waitFor();
    await form.getByLabel('Phone numbers').fill('(217) 555-0177');
    await form.getByLabel('Your reference').fill('Letter 7');
    await form.getByLabel('Name', { exact: true }).fill('Gus Absent');
    await form.getByLabel('Born on').fill('1948-05-17');
    await form.getByRole('button', { name: 'Another name' }).click();
    await isSound(page);
    await find.click();
    await page.getByRole('heading', { level: 1, name: 'Letter 7' }).waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'Nora Lindqvist' });
    await row.getByText(/Visitor · Neighbor · .*Jane Doe · Main Street Chapel/).waitFor();
    await row.getByText('Found by phone number').waitFor();
    const erase = page.getByRole('button', { name: /^Erase/ });
    assert.equal(await erase.isDisabled(), true, 'nothing is chosen for them');
    await row.getByRole('checkbox').check();
    await isSound(page);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'What is stored about you' }).waitFor();
    await page.getByRole('heading', { name: 'Visitor: Nora Lindqvist' }).waitFor();
    assert.equal(await page.getByText('Otto').count(), 0, 'only of whom was ticked');
    await isSound(page);
    const copied = page.waitForEvent('download');
    await page.getByRole('button', { name: 'File for programs' }).click();
    const lines = readFileSync(await (await copied).path(), 'utf8')
      .trim()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).record),
      [nora, nora],
      'what it holds, and its one change',
    );
    await page.goBack();
    assert.equal(await row.getByRole('checkbox').isChecked(), true, 'it stays ticked');
    await erase.click();
    const asks = page.getByRole('dialog', { name: 'Erase 1 record for good?' });
    const sure = asks.getByRole('button', { name: 'Erase for good' });
    await saysWhatLacks(sure);
    await asks.getByLabel('Type ERASE to confirm').fill('ERASE');
    await isSound(page);
    await sure.click();
    await page.getByText('Erased 1 record.').waitFor();
    await page.getByRole('listitem').getByText('Erased', { exact: true }).waitFor();
    assert.equal(await page.getByText('Nora Lindqvist').count(), 0, 'the page shows no name');
    await isSound(page);
    await page.getByRole('heading', { name: 'Every place was read again' }).waitFor();
    const versions = page.getByRole('listitem').filter({ hasText: 'Earlier versions' });
    await versions.getByText(/^[1-9]\d* checked, nothing is left$/).waitFor();
    await page.getByRole('link', { name: 'Certificate' }).click();
    await page.getByText('With each record went its history').waitFor();
    await versions.getByText(/^[1-9]\d* checked, nothing is left$/).waitFor();
    await page.getByRole('heading', { name: 'What the service does not reach' }).waitFor();
    await page.getByText('backups, copies and snapshots from before').waitFor();
    await isSound(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Sealed file' }).click();
    const file = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
    assert.deepEqual([file.reference, file.records[0].count], ['Letter 7', 1]);
    const gone = await service.get(`/v1/${PATH}/${nora}`);
    assert.equal(gone.body.error.code, 'record_erased');
    assert.equal((await service.get(`/v1/${PATH}/${otto}`)).status, 200);
    await page.goto(`${service.url}/console/${PATH}/${nora}`);
    await page.getByText(/This record was erased/).waitFor();

    await page.goto(`${service.url}/console/privacy`);
    const finished = page.getByRole('table', { name: 'Finished' });
    await finished.getByText('Letter 7').waitFor();
    await isSound(page);
    await finished.getByRole('link', { name: 'Letter 7' }).click();
    await page.getByRole('heading', { name: 'Letter 7' }).waitFor();
    await page.goto(`${service.url}/console/privacy`);
    await page.getByRole('link', { name: 'Letter 6' }).click();
    await page.getByRole('button', { name: 'Close the request' }).click();
    const closing = page.getByRole('dialog', { name: 'Close this request?' });
    await closing.getByLabel('On which basis').fill('kept for a year by law');
    await isSound(page);
    await closing.getByRole('button', { name: 'Close the request' }).click();
    await page.getByText('Closed: kept for a year by law').waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0, 'and nothing more is chosen');
  });

  it('begins with a record that is looked at, and lets one be sent again that was erased by mistake', async () => {
    const { page } = await openConsole(browser, officer, `${PATH}/${otto}`);
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('link', { name: 'Erase for good' }).click();
    const form = page.getByRole('dialog', { name: 'Begin a request' });
    await form.getByText('Otto Lindqvist').waitFor();
    assert.equal(await form.getByLabel('Phone numbers').inputValue(), '(217) 555-0177');
    assert.ok(!page.url().includes('0177'), 'the address holds nothing of them');
    await form.getByRole('button', { name: 'Find their records' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Otto Lindqvist' });
    await row.getByText('Found by phone number · You named it').waitFor();
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Erase 1 record' }).click();
    await page.getByLabel('Type ERASE to confirm').fill('ERASE');
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByRole('button', { name: 'Let it be sent again' }).click();
    const asks = page.getByRole('dialog', { name: 'Let this record be sent again?' });
    await asks.getByRole('button', { name: 'Let it be sent again' }).click();
    await page.getByText('Erased; may be sent again').waitFor();
    await isSound(page);
    assert.notEqual(await visit('Otto Lindqvist'), otto, 'its sender has sent it again');
  });

  it('erases only the past of a record, which stays as it is', async () => {
    const typed = await visit('Pia Past');
    for (const visitor_relationship_to_deceased of ['4111 1111 1111 1111', 'Cousin'])
      await service.patch(`/v1/${PATH}/${typed}`, { visitor_relationship_to_deceased });
    const account = service.account.unique_identifier;
    const records = [typed, made.event];
    const { body } = await officer.post('/v1/erasures', { account, records });
    const { page } = await openConsole(browser, officer, `privacy/${body.unique_identifier}`);
    await page.getByRole('button', { name: 'Tick all 2' }).click();
    await page.getByRole('button', { name: 'Erase 2 records' }).click();
    const asks = page.getByRole('dialog', { name: 'Erase 2 records for good?' });
    await asks.getByText('its name becomes “Erased”').waitFor();
    await isSound(page);
    await asks.getByRole('radio', { name: 'Only their past' }).check();
    assert.equal(await asks.getByText('its name becomes').count(), 0);
    await asks.getByLabel('Type ERASE to confirm').fill('ERASE');
    await asks.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('Erased what 2 records held before.').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'Pia Past' });
    await row.getByText('Earlier versions erased').waitFor();
    assert.equal(await row.getByRole('checkbox').isChecked(), false, 'it may still be erased');
    await isSound(page);
    const { text } = await service.get(`/v1/${PATH}/${typed}/history`);
    assert.ok(!text.includes('4111'), text);
  });

  it('sees who has seen a record, by name and day, and opens none by looking', async () => {
    const auditor = await signedIn(service, 'auditor@example.com', {
      ...{ role: 'viewer', allow: ['audit'] },
    });
    for (const path of ['', '', '', '/history'])
      await officer.get(`/v1/${PATH}/${made.visitor}${path}`);
    await officer.post('/account', { name: 'Olive Officer' });
    const { page } = await openConsole(browser, auditor, `${PATH}/${made.visitor}`);
    await page.getByLabel('More', { exact: true }).click();
    await page.locator('main').getByRole('link', { name: 'Who has seen this' }).click();
    const table = page.getByRole('table', { name: 'Audit' });
    await until(async () => {
      await page.getByRole('button', { name: 'Reload' }).click();
      const row = table.getByRole('row', { name: /Olive Officer.*Looked at.*Ella Frost/ });
      return (await row.filter({ hasText: /History/ }).count()) === 1;
    });
    await page.getByRole('link', { name: 'Who has seen Ella Frost' }).waitFor();
    // Opening the record before was the auditor's own look; the audit itself opens none.
    const entries = (await auditor.get(`/v1/audit?record=${made.visitor}`)).body.data;
    const own = entries.filter(
      ({ by }: { by: string }) => by === auditor.session.staff.unique_identifier,
    );
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByLabel('Hide mine').check();
    await until(async () => (await table.getByText('Olive Officer').count()) === 1);
    assert.equal(await table.getByText('auditor@example.com').count(), 0);
    const after = (await auditor.get(`/v1/audit?record=${made.visitor}`)).body.data;
    assert.equal(after.length, entries.length);
    assert.ok(own.length > 0);
    await isSound(page);
    await page.getByRole('link', { name: 'Show everything' }).click();
    await table.getByText('Signed in').first().waitFor();
    await page.locator('.request-filters select').nth(1).selectOption('search');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  });

  it('is named among colleagues and keys, with what no role may do', async () => {
    await service.newKey({ name: 'Keeper of holds', permissions: ['read'], allow: ['hold'] });
    const admin = await administrator(service);
    const { page } = await openConsole(browser, admin, 'staff');
    const row = page.getByRole('row').filter({ hasText: 'officer@example.com' });
    await row.getByText('Erase for good').waitFor();
    await isSound(page);
    await page.goto(`${service.url}/console/keys`);
    const key = page.getByRole('row').filter({ hasText: 'Keeper of holds' });
    await key.getByText('Hold and release').waitFor();
    await isSound(page);
  });

  it('is nobody without the right, whatever their role', async () => {
    const editor: ConsoleBrowser = await signedIn(service, 'editor@example.com');
    const { page } = await openConsole(browser, editor, `${PATH}/${made.visitor}`);
    await page.getByLabel('More', { exact: true }).click();
    assert.equal(await page.getByText('Erase for good').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Privacy' }).count(), 0);
    await page.goto(`${service.url}/console/privacy`);
    await page.getByText('You may not use this.').waitFor();
  });
});
