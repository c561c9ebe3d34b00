/** Many windows of one browser that are all in sight: what somebody does in one never stands behind the others. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });

/** Screens that follow the log, each with other questions: a browser sends the same question once. */
const SCREENS = [
  ...['events', 'event_administrators', 'event_check_in_records', 'online_arrangements'],
  ...['direct_mail_replies', 'proposals', '', `events/${made?.event}?tab=history`],
];

describe('many windows of one browser', { skip }, () => {
  for (const sharesLocks of [true, false])
    it(`keep connections free, and hear of changes, ${sharesLocks ? 'with' : 'without'} locks`, async () => {
      const person = await administrator(service, `of.${sharesLocks}@example.com`);
      const window = await windowFor(browser, person);
      if (!sharesLocks)
        await window.addInitScript(
          "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })",
        );
      const waiting = new Set<unknown>();
      let most = 0;
      window.on('request', (request) => {
        if (!/[?&]wait=[1-9]/.test(request.url())) return;
        waiting.add(request);
        most = Math.max(most, waiting.size);
      });
      window.on('requestfinished', (request) => waiting.delete(request));
      window.on('requestfailed', (request) => waiting.delete(request));
      const rounds = new Map<Page, number>();
      const pages: Page[] = [];
      for (const screen of SCREENS) {
        const { page } = await openScreen(window, person, screen);
        page.on('request', (request) => {
          if (!request.url().includes('starting_after=chg_')) return;
          rounds.set(page, (rounds.get(page) ?? 0) + 1);
        });
        pages.push(page);
      }
      // Each has asked what became of records after the first look.
      await until(() => pages.every((page) => (rounds.get(page) ?? 0) > 0));
      assert.equal(most, sharesLocks ? 2 : 0);
      const name = `Heard ${sharesLocks}`;
      const [events, , visitors] = pages;
      const visitor = { visitor_full_name: name };
      for (const [path, body] of [
        ['events', eventBody(`${made.locations[0]}`, name, { event_name: name })],
        ['event_check_in_records', visitorBody(made.event, name, visitor)],
      ] as const)
        assert.equal((await service.json(`/v1/${path}/upsert`, body)).status, 200);
      for (const page of [events, visitors]) await page?.locator('.fresh').waitFor();
      // One more window opens at once, as the first did.
      const { page: more } = await openScreen(window, person, 'locations');
      await more.locator('tbody th a').first().waitFor();
    });
});
