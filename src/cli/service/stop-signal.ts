/** The stop signal for commands that run until Ctrl-C. */

/**
 * Aborted by the first SIGINT or SIGTERM, and when this output is no longer read. The next signal ends the process at
 * once.
 */
export function stopSignal(output?: NodeJS.WriteStream): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  output?.once('error', stop);
  return stopping.signal;
}
