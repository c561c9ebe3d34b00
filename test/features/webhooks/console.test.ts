/** Webhook endpoints in the console: an administrator adds one, and it is notified; settings, test, secret, what failed, removal. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { administrator, signedIn } from '../../support/console.ts';
import { browserGround } from '../../support/console-ground.ts';
import { isSound, openConsole, saysWhatLacks } from '../../support/console-page.ts';
import { keyed } from '../../support/secret-key.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

const { browser, skip, service } = await browserGround({ settings: keyed() });
const ada = await administrator(service);
const receiver = await startReceiver();
await service.location('riverside');

const endpoints = () => service.app.store.webhooks.list([service.account.unique_identifier]);

/** Adds an endpoint, and gives its secret; the page is then that of the endpoint. */
async function add(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Name').fill(name);
  const submit = dialog.getByRole('button', { name: 'Add an endpoint' });
  // All of it is sent only by saying so.
  await saysWhatLacks(submit);
  await dialog.getByLabel('Only', { exact: true }).check();
  await dialog.getByLabel('Services', { exact: true }).check();
  await dialog.getByLabel('All locations').check();
  await isSound(page);
  await submit.click();
  const once = page.getByRole('dialog', { name: 'The secret of the endpoint' });
  const secret = await once.locator('code').innerText();
  await isSound(page);
  await once.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return secret;
}

describe('webhook endpoints, in a browser', { skip }, () => {
  it('an administrator adds one without a key, and it is notified of what was chosen', async () => {
    const { page, complaints } = await openConsole(browser, ada, 'webhooks');
    assert.match(await add(page, 'Case management'), /^whsec_/);
    const [made] = await endpoints();
    assert.deepEqual(made?.settings.notifications, ['event.*']);
    assert.equal(made?.settings.locations, null);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived').waitFor();
    receiver.received.length = 0;
    const location = await service.location('chapel of the webhook');
    const event = await service.event(location);
    await until(() => receiver.received.length > 0);
    assert.deepEqual(
      receiver.received.map(({ body }) => [body.type, body.data.record]),
      [['event.created', event]],
    );
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Services', { exact: true }).isChecked(), true);
    await dialog.getByLabel('All records').check();
    await dialog.getByLabel('What is sent').selectOption('Each change, with the whole record');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const [changed] = await endpoints();
    assert.deepEqual(changed?.settings.notifications, ['*']);
    assert.equal(changed?.settings.payload, 'full');
    receiver.received.length = 0;
    await service.location('another');
    await until(() => receiver.received.length > 0);
    assert.equal(receiver.received[0]?.body.data.record_now.location_name.length > 0, true);
    assert.deepEqual(complaints, []);
  });

  it('a refused address stands at its field, and what was typed stays', async () => {
    const { page } = await openConsole(browser, ada, 'webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('https://10.0.0.1/hook');
    await dialog.getByLabel('Name').fill('Inside');
    await dialog.getByLabel('All records').check();
    await dialog.getByLabel('All locations').check();
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialog.locator('.fault', { hasText: 'Address' }).waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Inside');
    await isSound(page);
  });

  it('sends all again that failed, makes a new secret, and asks before it is removed', async () => {
    const [made] = await endpoints();
    const { webhooks } = service.app.store;
    const asked = { endpoint: String(made?.unique_identifier), limit: 1 };
    await until(async () => (await webhooks.deliveries(asked))[0]?.status === 'delivered');
    const [delivery] = await webhooks.deliveries(asked);
    assert.ok(delivery);
    await webhooks.redeliver({ ...delivery, status: 'failed', next_at: null });
    const { page } = await openConsole(browser, ada, `webhooks/${made?.unique_identifier}`);
    await page.getByLabel('Show').selectOption('Failed');
    receiver.received.length = 0;
    await page.getByRole('button', { name: 'Send these again' }).click();
    await page.getByText('1 notification is being sent again.').waitFor();
    await until(() => receiver.received.length > 0);
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    const once = page.getByRole('dialog', { name: 'The secret of the endpoint' });
    assert.match(await once.locator('code').innerText(), /^whsec_/);
    await once.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await endpoints()).length, 1);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No endpoints yet').waitFor();
    assert.equal((await endpoints()).length, 0);
  });

  it('reads whether one is on, and in words why not, as soon as the page is loaded again', async () => {
    const { key, secret } = await service.newKey({ allow: ['webhooks'] });
    const { body } = await service.json(
      '/v1/webhook_endpoints',
      { url: receiver.url },
      { key: secret },
    );
    const { page } = await openConsole(browser, ada, `webhooks/${body.unique_identifier}`);
    const status = page.locator('.heading .about .status');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    assert.equal(await status.evaluate((one) => one.parentElement?.innerText.slice(-6)), 'Paused');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await service.app.store.keys.revoke(key.unique_identifier);
    const path = `/v1/webhook_endpoints/${body.unique_identifier}`;
    let sent = 0;
    await until(async () => {
      sent += 1;
      await service.location(`after the key ${sent}`);
      return (await ada.get(path)).body.status === 'paused';
    });
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Paused Its key has ended.').waitFor();
    await isSound(page);
    await page.context().close();
    await ada.send('DELETE', path);
  });
});

describe('somebody who is no administrator', () => {
  it('makes, changes and removes none', async () => {
    const { body } = await ada.post('/v1/webhook_endpoints', { url: receiver.url });
    const path = `/v1/webhook_endpoints/${body.unique_identifier}`;
    assert.equal(body.key, service.account.unique_identifier);
    const editor = await signedIn(service);
    for (const [method, at] of [
      ['POST', '/v1/webhook_endpoints'],
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/rotate_secret`],
    ] as const) {
      const { status } = await editor.send(method, at, method === 'GET' ? undefined : {});
      assert.equal(status, 403, `${method} ${at}`);
    }
    assert.equal((await ada.send('DELETE', path)).status, 200);
  });
});
