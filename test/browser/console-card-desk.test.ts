/** The desk of cards: what stands on a card is typed in beside it, card by card, by the keyboard alone. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';
import { localServer } from '../support/local-server.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';

const CARDS = join(import.meta.dirname, '../../src/services/sample/cards');
const JPEG = readFileSync(
  join(CARDS, readdirSync(CARDS).find((one) => one.endsWith('.jpg')) ?? ''),
);
const slow: ServerResponse[] = [];
let isGone = true;
let count = 0;
const at = await localServer(({ url }, response) => {
  if (url === '/slow.jpg') slow.push(response);
  else if (url === '/back.jpg' && isGone) response.writeHead(404).end();
  else response.setHeader('Content-Type', 'image/jpeg').end(JPEG);
});
const settings = { webhook_allow: '127.0.0.1' };
const { browser, skip, service } = await browserGround({ settings });
const person = await signedIn(service);

/** The newest stands first. */
async function cards(...more: readonly object[]): Promise<readonly string[]> {
  const location_unique_identifier = await service.location();
  const ids: string[] = [];
  for (const one of more.toReversed()) {
    count += 1;
    const { body, text } = await service.json('/v1/direct_mail_replies/upsert', {
      location_unique_identifier,
      external_identifier: `card-smudged-${count}`,
      image_urls: [`${at}/card.jpg`],
      ...one,
    });
    assert.ok(body.unique_identifier, text);
    ids.unshift(body.unique_identifier);
  }
  return ids;
}

const stored = async (id: string | undefined): Promise<Body> =>
  (await service.get(`/v1/direct_mail_replies/${id}`)).body;

async function desk(id: string | undefined, width = 1280): Promise<Page> {
  const { page } = await openConsole(browser, person, `direct_mail_replies?view=cards&card=${id}`, {
    viewport: { width, height: 900 },
  });
  await page.getByRole('form', { name: 'Edit mail reply' }).waitFor();
  return page;
}

describe('the desk of cards', { skip }, () => {
  it('takes the name first, saves with Ctrl+Enter, and goes on to the next card', async () => {
    const [first, second] = await cards({}, {});
    const page = await desk(first);
    await page.getByRole('heading', { name: 'Not read yet' }).waitFor();
    assert.equal(await page.getByText('card-smudged').count(), 0);
    await page.locator('form.beside input:focus').waitFor();
    await page.keyboard.type('Olive Grant');
    await page.keyboard.press('Tab');
    await page.keyboard.type('9 Elm Street');
    assert.equal(await page.getByLabel('Images 1', { exact: true }).isVisible(), false, 'folded');
    await page.getByLabel('Phone', { exact: true }).focus();
    await page.keyboard.type('(415) 555-0177');
    await isSound(page);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(`**card=${second}*`);
    await page.locator('form.beside input:focus').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    await page.keyboard.type('Henry Okafor');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved.').first().waitFor();
    const { respondent_person: olive, respondent_address } = (await stored(first)).public_data;
    assert.deepEqual(olive, { full_name: 'Olive Grant', phone_number1: '+14155550177' });
    assert.deepEqual(respondent_address, { street_address_line_1: '9 Elm Street' });
    await until(async () => (await stored(second)).public_data.respondent_person !== undefined);
    assert.equal((await stored(second)).public_data.respondent_person.full_name, 'Henry Okafor');
  });

  it('offers what other cards of the list have, and as ticks what was ticked', async () => {
    const read = { 'Please call me': 'yes', campaign: 'autumn' };
    const [open] = await cards({}, { additional_metadata: read });
    const page = await desk(open);
    const tick = page.getByRole('checkbox', { name: 'Please call me' });
    assert.equal(await tick.isChecked(), false);
    await tick.check();
    await page.getByRole('textbox', { name: 'Further details 2: value' }).fill('spring');
    await isSound(page);
    await page.keyboard.press('Control+Enter');
    await until(async () => (await stored(open)).public_data.additional_metadata !== undefined);
    assert.deepEqual((await stored(open)).public_data.additional_metadata, {
      ...{ 'Please call me': 'yes', campaign: 'spring' },
    });
  });

  it('shows only what is still to be read, where it is asked for that', async () => {
    const person = { full_name: 'Done Already', phone_number1: '415 555 0100' };
    const [open] = await cards({}, { respondent_person: person });
    const page = await desk(open);
    await page.getByRole('button', { name: 'Still to be read' }).click();
    await page.waitForURL('**incomplete=true*');
    await page.getByRole('heading', { name: 'Not read yet' }).waitFor();
    await page.getByRole('link', { name: 'Table' }).click();
    await page.getByText('Not read yet').first().waitFor();
    assert.equal(await page.getByText('Done Already').count(), 0);
    await isSound(page);
  });

  it('takes nothing for typed that was not, however late numbers are shown as they are dialled there', async () => {
    const numbered = { full_name: 'Olive Grant', phone_number1: '415 555 0101' };
    const [card] = await cards({ respondent_person: numbered });
    const released = Promise.withResolvers<void>();
    const path = `direct_mail_replies?view=cards&card=${card}`;
    const { page } = await openConsole(browser, person, 'events', {
      viewport: { width: 1280, height: 900 },
    });
    await page.context().route(/plans[^/]*\.js/, async (route) => {
      await released.promise;
      await route.continue();
    });
    const late = await page.context().newPage();
    await late.goto(`${service.url}/console/${path}`);
    const phone = late.getByRole('form').getByLabel('Phone', { exact: true });
    await until(async () => (await phone.inputValue()) === '+14155550101');
    released.resolve();
    await until(async () => (await phone.inputValue()) === '(415) 555-0101');
    await late.getByRole('link', { name: 'Services' }).first().click();
    await late.waitForURL('**/events');
    assert.equal(await late.getByRole('dialog').count(), 0);
  });

  it('keeps what was typed: next to another card, and after another person changed it', async () => {
    const [first] = await cards({}, {});
    const page = await desk(first, 390);
    const name = page.getByRole('form').getByRole('textbox').first();
    await name.fill('Ada');
    await page.getByRole('button', { name: 'Next record (j)' }).click();
    await until(async () => (await name.inputValue()) === '');
    await page.getByRole('button', { name: 'Previous record (k)' }).click();
    await until(async () => (await name.inputValue()) === 'Ada');
    await service.patch(`/v1/direct_mail_replies/${first}`, {
      respondent_person: { full_name: 'Adah' },
    });
    await name.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Adah').first().waitFor();
    await dialog.getByText('Ada', { exact: true }).first().waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until(
      async () => (await stored(first)).public_data.respondent_person.full_name === 'Ada',
    );
  });

  it('says that an image is being loaded, and asks again for one that failed', async () => {
    const [late] = await cards({ image_urls: [`${at}/slow.jpg`, `${at}/back.jpg`] });
    const page = await desk(late);
    await page.getByText('Loading the image …').waitFor();
    await isSound(page);
    for (const response of slow) response.setHeader('Content-Type', 'image/jpeg').end(JPEG);
    await page.getByText('Loading the image …').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Next image (→)' }).click();
    await page.getByText('status 404').waitFor();
    await isSound(page);
    isGone = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(() =>
      page.locator('.picture img').evaluate((one) => (one as HTMLImageElement).naturalWidth > 0),
    );
  });
});
