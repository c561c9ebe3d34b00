/** Each screen of the console, each way to export, and each page of the manual: what people see of the program. */
// needs: --ci, browser, release
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaptersOf } from '../../manual/pages.ts';
import { resources } from '../../src/core/resources/index.ts';
import { CONSOLE_FORMATS } from '../../src/features/exports/serves/formats.ts';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { keyed } from '../support/secret-key.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const allow = ['audit', 'erase', 'hold'];
const person = await administrator(service, 'admin@example.com', undefined, allow);

describe('in a browser', { skip }, () => {
  const window = windowFor(browser, person);

  it('every screen that the navigation leads to, and every record', async () => {
    const first = await openScreen(await window, person, '');
    const links = first.page.locator('nav a[href^="/console/"], header a[href^="/console/"]');
    await links.first().waitFor({ state: 'attached' });
    const paths = await links.evaluateAll((all) =>
      all.map((one) => (one as HTMLAnchorElement).pathname.replace('/console/', '')),
    );
    const all = new Set([
      ...[...paths, 'account', 'accounts', `locations/${made.locations[0]}`],
      ...[`events/${made.event}`, `event_check_in_records/${made.visitor}`],
      ...resources.map(({ path }) => path),
    ]);
    assert.ok(all.size > 20, [...all].join(', '));
    await Promise.all(
      [...all].map(async (path) => {
        const { page, complaints } = await openScreen(await window, person, path);
        await page.locator('main h1').first().waitFor();
        await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
        assert.deepEqual(
          // The addresses of the cards in the records of tests lead nowhere.
          complaints.filter((one) => !/^424 .*\/images\/|status of 424/.test(one)),
          [],
          path,
        );
        await page.close();
      }),
    );
  });

  it('an export in every format', async () => {
    const { page } = await openScreen(await window, person, 'export');
    const ways = page.getByRole('radio');
    await ways.first().waitFor();
    const count = await ways.count();
    assert.equal(count, Object.keys(CONSOLE_FORMATS).length);
    for (let at = 0; at < count; at++) {
      await ways.nth(at).check();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      assert.equal(await (await saved).failure(), null, `${at}`);
    }
  });
});

it('every page of the manual, and everything else that is there for everybody', async () => {
  const chapters = chaptersOf(
    resources.map((one) => ({ path: one.path, title: one.display.plural, says: one.says })),
  );
  const pages = chapters.flatMap((chapter) => chapter.pages.map(({ path }) => path));
  const seen = new Set<string>();
  const next = [...pages, '/', '/docs', '/openapi.json', '/client.tgz', '/console/'];
  for (let path = next.shift(); path !== undefined; path = next.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await fetch(service.url + path, { redirect: 'manual' });
    assert.ok(answer.status < 400, `${path}: ${answer.status}`);
    const text = await answer.text();
    if (answer.headers.get('content-type')?.startsWith('text/html') !== true) continue;
    for (const [, to = ''] of text.matchAll(/(?:href|src)="(\/[^"#?]*)/g)) next.push(to);
  }
  assert.ok(seen.size > 75, `${seen.size}`);
});
