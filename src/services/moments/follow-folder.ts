/** Keeps a folder up to date with a store until it is stopped, through failures of the disk and of the store. */

import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import about from '../../../package.json' with { type: 'json' };
import { resources } from '../../core/registry.ts';
import { NOTHING } from '../../store/books/backups.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';
import { FileUnusable, makeFolder, orFileUnusable } from '../backup/file.ts';
import { FolderLocked, lockFolder } from '../backup/folder/folder-lock.ts';
import { BackupFollower, type Followed } from '../backup/folder/follow.ts';
import { partsOf } from '../backup/parts.ts';
import { CopyUnreachable, completeCopy } from '../erasures/journal-copy.ts';
import { JournalUnusable } from '../erasures/journal-lines.ts';
import type { FollowTask } from './messages.ts';

export interface FollowFolderOptions extends Omit<FollowTask, 'store'> {
  readonly store: Pick<Store, 'snapshot' | 'place' | 'backups' | 'journal'>;
  /** The name of its lease. */
  readonly name: string;
  /** Whether to wait while another process has the lease of that name. */
  readonly oneAtATime: boolean;
  readonly signal: AbortSignal;
  readonly notices: FollowNotices;
}

export interface FollowNotices {
  wrote(followed: Followed): void;
  /** The folder is complete up to then. */
  shows(moment: number): void;
  /** Another process has the lease. */
  waiting(): void;
  /** It is tried again, unless this throws. */
  failed(error: FileUnusable | FolderLocked | StoreUnavailable): void;
}

/** How often the progress of the folder is written to the store, which renews the lease. */
const NOTE_MS = 10_000;
/** Between two tries that fail, at the most: each may read the whole store. */
const LONGEST_PAUSE_MS = 300_000;

export async function followFolder(following: FollowFolderOptions): Promise<void> {
  const { everyMs, signal, notices } = following;
  const folder = new FollowedOne(following);
  let failures = 0;
  while (!signal.aborted) {
    try {
      await folder.round();
      failures = 0;
    } catch (error) {
      const isKnown =
        error instanceof FileUnusable ||
        error instanceof FolderLocked ||
        error instanceof StoreUnavailable;
      if (!isKnown) throw error;
      failures += 1;
      await folder.letGo();
      if (!signal.aborted) notices.failed(error);
    }
    const wait = Math.min(everyMs * 2 ** failures, Math.max(everyMs, LONGEST_PAUSE_MS));
    await pause(wait, undefined, { signal }).catch(() => undefined);
  }
  await folder.letGo(true);
}

class FollowedOne {
  readonly #following: FollowFolderOptions;
  #release: (() => void) | undefined;
  #follower: BackupFollower | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;
  #noted: number | null = null;
  /** The last moment that the folder could bring back. */
  #showed = NOTHING;

  constructor(following: FollowFolderOptions) {
    this.#following = following;
  }

  async round(): Promise<void> {
    const { oneAtATime, notices } = this.#following;
    if (oneAtATime && !(await this.#isNoted())) {
      await this.#leave();
      notices.waiting();
      return;
    }
    this.#release ??= await this.#lock();
    // A whole backup may take longer than the lease lasts.
    const noting = setInterval(() => {
      this.#note().catch(() => undefined);
    }, NOTE_MS);
    try {
      this.#follower ??= await this.#open();
      if (!oneAtATime) await this.#completeJournal();
      for (const followed of await this.#follower.step()) notices.wrote(followed);
    } finally {
      clearInterval(noting);
    }
    notices.shows(this.#follower.shows);
    if ((this.#noted ?? NOTHING) <= NOTHING) this.#notedAt = Number.NEGATIVE_INFINITY;
    await this.#isNoted();
  }

  /** The service itself does that to the folder of BACKUP_TO, since erasures wait for it. Without it the rest goes on. */
  async #completeJournal(): Promise<void> {
    const { store, folder, notices } = this.#following;
    try {
      await completeCopy(folder, store.journal);
    } catch (error) {
      if (!(error instanceof CopyUnreachable || error instanceof JournalUnusable)) throw error;
      notices.failed(new FileUnusable(error.message));
    }
  }

  /** Whether this process has the lease; renews it from time to time. */
  async #isNoted(): Promise<boolean> {
    return performance.now() - this.#notedAt < NOTE_MS || (await this.#note());
  }

  /** So that another process may take over. At the end of a command the store also forgets the folder, which is no longer followed. */
  async letGo(atEnd = false): Promise<void> {
    const { store, holder, name, oneAtATime } = this.#following;
    await this.#leave();
    if (this.#notedAt === Number.NEGATIVE_INFINITY) return;
    this.#notedAt = Number.NEGATIVE_INFINITY;
    await store.backups.unfollow(holder, name, atEnd && !oneAtATime).catch(() => undefined);
  }

  async #leave(): Promise<void> {
    await this.#follower?.abandon();
    this.#release?.();
    this.#release = undefined;
  }

  async #note(): Promise<boolean> {
    const { store, holder, name, folder } = this.#following;
    const shows = this.#follower?.shows ?? null;
    const shows_at = shows === NOTHING ? NOTHING - this.#showed : shows;
    if (shows !== null && shows !== NOTHING) this.#showed = shows;
    const whole_at = this.#follower?.whole ?? null;
    const left_out = this.#follower?.leftOut ?? null;
    const followed = { name, folder, host: hostname(), shows_at, whole_at, left_out };
    const isOurs = await store.backups.follow(holder, followed);
    this.#noted = shows_at;
    this.#notedAt = isOurs ? performance.now() : Number.NEGATIVE_INFINITY;
    return isOurs;
  }

  /** A folder is made once: where one is gone that was written to, its disk may not be mounted. */
  async #lock(): Promise<() => void> {
    const { store, folder } = this.#following;
    const known = (await store.backups.followed()).find(
      (one) => one.folder === folder && one.host === hostname() && one.shows_at !== null,
    );
    this.#showed = Math.abs(known?.shows_at ?? NOTHING);
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

  #open(): Promise<BackupFollower> {
    const { store, folder, keepMs } = this.#following;
    const { version } = about;
    const parts = partsOf(resources);
    return BackupFollower.open({ store, folder, parts, version, keepMs });
  }
}
