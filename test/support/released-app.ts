/** A service of an unpacked release, in a process of its own. */
import type { App } from '../../src/app/app.ts';
import { type CommandLineSettings, readSettings, settings } from '../../src/core/config.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ownFolder } from './cli-program.ts';
import { startProcess } from './cli-service.ts';

/** Starts `serve` of the release, and opens its store beside it; nothing else of the service is in this process. */
export async function releasedApp(given: CommandLineSettings): Promise<App> {
  const env = Object.fromEntries(
    settings.flatMap(({ name, variable }) => {
      const value = given[name];
      return value === undefined ? [] : [[variable, value]];
    }),
  );
  const { url, stop } = await startProcess({ cwd: ownFolder(), env });
  const store = await openStoreAlone(readSettings(given, {}), { create: false });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await store.close();
    await stop();
  };
  return {
    store,
    inject: () => {
      throw new Error('A release has a socket alone.');
    },
    reloadCertificate: undefined,
    metrics: undefined,
    start: async () => url,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
