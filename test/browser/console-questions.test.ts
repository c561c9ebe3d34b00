/** The questions that people bring to the console, answered in the clicks that it takes somebody who never saw it. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administrator, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openConsole } from '../support/console-page.ts';
import { until } from '../support/until.ts';

const { browser, skip, service } = await consoleGround();
const DAY_MS = 86_400_000;

/** The last Tuesday that is neither today nor yesterday anywhere, at seven in the evening, UTC. */
function lastTuesday(): Date {
  const day = new Date();
  day.setUTCHours(19, 0, 0, 0);
  day.setTime(day.getTime() - 2 * DAY_MS);
  do day.setTime(day.getTime() - DAY_MS);
  while (day.getUTCDay() !== 2);
  return day;
}

async function indexed(word: string): Promise<void> {
  await until(async () => (await service.get(`/v1/search?q=${word}`)).body.data.length > 0);
}

describe('somebody asks', { skip }, () => {
  it('who visited the Doe service last Tuesday: Find, the name, the service of that day', async () => {
    const { body: event } = await service.json('/v1/events/upsert', {
      account_unique_identifier: service.account.unique_identifier,
      location_external_identifier: 'main',
      external_identifier: 'tuesday',
      event_name: 'Visitation',
      event_datetime: lastTuesday().toISOString(),
      person: { full_name: 'Jonathan Doe' },
    });
    for (const [index, visitor_full_name] of ['Hugo Lang', 'Iris Webb'].entries()) {
      await service.json('/v1/event_check_in_records/upsert', {
        event_unique_identifier: event.unique_identifier,
        external_identifier: `tuesday-${index}`,
        visitor_full_name,
        visitor_phone_number: '+14155550177',
      });
    }
    await indexed('jonathan');
    const director = await signedIn(service, 'director@example.com', { role: 'viewer' });
    const { page } = await openConsole(browser, director, '');
    await page.getByRole('link', { name: 'Find' }).click();
    await page.keyboard.type('doe');
    const day = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/Chicago',
      month: 'short',
      day: 'numeric',
    }).format(lastTuesday());
    await page.getByRole('link', { name: new RegExp(`Doe.*${day}`) }).click();
    const visitors = page.getByRole('region', { name: 'Visitors' });
    await visitors.getByText('Hugo Lang').first().waitFor();
    await visitors.getByText('Iris Webb').first().waitFor();
    assert.equal(await page.getByText('Ella Frost').count(), 0);
  });

  it('why a partner’s record was refused: Feeds, the error, what to send instead', async () => {
    const { secret } = await service.newKey({ name: 'Lobby tablets' });
    const refused = await service.json(
      '/v1/event_check_in_records/upsert',
      {
        account_unique_identifier: service.account.unique_identifier,
        location_external_identifier: 'main',
        event_external_identifier: 'case-1',
        external_identifier: 'refused',
        visitor_full_name: 'Ida Young',
        visitor_phone_number: 'none',
      },
      { key: secret },
    );
    assert.equal(refused.status, 400);
    const { request_id } = refused.body.error;
    const { requests } = service.app.store;
    await until(async () =>
      (await requests.refused({ limit: 100 })).some((one) => one.request_id === request_id),
    );
    const engineer = await administrator(service);
    const { page } = await openConsole(browser, engineer, '');
    await page.locator('#nav summary', { hasText: 'Integration' }).click();
    await page.getByRole('link', { name: 'Feeds' }).click();
    await page.getByRole('link', { name: refused.body.error.code }).click();
    const main = page.getByRole('main');
    await main.getByText('visitor_phone_number').waitFor();
    await main.getByRole('link', { name: 'Lobby tablets' }).waitFor();
    await main.getByText(refused.body.error.request_id).waitFor();
    const guide = page.waitForEvent('popup');
    await main.locator('.faults').getByRole('link', { name: refused.body.error.code }).click();
    const manual = await guide;
    assert.ok(manual.url().endsWith(`/docs/errors#${refused.body.error.code}`));
    await manual.locator(`[id="${refused.body.error.code}"]`).waitFor();
  });
});
