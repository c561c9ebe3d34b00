/** Somebody who may hold keeps a record in the console: whoever erases is told, and it goes on after the release. */
// needs: --ci, browser
import { describe, it } from 'node:test';
import { signedIn } from '../../support/console.ts';
import { consoleGround } from '../../support/console-ground.ts';
import { isSound, openConsole, openScreen, windowFor } from '../../support/console-page.ts';
import { keyed } from '../../support/secret-key.ts';
import { visitorBody } from '../../support/sent.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const officer = await signedIn(service, 'officer@example.com', {
  ...{ role: 'viewer', allow: ['erase'] },
});

const PATH = 'event_check_in_records';

describe('whoever may hold', { skip }, () => {
  it('keeps a record from the officer, whose request waits, and releases it', async () => {
    const sent = visitorBody(made.event, 'lena', { visitor_full_name: 'Lena Lindqvist' });
    const { body } = await service.json(`/v1/${PATH}/upsert`, sent);
    const lena = body.unique_identifier;
    const keeper = await signedIn(service, 'keeper@example.com', {
      ...{ role: 'viewer', allow: ['hold'] },
    });
    await keeper.post('/account', { name: 'Karl Keeper' });
    const { page } = await openConsole(browser, keeper, `${PATH}/${lena}`);
    await page.getByLabel('More', { exact: true }).click();
    await page.locator('main').getByRole('link', { name: 'Hold' }).click();
    const dialog = page.getByRole('dialog', { name: 'Place a hold' });
    await dialog.getByText('Lena Lindqvist').waitFor();
    await dialog.getByLabel('Matter').fill('Case 2026-118');
    await isSound(page);
    await dialog.getByRole('button', { name: 'Place a hold' }).click();
    const active = page.getByRole('table', { name: 'In force' });
    await active.getByText('Case 2026-118').waitFor();
    await active.getByText('by Karl Keeper').waitFor();
    await isSound(page);

    const theirs = await windowFor(browser, officer);
    const { page: privacy } = await openScreen(theirs, officer, `privacy?record=${lena}`);
    await privacy.getByRole('button', { name: 'Find their records' }).click();
    const row = privacy.getByRole('listitem').filter({ hasText: 'Lena Lindqvist' });
    await row.getByText('A hold keeps it').waitFor();
    await row.getByRole('checkbox').check();
    await privacy.getByRole('button', { name: 'Erase 1 record' }).click();
    await privacy.getByLabel('Type ERASE to confirm').fill('ERASE');
    await privacy.getByRole('button', { name: 'Erase for good' }).click();
    await row.getByText('Waits: a hold keeps it.').waitFor();
    await row.getByText(/hld_/).waitFor();
    await isSound(privacy);
    await theirs.close();

    await page.goto(`${service.url}/console/holds`);
    await active.getByRole('button', { name: 'Release: Case 2026-118' }).click();
    const release = page.getByRole('dialog', { name: 'Release this hold?' });
    await release.getByLabel('Why it ends').fill('the case is closed');
    await isSound(page);
    await release.getByRole('button', { name: 'Release' }).click();
    const released = page.getByRole('table', { name: 'Released' });
    await released.getByText('the case is closed').waitFor();
  });
});
