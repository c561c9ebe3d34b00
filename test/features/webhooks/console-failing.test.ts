/** A webhook endpoint that fails, in the console: since when, why, what is next; on a wide and on a narrow window. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administrator } from '../../support/console.ts';
import { browserGround } from '../../support/console-ground.ts';
import { isSound, openConsole } from '../../support/console-page.ts';
import { keyed } from '../../support/secret-key.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

const { browser, skip, service } = await browserGround({ settings: keyed() });
const person = await administrator(service);
const receiver = await startReceiver();

const WIDE = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
const NARROW = { colorScheme: 'dark', viewport: { width: 820, height: 900 } } as const;

describe('a webhook endpoint that fails', { skip }, () => {
  it('tells what failed and why, and sends it again', async () => {
    const key = (await service.newKey({ allow: ['webhooks'] })).secret;
    const url = receiver.url;
    const asked = { url, description: 'Case management' };
    const { body } = await service.json('/v1/webhook_endpoints', asked, { key });
    receiver.answer = () => ({ status: 500 });
    await service.location();
    await until(() => receiver.received.length > 0);
    for (const view of [WIDE, NARROW]) {
      const { page } = await openConsole(browser, person, 'webhooks', view);
      await page.getByRole('link', { name: 'Case management' }).waitFor();
      await page.getByText(/^Failing since /).waitFor();
      assert.equal(await page.getByText('Enabled').count(), 0);
      await isSound(page);
      await page.context().close();
    }
    const path = `webhooks/${body.unique_identifier}`;
    const { page, complaints } = await openConsole(browser, person, path, NARROW);
    await page.getByText('location.created').first().waitFor();
    await page.getByText('500').first().waitFor();
    const next = page.locator('.next').first();
    const [cell, text] = await Promise.all([next.locator('..').boundingBox(), next.boundingBox()]);
    assert.ok(text && cell && text.x + text.width <= cell.x + cell.width, 'it is not cut off');
    await isSound(page);
    receiver.answer = () => ({ status: 200 });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await page.getByRole('button', { name: 'Send again …' }).click();
    await isSound(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(complaints, []);
  });
});
