/** Keeps a folder up to date with the store of a service, in a process of its own, so that a slow disk never delays requests. */
import { openStoreAlone } from '../../store/open.ts';
import { StoreUnavailable, StoreUnusable } from '../../store/promises/store.ts';
import { FileUnusable } from '../backup/file.ts';
import { stepAside } from '../transfer/pace.ts';
import { followFolder } from './follow-folder.ts';
import type { FollowTask, FromChild, ToChild } from './keeper.ts';
import { roomOf } from './room.ts';

const ALIVE_MS = 10_000;
const LAST_MS = 2_000;

const stop = new AbortController();
process.umask(0o077);
// A signal is for the service, which then says so here.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
process.on('disconnect', () => {
  // The service is gone: its successor need not wait for the lease to end.
  stop.abort();
  setTimeout(() => process.exit(0), LAST_MS).unref();
});
process.on('message', (message: ToChild) => {
  if (message === 'stop') stop.abort();
  else void run(message);
});

async function run({ store: settings, ...given }: FollowTask): Promise<void> {
  stepAside();
  const alive = (): void => send({ kind: 'alive', room: roomOf(given.folder) });
  setInterval(alive, ALIVE_MS).unref();
  alive();
  try {
    const store = await openStoreAlone(settings, { create: false });
    await followFolder({
      ...given,
      store,
      isService: true,
      signal: stop.signal,
      notices: {
        wrote({ file, bytes, isWhole, left_out }) {
          if (isWhole) send({ kind: 'whole', file, bytes, left_out });
        },
        shows: (moment) => send({ kind: 'shows', moment }),
        failed: ({ message }) => send({ kind: 'failed', why: message }),
      },
    });
    await store.close();
  } catch (error) {
    const isKnown = [StoreUnusable, StoreUnavailable, FileUnusable].some(
      (kind) => error instanceof kind,
    );
    const why = isKnown ? (error as Error).message : String((error as Error)?.stack ?? error);
    send({ kind: 'failed', why });
    process.exitCode = 1;
  }
  process.exit();
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message, () => undefined);
}
