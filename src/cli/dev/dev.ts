/** `ledgerstone dev`, which is `npm start`: everything that is needed to try Ledgerstone out on this machine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import type { App } from '../../app/app.ts';
import { findSettings, readSettings, type Settings } from '../../core/config.ts';
import { isLoopback } from '../../core/network/networks.ts';
import { createLog } from '../../core/observe/log.ts';
import { createPlainLog } from '../../core/observe/plain-log.ts';
import { shellWord } from '../../core/observe/shell-word.ts';
import { anchorShape } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { presentAccount } from '../../edge/operations/accounts.ts';
import { findKey, issueKey } from '../../records/auth/issue-key.ts';
import { rights, rightsByName } from '../../records/auth/principal.ts';
import { CARDS_PATH, readCard, SAMPLE_HOME, sampleRows } from '../../services/sample/records.ts';
import { invite } from '../../services/staff/invitations.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { accountColumns } from '../accounts/account-view.ts';
import type { Command } from '../help.ts';
import { keyColumns, keyJson } from '../keys/key-view.ts';
import { Mistake } from '../mistake.ts';
import { align, isTerminal, printLines, printText, tableOf } from '../output.ts';
import { withDevKey } from '../service/secret-key.ts';
import { addSettings, givenSettings } from '../service/settings.ts';
import { runUntilStopped } from '../service/until-stopped.ts';
import { withStore } from '../store.ts';

export function addDev(program: Command): void {
  addSettings(program.command('dev'))
    .description(
      'Run the service for this machine only; an empty store gets a test account, a location and a key to start with',
    )
    .option('--sample', 'Fill the test account with realistic records around today')
    .option('--show-key', 'Print the test key that was created for an empty store, and exit')
    .examples({
      'ledgerstone dev': 'Try it out',
      'ledgerstone dev --sample':
        'Try it out with sample services, visitors, arrangements and mail replies',
      'ledgerstone dev --port 8081': 'Use another port',
      'KEY=$(ledgerstone dev --show-key)': 'Put the key into a variable, in another terminal',
      'ledgerstone dev --database-url sqlite:/tmp/trial.db': 'Use a store of its own',
    })
    .action(dev);
}

async function dev(
  { showKey, sample: wanted }: { readonly showKey?: true; readonly sample?: true },
  command: Command,
): Promise<void> {
  if (showKey) return printLines(await withStore(command, {}, shownKey));
  const given = givenSettings(command);
  const settings = readSettings(given);
  const written = (name: keyof Settings): string | undefined =>
    findSettings(given).find((one) => one.setting.name === name && one.source !== 'default')?.text;
  if (!isLoopback(settings.host))
    throw new Mistake(
      `"dev" serves only this machine, at 127.0.0.1, ::1 or localhost, and the host is ${settings.host}. Use "serve" to serve other machines.`,
    );
  if (settings.processes > 1)
    throw new Mistake('"dev" runs one process. Use "serve" to run several.');
  // Short lines for a person at a terminal; JSON for a program, or where a level is set.
  const lines =
    isTerminal() && written('log_level') === undefined
      ? createPlainLog(printText)
      : createLog(settings.log_level);
  let logged = 0;
  const log = {
    ...lines,
    requestAnswered(...told: Parameters<typeof lines.requestAnswered>): void {
      lines.requestAnswered(...told);
      logged += 1;
    },
  };
  // Other commands start sooner without the service.
  const { createApp } = await import('../../app/app.ts');
  const cards = { path: CARDS_PATH, read: readCard };
  const app = await createApp(withDevKey(settings), { log, cards });
  const { store } = app;
  await runUntilStopped(app, log, async (address) => {
    const isNew = (await store.accounts.list()).length === 0;
    const sample = isNew ? await makeSample(app) : undefined;
    if (wanted) await fillSample(app, address, sample ?? (await foundSample(app)));
    const program = thisProgram(written('database_url'));
    const console = await consoleLines(store, address);
    // Lines about what was done so far come first: nothing buries the key.
    while (logged < sent) await immediate();
    await log.flush();
    printLines(
      ...(sample === undefined
        ? await describeStore(address, store, program, console)
        : welcome(address, store.place, sample, program, console)),
    );
  });
}

/** The test key; throws a `Mistake` that says how to get one. */
async function shownKey(store: Store): Promise<string> {
  const secret = await savedKey(store);
  if (secret !== undefined) return secret;
  throw new Mistake(
    `There is no test key to show for ${store.place}. "dev" keeps the one that it creates for an empty SQLite store, as long as that key works. Create another one with "ledgerstone keys create".`,
  );
}

