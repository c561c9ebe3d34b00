/** A list that is downloaded as CSV runs nothing in a spreadsheet, and the import takes it back as it is. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { resources } from '../../src/core/resources/index.ts';
import { fieldsIn } from '../../src/core/schema/present/display.ts';
import { examples } from '../support/bodies.ts';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { CONSOLE_ZONE, openConsole } from '../support/console-page.ts';
import { filesFolder, take } from '../support/importing.ts';
import type { Body } from '../support/service.ts';

const { browser, skip, service } = await browserGround();
const person = await signedIn(service);
const files = filesFolder();
const account = service.account.unique_identifier;

/** Texts that programs on the way would change, or run. */
const ODD = [
  ...['=HYPERLINK("https://x.example")', '+44 20 7946 0958', '-1', '@SUM(A1)', '\tTab', '\rReturn'],
  ...[
    "'quoted",
    "'=1+1",
    "''=1+1",
    '"',
    'a "b" c',
    'two\nlines',
    'two\r\nlines',
    'comma, and; more',
  ],
  ...[
    '007',
    '1,234',
    ' before',
    'after ',
    '\u202eturned\u202c',
    'Zoë ’ 李',
    '{Name}',
    '[1]',
    'null',
  ],
];
const LIVE = /^[=+\-@\t\r]/;

const location = await service.location('home');
const event = await service.event(location, 'case');
await service.patch(`/v1/accounts/${account}/settings`, { time_zone: CONSOLE_ZONE });
const parents: Body = {
  account: { account_unique_identifier: account },
  location: { location_unique_identifier: location },
  event: { event_unique_identifier: event },
};

/** The fullest record of a resource, with that text wherever a text can be. */
function withText(path: string, text: string): Body {
  const resource = resources.find((one) => one.path === path);
  const { full, parent } = examples.find((one) => one.path === path) ?? { full: {}, parent: '' };
  const body = {
    ...structuredClone(full),
    external_identifier: `${text} ${path}`,
    ...parents[parent],
  };
  for (const { path: param, field } of fieldsIn({
    ...resource?.fields,
    ...resource?.public_data,
  })) {
    const steps = param.split('.');
    const at = steps.slice(0, -1).reduce((one, name) => one?.[name], body);
    const last = steps.at(-1) ?? '';
    if (at === undefined) continue;
    if (field.kind.name === 'text') at[last] = text;
    if (field.kind.name === 'free-form object')
      at[last] = { [text]: text, inner: { [text]: [text, 1] } };
    if (field.kind.name === 'object of texts') at[last] = { [text]: text };
  }
  return body;
}

const all = async (path: string): Promise<Body[]> =>
  (await service.get(`/v1/${path}?limit=1000&expand[]=identifiers`)).body.data;

describe('the CSV of a list', { skip }, () => {
  for (const { path, parent } of examples) {
    if (parent === undefined) continue;
    it(`of ${path} is inert, and comes back unchanged, by the console in each language and by the command`, async () => {
      for (const text of ODD) {
        const sent = await service.json(`/v1/${path}/upsert`, withText(path, text));
        assert.equal(sent.status, 200, sent.text);
      }
      const before = await all(path);
      for (const locale of ['en-US', 'es-US', 'fr-CA']) {
        const { page } = await openConsole(browser, person, path, { locale });
        await page.locator('tbody tr').first().waitFor();
        await page.locator('main .menu.end summary').first().click();
        const saved = page.waitForEvent('download');
        await page.locator('main .menu.end .item').nth(1).click();
        const csv = readFileSync(await (await saved).path(), 'utf8');
        const rows = parse(csv, { bom: true, relax_column_count: false }) as string[][];
        assert.equal(rows.length, before.length + 1);
        for (const cell of rows.flat()) assert.doesNotMatch(cell, LIVE);
        const file = files.write(`${path}.csv`, csv);

        await page.goto(`${service.url}/console/import`);
        await page.locator('main select').first().selectOption(path);
        await page.locator('input[type=file]').setInputFiles(file);
        const check = page.locator('form.import-columns footer .main');
        await check.waitFor();
        const lack = page.locator('form.import-columns footer [role=status]');
        assert.deepEqual(await lack.allInnerTexts(), [], locale);
        await check.click();
        const counts = page.locator('.import-result .counts li');
        const go = page.locator('.import-fix footer .main');
        await go.or(counts.first()).waitFor();
        // What looks like a name that is turned round is told, and left as it is.
        if (await go.isVisible()) await go.click();
        await counts.first().waitFor();
        const said = await counts.allInnerTexts();
        const refusals = await page.locator('.import-result').innerText();
        const numbers = said.map((one) => Number(/\d+/.exec(one)?.[0]));
        assert.deepEqual(numbers, [0, 0, before.length], `${locale}: ${refusals}`);
        await page.context().close();

        if (locale !== 'en-US') continue;
        const run = await take(service.app.store, account, [file], { us_phones: true });
        assert.partialDeepStrictEqual(run.run.counts, { created: 0, updated: 0, failed: 0 });
        assert.deepEqual(await all(path), before);
      }
    });
  }
});
