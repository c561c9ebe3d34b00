/**
 * Takes the pictures of the console for its guide and the README: `sh bin/run scripts/pictures.ts`.
 * It goes the way of a newcomer: `dev --sample`, the link that is printed, a passkey, and then from screen to screen.
 * The pictures are kept beside the guide, as taking them takes a browser.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as launcher, type Page } from 'playwright-core';

const PROJECT = join(import.meta.dirname, '..');
const PICTURES = join(PROJECT, 'docs', 'pictures');
const PORT = 8099;
const STARTING_MS = 60_000;
/** Until lists, images and search have come. */
const SETTLED_MS = 2_500;

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
const service = spawn(
  'sh',
  [
    join(PROJECT, 'bin', 'ledgerstone'),
    'dev',
    '--sample',
    '--port',
    String(PORT),
    '--database-url',
    `sqlite:${join(folder, 'sample.db')}`,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);

async function linkOf(output: AsyncIterable<Buffer>): Promise<string> {
  let said = '';
  for await (const chunk of output) {
    said += chunk;
    const link = /http:\/\/localhost:\d+\/console\/#\/invitation\/[^\s"']+/.exec(said)?.[0];
    if (link !== undefined) return link;
  }
  throw new Error('The service has printed no link.');
}

/** Nobody's finger is at hand. */
async function giveAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function takeAll(page: Page, base: string): Promise<void> {
  const take = async (name: string): Promise<void> => {
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  };
  const to = (path: string): Promise<unknown> => page.goto(`${base}/console/${path}`);
  await take('today');
  await to('events?order=event_datetime');
  await page.locator('tbody a').first().waitFor();
  await take('list');
  await to('');
  await page.locator('.services a').first().click();
  await page.getByRole('link', { name: 'History' }).waitFor();
  await take('record');
  await page.getByRole('button', { name: 'Edit' }).click();
  await take('edit');
  await to('direct_mail_replies?view=cards');
  await page.locator('.picture img').waitFor();
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('j');
  await take('cards');
  await page.emulateMedia({ colorScheme: 'dark' });
  await to('');
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await take('dark');
}

const browser = await launcher.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox'],
});
try {
  const link = await Promise.race([
    linkOf(service.stdout),
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('The service did not start.')), STARTING_MS).unref();
    }),
  ]);
  const page = await browser.newPage({
    viewport: { width: 1180, height: 760 },
    colorScheme: 'light',
    locale: 'en-US',
  });
  page.setDefaultTimeout(15_000);
  await giveAuthenticator(page);
  await page.goto(link);
  await page.getByLabel('Your name').fill('Pat Example');
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await takeAll(page, new URL(link).origin);
} finally {
  await browser.close();
  service.kill('SIGTERM');
  service.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