const LAUNCHER = join(import.meta.dirname, '../../../bin/ledgerstone');

/** The command for this program, from the current folder, with the store at that address; `undefined`: the default. */
function thisProgram(address: string | undefined): string {
  const near = relative(process.cwd(), LAUNCHER);
  const launcher = near.startsWith('..') ? LAUNCHER : near.includes('/') ? near : `./${near}`;
  const option = address === undefined ? [] : ['--database-url', shellWord(address)];
  return [shellWord(launcher), ...option].join(' ');
}

/** An address that receives no mail. */
const EMAIL = 'dev@localhost';

/**
 * Prints the link to open: it signs an administrator of the test account in for the
 * first time, and later opens the console. Passkeys work at `localhost` and at no address.
 */
async function consoleLines(
  { staff, accounts }: Store,
  address: string,
): Promise<readonly string[]> {
  const home = `http://localhost:${new URL(address).port}`;
  const known = await staff.list();
  if (known.some(({ passkeys, password }) => passkeys > 0 || password !== null))
    return ['The console:', `  ${home}/console/`, ''];
  const all = await accounts.list();
  const test = all.find(({ livemode, closed_at }) => !livemode && closed_at === null);
  if (test === undefined) return [];
  const grant = { accounts: [test.unique_identifier], anchors: null, region: null };
  const person = { email: EMAIL, role: 'administrator', ...grant, allow: rightsByName } as const;
  const { link } = await invite(staff, person, home, Date.now());
  return ['Your invitation to the console, which works only once:', `  ${link}`, ''];
}

const WEEK_MS = 604_800_000;
const MAX_COUNTED = 1000;

/** For a store that was empty: what is there now, three commands that work when pasted alone, and last the key, where no text buries it. */
function welcome(
  address: string,
  place: string,
  { account, secret, isSaved, location }: Awaited<ReturnType<typeof makeSample>>,
  program: string,
  console: readonly string[],
): readonly string[] {
  const curl = (path: string, ...options: readonly string[]): string =>
    ['  curl -u', `${secret}:`, shellWord(address + path), ...options].join(' ');
  const event = {
    location_unique_identifier: location.unique_identifier,
    external_identifier: 'service-1',
    event_name: 'Celebration of life',
    event_datetime: presentTime(Date.now() + WEEK_MS),
  };
  return [
    ...running([
      ['Address', address],
      ['Account', account.unique_identifier, `${account.name} (test)`],
      ['Location', location.unique_identifier, location.name],
      ['Data', place],
    ]),
    'Paste any of these into another terminal.',
    '',
    'List the accounts:',
    curl('/v1/accounts'),
    '',
    'Create or update a location:',
    curl(
      '/v1/locations/upsert',
      `-d account_unique_identifier=${account.unique_identifier}`,
      '-d external_identifier=riverside',
      "-d 'location_name=Riverside Chapel'",
    ),
    '',
    `Create or update an event at ${location.name}:`,
    curl(
      '/v1/events/upsert',
      "-H 'Content-Type: application/json'",
      `-d ${shellWord(JSON.stringify(event))}`,
    ),
    '',
    ...console,
    'Ctrl-C stops it; the records stay.',
    '',
    ...(isSaved
      ? ['Your key. To show it again, from another terminal:', `  ${program} dev --show-key`]
      : ['Your key, shown only this once:']),
    '',
    `  ${secret}`,
    '',
  ];
}

/** For a store that is in use: what is there, and how to see a key or make another one. */
async function describeStore(
  address: string,
  store: Store,
  program: string,
  console: readonly string[],
): Promise<readonly string[]> {
  const accounts = await store.accounts.list();
  const keys = await store.keys.list();
  const open = accounts.find((account) => account.closed_at === null);
  const create = ['keys create --account', open?.unique_identifier ?? 'acct_…'].join(' ');
  const shown = await Promise.all(accounts.map((one) => presentAccount(store, one)));
  return [
    ...running([
      ['Address', address],
      ['Locations', await countLocations(store, accounts)],
      ['Data', store.place],
    ]),
    ...indented(tableOf(accountColumns, shown)),
    '',
    ...indented(keys.length === 0 ? ['No keys.'] : tableOf(keyColumns, keys.map(keyJson))),
    '',
    ...((await savedKey(store)) === undefined
      ? []
      : [
          'To show the test key that was created at the first start:',
          `  ${program} dev --show-key`,
        ]),
    'Other keys are shown only when they are created. To create another one:',
    `  ${program} ${create}`,
    '',
    ...console,
    'Ctrl-C stops it; the records stay.',
    '',
  ];
}

