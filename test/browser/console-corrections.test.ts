/** What a person corrected is seen on the record, on Today and in a list, and decided there. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';

const { browser, skip, service, made } = await consoleGround();
const edith = await signedIn(service, 'edith@example.com');
await edith.post('/account', { name: 'Edith Editor' });

const PATH = 'event_check_in_records';
const RIGHT = '+12175550199';

/** A visitor whose phone number a person has corrected. */
async function corrected(external_identifier: string) {
  const { secret: key } = await service.newKey({ name: 'Lobby tablets' });
  const sent = {
    event_unique_identifier: made.event,
    external_identifier,
    visitor_full_name: `Nora ${external_identifier}`,
    visitor_phone_number: '+12175550153',
  };
  const send = (more: object = {}) =>
    service.json(`/v1/${PATH}/upsert`, { ...sent, ...more }, { key });
  const id: string = (await send()).body.unique_identifier;
  const { status } = await edith.send('PATCH', `/v1/${PATH}/${id}`, {
    visitor_phone_number: RIGHT,
  });
  assert.equal(status, 200);
  return { id, path: `${PATH}/${id}`, send };
}

describe('a correction in the console', { skip }, () => {
  it('is on the record, with what the source says and who decides', async () => {
    const { id, path, send } = await corrected('Lane');
    await send({ visitor_phone_number: '+12175550111' });
    const { page } = await openConsole(browser, edith, path);
    const pins = page.getByRole('region', { name: 'Corrected by staff' });
    await pins.getByText('Lobby tablets now says:').waitFor();
    await pins.getByText('Edith Editor corrected this').waitFor();
    const text = (await pins.innerText()).replace(/\s+/g, ' ');
    assert.match(text, /Phone: \(217\) 555-0153 → becomes \(217\) 555-0199/);
    assert.match(text, /Edith Editor corrected this, today at/);
    assert.match(text, /now says: \(217\) 555-0111/);
    await isSound(page);
    await pins.getByRole('button', { name: 'Keep ours: Phone' }).click();
    await page.getByText('Decided.').waitFor();
    await pins.getByText('now says').waitFor({ state: 'detached' });
    await pins.getByRole('button', { name: 'Let the source decide: Phone' }).click();
    await pins.waitFor({ state: 'detached' });
    await send({ visitor_phone_number: '+12175550122' });
    const now = await service.get(`/v1/${PATH}/${id}`);
    assert.equal(now.body.visitor_phone_number, '+12175550122');
    await page.goto(`${service.url}/console/${path}?tab=history`);
    await page.getByText('Edith Editor ended the correction of Phone').waitFor();
    const story = await page.locator('.history').innerText();
    for (const said of [
      'Phone: corrected by staff',
      'Lobby tablets sent another value for Phone: (217) 555-0111',
      'Edith Editor kept the correction of Phone',
    ]) {
      assert.ok(story.includes(said), `${said} in ${story}`);
    }
  });

  it('is counted on Today, and decided in a list', async () => {
    const [one, other] = [await corrected('Hill'), await corrected('Moor')];
    for (const { send } of [one, other]) await send({ visitor_phone_number: '+12175550111' });
    const { page } = await openConsole(browser, edith, '');
    await page.getByRole('link', { name: 'Proposals to decide: 2' }).click();
    await page.getByRole('table').getByText('Nora Hill').waitFor();
    await isSound(page);
    for (const locale of ['es', 'fr']) {
      const { page: list } = await openConsole(browser, edith, 'proposals', { locale });
      await list.getByRole('table').getByText('Nora Hill').waitFor();
      await isSound(list);
    }
    await page.getByRole('button', { name: 'Use this: Nora Hill, Phone' }).click();
    await page.getByText('Nora Hill').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Keep ours: Nora Moor, Phone' }).click();
    await page.getByText('Nothing to decide').waitFor();
    const values = await Promise.all(
      [one, other].map(async ({ id }) => (await service.get(`/v1/${PATH}/${id}`)).body),
    );
    assert.deepEqual(
      values.map(({ visitor_phone_number }) => visitor_phone_number),
      ['+12175550111', RIGHT],
    );
  });

  it('is read, and not decided, by a viewer', async () => {
    const { path, send } = await corrected('Dale');
    await send({ visitor_phone_number: '+12175550111' });
    const viewer = await signedIn(service, 'viewer@example.com', { role: 'viewer' });
    const { page } = await openConsole(browser, viewer, path);
    await page.getByText('Corrected by staff').waitFor();
    assert.equal(await page.getByRole('button', { name: /Keep ours|Use this|decide/ }).count(), 0);
    // Today asks only those who decide.
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.locator('main .skeleton').waitFor({ state: 'detached' });
    await page.locator('.empty, .today').first().waitFor();
    assert.equal(await page.getByText('to decide').count(), 0);
  });
});
