/** `ledgerstone serve`: runs the service. */
import { flushCompileCache } from 'node:module';
import type { Command } from 'commander';
import { misspelledVariables, readSettings } from '../../core/config.ts';
import { createLog } from '../../core/observe/log.ts';
import { examples } from '../help.ts';
import { addSettings, givenSettings } from './settings.ts';
import { runUntilStopped } from './until-stopped.ts';

export function addServe(program: Command): void {
  addSettings(program.command('serve'))
    .description('Run the service until SIGTERM or SIGINT; creates the store if there is none')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone serve', 'Serve only this machine'],
        [
          'ledgerstone serve --host 0.0.0.0 --port 443 --public-url https://records.example.com --tls-cert fullchain.pem --tls-key privkey.pem',
          'Serve other machines over HTTPS',
        ],
        [
          'ledgerstone serve --host 10.0.0.5 --plain-http --public-url https://records.example.com',
          'Serve other machines behind a proxy that handles TLS',
        ],
        ['ledgerstone config', 'See every setting and where it came from'],
      ),
    )
    .action(async (_options: object, command: Command) => {
      const given = givenSettings(command);
      const settings = readSettings(given);
      const log = createLog(settings.log_level);
      for (const { variable, meant } of misspelledVariables(given)) log.misspelled(variable, meant);
      // Other commands start sooner without the service.
      const { createApp } = await import('../../app/app.ts');
      const app = await createApp(settings, { log });
      if (app.reloadCertificate !== undefined) process.on('SIGHUP', app.reloadCertificate);
      await runUntilStopped(app, log, () => {
        // At its end the process may be killed, so the next start is made faster now.
        flushCompileCache();
      });
    });
}
