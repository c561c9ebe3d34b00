/** How long reads wait for a server of a cluster: while one is silent, no other read waits for it. */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../promises/store.ts';
import { isOut } from '../wire/failure.ts';

/** A failure that takes longer was silence, and no refusal. */
const SILENT_MS = 1_000;
/** How often it is asked whether a silent server answers again. */
const AGAIN_MS = 500;

/** `answers` asks a server, and waits as long as reads do. */
export function createPatience(answers: (server: string) => Promise<boolean>) {
  const silent = new Map<string, StoreUnavailable>();
  let isClosed = false;

  async function listen(server: string): Promise<void> {
    do await pause(AGAIN_MS, undefined, { ref: false });
    while (!(isClosed || (await answers(server))));
    silent.delete(server);
  }

  return {
    /** Does a read at that server, or throws at once while it is silent. */
    async at<T>(server: string, read: () => Promise<T>): Promise<T> {
      const known = silent.get(server);
      if (known !== undefined) throw known;
      const began = performance.now();
      try {
        return await read();
      } catch (error) {
        if (!isOut(error) || performance.now() - began < SILENT_MS) throw error;
        const { cause } = error as StoreUnavailable;
        const words = `The store cannot be used now: the server ${server} of the cluster does not answer.`;
        const failure = new StoreUnavailable(words, { cause });
        if (!silent.has(server)) void listen(server);
        silent.set(server, failure);
        throw failure;
      }
    },
    close(): void {
      isClosed = true;
    },
  };
}
