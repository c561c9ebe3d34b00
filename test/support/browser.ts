/** A real browser for tests: the Chromium that comes with a package, so that nothing of the system is needed. */
import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContextOptions,
  chromium as launcher,
  type Page,
} from 'playwright-core';

export interface Launched {
  readonly browser: Browser | undefined;
  /** Why there is none. */
  readonly skip: string | false;
}

/** `CI` set: there must be one. */
export async function launchBrowser(): Promise<Launched> {
  try {
    const browser = await launcher.launch({
      executablePath: await chromium.executablePath(),
      args: ['--no-sandbox', '--disable-background-networking'],
      timeout: 60_000,
    });
    return { browser, skip: false };
  } catch (error) {
    if (process.env.CI !== undefined) throw error;
    return { browser: undefined, skip: `Chromium cannot run here: ${(error as Error).message}` };
  }
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
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
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
  await page.goto(url, { waitUntil: 'load', timeout: 30_000 });
  return { page, complaints };
}
