/** Keeps a folder of backups up to date with a store: a whole backup, and increments of what has changed since. */
import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NOTHING } from '../../../store/books/backups.ts';
import type { Snapshot } from '../../../store/promises/snapshot.ts';
import type { Store } from '../../../store/promises/store.ts';
import { createPacing } from '../../transfer/pace.ts';
import { orFileUnusable, writeFile } from '../file.ts';
import { BackupUnusable, type Marks, unsealed } from '../format.ts';
import type { Part } from '../parts.ts';
import { readBackup } from '../read.ts';
import { type Writing, writeBackup } from '../write.ts';
import {
  chainsOf,
  type FollowedFile,
  followedName,
  gapBetween,
  isLeft,
  readFollowed,
} from './chain.ts';
import { type Before, createMarking, type Marking, partsSince, Unfollowable } from './increment.ts';

/** After how long a new whole backup is written. */
const WHOLE_MS = 86_400_000;
/** How long a disk may stall while a snapshot stays open for it. */
const STALLED_MS = 60_000;
/** After how long a failed one is retried. */
const AGAIN_MS = 300_000;

interface FollowedStore {
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

export type BackupFollower = Awaited<ReturnType<typeof openFollower>>;

/** Continues after the last file in the folder, if that is complete. */
export function openFollower(store: FollowedStore) {
  const { folder } = store;
  return orFileUnusable(folder, async () => {
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name));
    return createFollower(store, await lastOf(store));
  });
}

