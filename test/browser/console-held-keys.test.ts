/** A key that is held does nothing twice: on every screen, for every key, in every dialog that a button opens. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { answered, settled } from '../support/console-settled.ts';
import { keyed } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const person = await administrator(service);
const window = shared(() => windowFor(browser, person));
const { secret: crm } = await service.newKey({ permissions: ['read'], allow: ['follow_up'] });

const closed = async () =>
  (await service.get('/v1/follow_ups?limit=99&state=closed', { key: crm })).body.data.length;

const ASKS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A screen, and how many requests that write it has sent since it was asked last. */
async function opened(path: string) {
  const { page } = await openScreen(await window(), person, path);
  let writes = 0;
  page.on('request', (request) => {
    // What searches and looks writes nothing.
    const isLook = /\/(search|session|preview|look|names)\b/.test(request.url());
    if (!ASKS.has(request.method()) && !isLook) writes += 1;
  });
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  const sent = () => {
    const now = writes;
    writes = 0;
    return now;
  };
  return { page, sent };
}

/** As a keyboard repeats a key that is held: the first press, and repetitions while the page answers. */
async function hold(page: Page, key: string, of: number, every = 0): Promise<void> {
  for (let at = 0; at < of; at += 1) {
    await page.keyboard.down(key);
    if (every > 0) await page.waitForTimeout(every);
  }
  await page.keyboard.up(key);
  await answered(page);
}

const screenPaths = (page: Page) =>
  page
    .locator('nav a[href]')
    .evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).pathname.replace(/^.*\/console\//, '')),
    );

