/** `ledgerstone dev`, which is `npm start`: everything that is needed to try Ledgerstone out on this machine. */

import { findSettings, readSettings, type Settings } from '../../core/config.ts';
import { isLoopback } from '../../core/network/networks.ts';
import { createLog } from '../../core/observe/log.ts';
import { createPlainLog } from '../../core/observe/plain-log.ts';
import { CARDS_PATH, readCard } from '../../services/sample/cards.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { printLines } from '../output.ts';
import { withDevKey } from '../service/secret-key.ts';
import { addSettings, givenSettings } from '../service/settings.ts';
import { thisProgram } from '../service/shell.ts';
import { runUntilStopped } from '../service/until-stopped.ts';
import { withStore } from '../store.ts';
import { consoleLines } from './dev-console.ts';
import { foundDevKey } from './dev-key.ts';
import { fillSample, foundSample } from './dev-records.ts';
import { makeSample } from './dev-sample.ts';
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
    .action(
      async ({ showKey, sample: wanted }: { showKey?: true; sample?: true }, command: Command) => {
        if (showKey) return printLines(await withStore(command, {}, foundDevKey));
        const given = givenSettings(command);
        const settings = readSettings(given);
        const written = (name: keyof Settings): string | undefined =>
          findSettings(given).find((one) => one.setting.name === name && one.source !== 'default')
            ?.text;
        if (!isLoopback(settings.host)) {
          throw new Mistake(
            `"dev" serves only this machine, at 127.0.0.1, ::1 or localhost, and the host is ${settings.host}. Use "serve" to serve other machines.`,
          );
        }
        if (settings.processes > 1) {
          throw new Mistake('"dev" runs one process. Use "serve" to run several.');
        }
        // Short lines for a person at a terminal; JSON for a program, or where a level is set.
        const log =
          process.stdout.isTTY && written('log_level') === undefined
            ? createPlainLog((text) => process.stdout.write(text))
            : createLog(settings.log_level);
        // Other commands start sooner without the service.
        const { createApp } = await import('../../app/app.ts');
        const app = await createApp(withDevKey(settings), {
          log,
          cards: { path: CARDS_PATH, read: readCard },
        });
        await runUntilStopped(app, log, async (address) => {
          const isNew = (await app.store.accounts.list()).length === 0;
          const sample = isNew ? await makeSample(app) : undefined;
          if (wanted) {
            const filled =
              sample === undefined
                ? await foundSample(app)
                : { account: sample.account.unique_identifier, secret: sample.secret };
            await fillSample(app, address, filled);
          }
          const situation = {
            program: thisProgram(written('database_url')),
            now: Date.now(),
            console: await consoleLines(app.store, address),
          };
          printLines(
            ...(sample === undefined
              ? await describeStore(address, app.store, situation)
              : welcome(address, app.store.place, sample, situation)),
          );
        });
      },
    );
}