function createFollower(
  { store, folder, parts, version, keepMs }: FollowedStore,
  last: Last | undefined,
) {
  const isUsable = createLead(folder);
  let reached: Last | undefined = last;
  let shows: number = last?.taken_at ?? NOTHING;
  let writingWhole: Beside | undefined;
  /** The report of a whole backup that was written alongside increments. */
  let reported: { readonly followed: Followed } | { readonly error: unknown } | undefined;
  /** By `performance.now()`. */
  let wholeAfter = 0;
  let steppedAt: number | undefined;
  let leftOutSince: number | undefined;

  /** Resolves when no whole backup is being written. */
  function writing(): Promise<void> {
    return writingWhole?.ended ?? Promise.resolve();
  }

  /** Aborts the whole backup that is being written. */
  async function abandon(): Promise<void> {
    await writingWhole?.snapshot.close();
    await writing();
    reported = undefined;
  }

  async function writeFrom(snapshot: Snapshot, moved: () => void): Promise<readonly Followed[]> {
    const last = reached;
    if (last === undefined) return [await begin(snapshot, moved)];
    const { base, file } = last;
    const follows = await orFileUnusable(folder, async () => isUsable(base, file));
    if (!follows) {
      shows = NOTHING;
      return [await begin(snapshot, moved)];
    }
    const isDue =
      writingWhole === undefined &&
      performance.now() >= wholeAfter &&
      // Also where the clock was set back.
      Math.abs(snapshot.taken_at - last.base.moment) >= WHOLE_MS;
    try {
      const added = await add(snapshot, last, isDue, moved);
      if (isDue) goBeside(snapshot);
      return added === undefined ? [] : [added];
    } catch (error) {
      if (!(error instanceof Unfollowable)) throw error;
      return [await begin(snapshot, moved)];
    }
  }

  /** Writes an empty increment after the clock was set back, so that times that occur twice belong to what follows it. */
  async function nameAgain(snapshot: Snapshot, taken_at: number): Promise<void> {
    const last = reached;
    const files = await readFiles();
    if (last === undefined || files.at(-1)?.number !== last.file.number) return;
    const marking = createMarking(last.marks);
    const file = nextFile(files, taken_at, false);
    const increment = { number: file.number, follows: last.sha256 };
    const writing = { parts: [], marking, increment, taken_at, moved: () => undefined };
    const { sha256 } = await write(snapshot, file, writing);
    reached = { ...(reached as Last), file, sha256, taken_at };
  }

  /** Begins a new chain, since the folder cannot be continued. Nothing else is written meanwhile. */
  async function begin(snapshot: Snapshot, moved: () => void): Promise<Followed> {
    await abandon();
    const { taken_at } = snapshot;
    const base = nextFile(await readFiles(), taken_at, true);
    const { followed, sha256, marks, digests } = await whole(snapshot, base, moved);
    reached = { file: base, base, sha256, marks, taken_at, digests };
    return followed;
  }

  /** Writes a whole backup of the moment of the last increment. */
  function goBeside(snapshot: Snapshot): void {
    const { file, sha256: beside } = reached as Last;
    const base = { ...file, name: followedName({ ...file, whole: true }), whole: true };
    const work = watched(snapshot, (moved) => whole(snapshot, base, moved, beside));
    const ended = work
      .then(
        ({ followed, sha256 }) => {
          const last = reached as Last;
          // If nothing was written meanwhile, it is the last file.
          const isLast = last.file.name === file.name;
          reached = { ...last, ...(isLast ? { file: base, sha256 } : {}), base };
          reported = { followed };
        },
        (error: unknown) => {
          wholeAfter = performance.now() + AGAIN_MS;
          reported = { error };
        },
      )
      .finally(async () => {
        await snapshot.close();
        writingWhole = undefined;
      });
    writingWhole = { snapshot, ended };
  }

  async function whole(snapshot: Snapshot, base: FollowedFile, moved: () => void, beside?: string) {
    const marking = createMarking();
    const marked = parts.map((part) => marking.watched(part));
    const written = await write(snapshot, base, { parts: marked, marking, beside, moved });
    const least = Math.ceil(keepMs / WHOLE_MS) + 1;
    const removed = expiredOf(await readFiles(), snapshot.taken_at - keepMs, least);
    await orFileUnusable(folder, async () => {
      for (const { name } of removed) rmSync(join(folder, name), { force: true });
    });
    const followed = { ...written.followed, removed: removed.map(({ name }) => name) };
    const { marks, digests } = marking;
    return { followed, sha256: written.sha256, marks, digests };
  }

  async function add(snapshot: Snapshot, last: Last, always: boolean, moved: () => void) {
    const since = await partsSince(snapshot, parts, last, always);
    if (since === undefined) return undefined;
    const files = await readFiles();
    // Another process has written here: its files are not continued.
    if (files.at(-1)?.number !== last.file.number) throw new Unfollowable();
    const marking = createMarking(last.marks);
    const { taken_at } = snapshot;
    const file = nextFile(files, taken_at, false);
    const marked = since.parts.map((part) => marking.watched(part));
    const increment = { number: file.number, follows: last.sha256 };
    const writing = { parts: marked, marking, increment, moved };
    const { followed, sha256 } = await write(snapshot, file, writing);
    const { marks } = marking;
    // The whole backup may have been finished meanwhile.
    reached = { ...(reached as Last), file, sha256, marks, taken_at, digests: since.digests };
    return followed;
  }

  function readFiles(): Promise<readonly FollowedFile[]> {
    return orFileUnusable(folder, async () => readFollowed(folder));
  }

  async function write(
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
    const kind = store.place.slice(0, store.place.indexOf(':'));
    const marks = (): Marks => marking.marks;
    const pace = createPacing();
    const own = { snapshot, version, store: kind, marks, pace, onRows };
    const { bytes, written } = writeBackup({ ...writing, ...own });
    const file = join(folder, name);
    const size = await writeFile(file, bytes);
    const { header, trailer, leftOut } = await written;
    const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
    const isWhole = writing.increment === undefined;
    if (isWhole || leftOut > 0) leftOutSince = leftOut + (isWhole ? 0 : (leftOutSince ?? 0));
    const { taken_at } = header;
    const followed = { file, bytes: size, rows, taken_at, isWhole, removed: [], left_out: leftOut };
    return { followed, sha256: trailer.sha256 };
  }

  return {
    /** The moment up to which the folder is complete, with or without something to write; `NOTHING` if it is unusable. */
    get shows(): number {
      return shows;
    },
    /** The moment of the whole backup that everything follows. */
    get whole(): number | undefined {
      return reached?.base.moment;
    },
    /** Damaged changes that this process has left out since the last whole backup. */
    get leftOut(): number | undefined {
      return leftOutSince;
    },
    get writing(): Promise<void> {
      return writing();
    },
    /** Writes the changes, if any, and each day begins a whole backup of the same moment, beside which increments go on. */
    async step(): Promise<readonly Followed[]> {
      const outcome = reported;
      reported = undefined;
      const written = outcome !== undefined && 'followed' in outcome ? [outcome.followed] : [];
      const snapshot = await store.snapshot();
      const now = performance.now();
      const elapsed = steppedAt === undefined ? undefined : now - steppedAt;
      try {
        if (elapsed !== undefined && snapshot.taken_at < shows)
          await nameAgain(snapshot, Math.floor(snapshot.taken_at - elapsed));
        written.push(...(await watched(snapshot, (moved) => writeFrom(snapshot, moved))));
        shows = snapshot.taken_at;
        steppedAt = now;
      } finally {
        if (writingWhole?.snapshot !== snapshot) await snapshot.close();
      }
      if (outcome !== undefined && 'error' in outcome) throw outcome.error;
      return written;
    },
    abandon,
  };
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

/** The files of chains that no moment since then needs, the oldest first; `least` chains always stay, for wrong clocks. */
function expiredOf(files: readonly FollowedFile[], since: number, least: number) {
  const chains = chainsOf(files);
  const needed = chains.findLastIndex(({ base }) => base.moment <= since);
  const first = chains[Math.max(Math.min(needed, chains.length - least), 0)];
  return first === undefined ? [] : files.slice(0, files.indexOf(first.base));
}

/** How often the whole backup is read, though nothing of its file has changed. */
const READ_MS = 3_600_000;

function createLead(folder: string) {
  /** The files that were checked last. */
  let signs: string | undefined;
  let baseSign: string | undefined;
  let readAt = 0;
  let isDamaged = false;

  /** Reads the whole backup only if its file has changed, and now and then: the result comes with a later call. */
  return (base: FollowedFile, last: FollowedFile): boolean => {
    const path = join(folder, base.name);
    const sign = signOf(path);
    if (sign === undefined) return false;
    const seen = [signOf(folder), base.name, last.name].join();
    if (seen !== signs && !leads(readFollowed(folder), base, last)) return false;
    signs = seen;
    if (sign !== baseSign || performance.now() - readAt >= READ_MS) {
      baseSign = sign;
      readAt = performance.now();
      isDamaged = false;
      isSealed(path).then(
        (isWhole) => {
          if (baseSign === sign) isDamaged = !isWhole;
        },
        // Read again if it cannot be read now.
        () => {
          baseSign = undefined;
        },
      );
    }
    return !isDamaged;
  };
}

function leads(files: readonly FollowedFile[], base: FollowedFile, last: FollowedFile): boolean {
  const from = files.findIndex(({ name }) => name === base.name);
  const to = files.findIndex(({ name }) => name === last.name);
  // A whole backup alongside them is not needed.
  const chain = files.slice(from, to + 1).filter(({ name, whole }) => !whole || name === base.name);
  return (
    from >= 0 &&
    to >= from &&
    chain.every((file, at) => at === 0 || gapBetween(chain[at - 1] ?? file, file) === undefined)
  );
}

/** Changes whenever the file or the list of the folder does; `undefined` if it does not exist. */
function signOf(path: string): string | undefined {
  const is = statSync(path, { throwIfNoEntry: false });
  return is && [is.ino, is.size, is.mtimeMs, is.ctimeMs].join();
}

async function isSealed(path: string): Promise<boolean> {
  try {
    const pace = createPacing();
    for await (const _ of unsealed(createReadStream(path, { highWaterMark: 262_144 }))) {
      await pace();
    }
    return true;
  } catch (error) {
    if (error instanceof BackupUnusable) return false;
    throw error;
  }
}
