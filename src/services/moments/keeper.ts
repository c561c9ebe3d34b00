/** Keeps a folder up to date with the store of a service, by a separate process that is restarted whenever it ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve as absolute } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../core/config.ts';
import type { Events } from '../../core/observe/events.ts';
import { type StoreSettings, storeOf } from '../../store/open.ts';
import type { FollowTask, FromChild } from './messages.ts';

export type MomentsSettings = StoreSettings &
  Pick<Settings, 'backup_to' | 'backup_every' | 'backup_keep'>;

export interface Moments {
  readonly folder: string;
  /** When it was begun, in milliseconds since 1970. */
  readonly since: number;
  /** Ends within two seconds. */
  close(): Promise<void>;
}

const AGAIN_MS = 5_000;
const LONGEST_MS = 60_000;
/** A process that is silent for this long hangs on its disk. */
const SILENT_MS = 120_000;
const STOP_MS = 1_500;
/** Between two words of one failure. */
const TOLD_MS = 600_000;

/** `undefined` where the settings name no folder. */
export function startMoments(
  settings: MomentsSettings,
  notices: Events['moments'],
): Moments | undefined {
  const { backup_to, backup_every: everyMs, backup_keep: keepMs } = settings;
  if (backup_to === undefined) return undefined;
  return keepMoments(
    {
      store: storeOf(settings),
      holder: randomUUID(),
      folder: absolute(backup_to),
      everyMs,
      keepMs,
    },
    notices,
  );
}

function keepMoments(given: FollowTask, notices: Events['moments']): Moments {
  const closing = new AbortController();
  const { signal } = closing;
  const { folder } = given;
  let child: ChildProcess | undefined;
  let failedAt: number | undefined;
  let ends = 0;

  const failed = (why: string): void => {
    const now = performance.now();
    if (failedAt !== undefined && now - failedAt < TOLD_MS) return;
    failedAt = now;
    notices.failed(folder, why);
  };
  const onMessage = (message: FromChild): void => {
    if (message.kind === 'failed') failed(message.why);
    else if (message.kind === 'whole') notices.wrote(message.file, message.bytes, message.left_out);
    else if (message.kind === 'shows') {
      ends = 0;
      if (failedAt !== undefined) notices.resumed(folder);
      failedAt = undefined;
    }
  };

  /** Until it ends. */
  const runOnce = (): Promise<void> =>
    new Promise((resolve) => {
      const started = fork(new URL('./child.ts', import.meta.url), {
        execArgv: ['--disable-sigusr1'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      child = started;
      const kill = (): void => {
        failed('The process that writes it does not answer: its disk may hang.');
        started.kill('SIGKILL');
      };
      let silence = setTimeout(kill, SILENT_MS);
      const end = (): void => {
        clearTimeout(silence);
        resolve();
      };
      started.on('message', (message: FromChild) => {
        clearTimeout(silence);
        silence = setTimeout(kill, SILENT_MS);
        silence.unref();
        onMessage(message);
      });
      started.once('error', ({ message }) => {
        failed(`Its process cannot be started: ${message}`);
        end();
      });
      started.once('exit', (code, by) => {
        if (code !== 0 && !signal.aborted) failed(`Its process has ended (${by ?? code}).`);
        end();
      });
      started.send(given, () => undefined);
      silence.unref();
      started.unref();
      started.channel?.unref();
    });

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await runOnce();
      const wait = Math.min(AGAIN_MS * 2 ** ends, LONGEST_MS);
      ends += 1;
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    folder,
    since: Date.now(),
    async close() {
      closing.abort();
      const last = child;
      if (last?.connected) last.send('stop', () => undefined);
      const done = new AbortController();
      const late = pause(STOP_MS, undefined, { signal: done.signal }).catch(() => undefined);
      await Promise.race([running, late]);
      done.abort();
      // The next process removes its partial files.
      if (last?.exitCode === null) last.kill('SIGKILL');
    },
  };
}
