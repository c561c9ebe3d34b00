/** Has a server's commits wait for a standby, or wait no more. */
import { ask } from './ask.ts';
import { until } from './until.ts';

/** Resolves when every session does. `url` is of a superuser; nobody named: they wait for none. */
export async function waitFor(url: string, standby?: string): Promise<void> {
  const text = standby === undefined ? 'RESET' : 'SET';
  const to = standby === undefined ? '' : ` = '${standby}'`;
  await ask(url, `ALTER SYSTEM ${text} synchronous_standby_names${to}`, 'SELECT pg_reload_conf()');
  // A new session has what the server has read; it tells its processes before it makes one.
  await until(async () => {
    const [shown] = await ask(url, 'SHOW synchronous_standby_names');
    return shown.synchronous_standby_names === (standby ?? '');
  });
  // What makes checkpoints says to all sessions whom they wait for: it does so before the next checkpoint.
  await ask(url, 'CHECKPOINT');
}
