/** What tests in a browser begin with: a service of their own, and for the console the records of a small funeral group. */
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { type Made, makeRecords } from './console-records.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

export interface BrowserGround {
  /** There is none where tests are to be skipped. */
  readonly browser: Browser;
  readonly skip: string | false;
  readonly service: Service;
}

/** To be called at the top of a test file; all of it ends with the last test of the file. */
export async function browserGround(options: ServiceOptions = {}): Promise<BrowserGround> {
  const { browser, skip } = await launchBrowser();
  const service = await startService(options);
  return { browser: browser as Browser, skip, service };
}

export async function consoleGround(
  options: ServiceOptions = {},
): Promise<BrowserGround & { readonly made: Made }> {
  const ground = await browserGround(options);
  return { ...ground, made: await makeRecords(ground.service) };
}
