/** Keeps a folder of backups up with a store: a whole one, and what has changed since, again and again. */
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Store } from '../../store/store.ts';
import { type Chain, incrementName, isLeft, readChains } from './chain.ts';
import { BackupUnusable } from './damaged.ts';
import { fileName, writeFile } from './file.ts';
import type { Marks } from './format.ts';
import { type Before, Marking, partsSince, Unfollowable } from './increment.ts';
import type { Part } from './parts.ts';
import { readBackup } from './read.ts';
import { writeBackup } from './write.ts';

/** After how long a new whole backup is written. */
const WHOLE_MS = 86_400_000;

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
  readonly removed: readonly string[];
}

interface Last extends Before {
  readonly base: string;
  readonly begun_at: number;
  readonly number: number;
  readonly sha256: string;
}

export class BackupFollower {
  readonly #followed: FollowedStore;
  #last: Last | undefined;

  private constructor(store: FollowedStore, last: Last | undefined) {
    this.#followed = store;
    this.#last = last;
  }

  /** Goes on where the last whole file in the folder ends. */
  static async open(store: FollowedStore): Promise<BackupFollower> {
    const { folder } = store;
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name));
    const chain = readChains(folder).at(-1);
    return new BackupFollower(store, chain && (await lastOf(store, chain)));
  }

  /** Writes what has changed; `undefined` where nothing has. */
  async step(): Promise<Followed | undefined> {
    const snapshot = await this.#followed.store.snapshot();
    try {
      const last = this.#last;
      if (last === undefined || snapshot.taken_at - last.begun_at >= WHOLE_MS) {
        return await this.#begin(snapshot);
      }
      try {
        return await this.#add(snapshot, last);
      } catch (error) {
        if (!(error instanceof Unfollowable)) throw error;
        return await this.#begin(snapshot);
      }
    } finally {
      await snapshot.close();
    }
  }

  async #begin(snapshot: Snapshot): Promise<Followed> {
    const { folder, parts, keepMs } = this.#followed;
    const { taken_at } = snapshot;
    const base = fileName(taken_at);
    const marking = new Marking();
    const watched = parts.map((part) => marking.watched(part));
    const { followed, sha256 } = await this.#write(snapshot, base, watched, marking);
    const { marks, digests } = marking;
    this.#last = {
      base,
      begun_at: taken_at,
      number: 0,
      sha256,
      marks,
      taken_at,
      digests,
    };
    return { ...followed, removed: removeOld(folder, taken_at - keepMs) };
  }

  async #add(snapshot: Snapshot, last: Last): Promise<Followed | undefined> {
    const { folder, parts } = this.#followed;
    const since = await partsSince(snapshot, parts, last);
    if (since === undefined) return undefined;
    const { base, sha256: follows } = last;
    const number = last.number + 1;
    // Another follower of the same folder has been there: what it wrote is not continued.
    const chain = readChains(folder).find((one) => one.base === base);
    if (chain === undefined || chain.increments.length !== last.number) throw new Unfollowable();
    const marking = new Marking(last.marks);
    const name = incrementName(base, number, snapshot.taken_at);
    const watched = since.parts.map((part) => marking.watched(part));
    const increment = { base, number, follows };
    const { followed, sha256 } = await this.#write(snapshot, name, watched, marking, increment);
    const { marks } = marking;
    const { digests } = since;
    this.#last = { ...last, number, sha256, marks, taken_at: snapshot.taken_at, digests };
    return followed;
  }

  async #write(
    snapshot: Snapshot,
    name: string,
    parts: readonly Part[],
    marking: Marking,
    increment?: { base: string; number: number; follows: string },
  ): Promise<{ followed: Followed; sha256: string }> {
    const { folder, store, version } = this.#followed;
    const kind = store.place.slice(0, store.place.indexOf(':'));
    const marks = (): Marks => marking.marks;
    const writing = { snapshot, parts, version, store: kind, increment, marks };
    const { bytes, written } = writeBackup(writing);
    const file = join(folder, name);
    const size = await writeFile(file, bytes);
    const { header, trailer } = await written;
    const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
    const { taken_at } = header;
    return {
      followed: { file, bytes: size, rows, taken_at, removed: [] },
      sha256: trailer.sha256,
    };
  }
}

/** `undefined` where the last file of the chain cannot be continued. */
async function lastOf(
  { folder, parts }: FollowedStore,
  { base, moment, increments }: Chain,
): Promise<Last | undefined> {
  const number = increments.length;
  const last = increments.at(-1);
  if (last !== undefined && last.number !== number) return undefined;
  try {
    const { header, trailer } = await readBackup({
      bytes: createReadStream(join(folder, last?.name ?? base)),
      parts,
      async take(_, rows) {
        for await (const batch of rows) void batch;
      },
    });
    const { marks, sha256 } = trailer;
    if (marks === undefined) return undefined;
    const taken_at = Date.parse(header.taken_at);
    return { base, begun_at: moment, number, sha256, marks, taken_at, digests: new Map() };
  } catch (error) {
    if (error instanceof BackupUnusable) return undefined;
    throw error;
  }
}

/** Removes whole backups, and what follows them, that are of use for no moment since; gives the names. */
function removeOld(folder: string, since: number): readonly string[] {
  const chains = readChains(folder);
  const first = chains.findLastIndex(({ moment }) => moment <= since);
  const names = chains
    .slice(0, Math.max(first, 0))
    .flatMap(({ base, increments }) => [...increments.map(({ name }) => name), base]);
  for (const name of names) rmSync(join(folder, name), { force: true });
  return names;
}
