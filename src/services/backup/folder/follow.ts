/** Keeps a folder of backups up to date with a store: a whole backup, and increments of what has changed since. */
import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AHEAD_MS } from '../../../store/believed-time.ts';
import type { Snapshot } from '../../../store/promises/snapshot.ts';
import type { Store } from '../../../store/promises/store.ts';
import { createPacing } from '../../transfer/pace.ts';
import { orFileUnusable, writeFile } from '../file.ts';
import { BackupUnusable, type Positions } from '../format.ts';
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
import { expiredIn } from './expired.ts';
import { type Before, createPositions, partsSince, Unfollowable } from './increment.ts';
import { assertOwn, madeNext } from './owner.ts';
import { isSealed } from './usable.ts';

/** After how long a new whole backup is written. */
const WHOLE_MS = 86_400_000;
/** How long a disk may stall while a snapshot stays open for it. */
const STALLED_MS = 60_000;
/** After how long a failed one is retried. */
const AGAIN_MS = 300_000;

interface FollowedStore {
  readonly store: Pick<Store, 'snapshot' | 'place' | 'backups' | 'accounts' | 'seenTime'>;
  readonly folder: string;
  readonly parts: readonly Part[];
  /** How long whole backups are retained, with their increments. */
  readonly keepMs: number;
  /** Milliseconds that have passed, whatever the wall clock says. */
  readonly elapsed?: () => number;
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

export type BackupFollower = Awaited<ReturnType<typeof openFollower>>;

/** Continues after the last file in the folder, if that is complete. */
export function openFollower(store: FollowedStore) {
  const { folder } = store;
  return orFileUnusable(folder, async () => {
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name));
    return createFollower(store, await lastOf(store));
  });
}

