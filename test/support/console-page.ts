/** The console in a real browser: windows in which somebody is signed in, and what is wrong with what they see. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { ALL } from './all.ts';
import { newWindow, type Opened, openTab } from './browser.ts';
import type { ConsoleBrowser } from './console.ts';
import { resize } from './console-settled.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A window on a screen, below `/console/`, for whoever has that session. */
export async function openConsole(
  browser: Browser,
  person: ConsoleBrowser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  return openScreen(await windowFor(browser, person, options), person, path);
}

/** A tab on a screen, in a window of that person. */
export function openScreen(
  window: BrowserContext,
  person: ConsoleBrowser,
  path: string,
): Promise<Opened> {
  return openTab(window, `${person.service.url}/console/${path}`);
}

/** Where whoever looks is. */
export const CONSOLE_ZONE = 'America/Chicago';

/** A window in which somebody is signed in. */
export function windowFor(
  browser: Browser,
  person: ConsoleBrowser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const [name = '', value = ''] = person.cookie?.split(/=(.*)/s) ?? [];
  const { hostname } = new URL(person.service.url);
  return newWindow(browser, {
    locale: 'en-US',
    timezoneId: CONSOLE_ZONE,
    ...options,
    storageState: {
      cookies: [
        {
          name,
          value,
          domain: hostname,
          path: '/console',
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: 'Strict',
        },
      ],
      origins: [],
    },
  });
}

/** Has the clock of a window stand at a time, and answers say the same: the console goes by what they say. */
export async function standAt(window: BrowserContext, time: number | Date): Promise<void> {
  await window.clock.install({ time });
  await window.addInitScript({ content: BY_THE_PAGE });
}

const BY_THE_PAGE = `{
  const { get } = Headers.prototype;
  Headers.prototype.get = function (name) {
    return /^date$/i.test(name) ? new Date().toUTCString() : get.call(this, name);
  };
}`;

/** How people look at it: each theme on a wide and on a narrow window. */
export const VIEWS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  ([1280, 820] as const).map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);

/** Dark and narrow, and light and wide: without `--all` pages take turns. */
const TURNS = [VIEWS.slice(-1), VIEWS.slice(0, 1)];
let looked = 0;

/** What is wrong with what stands on the page, in those views; it is left as wide as it was. */
export async function flaws(page: Page): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const { colorScheme, viewport } of ALL ? VIEWS : (TURNS[looked++ % 2] ?? [])) {
    // Colours that pass into each other would have a contrast of their own.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await resize(page, viewport);
    const wrong = await violations(page);
    if (await overflows(page)) wrong.push('It is wider than the window.');
    found.push(...wrong.map((one) => `${colorScheme}, ${viewport.width} wide: ${one}`));
  }
  if (before !== null) await resize(page, before);
  return found;
}

/** Fails where something is wrong with what stands on the page: in its own view, or in every view where everything is tested. */
export async function isSound(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate<string[]>(NO_CELLS), [], 'Columns would not be straight.');
  assert.deepEqual(await page.evaluate<string[]>(LIES_OVER), [], 'It lies over what is beside it.');
  if (ALL) assert.deepEqual(await flaws(page), []);
  else {
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflows(page), false, 'It is wider than the window.');
  }
}

/** What a table has that is not drawn as a cell of it, where lines are not stacked. */
const NO_CELLS = `[...document.querySelectorAll('.rows:not(.stacked) :is(th, td)')]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== 'table-cell')
  .map((one) => one.outerHTML)`;

/** Values side by side that are wider than their half. */
const LIES_OVER = `[...document.querySelectorAll('.compared > *')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.innerText)`;

/** Has axe there in whatever the window opens: in what it opens next, it is compiled already. */
export function inspect(window: BrowserContext): Promise<unknown> {
  return window.addInitScript({ content: axe });
}

/** Sends a form in which something is missing: it says what, beside where typing goes on, and stays as it is. */
export async function saysWhatLacks(submit: Locator): Promise<void> {
  const form = submit.locator('xpath=ancestor::form');
  await submit.click();
  await form.getByRole('alert').waitFor();
  await form.locator('.fault:not([role])').first().waitFor();
  assert.ok(await submit.isEnabled());
  assert.equal(
    await submit.page().evaluate('document.activeElement.closest("form") !== null'),
    true,
  );
}

/** Every rule that axe has, but for advice that it is not sure of. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const { violations: found } = await page.evaluate<AxeResults>(
    "axe.run({ resultTypes: ['violations'] })",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

export function overflows(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth');
}
