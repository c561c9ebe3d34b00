/**
 * Takes the pictures of the console for its guide and the README: `sh bin/run scripts/pictures.ts`.
 * It goes the way of a newcomer: `dev --sample`, the link that is printed, a passkey, and then from screen to screen.
 * The pictures are kept beside the guide, as taking them takes a browser. With the path of a folder it takes every
 * screen into that folder instead, wide and as on a phone, light and dark, in every language, to be looked at.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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

const VIEWS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

/** Every screen that the menu has, and a record of each kind. */
async function takeEvery(page: Page, base: string, into: string): Promise<void> {
  const paths = await page
    .locator('#nav li a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  for (const language of readdirSync(join(PROJECT, 'console', 'messages'))) {
    await page
      .context()
      .addCookies([{ name: 'ledgerstone_language', value: language, url: `${base}/console/` }]);
    for (const path of paths) {
      const name = `${language}-${path.replace(/^.console./, '').replaceAll('/', '-') || 'today'}`;
      for (const view of VIEWS) {
        await page.setViewportSize(view);
        await page.goto(base + path);
        await page.locator('main h1').waitFor();
        await page.waitForTimeout(SETTLED_MS);
        await takeBoth(page, join(into, `${name}-${view.width}`));
        const first = page.locator('main tbody th a').first();
        if ((await first.count()) === 0) continue;
        await first.click();
        await page.waitForTimeout(SETTLED_MS);
        await takeBoth(page, join(into, `${name}-first-${view.width}`));
      }
    }
  }
}

