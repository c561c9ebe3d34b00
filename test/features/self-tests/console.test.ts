/** The self-tests of partners' programs stand below the feeds of the console. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedIn } from '../../support/console.ts';
import { browserGround } from '../../support/console-ground.ts';
import { isSound, openConsole } from '../../support/console-page.ts';

const { browser, skip, service } = await browserGround();
const person = await signedIn(service);

const VIEWS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
] as const;

describe('the self-tests of partners', { skip }, () => {
  it('stand below the feeds, each with its checks', async () => {
    const opened = await service.send('POST', '/v1/self_tests');
    assert.equal(opened.status, 200);
    for (const view of VIEWS) {
      const { page, complaints } = await openConsole(browser, person, 'feeds', view);
      await page.getByRole('heading', { name: 'Self-tests of partners’ programs' }).waitFor();
      const check = page.getByText('Your first write is answered 429');
      assert.equal(await check.isVisible(), false);
      await page.getByText('0 of 12 checks passed').click();
      await check.waitFor();
      await isSound(page);
      assert.deepEqual(complaints, []);
      await page.context().close();
    }
  });
});
