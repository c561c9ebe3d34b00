/** A real browser for tests: the Chromium that comes with a package, so that nothing of the system is needed. */
import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as launcher,
  type Page,
} from 'playwright-core';
import { joined, outside, whenOver } from './at-end.ts';
import { followAsked } from './console-settled.ts';
import { LONG_MS, until } from './until.ts';

let shared: Promise<Browser> | undefined;

/** One for all files of this process, which ends with the last test; or why there is none. `CI` set: there must be one. */
export async function launchBrowser() {
  try {
    shared ??= outside(launch);
    return { browser: await joined(shared), skip: false as const };
  } catch (error) {
    if (process.env.CI !== undefined) throw error;
    return { browser: undefined, skip: `Chromium cannot run here: ${(error as Error).message}` };
  }
}

async function launch(): Promise<Browser> {
  const browser = await launcher.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-background-networking', '--renderer-process-limit=1'],
    timeout: 60_000,
  });
  whenOver(() => browser.close());
  return browser;
}

export interface Opened {
  readonly page: Page;
  /** What went wrong in the page, and what it asked of other places, so far. */
  readonly complaints: string[];
}

/** Opens an address in a window of its own, which has kept nothing. */
export async function open(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  return openTab(await newWindow(browser, options), url);
}

/**
 * A window that has stored nothing, until the test or the suite that opens it is over; whoever opens several addresses
 * as one person opens them as tabs of one.
 */
export async function newWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const window = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  window.setDefaultTimeout(LONG_MS);
  whenOver(() => window.close());
  routesAtOnce(window, () => window.pages());
  return window;
}

/** Tabs of a window share a process, which has compiled their scripts once. */
export async function openTab(window: BrowserContext, url: string): Promise<Opened> {
  const page = await window.newPage();
  followAsked(page);
  // What is also read aloud stands on the page twice: a text that is looked for is the one that people see.
  const seen = page.locator(':not(.unseen[role="status"], .unseen[role="status"] *)');
  const textOn = page.getByText.bind(page);
  page.getByText = (...words) => textOn(...words).and(seen);
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked ${request.url()}`);
  });
  page.on('requestfailed', (request) => complaints.push(`failed ${request.url()}`));
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(url, { waitUntil: 'load', timeout: LONG_MS });
  routesAtOnce(page, () => [page]);
  return { page, complaints };
}

/** Whatever the service answers to this, its route answers otherwise. */
const PROBE = '/healthz?is-it-routed';
const ROUTED = 204;

/**
 * Makes `route` wait until all that those pages ask for passes the routes. By itself it is over when the browser knows of
 * them, and a page is told a moment later: what it asks in between passes by, and whoever listens for requests hears
 * nothing of it either.
 */
function routesAtOnce(owner: Page | BrowserContext, pages: () => readonly Page[]): void {
  const route = owner.route.bind(owner);
  const isProbe = ({ pathname, search }: URL) => pathname + search === PROBE;
  owner.route = async (...words) => {
    const made = await route(...words);
    await route(isProbe, (one) => one.fulfill({ status: ROUTED }));
    const ask = `fetch('${PROBE}').then(({ status }) => status)`;
    for (const page of pages().filter((one) => one.url().startsWith('http')))
      await until(async () => (await page.evaluate(ask)) === ROUTED);
    await owner.unroute(isProbe);
    return made;
  };
}
