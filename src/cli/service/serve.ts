/** `ledgerstone serve`: runs the service. */
import { flushCompileCache } from 'node:module';
import type { App } from '../../app/app.ts';
import { misspelledVariables, readSettings, type Settings } from '../../core/config.ts';
import { collectGarbage } from '../../core/garbage.ts';
import { createLog, type Log, type PrimaryLog } from '../../core/observe/log.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { addSettings, givenSettings } from './settings.ts';
import { runUntilStopped, type Stoppable } from './until-stopped.ts';

/** Delay before the garbage of the start is collected, so that the first requests do not wait for it. */
const STARTED_MS = 1_000;

export function addServe(program: Command): void {
  addSettings(program.command('serve'))
    .description('Run the service until SIGTERM or SIGINT; creates the store if there is none')
    .examples({
      'ledgerstone serve': 'Serve only this machine',
      'ledgerstone serve --host 0.0.0.0 --port 443 --public-url https://records.example.com --tls-cert fullchain.pem --tls-key privkey.pem':
        'Serve other machines over HTTPS',
      'ledgerstone serve --host 10.0.0.5 --plain-http --public-url https://records.example.com':
        'Serve other machines behind a proxy that handles TLS',
      'ledgerstone serve --processes max --database-url postgres://…':
        'Use every processor of this machine',
      'ledgerstone config': 'See every setting and where it came from',
    })
    .action(async (_options: object, command: Command) => {
      const given = givenSettings(command);
      const settings = readSettings(given);
      const log = createLog(settings.log_level);
      if (process.connected && (await import('node:cluster')).default.isWorker)
        return serveAsWorker(settings, log);
      for (const { variable, meant } of misspelledVariables(given)) log.misspelled(variable, meant);
      if (settings.processes > 1) return serveInProcesses(settings, log);
      // Other commands start sooner without the service.
      const { createApp } = await import('../../app/app.ts');
      const app = await createApp(settings, { log });
      await serveUntilStopped(app, log, () => {});
    });
}

/** Runs the processes that serve. */
async function serveInProcesses(settings: Settings, log: PrimaryLog): Promise<void> {
  const { createPrimary, EndedAtStart } = await import('../../app/processes/primary.ts');
  try {
    await serveUntilStopped(createPrimary(settings, log), log, () => {});
  } catch (error) {
    if (!(error instanceof EndedAtStart)) throw error;
    if (!error.isExplained) throw new Mistake(error.message);
    process.exitCode = 1;
  }
}

/** One of them. */
async function serveAsWorker(settings: Settings, all: PrimaryLog): Promise<void> {
  const { joinAsWorker, logOfWorker } = await import('../../app/processes/worker.ts');
  const { createApp } = await import('../../app/app.ts');
  const worker = await joinAsWorker();
  try {
    const log = logOfWorker(all, worker.isFirst);
    const app = await createApp(settings, { log, worker });
    const started = (address: string): void =>
      worker.started({ address, place: app.store.place }, app.metrics);
    await serveUntilStopped(app, log, started, worker.stopped);
  } finally {
    worker.leave();
  }
}

async function serveUntilStopped(
  app: Stoppable & Pick<App, 'reloadCertificate'>,
  log: Log,
  onStarted: (address: string) => void,
  signalled?: Promise<string>,
): Promise<void> {
  // Without TLS there is nothing to reload, and nothing to stop for.
  process.on('SIGHUP', app.reloadCertificate ?? log.nothingToReload);
  await runUntilStopped(
    app,
    log,
    (address) => {
      onStarted(address);
      // At its end the process may be killed, so the next start is made faster now.
      flushCompileCache();
      setTimeout(collectGarbage, STARTED_MS).unref();
    },
    signalled,
  );
}
