/** How a screen comes to be: by how many requests in a row, and what it shows meanwhile that it does not mean. */
import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { until } from './until.ts';

/** A page that asks nothing for so long waits for answers, or for nothing. */
const STILL_MS = 300;
/** Resolves when it has been drawn some times, and has nothing to do. */
const IDLE = `(async () => {
  for (let drawn = 0; drawn < 3; drawn += 1) await new Promise((done) => requestAnimationFrame(done));
  await new Promise((done) => requestIdleCallback(done));
})()`;
/** Asks for what changes, as long as the page is open. */
const FOLLOWS = '/v1/changes';

/** What says something of the whole screen, or is there to be used: none of it may go again by itself. */
const MEANT = `(() => {
  const shown = new Set();
  // More of it may be known later, such as a name.
  const words = (one) => one.slice(one.indexOf(' ') + 1);
  globalThis.momentary = () => [...shown].filter((one) => !now().some((other) => other.includes(words(one))));
  const now = () => [...document.querySelectorAll('.empty .what, .failure .what, .fault, #app input, #app summary, #app [type="submit"]')]
    .filter((one) => one.checkVisibility() && !one.closest('.skeleton'))
    .map((one) => one.localName + ' ' + (one.ariaLabel || one.labels?.[0]?.innerText || one.innerText || one.name || '').trim().replace(/\\d+ \\w+\\. ago/g, ''))
    // A name that is not known yet is waited for.
    .filter((one) => !one.includes('…'));
  const look = () => {
    if (document.querySelector('#app') !== null) for (const one of now()) shown.add(one);
    requestAnimationFrame(look);
  };
  look();
})()`;

/** For how long a part of the page takes the answer of another one: longer here, where answers wait for each other. */
const TOGETHER_MS = 1_000;
const PATIENT = `{
  const later = setTimeout;
  globalThis.setTimeout = (then, ms, ...more) => later(then, ms === ${TOGETHER_MS} ? 60_000 : ms, ...more);
}`;

export interface Came {
  /** Requests one behind the other, until it was there. */
  readonly rounds: number;
  /** What was asked in each. */
  readonly asked: readonly (readonly string[])[];
  /** What it has shown and then taken away. */
  readonly momentary: readonly string[];
  /** What it has read more than once. */
  readonly twice: readonly string[];
}

/** Opens a screen in a tab of its own; answers come only once nothing more is asked without them. */
export async function comeToBe(
  window: BrowserContext,
  url: string,
  hasBegun: (page: Page) => Promise<boolean>,
  isWhole: (page: Page) => Promise<void> = async () => undefined,
): Promise<Came> {
  const page = await window.newPage();
  await page.addInitScript(MEANT);
  await page.addInitScript(PATIENT);
  let held: Route[] = [];
  let isThere = false;
  let last = Date.now();
  await page.route(
    (address) => address.pathname.startsWith('/console/api/'),
    async (route) => {
      if (isThere || route.request().url().includes(FOLLOWS)) return route.continue();
      held.push(route);
      last = Date.now();
    },
  );
  // Scripts are no answers, and what they ask comes after them.
  let scripts = 0;
  const count = (by: number) => (request: Request) => {
    if (request.resourceType() === 'script') scripts += by;
    last = Date.now();
  };
  const open = new Set<Request>();
  const read: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/console/api/') || pathname.includes(FOLLOWS)) return;
    open.add(request);
    // Why an image is not shown, its element does not say.
    if (request.method() === 'GET' && request.resourceType() !== 'image') read.push(request.url());
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void open.delete(request));
  page.on('request', count(1));
  page.on('requestfinished', count(-1));
  page.on('requestfailed', count(-1));
  const asked: string[][] = [];
  await page.goto(url, { waitUntil: 'commit' });
  for (;;) {
    await until(async () => {
      const isStill = () => scripts === 0 && Date.now() - last > STILL_MS;
      if (!isStill()) return false;
      // A busy machine may not have let it ask.
      await page.evaluate(IDLE);
      if (!isStill()) return false;
      return held.length > 0 || (await hasBegun(page));
    });
    if (await hasBegun(page)) break;
    const all = held;
    held = [];
    asked.push(
      all.map(
        (route) =>
          `${route.request().method()} ${new URL(route.request().url()).pathname.replace('/console/api', '')}`,
      ),
    );
    await Promise.all(all.map((route) => route.continue().catch(() => undefined)));
    last = Date.now();
  }
  const rounds = asked.length;
  // What is asked from now on is not held back: nobody would let it go.
  isThere = true;
  for (const route of held) await route.continue().catch(() => undefined);
  await isWhole(page);
  await until(async () => {
    await page.evaluate(IDLE);
    return open.size === 0;
  });
  await page.evaluate(IDLE);
  const momentary = await page.evaluate<string[]>('momentary()');
  // Not before: a request that is on its way while a route goes may never be told of again.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
  const twice = [...new Set(read.filter((url, at) => read.indexOf(url) !== at))];
  return { rounds, asked, momentary, twice };
}
