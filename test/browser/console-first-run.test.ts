/** An account that has only begun says the one next step, by role, and says nothing of it once something is there. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { administrator, signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { listen, lostByKeys } from '../support/console-reach.ts';
import { eventBody } from '../support/sent.ts';

const { browser, skip, service } = await browserGround();
const people = [
  ['an administrator', await administrator(service)],
  ['an editor', await signedIn(service, 'editor@example.com')],
  ['a viewer', await signedIn(service, 'viewer@example.com', { role: 'viewer' })],
] as const;
const below = resources.filter(({ parent }) => parent !== undefined);

/** The steps that an empty screen offers: buttons, links, or the sentence that says whom to ask. */
async function stepsOn(path: string, whose: (typeof people)[number][1]) {
  const window = await windowFor(browser, whose);
  const { page } = await openScreen(window, whose, path);
  const empty = page.getByRole('main').locator('.empty');
  await empty.waitFor();
  await empty.locator('button, .button, p:nth-of-type(3)').first().waitFor();
  const steps = await empty.locator('button, .button, p:nth-of-type(3)').allInnerTexts();
  await window.close();
  return steps;
}

describe('an account that has only begun', { skip }, () => {
  for (const [name, person] of people)
    it(`says one next step to ${name}: on Today and in each list`, async () => {
      for (const path of ['', ...below.map((one) => one.path)]) {
        const steps = await stepsOn(path, person);
        assert.equal(steps.length, 1, `${path}: ${steps}`);
        const [step = ''] = steps;
        if (name === 'a viewer') assert.match(step, /^An editor or an administrator/, path);
        else assert.match(step, /^Add location$/, path);
      }
    });

  it('opens each step as it is opened anywhere', async () => {
    const [, [, editor]] = people;
    for (const path of below.map((one) => one.path)) {
      const window = await windowFor(browser, editor);
      await listen(window);
      const { page } = await openScreen(window, editor, path);
      await page.getByRole('main').locator('.empty button').waitFor();
      assert.deepEqual(await lostByKeys(page), [], path);
      await window.close();
    }
  });

  it('goes on to the next step by itself, and then says nothing of it', async () => {
    const chapel = await service.location('first');
    const [, [, editor]] = people;
    assert.deepEqual(await stepsOn('events', editor), ['Add service']);
    assert.deepEqual(await stepsOn('', editor), ['Import …']);
    const body = eventBody(chapel, 'case-1', { event_datetime: '2020-03-20T14:30:00Z' });
    assert.equal((await service.json('/v1/events/upsert', body)).status, 200);
    const { page } = await openScreen(await windowFor(browser, editor), editor, '');
    await page.getByText('A quiet day').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('main').locator('.empty :is(button, .button)').count(), 0);
  });
});
