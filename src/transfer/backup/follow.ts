/** Keeps a folder of backups up with a store: a whole one, and what has changed since, again and again. */
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Store } from '../../store/store.ts';
import { Pacing } from '../pace.ts';
import {
  chainsOf,
  type FollowedFile,
  followedName,
  gapBetween,
  isLeft,
  readFollowed,
} from './chain.ts';
import { BackupUnusable } from './damaged.ts';
import { orFileUnusable, writeFile } from './file.ts';
import type { Increment, Marks } from './format.ts';
import { type Before, Marking, partsSince, Unfollowable } from './increment.ts';
import type { Part } from './parts.ts';
import { readBackup } from './read.ts';
import { writeBackup } from './write.ts';

/** After how long a new whole backup is written. */
const WHOLE_MS = 86_400_000;
/** How long a disk may take nothing while a snapshot is held for it. */
const STALLED_MS = 60_000;

export interface FollowedStore {
  readonly store: Pick<Store, 'snapshot' | 'place'>;
  readonly folder: string;
  readonly parts: readonly Part[];
  readonly version: string;
  /** How long whole backups are kept, with what follows them. */
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
}

interface Last extends Before {
  readonly file: FollowedFile;
  /** The whole backup that it all began with. */
  readonly base: FollowedFile;
  readonly sha256: string;
}

export class BackupFollower {
  readonly #followed: FollowedStore;
  #last: Last | undefined;
  #shows: number | undefined;
  /** Batches that were read for what is being written. */
  #batches = 0;

  private constructor(store: FollowedStore, last: Last | undefined) {
    this.#followed = store;
    this.#last = last;
    this.#shows = last?.taken_at;
  }

  /** The moment up to which the folder holds everything, whether or not there was something to write. */
  get shows(): number | undefined {
    return this.#shows;
  }

