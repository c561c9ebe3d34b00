/** Keeps a folder of backups up to date with a store: a whole backup, and increments of what has changed since. */
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NOTHING } from '../../../store/books/backups.ts';
import type { Snapshot } from '../../../store/promises/snapshot.ts';
import type { Store } from '../../../store/promises/store.ts';
import { Pacing } from '../../transfer/pace.ts';
import { orFileUnusable, writeFile } from '../file.ts';
import type { Marks } from '../format.ts';
import type { Part } from '../parts.ts';
import { readBackup } from '../read.ts';
import { BackupUnusable } from '../verify/damaged.ts';
import { type Writing, writeBackup } from '../write.ts';
import {
  chainsOf,
  type FollowedFile,
  followedName,
  gapBetween,
  isLeft,
  readFollowed,
} from './chain.ts';
import { type Before, Marking, partsSince, Unfollowable } from './increment.ts';
import { Lead } from './lead.ts';

/** After how long a new whole backup is written. */
const WHOLE_MS = 86_400_000;
/** How long a disk may stall while a snapshot stays open for it. */
const STALLED_MS = 60_000;
/** After how long a failed one is retried. */
const AGAIN_MS = 300_000;

export interface FollowedStore {
  readonly store: Pick<Store, 'snapshot' | 'place'>;
  readonly folder: string;
  readonly parts: readonly Part[];
  readonly version: string;
  /** How long whole backups are retained, with their increments. */
  readonly keepMs: number;
}

export interface Followed {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  /** The moment that it shows, as RFC 3339. */
  readonly taken_at: string;
  readonly isWhole: boolean;
  readonly removed: readonly string[];
  /** How many changes are damaged in the store, and so left out. */
  readonly left_out: number;
}

interface Last extends Before {
  readonly file: FollowedFile;
  /** The whole backup at the start of the chain. */
  readonly base: FollowedFile;
  readonly sha256: string;
}

/** A whole backup that is being written while increments go on. */
interface Beside {
  readonly snapshot: Snapshot;
  readonly ended: Promise<void>;
}

export class BackupFollower {
  readonly #followed: FollowedStore;
  readonly #lead: Lead;
  #last: Last | undefined;
  #shows: number;
  #beside: Beside | undefined;
  /** The report of a whole backup that was written alongside increments. */
  #outcome: { readonly followed: Followed } | { readonly error: unknown } | undefined;
  /** By `performance.now()`. */
  #wholeAfter = 0;
  #steppedAt: number | undefined;
  #leftOut: number | undefined;

  private constructor(store: FollowedStore, last: Last | undefined) {
    this.#followed = store;
    this.#lead = new Lead(store.folder);
    this.#last = last;
    this.#shows = last?.taken_at ?? NOTHING;
  }

  /**
   * The moment up to which the folder is complete, whether or not there was something to write; `NOTHING` if its
   * contents are unusable.
   */
  get shows(): number {
    return this.#shows;
  }

  /** The moment of the whole backup that everything follows. */
  get whole(): number | undefined {
    return this.#last?.base.moment;
  }

  /** Damaged changes that this process has left out since the last whole backup. */
  get leftOut(): number | undefined {
    return this.#leftOut;
  }

  /** Resolves when no whole backup is being written. */
  get writing(): Promise<void> {
    return this.#beside?.ended ?? Promise.resolve();
  }

