/** An administrator says what each colleague and each key may do, and where: by choosing it, and also afterwards. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { open } from '../support/browser.ts';
import { administrator, browserAt, type ConsoleBrowser, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openConsole, saysWhatLacks } from '../support/console-page.ts';
import { settled } from '../support/console-settled.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const ada = await administrator(service, 'ada@example.com');
await ada.post('/account', { name: 'Ada Admin' });

const staff = async (email: string) => {
  const found = await service.app.store.staff.withEmail(email);
  return [found?.role, found?.anchors];
};

async function change(page: Page, who: string): Promise<ReturnType<Page['getByRole']>> {
  await page.getByLabel(`More: ${who}`).click();
  await page.locator('main').getByRole('button', { name: 'Change role and locations' }).click();
  return page.getByRole('dialog', { name: `What ${who} may do` });
}

describe('an administrator', { skip }, () => {
  it('changes the role and the locations of a colleague, who notices at once', async () => {
    const colleague = await signedIn(service, 'colleague@example.com', { role: 'viewer' });
    const { page } = await openConsole(browser, ada, 'staff');
    const dialog = await change(page, 'colleague@example.com');
    await dialog.getByLabel('Editor').check();
    await dialog.getByLabel('Only these locations').first().check();
    const save = dialog.getByRole('button', { name: 'Save' });
    // Nothing ticked is nothing said.
    await saysWhatLacks(save);
    await dialog.getByLabel('Riverside Chapel').check();
    await isSound(page);
    await save.click();
    await page.getByText('Changed. It applies at once.').waitFor();
    const row = page.getByRole('row', { name: 'colleague@example.com' });
    await row.getByText('Riverside Chapel').waitFor();
    assert.deepEqual(await staff('colleague@example.com'), ['editor', [made.locations[1]]]);
    const { body } = await colleague.get('/session');
    assert.deepEqual(body.locations, [made.locations[1]]);
    assert.ok(body.permissions.includes('write'));
  });

  it('explains why a person with only a password cannot become an administrator', async () => {
    await signedIn(service, 'password@example.com');
    const { page } = await openConsole(browser, ada, 'staff');
    const dialog = await change(page, 'password@example.com');
    await dialog.getByLabel('Administrator').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('administrators need a passkey').waitFor();
    assert.deepEqual(await staff('password@example.com'), ['editor', null]);
  });

  it('invites to all locations only by saying so; the link says to what, and by whom', async () => {
    const { page } = await openConsole(browser, ada, 'staff');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('invited@example.com');
    const submit = dialog.getByRole('button', { name: 'Invite a person' });
    await saysWhatLacks(submit);
    await dialog.getByLabel('All locations').check();
    await submit.click();
    const link = await page.getByRole('dialog').locator('code').innerText();
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy' });
    assert.ok(((await copy.boundingBox())?.height ?? 99) < 40, 'Copy stands on one line');
    assert.deepEqual(await staff('invited@example.com'), ['editor', null]);
    const { page: theirs } = await open(browser, link);
    await theirs
      .getByText('Ada Admin invites you to the records of Example Funeral Group.')
      .waitFor();
    await theirs.getByLabel('Password', { exact: true }).fill('pebble orchard lantern seven');
    await theirs.getByLabel('Show the password').check();
    const boxOf = async (name: string) =>
      (await theirs.getByText(name).boundingBox()) ?? { y: 0, height: 0 };
    const [said, hint, button] = await Promise.all(
      ['Show the password', 'At least 15 characters.', 'Create the account'].map(boxOf),
    );
    assert.ok(hint && said && button);
    assert.ok(said.y >= hint.y + hint.height, 'they stand below one another');
    assert.ok(button.y - (said.y + said.height) >= 8, 'and do not touch');
    assert.equal(await theirs.getByLabel('Password', { exact: true }).getAttribute('type'), 'text');
    await isSound(theirs);
  });

  it('gives a key everything only by saying so', async () => {
    const { page } = await openConsole(browser, ada, 'keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Visitors of Riverside');
    await dialog.getByLabel('Only these kinds').first().check();
    await dialog.getByLabel('Visitors', { exact: true }).check();
    const submit = dialog.getByRole('button', { name: 'Create a key' });
    await saysWhatLacks(submit);
    await dialog.getByLabel('Only these locations').first().check();
    await dialog.getByLabel('Riverside Chapel').check();
    const box = await dialog.getByLabel('Maximum requests').boundingBox();
    assert.ok((box?.width ?? 0) > 120, `Maximum requests is ${box?.width} wide.`);
    await isSound(page);
    await submit.click();
    await page.getByRole('dialog', { name: 'The secret of the key' }).waitFor();
    const [key] = await service.app.store.keys.list();
    assert.deepEqual(
      [key?.name, key?.resources, key?.anchors],
      ['Visitors of Riverside', ['event_check_in_records'], [made.locations[1]]],
    );
  });
});

describe('somebody who may not', { skip }, () => {
  it('is offered nothing at the address of a screen that is not theirs', async () => {
    const editor = await signedIn(service, 'editor@example.com');
    const { page } = await openConsole(browser, editor, 'keys');
    await page.getByText('You may not use this.').waitFor();
    assert.equal(await page.locator('main').getByRole('button').count(), 0);
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await settled(page);
    assert.match(page.url(), /\/keys$/);
  });

  it('is refused once before they sign in, and not for each list', async () => {
    const { page, complaints } = await open(browser, `${service.url}/console/`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(complaints.filter((one) => one.startsWith('401 ')).length, 1);
  });
});

describe('what people are told of others', { skip }, () => {
  it('is a name: of those who share an account with them, and no email or end of a secret', async () => {
    const other = await service.app.store.accounts.create({ name: 'Other', livemode: false });
    const far = { accounts: [other.unique_identifier] };
    const foreign = await service.newKey({ name: 'Foreign feed', ...far });
    const nameless = await service.newKey();
    const viewer = await signedIn(service, 'looks@example.com', { role: 'viewer' });
    const own = (await service.app.store.staff.withEmail('invited@example.com'))?.unique_identifier;
    const identifiers = [
      foreign.key.unique_identifier,
      nameless.key.unique_identifier,
      own,
      'stf_gone',
    ];
    const names = async (person: ConsoleBrowser) =>
      (await person.post('/names', { identifiers })).body.data.map(
        ({ known, name }: { known: boolean; name: string | null }) => [known, name],
      );
    assert.deepEqual(await names(viewer), [
      [true, null],
      [true, null],
      [true, null],
      [false, null],
    ]);
    const [, ending, email] = await names(ada);
    assert.deepEqual(
      [ending, email],
      [
        [true, `… ${nameless.key.ending}`],
        [true, 'invited@example.com'],
      ],
    );
    await service.app.store.imports.put({
      unique_identifier: 'imp_chapels',
      fingerprint: 'chapels',
      by: null,
      inserted_at: Date.now(),
      updated_at: Date.now(),
      status: 'finished',
      files: [{ name: 'chapels.csv', resource: 'locations', rejected: '' }],
      accounts: [service.account.unique_identifier],
      began: {},
      chunk: 64,
      position: { file: 1, rows: 0, rejected: [] },
      counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    });
    const imported = await viewer.post('/names', { identifiers: ['imp_chapels'] });
    assert.equal(imported.body.data[0].name, 'chapels.csv');
    assert.equal((await browserAt(service).post('/names', { identifiers })).status, 401);
    const many = Array.from({ length: 101 }, (_, index) => `key_${index}`);
    assert.equal((await viewer.post('/names', { identifiers: many })).status, 400);
    // What records are called is for those who see the audit, and is in it.
    const auditor = await signedIn(service, 'auditor@example.com', { allow: ['audit'] });
    const ask = { identifiers: [made.event, made.visitor, 'evt_0000000000000000000000'] };
    assert.equal((await viewer.post('/names/records', ask)).status, 403);
    assert.equal((await auditor.post('/names/records', { identifiers: many })).status, 400);
    const { data } = (await auditor.post('/names/records', ask)).body;
    assert.deepEqual(data.map(({ name }: { name: string }) => name).sort(), [
      'Ella Frost',
      'Jane Doe',
    ]);
    await until(async () => {
      const { body } = await auditor.get('/v1/audit?action=list');
      return body.data.some(({ what }: { what: string }) => what === 'name_records');
    });
  });
});

describe('whoever has a password', { skip }, () => {
  it('is told beside the field why a new one is refused, and what they typed stays', async () => {
    const grace = await signedIn(service, 'grace@example.com');
    const { page } = await openConsole(browser, grace, 'account');
    const field = page.getByLabel('New password');
    await field.fill('too short');
    await page.keyboard.press('Enter');
    await page.getByText('A password must have at least 15 characters').waitFor();
    const [isFocused, isWrong] = await field.evaluate((input) => [
      document.activeElement === input,
      input.getAttribute('aria-invalid'),
    ]);
    assert.deepEqual([isFocused, isWrong], [true, 'true']);
    assert.equal(await field.inputValue(), 'too short');
    await isSound(page);
    await field.fill('four quiet lanterns by the river');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The password is changed. All other sessions have ended.').waitFor();
    assert.equal(await field.inputValue(), '');
  });
});
