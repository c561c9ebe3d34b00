/** A director's morning by the keyboard alone: what is to be done, claimed, tried, closed and taken back; on a phone and in each language. */
// needs: browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadPlans, phoneText } from '../../../console/src/values/contact.ts';
import { examples } from '../../support/bodies.ts';
import { administrator, signedIn } from '../../support/console.ts';
import { consoleGround } from '../../support/console-ground.ts';
import {
  CONSOLE_ZONE,
  isSound,
  openConsole,
  openScreen,
  saysWhatLacks,
  windowFor,
} from '../../support/console-page.ts';
import { ugly } from '../../support/console-reach.ts';
import { numbersToType } from '../../support/phone-numbers.ts';
import { keyed } from '../../support/secret-key.ts';
import { visitorBody } from '../../support/sent.ts';
import { until } from '../../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const ada = await administrator(service, 'ada@example.com');
const { secret: crm } = await service.newKey({ permissions: ['read'], allow: ['follow_up'] });
const list = async (query = '') =>
  (await service.get(`/v1/follow_ups?limit=99${query}`, { key: crm })).body.data;

describe('the console of follow-ups', { skip }, () => {
  const visit = async (name: string, isInterested = true, more: object = {}) => {
    const path = '/v1/event_check_in_records/upsert';
    const body = visitorBody(made.event, name, {
      visitor_full_name: name,
      visitor_interested_in_pre_planning: isInterested,
      ...more,
    });
    assert.equal((await service.json(path, body)).status, 200);
  };

  it('shows what is to be done first, and keys do it', async () => {
    await list();
    for (const name of ['Ann Early', 'Ben Later']) await visit(name);
    await until(async () => (await list('&state=open')).length >= 2);
    const { page } = await openConsole(browser, ada, '');
    const panel = page.getByRole('region', { name: 'Follow up' });
    const free = panel.getByRole('list', { name: 'Nobody’s yet' });
    await free.getByRole('link', { name: 'Ann Early' }).waitFor();
    // On paper each line says until which day and hour, and there is nothing to press.
    await page.emulateMedia({ media: 'print' });
    for (const line of await panel.locator('[data-follow-up]').all()) {
      const due = line.locator('[data-paper]');
      assert.equal(await due.isVisible(), true);
      const said = await due.evaluate((one) => getComputedStyle(one, '::after').content);
      assert.match(said, /\b20\d\d, \d/);
    }
    assert.equal(await panel.getByRole('button').filter({ visible: true }).count(), 0);
    await page.emulateMedia({ media: 'screen' });
    // Where no line has the focus, a key only goes to the first.
    await page.keyboard.press('1');
    await panel.locator('a:focus').waitFor();
    assert.equal((await list('&state=closed')).length, 0);
    await free.getByRole('link', { name: 'Ben Later' }).focus();
    await page.keyboard.press('c');
    const mine = panel.getByRole('list', { name: 'Mine' });
    // The focus goes with the line.
    await mine.locator('a:focus', { hasText: 'Ben Later' }).waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note', { exact: true }).fill('asked for Tuesday');
    await dialog.getByRole('button', { name: 'Note it', exact: true }).click();
    await page.getByText('Noted.').waitFor();
    await mine.locator('a:focus', { hasText: 'Ben Later' }).waitFor();
    await page.keyboard.press('2');
    await page.getByText('Closed.').waitFor();
    // The line is gone: the one in its place has the focus.
    await panel.locator('a:focus').waitFor();
    await until(async () => (await list('&state=closed')).length === 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await list('&state=closed')).length === 0);
    await isSound(page);
  });

  it('asks before nobody is to contact a person, and shows the record what was tried', async () => {
    const { page } = await openConsole(browser, ada, '');
    const panel = page.getByRole('region', { name: 'Follow up' });
    await panel.getByRole('link', { name: 'Ben Later' }).click();
    const own = page.getByRole('region', { name: 'Follow up' });
    await own.getByText('asked for Tuesday').waitFor();
    await own.getByLabel('More: Ben Later', { exact: true }).click();
    await page.getByRole('button', { name: 'Do not contact …' }).click();
    await page.getByRole('dialog').getByText('go into the register').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the follow-up' }).click();
    await own.locator('li strong', { hasText: 'Do not contact' }).waitFor();
    await own.getByRole('button', { name: 'Begin a follow-up' }).waitFor();
    await page.reload();
    await page.locator('.about .tag', { hasText: 'Do not contact' }).waitFor();
    await isSound(page);
    const { page: list } = await openConsole(browser, ada, 'event_check_in_records');
    const row = list.getByRole('row').filter({ hasText: 'Ben Later' });
    await row.getByText('Do not contact').waitFor();
    await isSound(list);
  });

  it('begins one for a colleague, who hands it over', async () => {
    const ben = await signedIn(service, 'ben@example.com');
    const id = (email: string) =>
      service.app.store.staff.list().then((all) => all.find((one) => one.email === email));
    const [adaId, benId] = [await id('ada@example.com'), await id('ben@example.com')];
    await visit('Cy Given', false, { visitor_phone_number: '+14155550188' });
    const { body } = await service.get('/v1/event_check_in_records?limit=99');
    const record = body.data.find(
      (one: { readonly visitor_full_name: string }) => one.visitor_full_name === 'Cy Given',
    );
    const at = `event_check_in_records/${record.unique_identifier}`;
    const given = async () => (await list(`&record=${record.unique_identifier}`))[0];
    const { page } = await openConsole(browser, ada, at);
    await page.getByRole('button', { name: 'Begin a follow-up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('For whom').selectOption({ label: 'ben@example.com' });
    await isSound(page);
    await dialog.getByRole('button', { name: 'Begin a follow-up' }).click();
    await until(async () => (await given())?.owner === benId?.unique_identifier);
    const { page: his } = await openConsole(browser, ben, '');
    const mine = his.getByRole('region', { name: 'Follow up' }).getByRole('list', { name: 'Mine' });
    await mine.getByRole('link', { name: 'Cy Given' }).focus();
    await his.keyboard.press('h');
    const asked = his.getByRole('dialog');
    await asked.getByLabel('Note', { exact: true }).fill('she knows the family');
    await isSound(his);
    await asked.getByRole('button', { name: 'Hand over', exact: true }).click();
    await his.getByText('Handed over.').waitFor();
    const { owner, note } = await given();
    assert.deepEqual([owner, note], [adaId?.unique_identifier, 'she knows the family']);

    const one = `/v1/follow_ups/${(await given()).unique_identifier}`;
    assert.equal((await ada.post(`${one}/close`, { outcome: 'no' })).status, 200);
    await page.reload();
    await page.getByRole('button', { name: 'Reopen the follow-up' }).click();
    await saysWhatLacks(dialog.getByRole('button', { name: 'Reopen the follow-up' }));
    await dialog.getByLabel('Why').fill('closed the wrong one');
    await isSound(page);
    await dialog.getByRole('button', { name: 'Reopen the follow-up' }).click();
    await until(async () => (await given()).state !== 'closed');
  });

  it('counts them on a board, on a phone and in each language', async () => {
    for (const [language, title] of [
      ['en', 'Board'],
      ['es', 'Tablero'],
      ['fr', 'Tableau'],
    ] as const) {
      const phone = { viewport: { width: 390, height: 844 }, locale: language };
      const window = await windowFor(browser, ada, phone);
      const today = await openScreen(window, ada, '');
      await today.page.getByRole('link', { name: 'Ann Early' }).first().waitFor();
      await isSound(today.page);
      await today.page.getByRole('button', { name: title }).click();
      await today.page.locator('table').first().waitFor();
      const { y = 9_999 } = (await today.page.locator('table').first().boundingBox()) ?? {};
      assert.ok(y < 844, 'The board is where it was asked for.');
      await isSound(today.page);
      // Each dialog says whom it is about.
      for (const key of ['a', '3', '5']) {
        const line = today.page.locator('[data-follow-up] a').first();
        await line.focus();
        await today.page.keyboard.press(key);
        const name = await line.locator('strong').innerText();
        await today.page.getByRole('dialog', { name }).waitFor();
        assert.deepEqual(await ugly(today.page), []);
        await today.page.keyboard.press('Escape');
        await today.page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }
  });

  it('asks once what a tick on cards means, and lists what was said to change it', async () => {
    const meant = async (name: string) => {
      const { data } = (await service.get('/v1/ticks?limit=500', { key: crm })).body;
      return data.find((one: { readonly name: string }) => one.name === name)?.meaning;
    };
    const { path = '', least } = examples.find((one) => one.path === 'direct_mail_replies') ?? {};
    const NAME = 'Phone number is right';
    for (const name of [
      NAME,
      'The family in the neighbourhood has a telephone '.repeat(9).trim(),
    ]) {
      const body = { ...least, location_unique_identifier: made.locations[0] };
      const sent = { ...body, additional_metadata: { [name]: 'x' } };
      const answer = await service.json(`/v1/${path}/upsert`, sent);
      assert.equal(answer.status, 200, answer.text);
      await until(async () => (await meant(name)) === null);
    }
    for (const locale of ['en', 'es', 'fr']) {
      const phone = { viewport: { width: 390, height: 844 }, locale };
      const { page } = await openScreen(await windowFor(browser, ada, phone), ada, '');
      await page.locator('.ticks').first().waitFor();
      await isSound(page);
    }
    const { page } = await openConsole(browser, ada, '');
    const asked = page.getByRole('region', { name: 'What do these ticks on cards mean?' });
    await asked.waitFor();
    await asked.getByRole('button', { name: `Say what it means: ${NAME}` }).click();
    const dialog = page.getByRole('dialog');
    await saysWhatLacks(dialog.getByRole('button', { name: 'Say what it means' }));
    await dialog.getByLabel('wants no calls').check();
    await isSound(page);
    await dialog.getByRole('button', { name: 'Say what it means' }).click();
    await page.getByText('Earlier cards follow within seconds').waitFor();
    assert.equal(await meant(NAME), 'no_call');
    await asked.getByText(NAME).waitFor({ state: 'detached' });
    const said = page.getByRole('region', { name: 'What ticks on cards mean' });
    await said.locator('summary').click();
    await said.getByText('wants no calls').waitFor();
    await isSound(page);
    await said.getByRole('button', { name: `Change: ${NAME}` }).click();
    await dialog.getByLabel('says nothing about calls').check();
    await dialog.getByRole('button', { name: 'Say what it means' }).click();
    await said.getByText('says nothing about calls').waitFor();
    assert.equal(await meant(NAME), 'nothing');
  });

  it('gives the number of a visitor from any country as it is dialled there', async () => {
    await loadPlans();
    const some = numbersToType.slice(0, 3);
    for (const [at, number] of some.entries())
      await visit(`Caller ${'abcdef'.charAt(at)}`, true, { visitor_phone_number: number });
    const { page } = await openConsole(browser, ada, '');
    const panel = page.getByRole('region', { name: 'Follow up' });
    for (const [at, number] of some.entries()) {
      const line = panel.locator('[data-follow-up]', { hasText: `Caller ${'abcdef'.charAt(at)}` });
      const phone = line.locator('.number');
      await phone.waitFor();
      assert.equal(await phone.innerText(), phoneText(number, CONSOLE_ZONE));
      assert.equal(await phone.getAttribute('href'), `tel:${number}`);
    }
  });
});
