/** Keeps a folder up to date with the store of a service, by a separate process that is restarted whenever it ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve as absolute } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../core/config.ts';
import type { Events } from '../../core/observe/events.ts';
import { type StoreSettings, storeOf } from '../../store/open.ts';
import type { DiskRoom } from './room.ts';

export type MomentsSettings = StoreSettings &
  Pick<Settings, 'backup_to' | 'backup_every' | 'backup_keep'>;

const AGAIN_MS = 5_000;
const LONGEST_MS = 60_000;
/** A process that is silent for this long hangs on its disk. */
const SILENT_MS = 120_000;
const STOP_MS = 1_500;
/** How long the room of the disk is believed. */
const ROOM_MS = 30_000;
/** Between two words of one failure. */
const TOLD_MS = 600_000;

export type Moments = NonNullable<ReturnType<typeof startMoments>>;

/** `undefined` where the settings name no folder. */
export function startMoments(settings: MomentsSettings, notices: Events['moments']) {
  const { backup_to, backup_every: everyMs, backup_keep: keepMs } = settings;
  if (backup_to === undefined) return undefined;
  const folder = absolute(backup_to);
  const holder = randomUUID();
  const task: FollowTask = { store: storeOf(settings), holder, folder, everyMs, keepMs };
  const closing = new AbortController();
  const { signal } = closing;
  let child: ChildProcess | undefined;
  let failedAt: number | undefined;
  let ends = 0;
  let room: { readonly is: DiskRoom | undefined; readonly at: number } | undefined;

  const failed = (why: string): void => {
    const now = performance.now();
    if (failedAt !== undefined && now - failedAt < TOLD_MS) return;
    failedAt = now;
    notices.failed(folder, why);
  };
  const onMessage = (message: FromChild): void => {
    if (message.kind === 'alive') room = { is: message.room, at: performance.now() };
    else if (message.kind === 'failed') failed(message.why);
    else if (message.kind === 'whole') notices.wrote(message.file, message.bytes, message.left_out);
    else if (message.kind === 'shows') {
      ends = 0;
      if (failedAt !== undefined) notices.resumed(folder);
      failedAt = undefined;
    }
  };

  const runOnce = () =>
    new Promise<void>((resolve) => {
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
      started.send(task, () => undefined);
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
    /** When it was begun, in milliseconds since 1970. */
    since: Date.now(),
    /** The room of the disk of the folder, as the process that writes there sees it; `undefined` while the disk does not answer. */
    room: () => (performance.now() - (room?.at ?? 0) < ROOM_MS ? room?.is : undefined),
    /** Ends within two seconds. */
    async close(): Promise<void> {
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

export interface FollowTask {
  readonly store: StoreSettings;
  /** The owner of the lease: the process that is started again goes on with it. */
  readonly holder: string;
  readonly folder: string;
  readonly everyMs: number;
  readonly keepMs: number;
}

export type ToChild = FollowTask | 'stop';

export type FromChild =
  | { readonly kind: 'alive'; readonly room: DiskRoom | undefined }
  | { readonly kind: 'shows'; readonly moment: number }
  | {
      readonly kind: 'whole';
      readonly file: string;
      readonly bytes: number;
      readonly left_out: number;
    }
  | { readonly kind: 'failed'; readonly why: string };
