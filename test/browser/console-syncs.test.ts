/** After seven nights of syncs, the console tells what they removed and left, and restores it; a correction is explained on its record. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { realPace } from '../../src/core/pace.ts';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openScreen, windowFor } from '../support/console-page.ts';
import { servicesAt, sevenNights } from '../support/seven-nights.ts';
import { until } from '../support/until.ts';

const clock = { now: Date.now() - 7 * 86_400_000 };
const { browser, skip, service } = await browserGround({
  now: () => clock.now,
  // A week goes by in a moment: what nothing came of stays for two days of it.
  pace: realPace,
});

describe('what staff see of nightly syncs', { skip, concurrency: false }, () => {
  it('Feeds tells the last of each system, what it left and why, and restores what one removed', async () => {
    const { location, corrected } = await sevenNights({ service, clock });
    const person = await signedIn(service, 'editor@example.com');
    const window = await windowFor(browser, person);
    const { page } = await openScreen(window, person, 'feeds');
    const table = page.getByRole('table', { name: 'Syncs' });
    const rows = table.locator('tbody tr');
    await rows.first().waitFor();
    await isSound(page);
    const last = await rows.allTextContents();
    assert.equal(last.length, 2);
    assert.match(last.join('\n'), /Passare.*Finished/);
    assert.match(last.join('\n'), /Parting Pro.*Finished/);

    await page.getByRole('button', { name: 'Details: Passare' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 records were not sent, and left').waitFor();
    await dialog.getByText('Another system, or a person, changed it last.').waitFor();
    await isSound(page);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Show all' }).click();
    await rows.nth(13).waitFor();
    assert.match((await rows.allTextContents()).join('\n'), /Not finished.*Nothing was removed\./);
    // The sync of the fifth night removed what it and the one before left out.
    await rows.filter({ hasText: 'Passare' }).nth(2).getByRole('button').click();
    await dialog.getByText('Removed. Services: 2').waitFor();
    await dialog.getByRole('button', { name: 'Restore what was removed' }).click();
    await page.getByText('2 records restored.').waitFor();
    await rows.filter({ hasText: 'Undone' }).waitFor();
    const there = await servicesAt(service, location);
    assert.deepEqual([there.has('case-1004'), there.has('case-1005')], [true, true]);

    const { page: record } = await openScreen(window, person, `events/${corrected.event}`);
    await record.getByText('Corrected by staff').waitFor();
    await record.getByText('Lane service, chapel B').first().waitFor();
    await isSound(record);
  });

  it('a table cuts nothing off, also where its texts become longer as time passes', async () => {
    const person = await signedIn(service, 'reader@example.com', { role: 'viewer' });
    const viewport = { width: 1280, height: 900 };
    const window = await windowFor(browser, person, { viewport });
    const { page } = await openScreen(window, person, 'feeds');
    // Where the texts are long already, it is folded, and has no headings.
    await page.locator('.rows tbody .time').first().waitFor();
    await page.evaluate(`for (const one of document.querySelectorAll('.rows tbody .time'))
      one.textContent = 'a long time ago, and longer by now';`);
    await until(() =>
      page.evaluate<boolean>(
        "[...document.querySelectorAll('.rows')].every((one) => one.scrollWidth <= one.clientWidth)",
      ),
    );
  });
});
