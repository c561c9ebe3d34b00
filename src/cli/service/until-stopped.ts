/** Runs a service until a signal stops it, and shuts it down without losing a request. */
import type { App } from '../../app/app.ts';
import type { Log } from '../../core/observe/log.ts';
import { Mistake } from '../mistake.ts';

/** On one Ctrl-C, a process below npm gets two SIGINTs: from the terminal, and forwarded by npm. */
const SAME_CTRL_C_MS = 200;
/** How long stopping may take: containers are killed ten seconds after the signal. */
const STOP_MS = 9_000;

export type Stoppable = Pick<App, 'start' | 'close'>;

/**
 * Starts the service, calls `onStarted` with its address, and resolves when a signal has ended it. A second signal
 * ends the process at once, and so does a stop that takes longer than nine seconds: every answered write is on disk.
 * Throws a `Mistake` where it cannot listen.
 */
export async function runUntilStopped(
  app: Stoppable,
  log: Log,
  onStarted: (address: string) => Promise<void> | void = () => {},
  signalled: Promise<string> = firstSignal(),
): Promise<void> {
  process.on('uncaughtException', (error) => {
    log.crashed(error);
    void log.flush();
    process.exit(1);
  });
  try {
    await onStarted(await app.start());
  } catch (error) {
    await app.close();
    throw asMistake(error);
  }
  log.stopping(await signalled);
  setTimeout(() => {
    log.stopped('not everything was closed in time');
    void log.flush();
    process.exit(0);
  }, STOP_MS).unref();
  await app.close();
  log.stopped();
  await log.flush();
}

/** After the first signal the next one does what signals do by themselves: it ends the process at once. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      resolve(signal);
      process.off('SIGTERM', onSignal);
      const wait = signal === 'SIGINT' ? SAME_CTRL_C_MS : 0;
      setTimeout(() => process.off('SIGINT', onSignal), wait).unref();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/** The system's error for an address that cannot be listened on, as a sentence. */
function asMistake(error: unknown): unknown {
  const { code, address, port, hostname, server } = error as Readonly<Record<string, unknown>>;
  const [option, host] =
    server === 'metrics' ? ['--metrics-port', '--metrics-host'] : ['--port', '--host'];
  const unknown = `The host name ${hostname} has no address. Choose another one with ${host}.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${address} is already in use. Choose another one with ${option}, or 0 for any free port.`,
    EACCES: `This user may not listen on port ${port} on ${address}. Choose a port above 1023 with ${option}, or give the service the capability CAP_NET_BIND_SERVICE.`,
    EADDRNOTAVAIL: `${address} is not an address of this machine. Choose another one with ${host}.`,
    ENOTFOUND: unknown,
    EAI_AGAIN: unknown,
  };
  const message = messages[String(code)];
  return message === undefined ? error : new Mistake(message);
}

/**
 * Aborted by the first SIGINT or SIGTERM, and when this output is no longer read. The next signal ends the process at
 * once.
 */
export function stopSignal(whenUnread?: (stop: () => void) => void): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  whenUnread?.(stop);
  return stopping.signal;
}
