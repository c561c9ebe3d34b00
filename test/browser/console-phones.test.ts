/** A phone number of any country is itself wherever the console shows or takes one, and what it shows can be typed again. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { loadPlans, phoneText } from '../../console/src/values/contact.ts';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { openConsole } from '../support/console-page.ts';
import { numbersToType } from '../support/phone-numbers.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';

const PATH = 'event_check_in_records';
const { browser, skip, service } = await browserGround({ settings: keyed() });
const officer = await signedIn(service, 'officer@example.com', {
  ...{ role: 'editor', allow: ['erase'] },
});
const { unique_identifier: account } = service.account;
await loadPlans();

/** Records by their numbers: names have no digits that a search could find. */
const records = new Map<string, { readonly id: string; readonly name: string }>();
const event = await service.json(
  '/v1/events/upsert',
  eventBody(await service.location('home'), 'service'),
);
for (const [at, number] of numbersToType.entries()) {
  const letters = [...String(at)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('');
  const name = `Visitor ${letters}`;
  const { body } = await service.json(
    `/v1/${PATH}/upsert`,
    visitorBody(event.body.unique_identifier, `visitor ${at}`, {
      ...{ visitor_full_name: name, visitor_phone_number: number },
    }),
  );
  records.set(number, { id: body.unique_identifier, name });
}

const stored = async (id: string): Promise<Body> => (await service.get(`/v1/${PATH}/${id}`)).body;

/** What the form of the record that is looked at has for its number, and sends after a change. */
async function edited(page: Page, label: string, text: string): Promise<string> {
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Save' }).waitFor();
  const before = await form.getByLabel('Phone').inputValue();
  await form.getByLabel(label).fill(text);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  return before;
}

for (const zone of ['America/Chicago', 'Europe/Oslo']) {
  const shownAs = (number: string): string => phoneText(number, zone);
  const at = async (path: string): Promise<Page> => {
    await service.patch(`/v1/accounts/${account}/settings`, { time_zone: zone });
    return (await openConsole(browser, officer, path)).page;
  };

  describe(`whoever types phone numbers as the console shows them in ${zone}`, { skip }, () => {
    it('filters a list by one, and has that one with its digits to dial', async () => {
      const page = await at(PATH);
      for (const [number, { name }] of records) {
        const chips = page.locator('.chips');
        await page.locator('.rows').waitFor();
        await chips.locator('summary', { hasText: 'More' }).click();
        await chips.getByRole('button', { name: 'Phone', exact: true }).click();
        const form = chips.locator('details[open] form');
        await form.getByLabel('Phone').fill(shownAs(number));
        await form.getByRole('button', { name: 'Apply' }).click();
        await page.waitForURL(/visitor_phone_number=/);
        const rows = page.locator('.rows tbody tr');
        await until(async () => (await rows.count()) === 1);
        assert.match(await rows.innerText(), new RegExp(`^${name}\\b`));
        const phone = page.locator('.rows .number');
        assert.equal(await phone.innerText(), shownAs(number));
        assert.equal(await phone.getAttribute('href'), `tel:${number}`);
        await page.goto(`${service.url}/console/${PATH}`);
      }
      await page.context().close();
    });

    it('corrects what stands beside one, and types it anew, with every digit', async () => {
      const page = await at(PATH);
      for (const [number, { id, name }] of records) {
        await page.goto(`${service.url}/console/${PATH}/${id}`);
        await page.locator('main .number').first().waitFor();
        assert.equal(await page.locator('main .number').first().innerText(), shownAs(number));
        const relationship = `cousin, by ${zone}`;
        assert.equal(await edited(page, 'Relationship', relationship), shownAs(number));
        const kept = await stored(id);
        assert.equal(kept.public_data.visitor_relationship_to_deceased, relationship);
        assert.equal(kept.visitor_phone_number, number);
        await edited(page, 'Phone', '+1 415 555 0188');
        assert.equal((await stored(id)).visitor_phone_number, '+14155550188', name);
        assert.equal(await edited(page, 'Phone', shownAs(number)), shownAs('+14155550188'));
        assert.equal((await stored(id)).visitor_phone_number, number);
      }
      await page.context().close();
    });

    it('finds the record of one, alone', async () => {
      while (await service.app.store.search.feed());
      const page = await at('find');
      for (const [number, { name }] of records) {
        await page.locator('input[data-find]').fill(shownAs(number));
        const hit = page.locator('main [data-row]');
        await hit.filter({ hasText: name }).waitFor();
        assert.equal(await hit.count(), 1, number);
        await hit.getByText(shownAs(number)).waitFor();
      }
      await page.context().close();
    });

    it('asks for what is stored of the person of a record, by its number', async () => {
      const page = await at('privacy');
      // An account has only so many requests that are open: what is sent is looked at, and not begun.
      await page.route(/\/v1\/erasures$/, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      for (const [number, { id }] of records) {
        await page.goto(`${service.url}/console/privacy?record=${id}`);
        const form = page.getByRole('dialog', { name: 'Begin a request' });
        const phones = form.getByLabel('Phone numbers');
        await phones.waitFor();
        assert.equal(await phones.inputValue(), shownAs(number));
        const sent = page.waitForRequest(
          (one) => one.method() === 'POST' && one.url().endsWith('/v1/erasures'),
        );
        await form.getByRole('button', { name: 'Find their records' }).click();
        assert.deepEqual((await sent).postDataJSON().phone_numbers, [number]);
      }
      await page.context().close();
    });
  });
}