/** The whole page, light and dark. */
async function takeBoth(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: `${path}-${colorScheme}.png`, fullPage: true });
  }
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
  await to('find');
  await page.getByRole('searchbox').fill('okafor');
  await page.locator('.found a').first().waitFor();
  await take('find');
  await to('direct_mail_replies?view=cards');
  await page.locator('.picture img').waitFor();
  await page.locator('form.beside input:focus').waitFor();
  await page.keyboard.press('Escape');
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('j');
  await take('cards');
  await page.emulateMedia({ colorScheme: 'dark' });
  await to('');
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await take('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  const desk = await deskOf(page, base);
  await syncTwice(desk);
  await to('feeds');
  await page.getByRole('button', { name: 'Details: Passare' }).click();
  await page.getByText('not sent, and left').waitFor();
  await take('syncs');
  await to('audit');
  await page.getByRole('table').waitFor();
  await take('audit');
  await to(`privacy/${await requestOf(desk)}`);
  for (const at of [1, 2]) await page.getByRole('checkbox').nth(at).check();
  await take('privacy');
  await to(`retention/${await ruleOf(desk)}`);
  await page.getByRole('button', { name: 'Look at what would go' }).click();
  await page.getByRole('heading', { name: 'By year' }).waitFor();
  await take('retention');
  await to('import');
  await page.getByLabel('What the rows are').selectOption({ label: 'Next of kin' });
  const file = { name: 'next of kin 2026.csv', mimeType: 'text/csv', buffer: Buffer.from(KIN) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.locator('.import-fix h2').waitFor();
  await take('import');
}

/** As an office writes it: short numbers, words behind numbers, and the family name first. */
const KIN = [
  'Case No.,Next of Kin,NOK Phone,Relation',
  'case-1041,"Garrison, Carl",217 555 0171 (cell),Son',
  'case-1042,"Garrison, Nora",555-0172,Daughter',
  'case-1043,"Whitfield, Ivy",217 555 0173 (home),Sister',
  'case-1044,"Novak, Frank",217 555 0174 (cell),Husband',
  'case-1045,"Larkin, Maria",,Wife',
  'case-1046,"Ellison, Ruth",555-0175,Daughter',
].join('\r\n');

type Made = { readonly unique_identifier: string };

/** What the person at the page asks for, and what a system sends. */
interface Desk {
  readonly account: string;
  readonly location: string;
  readonly ask: <Answer>(method: string, path: string, body?: object) => Promise<Answer>;
  readonly send: (path: string, body: object, headers?: Record<string, string>) => Promise<Made>;
  /** The first that a list has. */
  readonly found: (path: string) => Promise<string>;
}

async function deskOf(page: Page, base: string): Promise<Desk> {
  const ask: Desk['ask'] = (method, path, body) =>
    page.evaluate(
      async ([how, to, sent]) => {
        const headers = { 'Ledgerstone-Console': '1', 'Content-Type': 'application/json' };
        const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
        const answer = await fetch(`/console/api${to}`, { method: how, headers, ...body });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.json();
      },
      [method, path, body] as const,
    );
  const { accounts } = await ask<{ accounts: readonly Made[] }>('GET', '/session');
  const key = { name: 'Passare', accounts: accounts.map((one) => one.unique_identifier) };
  const { secret } = await ask<{ secret: string }>('POST', '/keys', key);
  const found: Desk['found'] = async (path) =>
    (await ask<{ data: readonly Made[] }>('GET', `/v1/${path}`)).data[0]?.unique_identifier ?? '';
  return {
    ask,
    found,
    account: key.accounts[0] ?? '',
    location: await found('locations?limit=1'),
    async send(path, body, headers = {}) {
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
      return (await answer.json()) as Made;
    },
  };
}

/** A system that sends its services on two nights: on the second it has three fewer, one of which staff corrected. */
async function syncTwice({ ask, send, found, location }: Desk): Promise<void> {
  const night = async (count: number): Promise<void> => {
    const { unique_identifier: sync } = await send('syncs', { resource: 'event', location });
    const rows = Array.from({ length: count }, (_, at) => ({
      location_unique_identifier: location,
      external_identifier: `case-${1041 + at}`,
      event_name: 'Celebration of life',
      event_datetime: '2027-03-20T14:30:00Z',
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

/** A visitor of two services asks to be forgotten, and shares a landline; returns the request. */
async function requestOf({ ask, send, found, account, location }: Desk): Promise<string> {
  const landline = '+12175550177';
  const events = `events?location_unique_identifier=${location}&limit=1&external_identifier=`;
  for (const [at, [event, name]] of [
    ['case-1041', 'Florence Garrison'],
    ['case-1042', 'Florence Garrison'],
    ['case-1042', 'Carl Garrison'],
  ].entries())
    await send('event_check_in_records/upsert', {
      event_unique_identifier: await found(events + event),
      external_identifier: `v-${at}`,
      visitor_full_name: name,
      visitor_phone_number: landline,
      visitor_relationship_to_deceased: 'neighbor',
    });
  const { unique_identifier: id } = await ask<Made>('POST', '/v1/erasures', {
    account,
    phone_numbers: [landline],
    names: [{ full_name: 'Florence Garrison' }],
    reference: 'Letter 2026-31',
  });
  for (;;) {
    const { looked } = await ask<{ looked: string }>('GET', `/v1/erasures/${id}`);
    if (looked !== 'index') return id;
    await pause(500);
  }
}

/** Visitors of many years, some of whom asked about pre-planning, and a service that is held; returns a rule for them. */
async function ruleOf({ ask, send, account, location }: Desk): Promise<string> {
  for (const [year, count] of [15, 24, 21, 9, 27, 33, 30].entries()) {
    const { unique_identifier: event } = await send('events/upsert', {
      location_unique_identifier: location,
      external_identifier: `old-${year}`,
      event_name: 'Memorial service',
      event_datetime: `${2017 + year}-05-04T15:00:00Z`,
    });
    const rows = Array.from({ length: count }, (_, at) => ({
      event_unique_identifier: event,
      external_identifier: `old-${year}-${at}`,
      visitor_full_name: `Visitor ${at + 1}`,
      visitor_phone_number: '+12175550100',
      visitor_interested_in_pre_planning: at % 6 === 0,
    }));
    await send('event_check_in_records/upsert_many', rows);
    if (year === 3)
      await ask('POST', '/v1/holds', { account, record: event, matter: 'Case 2026-118' });
  }
  const { unique_identifier: id } = await ask<Made>('POST', '/v1/retention_rules', {
    account,
    resource: 'event_check_in_record',
    after_days: 1095,
    since: 'event_datetime',
    unless: { visitor_interested_in_pre_planning: true },
    basis: 'Privacy policy, section 4',
  });
  return id;
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
  const [, , into] = process.argv;
  if (into === undefined) await takeAll(page, new URL(link).origin);
  else await takeEvery(page, new URL(link).origin, into);
} finally {
  await browser.close();
  service.kill('SIGTERM');
  service.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
