/** An editor enters whom nobody is to contact: from a record, alone and by a list; asks, and lifts it. */
// needs: browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadPlans, phoneText } from '../../../console/src/values/contact.ts';
import { signedIn } from '../../support/console.ts';
import { consoleGround } from '../../support/console-ground.ts';
import { CONSOLE_ZONE, isSound, openConsole } from '../../support/console-page.ts';
import { numbersToType } from '../../support/phone-numbers.ts';
import { keyed } from '../../support/secret-key.ts';
import { visitorBody } from '../../support/sent.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const editor = await signedIn(service, 'editor@example.com', { role: 'editor' });
const { secret } = await service.newKey({ permissions: ['read'], allow: ['do_not_contact'] });
const VISITS = 'event_check_in_records';

describe('whoever may say whom nobody is to contact', { skip }, () => {
  const asked = async (query: string) =>
    (await service.get(`/v1/do_not_contact?${query}`, { key: secret })).body.data;

  it('enters the person of a record from its menu, sees it beside the name, and lifts it', async () => {
    const more = { visitor_full_name: 'Lena Lindqvist', visitor_phone_number: '+14155550171' };
    const { body } = await service.json(
      `/v1/${VISITS}/upsert`,
      visitorBody(made.event, 'lena', more),
    );
    const { page } = await openConsole(browser, editor, `${VISITS}/${body.unique_identifier}`);
    await page.getByLabel('More', { exact: true }).click();
    await page.locator('main').getByRole('link', { name: 'Do not contact' }).click();
    const dialog = page.getByRole('dialog', { name: 'Do not contact Lena Lindqvist' });
    await dialog.getByLabel('Reason').fill('asked at the door');
    await isSound(page);
    await dialog.getByRole('button', { name: 'Do not contact' }).click();
    await page.getByRole('table').getByText('(415) 555-0171').waitFor();
    await isSound(page);
    assert.equal((await asked('phone_number=4155550171')).length, 1);
    await page.goto(`${service.url}/console/${VISITS}/${body.unique_identifier}`);
    const panel = page.getByRole('region', { name: 'Do not contact' });
    await panel.getByText('asked at the door').first().waitFor();
    await page.locator('.about .tag', { hasText: 'Do not contact' }).waitFor();
    await isSound(page);
    await panel.getByRole('button', { name: 'Lift: (415) 555-0171' }).click();
    const lift = page.getByRole('dialog', { name: 'May this person be contacted again?' });
    await lift.getByLabel('Why').fill('she called us');
    await lift.getByRole('button', { name: 'Lift' }).click();
    await page.getByText('Lifted.').waitFor();
    assert.deepEqual(await asked('phone_number=4155550171'), []);
  });

  it('enters a list, is told which lines are neither, and asks of one', async () => {
    const { page } = await openConsole(browser, editor, 'do-not-contact');
    await page.getByRole('button', { name: 'Enter a list' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enter a list' });
    await dialog.getByLabel('Numbers and addresses').fill('(415) 555-0172\nn/a\njane@example.org');
    await dialog.getByRole('button', { name: 'Do not contact' }).click();
    await dialog.getByText('One line is no phone number').waitFor();
    await dialog.getByText('n/a', { exact: true }).waitFor();
    await isSound(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByLabel('Phone number or email address').fill('415.555.0172');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('table').getByText('(415) 555-0172').waitFor();
    await page.getByLabel('Phone number or email address').fill('415.555.0179');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('Not in the register').waitFor();
    await isSound(page);
  });

  it('enters a number of any country as the console shows it, and asks for that one', async () => {
    await loadPlans();
    const { page } = await openConsole(browser, editor, 'do-not-contact');
    for (const number of numbersToType) {
      const shown = phoneText(number, CONSOLE_ZONE);
      await page.getByLabel('Phone number or email address').fill(shown);
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByText('Not in the register').waitFor();
      await page.getByRole('button', { name: 'Do not contact', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Phone number or email address').fill(shown);
      await dialog.getByRole('button', { name: 'Do not contact' }).click();
      await page.getByRole('table').getByText(shown, { exact: true }).waitFor();
      const entries = await asked(`phone_number=${encodeURIComponent(number)}`);
      assert.deepEqual(
        entries.map(({ value }: { value: string }) => value),
        [number],
      );
      await page.goto(`${service.url}/console/do-not-contact`);
    }
  });
});
