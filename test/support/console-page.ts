/** The console in a real browser: windows in which somebody is signed in, and what is wrong with what they see. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Opened, open } from './browser.ts';
import type { ConsoleBrowser } from './console.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A window on a screen, below `/console/`, for whoever has that session. */
export function openConsole(
  browser: Browser,
  person: ConsoleBrowser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const [name = '', value = ''] = person.cookie?.split(/=(.*)/s) ?? [];
  const { hostname } = new URL(person.service.url);
  return open(browser, `${person.service.url}/console/${path}`, {
    locale: 'en-US',
    timezoneId: 'America/Chicago',
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

/** Every rule that axe has, but for advice that it is not sure of. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate<AxeResults>('axe.run()');
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

export function overflows(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth');
}
