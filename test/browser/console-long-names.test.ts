/** Whatever others send as a name, no screen loses a column, a button or a word by it: on a phone, on a wide screen and on paper. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, overflows, windowFor } from '../support/console-page.ts';
import { resize, settled } from '../support/console-settled.ts';
import { wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';
import { shared } from '../support/shared.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const walk = (await wholeWalk({ service, made }))
  // It is looked for by a whole value, which is another one here.
  .filter(({ path }) => !path.includes('tab=json'));
const LENGTH = 240;
const WIDTHS = [320, 1280, 2560];
/** A folder for pictures of each screen, for whoever looks at them. */
const { TEST_PICTURES } = process.env;

/** Has each name in the service's answers be as long as one may be: of words, or one word alone. */
const lengthening = (word: string): string => `(() => {
  const FREE = /(?:^|_)(?:name|identifier|address|email|deceased|summary|gender|street_address_line_\\d|city|county|country|postal_code|note|reference|basis|matter|reason|because|description|text|label|column|value|region|title)$/;
  const word = ${JSON.stringify(word)};
  const long = (text, most) => {
    const [, head, tail] = /^(.*?)(@[^@]*)?$/s.exec(text);
    const room = ${LENGTH} - text.length;
    if (room <= 0) return text;
    return head + (tail ? '' : ' ') + word.repeat(Math.ceil(room / word.length)).slice(0, room) + (tail ?? '');
  };
  const isOurs = (text) => /^[a-z]{2,4}_\\w{20,}$/.test(text) || /^[a-z_.]+$/.test(text) || /^\\+?[\\d.:TZ()\\s-]+$/.test(text) || /^(https?:|\\/)/.test(text) || /^[A-Z][a-z]+(?:\\/[A-Z]\\w+)+$/.test(text);
  const lengthened = (value, isFree) => {
    if (typeof value === 'string') return isFree && value !== '' && !isOurs(value) ? long(value) : value;
    if (Array.isArray(value)) return value.map((one) => lengthened(one, isFree));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, lengthened(one, isFree && name.startsWith('additional_') || FREE.test(name) && name !== 'unique_identifier' || /^additional_/.test(name))]));
  };
  const { text } = Response.prototype;
  Response.prototype.text = async function () {
    const body = await text.call(this);
    try {
      return JSON.stringify(lengthened(JSON.parse(body), false));
    } catch {
      return body;
    }
  };
  Response.prototype.json = async function () {
    return JSON.parse(await this.text());
  };
})()`;

/** What is cut off, squeezed or beside the page. What is shown as it is sent may be moved sideways on a screen. */
const LOST = `((isPaper) => {
  const found = [];
  const say = (what, one) => found.push(what + ': <' + one.localName + ' class="' + one.className + '"> ' + (one.innerText ?? '').slice(0, 30));
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && getComputedStyle(one).clipPath !== 'inset(50%)' && one.closest('.unseen, .skip, dialog:not([open])') === null && !one.matches('.unseen *');
  const isAsSent = (one) => !isPaper && one.closest('pre, .json, textarea, input, select') !== null;
  for (const one of document.querySelectorAll('body *')) {
    if (!isShown(one) || isAsSent(one) || one.closest('svg') !== null) continue;
    const { left, right, width, height } = one.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const style = getComputedStyle(one);
    const ends = [one.parentElement, one.parentElement?.parentElement].some((of) => of && getComputedStyle(of).textOverflow === 'ellipsis' && getComputedStyle(of).overflowX !== 'visible');
    if (ends && !one.matches('.tag')) continue;
    if (right > innerWidth + 1 || left < -1) say('beside the page', one);
    const cuts = style.overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1;
    if (cuts && style.textOverflow !== 'ellipsis') say(style.overflowX === 'hidden' || style.overflowX === 'clip' ? 'cut off' : 'to be moved sideways', one);
    // Where a text ends in three dots, all of it is told otherwise.
    if (cuts && style.textOverflow === 'ellipsis' && isPaper) say('ends in dots on paper', one);
    const own = [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()).join('');
    const size = parseFloat(style.fontSize);
    if (own.length > 12 && width < 4 * size && size > 0) say('squeezed to ' + Math.round(width) + ' pixels', one);
  }
  return [...new Set(found)];
})`;

const TO_PRESS = '.side, .tabs, main button, main a.button, main .menu.end, .chip.off, .notice';

const follow = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(
    `(() => { const link = document.createElement('a'); link.href = '/console/${path}'; document.body.append(link); link.click(); link.remove(); })()`,
  );

const WORDS = {
  'of one word': 'Wolfeschlegelsteinhausenbergerdorff',
  'of many words': 'van der Berg ',
};

for (const [kind, word] of Object.entries(WORDS))
  describe(`with names ${kind}`, { skip }, () => {
    const pages = new Map(
      [...new Set(walk.map((one) => one.person))].map((person) => [
        person,
        shared(async () => {
          const window = await windowFor(browser, person);
          await window.addInitScript({ content: lengthening(word) });
          const { page, complaints } = await openScreen(window, person, 'find');
          await page.getByRole('heading', { level: 1 }).waitFor();
          return { page, complaints };
        }),
      ]),
    );

    for (const [at, step] of walk.entries())
      it(`${step.name} has all that it has`, async () => {
        const opened = await pages.get(step.person)?.();
        assert.ok(opened);
        const { page } = opened;
        const picture = async (view: string): Promise<void> => {
          if (TEST_PICTURES === undefined) return;
          const name = `${String(at).padStart(2, '0')}-${step.name.replaceAll(/\W+/g, '-')}-${kind.slice(3, 6)}-${view}.png`;
          await page.screenshot({ path: join(TEST_PICTURES, name), fullPage: view === 'paper' });
        };
        await resize(page, { width: 1280, height: 900 });
        await follow(page, 'find');
        await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
        await follow(page, step.path);
        await step.ready(page);
        const found: string[] = [];
        for (const width of WIDTHS) {
          await resize(page, { width, height: 900 });
          await settled(page);
          if (await overflows(page)) found.push(`${width}: it is wider than the window`);
          found.push(
            ...(await page.evaluate<string[]>(`${LOST}(false)`)).map((one) => `${width}: ${one}`),
          );
          await picture(`${width}`);
        }
        await page.emulateMedia({ media: 'print' });
        await resize(page, { width: 720, height: 960 });
        await settled(page);
        if (await overflows(page)) found.push('paper: it is wider than a sheet');
        found.push(
          ...(await page.evaluate<string[]>(`${LOST}(true)`)).map((one) => `paper: ${one}`),
        );
        for (const one of await page.locator(TO_PRESS).filter({ visible: true }).all())
          found.push(`paper: to press: ${(await one.innerText()).slice(0, 40)}`);
        await picture('paper');
        await page.emulateMedia({ media: 'screen' });
        if (TEST_PICTURES !== undefined)
          appendFileSync(
            join(TEST_PICTURES, 'found.txt'),
            `\n# ${step.name}, ${kind}\n${found.join('\n')}\n`,
          );
        assert.deepEqual(found, []);
      });
  });
