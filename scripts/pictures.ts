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
  await page.emulateMedia({ colorScheme: 'light' });
  await syncTwice(page, base);
  await to('feeds');
  await page.getByRole('button', { name: 'Details: Passare' }).click();
  await page.getByText('not sent, and left').waitFor();
  await take('syncs');
}

/** A system that sends its services on two nights: on the second it has three fewer, one of which staff corrected. */
async function syncTwice(page: Page, base: string): Promise<void> {
  const ask = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
    page.evaluate(
      async ([how, to, sent]) => {
        const headers = { 'Ledgerstone-Console': '1', 'Content-Type': 'application/json' };
        const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
        return (await fetch(`/console/api${to}`, { method: how, headers, ...body })).json();
      },
      [method, path, body] as const,
    );
  const { accounts } = await ask<{ accounts: { unique_identifier: string }[] }>('GET', '/session');
  const key = { name: 'Passare', accounts: accounts.map((one) => one.unique_identifier) };
  const { secret } = await ask<{ secret: string }>('POST', '/keys', key);
  const send = async (
    path: string,
    body: object,
    headers = {},
  ): Promise<{ unique_identifier: string }> => {
    const answer = await fetch(`${base}/v1/${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { unique_identifier: string };
  };
  type List = { readonly data: readonly { readonly unique_identifier: string }[] };
  const found = async (path: string): Promise<string> =>
    (await ask<List>('GET', `/v1/${path}`)).data[0]?.unique_identifier ?? '';
  const location = await found('locations?limit=1');
  const night = async (count: number): Promise<void> => {
    const { unique_identifier: sync } = await send('syncs', { resource: 'event', location });
    const rows = Array.from({ length: count }, (_, at) => ({
      ...{ location_unique_identifier: location, external_identifier: `case-${1041 + at}` },
      ...{ event_name: 'Celebration of life', event_datetime: '2027-03-20T14:30:00Z' },
    }));
    await send('events/upsert_many', rows, { 'Ledgerstone-Sync': sync });
    await send(`syncs/${sync}/finish`, {});
  };
  await night(12);
  const corrected = await found(
    `events?location_unique_identifier=${location}&external_identifier=case-1052`,
  );
  await ask('PATCH', `/v1/events/${corrected}`, { event_name: 'Graveside service' });
  await night(9);
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
