/** Whoever ends a key in the console reads first what works by it and stops. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administrator } from '../../support/console.ts';
import { browserGround } from '../../support/console-ground.ts';
import { isSound, openConsole } from '../../support/console-page.ts';
import { messagesOf } from '../../support/console-texts.ts';
import { keyed } from '../../support/secret-key.ts';

const { browser, skip, service } = await browserGround({ settings: keyed() });
const person = await administrator(service);

/** What each act on a key leaves of the webhook endpoint that works by it. */
const STOPS = { suspend: true, revoke: true, rotate: false };

describe('the question before a key ends', { skip }, () => {
  for (const locale of ['en', 'es', 'fr'])
    it(`names the webhook endpoints that stop: ${locale}`, async () => {
      const { secret: key } = await service.newKey({ name: `Key ${locale}`, allow: ['webhooks'] });
      const answer = await service.json(
        '/v1/webhook_endpoints',
        { url: 'http://127.0.0.1:9090/' },
        { key },
      );
      assert.equal(answer.status, 200, answer.text);
      const { unique_identifier } = answer.body;
      const says = (name: string): string => messagesOf(locale).get(name) ?? '';
      const { page } = await openConsole(browser, person, 'keys', { locale });
      const row = page.getByRole('row', { name: `Key ${locale}` });
      for (const [doing, stops] of Object.entries(STOPS)) {
        await row.locator('summary').click();
        await row.getByRole('button', { name: says(`keys.doings.${doing}`) }).click();
        const dialog = page.getByRole('dialog');
        const text = await dialog.innerText();
        assert.ok(text.includes(says(`keys.hints.${doing}`)), text);
        assert.equal(text.includes(unique_identifier), stops, text);
        if (stops) await isSound(page);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
    });
});
