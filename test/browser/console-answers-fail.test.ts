/** Whatever answers fail that a screen waits for, the page says nothing that it does not know, and is whole once that is mended. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { ALL } from '../support/all.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openScreen, windowFor } from '../support/console-page.ts';
import { LOADING, leaveUnanswered, settled } from '../support/console-settled.ts';
import { messagesOf } from '../support/console-texts.ts';
import { type Step, wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
/** The audit has another line after each look. */
const walk = (await wholeWalk({ service, made })).filter(({ path }) => path !== 'audit');
const messages = messagesOf('en');

const BAD_GATEWAY = {
  ...{ status: 502, contentType: 'text/html' },
  body: '<html><h1>Bad gateway</h1></html>',
};

/** Those of others come when they come, and say so themselves (`console-cards`): here they are there at once. */
const IMAGE = {
  ...{ status: 200, contentType: 'image/svg+xml' },
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2" />',
};
const isImage = (request: Request) => /\/images\/\d+$/.test(new URL(request.url()).pathname);

const everything = () => true;

async function opened(person: Step['person']): Promise<BrowserContext> {
  const window = await windowFor(browser, person);
  await window.route(everything, (route) =>
    isImage(route.request()) ? route.fulfill(IMAGE) : route.fallback(),
  );
  return window;
}

type Trouble = (route: Route) => Promise<void>;
const fails: Trouble = (route) => route.fulfill(BAD_GATEWAY);
const isSilent: Trouble = async (route) => leaveUnanswered(route.request());
/** For how long the page waits for an answer; here for a part of it. */
const PATIENCE_MS = 30_000;
const SOONER = 10;

/** What the console says by itself, but for its name, and what says that something failed. */
const SAYINGS = new Set(
  [...messages]
    .filter(([name, text]) => !name.startsWith('page.failure.') && !text.includes('{'))
    .map(([, text]) => text),
);
SAYINGS.delete(messages.get('page.product') ?? '');

/** Names a request of the page alike whenever it is sent; an image has no name. */
function nameOf(request: Request): string | undefined {
  const { pathname, searchParams } = new URL(request.url());
  if (!/^\/(?:console\/api|v1)\//.test(pathname) || isImage(request)) return undefined;
  return `${request.method()} ${pathname}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

interface Seen {
  readonly lines: ReadonlySet<string>;
  /** Buttons and links. */
  readonly ways: ReadonlySet<string>;
  /** How often something can be tried again. */
  readonly again: number;
}

const AGAIN = /^Try(ing)? again/;

/** What is another one each time, or goes on meanwhile. */
const masked = (text: string): string =>
  text
    .replaceAll(/\breq_\w+/g, 'req_')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/\b0 (?:sec|min)\./g, '0 min.');

async function seenOn(page: Page): Promise<Seen> {
  const text = await page.evaluate<string>("document.querySelector('main').innerText");
  const ways = await page.evaluate<string[]>(
    `[...document.querySelectorAll('nav a, main :is(a, button, summary), nav :is(button, summary)')]
      .filter((one) => one.checkVisibility())
      .map((one) => one.ariaLabel ?? one.innerText.trim())`,
  );
  const lines = text.split('\n').map((one) => masked(one.trim()));
  const again = ways.filter((way) => AGAIN.test(way)).length;
  return { lines: new Set(lines), ways: new Set(ways.map(masked)), again };
}

const isAtRest = (page: Page) =>
  page.evaluate<boolean>(
    `document.querySelector('.failure, main [role="alert"]') !== null ||
      document.querySelector('${LOADING}') === null`,
  );

/** The names of what the screen asks for, and what is seen on it when nothing fails. */
async function whole(window: BrowserContext, { person, path, ready }: Step) {
  const asked = new Set<string>();
  const note = (request: Request): void => {
    const name = nameOf(request);
    if (name !== undefined) asked.add(name);
  };
  window.on('request', note);
  const { page } = await openScreen(window, person, path);
  await ready(page);
  await settled(page);
  const good = await seenOn(page);
  window.off('request', note);
  await page.close();
  assert.ok(asked.size > 0);
  return { asked, good };
}

/** What is wrong of the screen while there is trouble with each answer that is named, and once there is none any more. */
async function faultsOf(
  window: BrowserContext,
  { person, path, ready }: Step,
  good: Seen,
  trouble: Trouble,
  isNamed: (name: string) => boolean = () => true,
): Promise<string[]> {
  const found: string[] = [];
  /** Names of requests: whether they are answered by now. */
  const failed = new Map<string, boolean>();
  const troubled = async (route: Route): Promise<void> => {
    const name = nameOf(route.request());
    if (name === undefined || !isNamed(name) || failed.get(name)) return route.fallback();
    failed.set(name, false);
    return trouble(route);
  };
  await window.route(everything, troubled);
  const { page } = await openScreen(window, person, path);
  await until(async () => failed.size > 0);
  const lacks = async (): Promise<readonly string[]> => {
    const now = await seenOn(page);
    return [...good.ways.difference(now.ways), ...good.lines.difference(now.lines)];
  };
  // What is asked only once an answer is there fails then.
  await until(async () => {
    await until(() => isAtRest(page));
    await settled(page);
    const { lines, again } = await seenOn(page);
    for (const line of lines.difference(good.lines))
      if (SAYINGS.has(line)) found.push(`says "${line}"`);
    for (const name of failed.keys()) failed.set(name, true);
    if (again <= good.again && (await lacks()).length === 0) return true;
    // Also behind a dialog, which whoever is at it closes before.
    for (const button of await page.getByRole('button', { name: AGAIN }).all())
      await button.dispatchEvent('click', {}, { timeout: 2_000 }).catch(() => undefined);
    await settled(page);
    return false;
  }).catch(async () => found.push(`lacks ${(await lacks()).join(', ')}`));
  await ready(page).catch(({ message }) => found.push(`is not there: ${message}`));
  await page.close();
  await window.unroute(everything, troubled);
  return found;
}

describe('where answers fail that a screen waits for', { skip }, () => {
  for (const step of walk)
    it(`${step.name}: each, the first time`, async () => {
      const window = await opened(step.person);
      const { good } = await whole(window, step);
      assert.deepEqual(await faultsOf(window, step, good, fails), []);
      await window.close();
    });
});

describe('where no answer comes that a screen waits for', { skip }, () => {
  /** A screen of each way of asking: ahead of the script, by parts, by rows; all others with `--all`. */
  const some = /^today, page|, a record$|, its history$|^staff$/;
  for (const step of walk.filter(({ name }) => ALL || some.test(name)))
    it(`${step.name}: none, the first time`, async () => {
      const window = await opened(step.person);
      const { good } = await whole(window, step);
      await window.addInitScript(`{
        const later = setTimeout;
        globalThis.setTimeout = (then, ms, ...more) =>
          later(then, ms === ${PATIENCE_MS} ? ms / ${SOONER} : ms, ...more);
      }`);
      assert.deepEqual(await faultsOf(window, step, good, isSilent), []);
      await window.close();
    });
});

describe('where one answer fails that a screen waits for', { skip: skip || !ALL }, () => {
  for (const step of walk)
    it(step.name, async () => {
      const window = await opened(step.person);
      const { asked, good } = await whole(window, step);
      const found: string[] = [];
      for (const one of asked) {
        const faults = await faultsOf(window, step, good, fails, (name) => name === one);
        found.push(...faults.map((fault) => `${one}: ${fault}`));
      }
      await window.close();
      assert.deepEqual(found, []);
    });
});
