/** People correct what is no single value: free-form content and lists of addresses. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openConsole, overflows, violations } from '../support/console-page.ts';
import type { Body } from '../support/service.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service);
const colleague = await signedIn(service, 'colleague@example.com');

const VIEWS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 820, height: 900 } },
] as const;

/** The form of a record, and what was sent when it was saved. */
async function openForm(path: string, view: (typeof VIEWS)[number] = VIEWS[0]) {
  const { page } = await openConsole(browser, person, path, view);
  const sent: Body[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  return { page, sent };
}

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
};

const stored = async (path: string): Promise<Body> => (await service.get(`/v1/${path}`)).body;

describe('whoever corrects free-form content', { skip }, () => {
  const content = async (): Promise<Body> =>
    (await stored(`events/${made.event}`)).public_data.additional_event_metadata;

  it('changes one member, adds and removes others, and only those are sent', async () => {
    const { page, sent } = await openForm(`events/${made.event}`);
    assert.equal(await page.getByLabel('Further details 1: name').inputValue(), 'flowers');
    assert.equal(await page.getByLabel('Further details 1: kind').inputValue(), 'json');
    await page.getByLabel('Further details 2: value').fill('{"rows": 14, "aisle": true}');
    await page.getByRole('button', { name: 'Remove Further details 1' }).click();
    await page.getByRole('button', { name: 'Add a detail' }).click();
    await page.getByLabel('Further details 2: name').fill('music');
    await page.getByLabel('Further details 2: value').fill('12');
    await save(page);
    assert.deepEqual(sent, [
      {
        additional_event_metadata: {
          flowers: null,
          seating: { rows: 14, aisle: true },
          music: '12',
        },
      },
    ]);
    assert.deepEqual(await content(), { seating: { rows: 14, aisle: true }, music: '12' });
  });

  it('is told which row is wrong, by words and by its border, and keeps what they typed', async () => {
    for (const view of VIEWS) {
      const { page, sent } = await openForm(`events/${made.event}`, view);
      await page.getByRole('button', { name: 'Add a detail' }).click();
      await page.getByLabel('Further details 3: name').fill('chairs');
      await page.getByLabel('Further details 3: value').fill('{"count": ');
      await page.getByLabel('Further details 3: kind').selectOption('JSON');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The value of “chairs” is not JSON.').waitFor();
      assert.equal(await page.locator('[aria-invalid=true]').count(), 1);
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflows(page), false);
      await page.getByLabel('Further details 3: name').fill('music');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('“music” appears twice: rename or remove one.').waitFor();
      await page.getByLabel('Further details 3: name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('needs a name.').waitFor();
      assert.equal(await page.getByLabel('Further details 3: value').inputValue(), '{"count": ');
      assert.deepEqual(sent, []);
      await page.context().close();
    }
  });

  it('chooses between both values if another person was faster', async () => {
    const { page } = await openForm(`events/${made.event}`);
    await page.getByLabel('Further details 2: value').fill('organ');
    await colleague.send('PATCH', `/v1/events/${made.event}`, {
      additional_event_metadata: { music: 'choir', doves: 'two' },
    });
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /^Further details/ });
    await row.waitFor();
    for (const text of ['music: 12', 'music: choir', 'doves: two', 'music: organ'])
      assert.ok((await row.innerText()).includes(text), text);
    assert.deepEqual(await violations(page), []);
    await save(page);
    const { music, doves } = await content();
    assert.deepEqual([music, doves], ['organ', undefined]);
  });

  it('takes all of it away', async () => {
    const { page } = await openForm(`events/${made.event}`);
    const remove = page.getByRole('button', { name: 'Remove Further details 1' });
    while ((await remove.count()) > 0) await remove.click();
    await save(page);
    assert.equal((await content()) ?? null, null);
  });
});

describe('whoever corrects a list of addresses', { skip }, () => {
  const images = async (): Promise<Body> =>
    (await stored(`direct_mail_replies/${made.reply}`)).public_data.image_urls;
  const path = (): string => `direct_mail_replies/${made.reply}`;

  it('adds, removes and reorders them', async () => {
    const { page } = await openForm(path(), VIEWS[1]);
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.getByLabel('Images 3', { exact: true }).fill('https://images.example.com/new.jpg');
    await page.getByRole('button', { name: 'Move Images 3 up' }).click();
    await page.getByRole('button', { name: 'Move Images 2 up' }).click();
    await page.getByRole('button', { name: 'Remove Images 3' }).click();
    assert.equal(await page.getByRole('button', { name: 'Move Images 1 up' }).isDisabled(), true);
    assert.deepEqual(await violations(page), []);
    await save(page);
    assert.deepEqual(await images(), [
      'https://images.example.com/new.jpg',
      'https://images.example.com/front.jpg',
    ]);
  });

  it('is told which address is wrong, and that there must be one', async () => {
    const { page } = await openForm(path());
    await page.getByLabel('Images 2', { exact: true }).fill('ftp://images.example.com/x');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Images 2 is not an absolute http or https URL/).waitFor();
    const wrong = page.locator('[aria-invalid=true]');
    assert.equal(await wrong.count(), 1);
    assert.equal(await wrong.inputValue(), 'ftp://images.example.com/x');
    for (const left of [2, 1])
      await page.getByRole('button', { name: `Remove Images ${left}` }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Images .*(required|removed|cannot be|null)/).waitFor();
    assert.equal((await images()).length, 2);
  });
});