async function countLocations(store: Store, accounts: readonly Account[]): Promise<string> {
  const { records, more } = await store.list({
    shape: anchorShape,
    scope: { accounts: new Set(accounts.map((one) => one.unique_identifier)), anchors: undefined },
    order: 'newest',
    limit: MAX_COUNTED,
  });
  return more ? `more than ${MAX_COUNTED}` : String(records.length);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function running(facts: Parameters<typeof align>[0]): readonly string[] {
  return ['', 'Ledgerstone is running, for this machine only.', '', ...indented(align(facts)), ''];
}

/** Fills an empty store. The key is saved, and can be shown again, only next to a store that is a file. */
async function makeSample(app: App) {
  const { accounts, keys, file } = app.store;
  const account = await accounts.create({ name: 'Example Funeral Group', livemode: false });
  const { secret } = await issueKey(keys, account.livemode, {
    name: 'Trial key',
    accounts: [account.unique_identifier],
    // It may do all that the manual shows.
    // Programs are tried with it, and those are sources: what they send is no correction.
    allow: Object.keys(rights).filter((right) => right !== 'pin'),
  });
  const name = 'Main Street Chapel';
  const answer = await send(app, secret, 'locations/upsert', {
    account_unique_identifier: account.unique_identifier,
    external_identifier: 'main-street',
    location_name: name,
  });
  const { unique_identifier } = answer.json<{ unique_identifier: string }>();
  if (file !== undefined) writeFileSync(keyFile(file), `${secret}\n`, { mode: 0o600 });
  return { account, secret, isSaved: file !== undefined, location: { unique_identifier, name } };
}

/** Requests that this command has sent. */
let sent = 0;

/** Sends rows the way that a caller does, so that there is one way in which records come about. */
async function send(app: App, secret: string, path: string, rows: object) {
  sent += 1;
  const answer = await app.inject({
    method: 'POST',
    url: `/v1/${path}`,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    payload: JSON.stringify(rows),
  });
  if (answer.statusCode === 200) return answer;
  throw new Error(`The sample's ${path} was answered ${answer.statusCode}: ${answer.body}`);
}

/** Writes realistic records with that key; where they are there, they are brought up to today. */
async function fillSample(
  app: App,
  address: string,
  { account: { unique_identifier: account }, secret }: Awaited<ReturnType<typeof foundSample>>,
): Promise<void> {
  const settings = { unique_identifier: account, account, ...SAMPLE_HOME };
  await app.store.locationSettings.change([settings]);
  for (const { path, rows } of sampleRows(account, Date.now(), address + CARDS_PATH))
    await send(app, secret, `${path}/upsert_many?atomic=true`, rows);
}

/** The test account that `dev` made, and its key; a `Mistake` where they are gone. */
async function foundSample(app: App) {
  const secret = await savedKey(app.store);
  const answer =
    secret === undefined
      ? undefined
      : await app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${secret}` } });
  const { accounts, livemode } = answer?.json<{ accounts: string[]; livemode: boolean }>() ?? {};
  const [unique_identifier] = accounts ?? [];
  if (secret !== undefined && unique_identifier !== undefined && livemode === false)
    return { account: { unique_identifier }, secret };
  throw new Mistake(
    'There is no test account to put sample records into. "--sample" needs an empty store, or one that still has the test key that "dev" created. Use another store, such as --database-url sqlite:/tmp/trial.db.',
  );
}

/** The key, if it is saved and still works. */
async function savedKey({ file, keys }: Store): Promise<string | undefined> {
  if (file === undefined) return undefined;
  let secret: string;
  try {
    secret = readFileSync(keyFile(file), 'utf8').trim();
  } catch {
    return undefined;
  }
  return (await findKey(keys, secret)) === undefined ? undefined : secret;
}

const keyFile = (file: string): string => `${file}.dev-key`;
