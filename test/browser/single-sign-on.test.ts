/** People come in by their provider in a real browser, and come back to the page that they wanted. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { open } from '../support/browser.ts';
import { invitation } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { startProvider } from '../support/provider.ts';

const provider = await startProvider();
const { browser, skip, service } = await browserGround({ settings: provider.settings });

describe('single sign-on', { skip }, () => {
  it('takes an invitation up, and later leads back to the page that was wanted', async () => {
    provider.subject = 'somebody';
    const token = await invitation(service, 'somebody@example.com', { role: 'administrator' });
    const first = await open(browser, `${service.url}/console/#/invitation/${token}`);
    await first.page.getByRole('button', { name: 'Continue with Example Group' }).click();
    await first.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await first.page.context().close();

    const { page } = await open(browser, `${service.url}/console/events`);
    await page.getByRole('button', { name: 'Continue with Example Group' }).click();
    await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/events');
  });

  it('says so if the person was not invited', async () => {
    provider.subject = 'a stranger';
    const { page } = await open(browser, `${service.url}/console/`);
    await page.getByRole('button', { name: 'Continue with Example Group' }).click();
    await page.getByText('No one who may sign in here is known by that identity.').waitFor();
  });

  it('opens an invitation that is pasted over any page of the console, whatever stands behind it', async () => {
    const used = await invitation(service, 'again@example.com');
    const { page } = await open(browser, `${service.url}/console/`);
    await page.getByRole('button', { name: 'Continue with Example Group' }).waitFor();
    const pasted = async (token: string) => {
      await page.goto(`${service.url}/console/#/invitation/${token}`);
      return page.getByText('You are invited as').innerText();
    };
    assert.match(await pasted(`${used}.`), /again@example\.com/);
    await page.goto(`${service.url}/console/#/invitation/${used.slice(0, -1)}`);
    await page.getByText('This link is not complete.').waitFor();
    const next = await invitation(service, 'another@example.com');
    assert.match(await pasted(next), /another@example\.com/);
  });

  it('says where passkeys work, to whoever opened the console at a number', async () => {
    const { page } = await open(browser, `${service.url}/console/`);
    const { port, hostname } = new URL(service.url);
    if (hostname === 'localhost') await page.goto(`http://127.0.0.1:${port}/console/`);
    const link = page.getByRole('link', { name: `Open this page at localhost:${port}` });
    assert.equal(await link.getAttribute('href'), `http://localhost:${port}/console/`);
  });
});
