/** Keeps a folder up to date with a store until it is stopped, through failures of the disk and of the store. */

import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../../core/owners.ts';
import { resources } from '../../core/registry.ts';
import { EMPTY, type FolderContent } from '../../store/books/backups.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';
import { FileUnusable, lockFolder, orFileUnusable } from '../backup/file.ts';
import { type BackupFollower, type Followed, openFollower } from '../backup/folder/follow.ts';
import { partsOf } from '../backup/parts.ts';
import { CopyUnreachable, completeCopy } from '../erasures/journal-copy.ts';
import { JournalUnusable } from '../erasures/journal-lines.ts';
import type { FollowTask } from './keeper.ts';
import { SERVICE } from './lags.ts';

export interface FollowFolderOptions extends Omit<FollowTask, 'store'> {
  readonly store: Pick<
    Store,
    'snapshot' | 'place' | 'backups' | 'journal' | 'accounts' | 'seenTime'
  >;
  /** Whether the process is one of a service, which waits while another one has the lease. */
  readonly isService: boolean;
  readonly signal: AbortSignal;
  readonly notices: FollowNotices;
}

interface FollowNotices {
  wrote(followed: Followed): void;
  shows(moment: number): void;
  /** It is tried again, unless this throws. */
  failed(error: FileUnusable | StoreUnavailable): void;
}

/** How often the progress of the folder is written to the store, which renews the lease. */
const NOTE_MS = 10_000;
/** Between two tries that fail, at the most: each may read the whole store. */
const LONGEST_PAUSE_MS = 300_000;

export async function followFolder(following: FollowFolderOptions): Promise<void> {
  const { store, folder, everyMs, keepMs, holder, isService, signal, notices } = following;
  const host = hostname();
  const name = isService ? SERVICE : `${host}:${folder}`;
  let release: (() => void) | undefined;
  let follower: BackupFollower | undefined;
  let notedAt = Number.NEGATIVE_INFINITY;
  let noted = EMPTY;
  /** The last moment that the folder could bring back. */
  let showed: number | undefined;

  /** The service itself does that to the folder of BACKUP_TO, since erasures wait for it. Without it the rest goes on. */
  async function completeJournal(): Promise<void> {
    try {
      await completeCopy(folder, store.journal);
    } catch (error) {
      if (!(error instanceof CopyUnreachable || error instanceof JournalUnusable)) throw error;
      notices.failed(new FileUnusable(error.message));
    }
  }

  /** Whether this process has the lease; renews it from time to time. */
  async function isNoted(): Promise<boolean> {
    return performance.now() - notedAt < NOTE_MS || (await note());
  }

  async function leave(): Promise<void> {
    await follower?.abandon();
    release?.();
    release = undefined;
  }

  function contentNow(): FolderContent {
    if (follower === undefined) return EMPTY;
    const { shows } = follower;
    if (shows === undefined) return { state: 'unusable', until: showed };
    showed = shows;
    return { state: 'complete', until: shows };
  }

  async function note(): Promise<boolean> {
    const holds = contentNow();
    const whole_at = follower?.whole ?? null;
    const left_out = follower?.leftOut ?? null;
    const followed = { name, folder, host, holds, whole_at, left_out };
    const isOurs = await store.backups.follow(holder, followed);
    noted = holds;
    notedAt = isOurs ? performance.now() : Number.NEGATIVE_INFINITY;
    return isOurs;
  }

  /** A folder is made once: where one is gone that was written to, its disk may not be mounted. */
  async function lock(): Promise<() => void> {
    const known = (await store.backups.followed()).find(
      (one) => one.folder === folder && one.host === host && one.holds.state !== 'empty',
    );
    showed = known?.holds.until;
    return orFileUnusable(folder, async () => {
      if (!known) makeFolder(folder);
      else if (!existsSync(folder)) {
        throw new FileUnusable(
          `The folder ${folder} is gone, and backups were written to it before: mount its disk. If it was removed on purpose, create it again.`,
        );
      }
      return lockFolder(folder);
    });
  }

  async function round(): Promise<void> {
    if (isService && !(await isNoted())) return leave();
    release ??= await lock();
    // A whole backup may take longer than the lease lasts.
    const noting = setInterval(() => {
      note().catch(() => undefined);
    }, NOTE_MS);
    try {
      follower ??= await openFollower({ store, folder, parts: partsOf(resources), keepMs });
      if (!isService) await completeJournal();
      for (const followed of await follower.step()) notices.wrote(followed);
    } finally {
      clearInterval(noting);
    }
    if (follower.shows !== undefined) notices.shows(follower.shows);
    if (noted.state !== 'complete') notedAt = Number.NEGATIVE_INFINITY;
    await isNoted();
  }

  /** So that another process may take over. At the end of a command the store also forgets the folder, which is no longer followed. */
  async function letGo(forget = false): Promise<void> {
    await leave();
    if (notedAt === Number.NEGATIVE_INFINITY) return;
    notedAt = Number.NEGATIVE_INFINITY;
    await store.backups.unfollow(holder, name, forget).catch(() => undefined);
  }

  let failures = 0;
  while (!signal.aborted) {
    try {
      await round();
      failures = 0;
    } catch (error) {
      if (!(error instanceof FileUnusable || error instanceof StoreUnavailable)) throw error;
      failures += 1;
      await letGo();
      if (!signal.aborted) notices.failed(error);
    }
    const wait = Math.min(everyMs * 2 ** failures, Math.max(everyMs, LONGEST_PAUSE_MS));
    await pause(wait, undefined, { signal }).catch(() => undefined);
  }
  await letGo(!isService);
}
