/** People come in by their provider in a real browser, and come back to the page that they wanted. */
// needs: --all, browser
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, open } from '../support/browser.ts';
import { invitation } from '../support/console.ts';
import { CLIENT, type OpenIdProvider, startProvider } from '../support/provider.ts';
import { type Service, startService } from '../support/service.ts';

const { browser: launched, skip } = await launchBrowser();
const browser = launched as Browser;

describe('single sign-on', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-oidc-'));
  let provider: OpenIdProvider;
  let service: Service;
  before(async () => {
    provider = await startProvider();
    provider.subject = 'somebody';
    const oidc_secret_file = join(folder, 'secret');
    writeFileSync(oidc_secret_file, CLIENT.secret);
    service = await startService({
      settings: {
        oidc_issuer: provider.issuer,
        oidc_client_id: CLIENT.id,
        oidc_secret_file,
        oidc_name: 'Example Group',
      },
    });
  });
  after(async () => {
    await provider.close();
    rmSync(folder, { recursive: true });
  });

  it('takes an invitation up, and later leads back to the page that was wanted', async () => {
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
    await page.getByText('Nobody was invited with that sign-in.').waitFor();
  });
});