function createFollower(following: FollowedStore, last: Last | undefined) {
  const { store, folder, parts, keepMs, elapsed = () => performance.now() } = following;
  const isUsable = createLead(folder);
  let reached = last;
  let shows = last?.taken_at;
  /** The whole backup that is being written while increments go on. */
  let beside: { readonly snapshot: Snapshot; readonly ended: Promise<void> } | undefined;
  /** The report of a whole backup that was written alongside increments. */
  let reported: { readonly followed?: Followed; readonly error?: unknown } = {};
  /** By `elapsed`. */
  let wholeAfter = 0;
  let steppedAt: number | undefined;
  let leftOutSince: number | undefined;

  /** Aborts the whole backup that is being written. */
  async function abandon(): Promise<void> {
    const ended = beside?.ended;
    await beside?.snapshot.close();
    await ended;
    reported = {};
  }

  async function writeFrom(snapshot: Snapshot): Promise<Followed | undefined> {
    const last = reached;
    if (last === undefined) return begin(snapshot);
    if (!(await orFileUnusable(folder, async () => isUsable(last.base, last.file)))) {
      shows = undefined;
      return begin(snapshot);
    }
    const isDue =
      beside === undefined &&
      elapsed() >= wholeAfter &&
      // Also where the clock was set back.
      Math.abs(snapshot.taken_at - last.base.moment) >= WHOLE_MS;
    try {
      const since = await partsSince(snapshot, parts, last, isDue);
      const added = since && (await append(snapshot, last, since));
      if (isDue) goBeside(snapshot);
      return added;
    } catch (error) {
      if (!(error instanceof Unfollowable)) throw error;
      return begin(snapshot);
    }
  }

  /** Writes an increment. */
  async function append(
    snapshot: Snapshot,
    last: Last,
    { parts, digests }: NonNullable<Awaited<ReturnType<typeof partsSince>>>,
    taken_at = snapshot.taken_at,
  ): Promise<Followed> {
    const files = await readFiles();
    // Another process has written here: its files are not continued.
    if (files.at(-1)?.number !== last.file.number) throw new Unfollowable();
    const file = nextFile(files, taken_at, false);
    const increment = { number: file.number, follows: last.sha256 };
    const writing = { parts, increment, taken_at, from: last.marks };
    const { followed, sha256, marks } = await write(snapshot, file, writing);
    // The whole backup may have been finished meanwhile.
    reached = { ...(reached as Last), file, sha256, marks, taken_at, digests };
    return followed;
  }

  /** Writes an empty increment after the clock was set back, so that times that occur twice belong to what follows it. */
  async function nameAgain(snapshot: Snapshot, taken_at: number): Promise<void> {
    const last = reached;
    const files = await readFiles();
    if (last !== undefined && files.at(-1)?.number === last.file.number)
      await append(snapshot, last, { parts: [], digests: last.digests }, taken_at);
  }

  /** Begins a new chain, since the folder cannot be continued. Nothing else is written meanwhile. */
  async function begin(snapshot: Snapshot): Promise<Followed> {
    await abandon();
    const { taken_at } = snapshot;
    const base = nextFile(await readFiles(), taken_at, true);
    const { followed, ...written } = await whole(snapshot, base);
    reached = { ...written, file: base, base, taken_at };
    return followed;
  }

  /** Writes a whole backup of the moment of the last increment. */
  function goBeside(snapshot: Snapshot): void {
    const { file, sha256: of } = reached as Last;
    const base = { ...file, name: followedName({ ...file, whole: true }), whole: true };
    const ended = whole(snapshot, base, of)
      .then(
        ({ followed, sha256 }) => {
          const last = reached as Last;
          // If nothing was written meanwhile, it is the last file.
          const isLast = last.file.name === file.name;
          reached = { ...last, ...(isLast ? { file: base, sha256 } : {}), base };
          reported = { followed };
        },
        (error: unknown) => {
          wholeAfter = elapsed() + AGAIN_MS;
          reported = { error };
        },
      )
      .finally(async () => {
        await snapshot.close();
        beside = undefined;
      });
    beside = { snapshot, ended };
  }

  async function whole(snapshot: Snapshot, base: FollowedFile, beside?: string) {
    const { followed, ...written } = await write(snapshot, base, { parts, beside });
    const least = Math.ceil(keepMs / WHOLE_MS) + 1;
    const { taken_at } = snapshot;
    // A clock that is ahead makes nothing old.
    const now = Math.min(taken_at, ((await store.seenTime()) ?? taken_at) + AHEAD_MS);
    const own = await store.backups.identity();
    const stores = new Set([own, ...own.origins].map((one) => one.store));
    const removed = await orFileUnusable(folder, async () => {
      const expired = await expiredIn(following, stores, { since: now - keepMs, least, now });
      for (const { name } of expired) rmSync(join(folder, name), { force: true });
      return expired;
    });
    return { ...written, followed: { ...followed, removed: removed.map(({ name }) => name) } };
  }

  function readFiles(): Promise<readonly FollowedFile[]> {
    return orFileUnusable(folder, async () => readFollowed(folder));
  }

  async function write(
    snapshot: Snapshot,
    { name }: FollowedFile,
    {
      parts,
      from,
      ...writing
    }: Pick<Writing, 'parts' | 'increment' | 'beside' | 'taken_at'> & { readonly from?: Positions },
  ) {
    const marking = createPositions(parts, from);
    let batches = 0;
    let before = -1;
    // A store can hardly clean up behind an open snapshot, so it does not stay open for a disk that hangs.
    const watching = setInterval(() => {
      if (batches === before) void snapshot.close();
      before = batches;
    }, STALLED_MS);
    try {
      const { bytes, written } = writeBackup({
        ...writing,
        of: await madeNext(store),
        snapshot,
        place: store.place,
        parts: marking.parts,
        marks: () => marking.marks,
        pace: createPacing(),
        onRows: () => {
          batches += 1;
        },
      });
      const file = join(folder, name);
      const size = await writeFile(file, bytes);
      const { header, trailer, leftOut: left_out } = await written;
      const { taken_at } = header;
      const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
      const isWhole = writing.increment === undefined;
      if (isWhole || left_out > 0) leftOutSince = left_out + (isWhole ? 0 : (leftOutSince ?? 0));
      const followed = { file, bytes: size, rows, taken_at, isWhole, removed: [], left_out };
      const { marks, digests } = marking;
      return { followed, sha256: trailer.sha256, marks, digests };
    } finally {
      clearInterval(watching);
    }
  }

  return {
    /** The moment up to which the folder is complete, with or without something to write; `undefined` if it is unusable. */
    get shows(): number | undefined {
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
    /** Resolves when the whole backup that is being written has ended. */
    get writing(): Promise<void> | undefined {
      return beside?.ended;
    },
    /** Writes the changes, if any, and each day begins a whole backup of the same moment, beside which increments go on. */
    async step(): Promise<readonly Followed[]> {
      const { followed, error } = reported;
      reported = {};
      const snapshot = await store.snapshot();
      const { taken_at } = snapshot;
      const now = elapsed();
      let added: Followed | undefined;
      try {
        if (steppedAt !== undefined && shows !== undefined && taken_at < shows)
          await nameAgain(snapshot, Math.floor(taken_at - (now - steppedAt)));
        added = await writeFrom(snapshot);
        shows = taken_at;
        steppedAt = now;
      } finally {
        if (beside?.snapshot !== snapshot) await snapshot.close();
      }
      if (error !== undefined) throw error;
      return [followed, added].filter((one) => one !== undefined);
    },
    abandon,
  };
}

function nextFile(files: readonly FollowedFile[], moment: number, whole: boolean): FollowedFile {
  const place = { number: (files.at(-1)?.number ?? 0) + 1, moment, whole };
  return { name: followedName(place), ...place };
}

/** `undefined` if the last file of the folder cannot be continued. Throws `FileUnusable` if it is of another store. */
async function lastOf(following: FollowedStore): Promise<Last | undefined> {
  const { folder, parts } = following;
  const chain = chainsOf(readFollowed(folder)).at(-1);
  if (chain === undefined) return undefined;
  const { base, increments } = chain;
  const files = [base, ...increments];
  const file = files.at(-1) ?? base;
  try {
    const bytes = createReadStream(join(folder, file.name));
    const { header, trailer } = await readBackup({ bytes, parts });
    await assertOwn(following.store, folder, { header, trailer });
    if (files.some((one, at) => at > 0 && gapBetween(files[at - 1] as FollowedFile, one)))
      return undefined;
    const { marks, sha256 } = trailer;
    if (marks === undefined) return undefined;
    const taken_at = Date.parse(header.taken_at);
    return { file, base, sha256, marks, taken_at, digests: {} };
  } catch (error) {
    if (error instanceof BackupUnusable) return undefined;
    throw error;
  }
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
      isSealed(path, createPacing()).then(
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