  /** Goes on where the last file in the folder ends, if that is whole. */
  static open(store: FollowedStore): Promise<BackupFollower> {
    const { folder } = store;
    return orFileUnusable(folder, async () => {
      for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name));
      return new BackupFollower(store, await lastOf(store));
    });
  }

  /**
   * Writes what has changed; nothing where nothing has. A chain ends at the very
   * moment that the next one begins at, so that no moment is left out between them.
   */
  async step(): Promise<readonly Followed[]> {
    const snapshot = await this.#followed.store.snapshot();
    this.#batches = 0;
    let before = -1;
    // A store can hardly tidy up behind an open snapshot: it is not held for a disk that hangs.
    const watching = setInterval(() => {
      if (this.#batches === before) void snapshot.close();
      before = this.#batches;
    }, STALLED_MS);
    try {
      const written = await this.#step(snapshot);
      this.#shows = snapshot.taken_at;
      return written;
    } finally {
      clearInterval(watching);
      await snapshot.close();
    }
  }

  async #step(snapshot: Snapshot): Promise<readonly Followed[]> {
    const last = this.#last;
    if (last === undefined) return [await this.#begin(snapshot)];
    // Also where the clock was set back.
    const isDue = Math.abs(snapshot.taken_at - last.base.moment) >= WHOLE_MS;
    let added: Followed | undefined;
    try {
      added = await this.#add(snapshot, last, isDue);
    } catch (error) {
      if (!(error instanceof Unfollowable)) throw error;
      return [await this.#begin(snapshot)];
    }
    return [
      ...(added === undefined ? [] : [added]),
      ...(isDue ? [await this.#begin(snapshot)] : []),
    ];
  }

  async #begin(snapshot: Snapshot): Promise<Followed> {
    const { folder, parts, keepMs } = this.#followed;
    const { taken_at } = snapshot;
    const base = nextFile(await this.#files(), taken_at, true);
    const marking = new Marking();
    const watched = parts.map((part) => marking.watched(part));
    const { followed, sha256 } = await this.#write(snapshot, base, watched, marking);
    const { marks, digests } = marking;
    this.#last = { file: base, base, sha256, marks, taken_at, digests };
    const files = await this.#files();
    const removed = expiredOf(files, taken_at - keepMs, Math.ceil(keepMs / WHOLE_MS) + 1);
    await orFileUnusable(folder, async () => {
      for (const { name } of removed) rmSync(join(folder, name), { force: true });
    });
    return { ...followed, removed: removed.map(({ name }) => name) };
  }

  async #add(snapshot: Snapshot, last: Last, always: boolean): Promise<Followed | undefined> {
    const { parts } = this.#followed;
    const since = await partsSince(snapshot, parts, last, always);
    if (since === undefined) return undefined;
    const { base, sha256: follows } = last;
    const files = await this.#files();
    // Somebody else has been there: what he wrote is not continued.
    if (files.at(-1)?.name !== last.file.name) throw new Unfollowable();
    const marking = new Marking(last.marks);
    const file = nextFile(files, snapshot.taken_at, false);
    const watched = since.parts.map((part) => marking.watched(part));
    const increment = { base: base.name, number: file.number, follows };
    const { followed, sha256 } = await this.#write(snapshot, file, watched, marking, increment);
    const { marks } = marking;
    const { digests } = since;
    this.#last = { file, base, sha256, marks, taken_at: snapshot.taken_at, digests };
    return followed;
  }

  #files(): Promise<readonly FollowedFile[]> {
    const { folder } = this.#followed;
    return orFileUnusable(folder, async () => readFollowed(folder));
  }

  async #write(
    snapshot: Snapshot,
    { name }: FollowedFile,
    parts: readonly Part[],
    marking: Marking,
    increment?: Increment,
  ): Promise<{ followed: Followed; sha256: string }> {
    const { folder, store, version } = this.#followed;
    const kind = store.place.slice(0, store.place.indexOf(':'));
    const marks = (): Marks => marking.marks;
    const onRows = (): void => {
      this.#batches += 1;
    };
    const pace = new Pacing();
    const writing = { snapshot, parts, version, store: kind, increment, marks, pace, onRows };
    const { bytes, written } = writeBackup(writing);
    const file = join(folder, name);
    const size = await writeFile(file, bytes);
    const { header, trailer } = await written;
    const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
    const { taken_at } = header;
    return {
      followed: {
        file,
        bytes: size,
        rows,
        taken_at,
        isWhole: increment === undefined,
        removed: [],
      },
      sha256: trailer.sha256,
    };
  }
}

function nextFile(files: readonly FollowedFile[], moment: number, whole: boolean): FollowedFile {
  const place = { number: (files.at(-1)?.number ?? 0) + 1, moment, whole };
  return { name: followedName(place), ...place };
}

/** `undefined` where the last file of the folder cannot be continued. */
async function lastOf({ folder, parts }: FollowedStore): Promise<Last | undefined> {
  const chain = chainsOf(readFollowed(folder)).at(-1);
  if (chain === undefined) return undefined;
  const { base, increments } = chain;
  const files = [base, ...increments];
  if (files.some((file, at) => at > 0 && gapBetween(files[at - 1] as FollowedFile, file)))
    return undefined;
  const file = files.at(-1) ?? base;
  try {
    const { header, trailer } = await readBackup({
      bytes: createReadStream(join(folder, file.name)),
      parts,
      async take(_, rows) {
        for await (const batch of rows) void batch;
      },
    });
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
 * The files of chains that are of use for no moment since; so many chains stay in any
 * case, so that a clock that was wrong for a moment costs nothing. The oldest first.
 */
function expiredOf(
  files: readonly FollowedFile[],
  since: number,
  least: number,
): readonly FollowedFile[] {
  const chains = chainsOf(files);
  const needed = chains.findLastIndex(({ base }) => base.moment <= since);
  const first = chains[Math.max(Math.min(needed, chains.length - least), 0)];
  return files.filter(({ number }) => first !== undefined && number < first.base.number);
}