describe('a held key', { skip }, () => {
  const visit = async (name: string) => {
    const body = visitorBody(made.event, name, {
      visitor_full_name: name,
      visitor_interested_in_pre_planning: true,
    });
    assert.equal((await service.json('/v1/event_check_in_records/upsert', body)).status, 200);
  };

  it('closes one follow-up alone, and Undo brings back all that were closed one after the other', async () => {
    // The first look begins them.
    await service.get('/v1/follow_ups', { key: crm });
    for (const name of ['Zora', 'Zeno', 'Zack', 'Zita', 'Zola']) await visit(name);
    const { page } = await opened('');
    const panel = page.getByRole('region', { name: 'Follow up' });
    await panel.getByRole('link', { name: 'Zack' }).focus();
    await hold(page, '1', 40, 30);
    assert.equal(await closed(), 1);
    for (const all of [2, 3]) {
      await panel.locator('a:focus').waitFor();
      await page.keyboard.press('4');
      await until(async () => (await closed()) === all);
    }
    await page.getByText('3 closed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await closed()) === 0);
  });

  it('closes the next line with the next key, however late the service answers, and puts one back that it refuses', async () => {
    for (const name of ['Yara', 'Yves', 'Yoko']) await visit(name);
    const before = await closed();
    const { page } = await opened('');
    const panel = page.getByRole('region', { name: 'Follow up' });
    const isHeld = Promise.withResolvers<void>();
    await page.route('**/close', async (route) => {
      await isHeld.promise;
      await route.continue();
    });
    const lines = panel.locator('[data-follow-up]');
    const focused = panel.locator('[data-follow-up]:has(a:focus)');
    await lines.first().locator('a').first().focus();
    const pressed = new Set<string>();
    for (let at = 0; at < 3; at += 1) {
      pressed.add(`${await focused.getAttribute('data-follow-up')}`);
      await page.keyboard.press('4');
    }
    assert.equal(pressed.size, 3);
    isHeld.resolve();
    await until(async () => (await closed()) === before + 3);
    await page.getByText('3 closed.').waitFor();
    await page.unroute('**/close');
    await page.route('**/close', (route) => route.abort());
    const id = await focused.getAttribute('data-follow-up');
    await page.keyboard.press('4');
    await panel.getByRole('alert').waitFor();
    await panel.locator(`[data-follow-up="${id}"]`).waitFor();
    await page.close();
  });

  it('sends one write at most, on any screen, whatever has the focus', async () => {
    const { page: first } = await opened('');
    const listed = await screenPaths(first);
    const records = [`events/${made.event}`, `direct_mail_replies/${made.reply}`];
    const own = ['direct_mail_replies?view=cards', 'account', ...records];
    const keys = [...'abcdefghilmnopqrstuvwxyz0123456789?/.', 'Enter', 'Escape', 'Delete'];
    for (const path of new Set([...listed, ...own])) {
      const { page, sent } = await opened(path);
      await settled(page);
      sent();
      for (const key of keys) {
        await hold(page, key, 5);
        assert.ok(sent() <= 1, `${key} held on ${path}`);
        for (let at = 0; (await page.locator('dialog[open]').count()) > 0; at += 1) {
          assert.ok(at < 6, `${path}: a dialog does not close`);
          await page.keyboard.press('Escape');
          // What asks first whether to discard is closed by the next Escape.
          await settled(page);
          const discard = page.getByRole('button', { name: 'Discard', exact: true });
          if ((await discard.count()) > 0) await discard.click();
        }
        if (!page.url().endsWith(`/console/${path}`)) {
          await page.goto(`${service.url}/console/${path}`);
          await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
          sent();
        }
      }
      await page.close();
    }
  });

  it('presses the button that has the focus once, and nothing that comes after it', async () => {
    for (const path of ['', `events/${made.event}`, 'keys', 'account']) {
      for (const key of ['Enter', 'Space']) {
        const { page, sent } = await opened(path);
        await settled(page);
        const count = await page.locator('main :is(button:not([lang]), summary):visible').count();
        for (let at = 0; at < count; at += 1) {
          const button = page.locator('main :is(button:not([lang]), summary):visible').nth(at);
          if (!(await button.isEnabled().catch(() => false))) continue;
          sent();
          await button.focus();
          await hold(page, key, 8, 10);
          assert.ok(sent() <= 1, `${key} held on button ${at} of ${path}`);
          // A dialog asks once: what it begins with is not pressed by the same hand.
          const dialogs = await page.locator('dialog[open]').count();
          assert.ok(dialogs <= 1, `${key} held on button ${at} of ${path}: ${dialogs} dialogs`);
          await page.goto(`${service.url}/console/${path}`);
          await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
          await settled(page);
        }
        await page.close();
      }
    }
  });

  it('saves a form once, by Enter and by Ctrl+Enter', async () => {
    for (const key of ['Enter', 'Control+Enter']) {
      const { page, sent } = await opened(`events/${made.event}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      const field = page.locator('dialog [name=event_name]');
      await field.fill(`By ${key}`);
      const isHeld = Promise.withResolvers<void>();
      await page.route('**/v1/events/**', async (route) => {
        await isHeld.promise;
        await route.continue();
      });
      sent();
      for (const one of key.split('+')) await page.keyboard.down(one);
      // The key is held before the service answers, and for a while after that.
      const repeat = async (): Promise<void> => {
        for (let at = 0; at < 10; at += 1) await page.keyboard.down('Enter');
      };
      await repeat();
      await answered(page);
      isHeld.resolve();
      await repeat();
      await page.getByText('Saved.').waitFor();
      await repeat();
      for (const one of key.split('+')) await page.keyboard.up(one);
      await settled(page);
      assert.equal(sent(), 1, key);
      await page.close();
    }
  });

  it('still moves: from row to row, and through text', async () => {
    const { page } = await opened('event_check_in_records');
    const rows = page.locator('main tbody th a');
    await rows.nth(4).waitFor();
    await page.keyboard.down('j');
    for (let at = 0; at < 3; at += 1) await page.keyboard.down('j');
    await page.keyboard.up('j');
    assert.equal(await rows.nth(3).evaluate((it) => it === document.activeElement), true);
    await page.keyboard.press('/');
    for (let at = 0; at < 4; at += 1) await page.keyboard.down('x');
    await page.keyboard.up('x');
    assert.equal(await page.locator('input[data-find]').inputValue(), 'xxxx');
  });
});

describe('a letter after g', { skip }, () => {
  it('leads to a screen or nowhere, however late it comes, and never acts by itself', async () => {
    const { page } = await opened(`events/${made.event}`);
    await page.clock.install();
    await page.keyboard.press('g');
    await page.clock.fastForward(60_000);
    await page.keyboard.press('e');
    await settled(page);
    assert.equal(await page.locator('dialog[open]').count(), 0);
    await page.keyboard.press('e');
    await page.locator('dialog[open]').waitFor();
  });
});
