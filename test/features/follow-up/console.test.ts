/** A director's morning by the keyboard alone: what is to be done, claimed, tried, closed and taken back; on a phone and in each language. */
// needs: browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administrator } from '../../support/console.ts';
import { consoleGround } from '../../support/console-ground.ts';
import { isSound, openConsole, openScreen, windowFor } from '../../support/console-page.ts';
import { keyed } from '../../support/secret-key.ts';
import { visitorBody } from '../../support/sent.ts';
import { until } from '../../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const ada = await administrator(service, 'ada@example.com');
const { secret: crm } = await service.newKey({ permissions: ['read'], allow: ['follow_up'] });
const list = async (query = '') =>
  (await service.get(`/v1/follow_ups?limit=99${query}`, { key: crm })).body.data;

describe('the console of follow-ups', { skip }, () => {
  const visit = async (name: string) => {
    const path = '/v1/event_check_in_records/upsert';
    const body = visitorBody(made.event, name, {
      visitor_full_name: name,
      visitor_interested_in_pre_planning: true,
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
    // Where no line has the focus, a key only goes to the first.
    await page.keyboard.press('1');
    await panel.locator('a:focus').waitFor();
    assert.equal((await list('&state=closed')).length, 0);
    await free.getByRole('link', { name: 'Ben Later' }).focus();
    await page.keyboard.press('c');
    const mine = panel.getByRole('list', { name: 'Mine' });
    // The focus goes with the line.
    await mine.locator('a:focus', { hasText: 'Ben Later' }).waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note', { exact: true }).fill('asked for Tuesday');
    await dialog.getByRole('button', { name: 'Note', exact: true }).click();
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
    await own.getByLabel('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Do not contact' }).click();
    await page.getByRole('dialog').getByText('Nobody is to contact this person').waitFor();
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
      await isSound(today.page);
    }
  });
});
