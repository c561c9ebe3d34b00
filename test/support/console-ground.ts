/** What tests in a browser begin with: a service of their own, and for the console the records of a small funeral group. */
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { CONSOLE_ZONE } from './console-page.ts';
import { makeRecords } from './console-records.ts';
import { withinOneDay } from './same-day.ts';
import { type ServiceOptions, startService } from './service.ts';

/** To be called at the top of a test file; all of it ends with the last test. There is no browser where tests are to be skipped. */
export async function browserGround(options: ServiceOptions = {}) {
  // Pages say "today" of what was made before.
  await withinOneDay(CONSOLE_ZONE);
  const { browser, skip } = await launchBrowser();
  const service = await startService(options);
  return { browser: browser as Browser, skip, service };
}

export async function consoleGround(options: ServiceOptions = {}) {
  const ground = await browserGround(options);
  return { ...ground, made: await makeRecords(ground.service) };
}
