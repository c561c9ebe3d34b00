/** `ledgerstone dev`, which is `npm start`: everything that is needed to try Ledgerstone out on this machine. */
import { join, relative } from 'node:path';
import { findSettings, readSettings, type Settings } from '../../core/config.ts';
import { isLoopback } from '../../core/network/networks.ts';
import { createLog } from '../../core/observe/log.ts';
import { createPlainLog } from '../../core/observe/plain-log.ts';
import { shellWord } from '../../core/observe/shell-word.ts';
import { rightsByName } from '../../records/auth/principal.ts';

import { CARDS_PATH, readCard } from '../../services/sample/records.ts';
import { invite } from '../../services/staff/invitations.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { printLines } from '../output.ts';
import { withDevKey } from '../service/secret-key.ts';
import { addSettings, givenSettings } from '../service/settings.ts';
import { runUntilStopped } from '../service/until-stopped.ts';
import { withStore } from '../store.ts';
import { fillSample, foundSample, makeSample, savedKey } from './dev-sample.ts';
import { describeStore, welcome } from './dev-texts.ts';

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
  const log =
    process.stdout.isTTY && written('log_level') === undefined
      ? createPlainLog((text) => process.stdout.write(text))
      : createLog(settings.log_level);
  // Other commands start sooner without the service.
  const { createApp } = await import('../../app/app.ts');
  const cards = { path: CARDS_PATH, read: readCard };
  const app = await createApp(withDevKey(settings), { log, cards });
  const { store } = app;
  await runUntilStopped(app, log, async (address) => {
    const isNew = (await store.accounts.list()).length === 0;
    const sample = isNew ? await makeSample(app) : undefined;
    if (wanted) await fillSample(app, address, sample ?? (await foundSample(app)));
    const situation = {
      program: thisProgram(written('database_url')),
      now: Date.now(),
      console: await consoleLines(store, address),
    };
    printLines(
      ...(sample === undefined
        ? await describeStore(address, store, situation)
        : welcome(address, store.place, sample, situation)),
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