  /** Continues after the last file in the folder, if that is complete. */
  static open(store: FollowedStore): Promise<BackupFollower> {
    const { folder } = store;
    return orFileUnusable(folder, async () => {
      for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name));
      return new BackupFollower(store, await lastOf(store));
    });
  }

  /**
   * Writes the changes, if any. Each day a whole backup begins, of the same moment as an increment. Increments continue
   * while it is written: they follow both.
   */
  async step(): Promise<readonly Followed[]> {
    const outcome = this.#outcome;
    this.#outcome = undefined;
    const written = outcome !== undefined && 'followed' in outcome ? [outcome.followed] : [];
    const snapshot = await this.#followed.store.snapshot();
    const now = performance.now();
    const elapsed = this.#steppedAt === undefined ? undefined : now - this.#steppedAt;
    try {
      if (elapsed !== undefined && snapshot.taken_at < this.#shows) {
        await this.#nameAgain(snapshot, Math.floor(snapshot.taken_at - elapsed));
      }
      written.push(...(await watched(snapshot, (moved) => this.#step(snapshot, moved))));
      this.#shows = snapshot.taken_at;
      this.#steppedAt = now;
    } finally {
      if (this.#beside?.snapshot !== snapshot) await snapshot.close();
    }
    if (outcome !== undefined && 'error' in outcome) throw outcome.error;
    return written;
  }

  /** Aborts the whole backup that is being written. */
  async abandon(): Promise<void> {
    await this.#beside?.snapshot.close();
    await this.writing;
    this.#outcome = undefined;
  }

  async #step(snapshot: Snapshot, moved: () => void): Promise<readonly Followed[]> {
    const last = this.#last;
    if (last === undefined) return [await this.#begin(snapshot, moved)];
    const { base, file } = last;
    const isUsable = await orFileUnusable(this.#followed.folder, async () =>
      this.#lead.isUsable(base, file),
    );
    if (!isUsable) {
      this.#shows = NOTHING;
      return [await this.#begin(snapshot, moved)];
    }
    const isDue =
      this.#beside === undefined &&
      performance.now() >= this.#wholeAfter &&
      // Also where the clock was set back.
      Math.abs(snapshot.taken_at - last.base.moment) >= WHOLE_MS;
    try {
      const added = await this.#add(snapshot, last, isDue, moved);
      if (isDue) this.#goBeside(snapshot);
      return added === undefined ? [] : [added];
    } catch (error) {
      if (!(error instanceof Unfollowable)) throw error;
      return [await this.#begin(snapshot, moved)];
    }
  }

  /** Writes an empty increment after the clock was set back, so that times that occur twice belong to what follows it. */
  async #nameAgain(snapshot: Snapshot, taken_at: number): Promise<void> {
    const last = this.#last;
    const files = await this.#files();
    if (last === undefined || files.at(-1)?.number !== last.file.number) return;
    const marking = new Marking(last.marks);
    const file = nextFile(files, taken_at, false);
    const increment = { number: file.number, follows: last.sha256 };
    const writing = { parts: [], marking, increment, taken_at, moved: () => undefined };
    const { sha256 } = await this.#write(snapshot, file, writing);
    this.#last = { ...(this.#last as Last), file, sha256, taken_at };
  }

  /** Begins a new chain, since the folder cannot be continued. Nothing else is written meanwhile. */
  async #begin(snapshot: Snapshot, moved: () => void): Promise<Followed> {
    await this.abandon();
    const { taken_at } = snapshot;
    const base = nextFile(await this.#files(), taken_at, true);
    const { followed, sha256, marks, digests } = await this.#whole(snapshot, base, moved);
    this.#last = { file: base, base, sha256, marks, taken_at, digests };
    return followed;
  }

  /** Writes a whole backup of the moment of the last increment. */
  #goBeside(snapshot: Snapshot): void {
    const { file, sha256: beside } = this.#last as Last;
    const base: FollowedFile = {
      ...file,
      name: followedName({ ...file, whole: true }),
      whole: true,
    };
    const work = watched(snapshot, (moved) => this.#whole(snapshot, base, moved, beside));
    const ended = work
      .then(
        ({ followed, sha256 }) => {
          const last = this.#last as Last;
          // If nothing was written meanwhile, it is the last file.
          const isLast = last.file.name === file.name;
          this.#last = { ...last, ...(isLast ? { file: base, sha256 } : {}), base };
          this.#outcome = { followed };
        },
        (error: unknown) => {
          this.#wholeAfter = performance.now() + AGAIN_MS;
          this.#outcome = { error };
        },
      )
      .finally(async () => {
        await snapshot.close();
        this.#beside = undefined;
      });
    this.#beside = { snapshot, ended };
  }

  async #whole(snapshot: Snapshot, base: FollowedFile, moved: () => void, beside?: string) {
    const { folder, parts, keepMs } = this.#followed;
    const marking = new Marking();
    const marked = parts.map((part) => marking.watched(part));
    const written = await this.#write(snapshot, base, { parts: marked, marking, beside, moved });
    const removed = expiredOf(
      await this.#files(),
      snapshot.taken_at - keepMs,
      Math.ceil(keepMs / WHOLE_MS) + 1,
    );
    await orFileUnusable(folder, async () => {
      for (const { name } of removed) rmSync(join(folder, name), { force: true });
    });
    const followed = { ...written.followed, removed: removed.map(({ name }) => name) };
    const { marks, digests } = marking;
    return { followed, sha256: written.sha256, marks, digests };
  }

  async #add(
    snapshot: Snapshot,
    last: Last,
    always: boolean,
    moved: () => void,
  ): Promise<Followed | undefined> {
    const since = await partsSince(snapshot, this.#followed.parts, last, always);
    if (since === undefined) return undefined;
    const files = await this.#files();
    // Another process has written here: its files are not continued.
    if (files.at(-1)?.number !== last.file.number) throw new Unfollowable();
    const marking = new Marking(last.marks);
    const { taken_at } = snapshot;
    const file = nextFile(files, taken_at, false);
    const parts = since.parts.map((part) => marking.watched(part));
    const increment = { number: file.number, follows: last.sha256 };
    const writing = { parts, marking, increment, moved };
    const { followed, sha256 } = await this.#write(snapshot, file, writing);
    const { marks } = marking;
    const { digests } = since;
    // The whole backup may have been finished meanwhile.
    this.#last = { ...(this.#last as Last), file, sha256, marks, taken_at, digests };
    return followed;
  }

  #files(): Promise<readonly FollowedFile[]> {
    const { folder } = this.#followed;
    return orFileUnusable(folder, async () => readFollowed(folder));
  }

  async #write(
    snapshot: Snapshot,
    { name }: FollowedFile,
    {
      marking,
      moved: onRows,
      ...writing
    }: Pick<Writing, 'parts' | 'increment' | 'beside' | 'taken_at'> & {
      readonly marking: Marking;
      readonly moved: () => void;
    },
  ): Promise<{ followed: Followed; sha256: string }> {
    const { folder, store, version } = this.#followed;
    const kind = store.place.slice(0, store.place.indexOf(':'));
    const marks = (): Marks => marking.marks;
    const pace = new Pacing();
    const own = { snapshot, version, store: kind, marks, pace, onRows };
    const { bytes, written } = writeBackup({ ...writing, ...own });
    const file = join(folder, name);
    const size = await writeFile(file, bytes);
    const { header, trailer, leftOut } = await written;
    const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
    const isWhole = writing.increment === undefined;
    if (isWhole || leftOut > 0) this.#leftOut = leftOut + (isWhole ? 0 : (this.#leftOut ?? 0));
    return {
      followed: {
        file,
        bytes: size,
        rows,
        taken_at: header.taken_at,
        isWhole,
        removed: [],
        left_out: leftOut,
      },
      sha256: trailer.sha256,
    };
  }
}

/** A store can hardly clean up behind an open snapshot, so it does not stay open for a disk that hangs. */
async function watched<T>(snapshot: Snapshot, work: (moved: () => void) => Promise<T>): Promise<T> {
  let batches = 0;
  let before = -1;
  const watching = setInterval(() => {
    if (batches === before) void snapshot.close();
    before = batches;
  }, STALLED_MS);
  try {
    return await work(() => {
      batches += 1;
    });
  } finally {
    clearInterval(watching);
  }
}

function nextFile(files: readonly FollowedFile[], moment: number, whole: boolean): FollowedFile {
  const place = { number: (files.at(-1)?.number ?? 0) + 1, moment, whole };
  return { name: followedName(place), ...place };
}

/** `undefined` if the last file of the folder cannot be continued. */
async function lastOf({ folder, parts }: FollowedStore): Promise<Last | undefined> {
  const chain = chainsOf(readFollowed(folder)).at(-1);
  if (chain === undefined) return undefined;
  const { base, increments } = chain;
  const files = [base, ...increments];
  if (files.some((file, at) => at > 0 && gapBetween(files[at - 1] as FollowedFile, file)))
    return undefined;
  const file = files.at(-1) ?? base;
  try {
    const bytes = createReadStream(join(folder, file.name));
    const { header, trailer } = await readBackup({ bytes, parts });
    const { marks, sha256 } = trailer;
    if (marks === undefined) return undefined;
    const taken_at = Date.parse(header.taken_at);
    return { file, base, sha256, marks, taken_at, digests: new Map() };
  } catch (error) {
    if (error instanceof BackupUnusable) return undefined;
    throw error;
  }
}

/**
 * The files of chains that no moment since then needs, the oldest first. This many chains always stay, so that a clock
 * that was briefly wrong does no harm.
 */
function expiredOf(
  files: readonly FollowedFile[],
  since: number,
  least: number,
): readonly FollowedFile[] {
  const chains = chainsOf(files);
  const needed = chains.findLastIndex(({ base }) => base.moment <= since);
  const first = chains[Math.max(Math.min(needed, chains.length - least), 0)];
  return first === undefined ? [] : files.slice(0, files.indexOf(first.base));
}
