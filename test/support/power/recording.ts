/** A folder whose files are recorded as processes change them, and what its disk may hold at any moment since. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../at-end.ts';
import { ownFolder } from '../cli-program.ts';
import { Disk, filesIn, writeHeld } from './disk.ts';
import type { Random } from './random.ts';

const SOURCE = join(import.meta.dirname, 'recording-disk.c');
/** As long as a sync takes here, what is answered before it is seen. */
const SYNC_US = 2_000;

const compiles =
  process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
/** Why no disk can be recorded here. */
export const skip = compiles ? false : 'there is no C compiler (cc) that makes such a disk';

/** Of the chance of a run: the same moments again for the same number. */
export const SEED = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

let library: string | undefined;

function recorder(): string {
  if (library !== undefined) return library;
  // A name with a blank would be two libraries.
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-disk-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const made = join(folder, 'disk.so');
  const { status, stderr } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O2', '-o', made, SOURCE, '-ldl'],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  library = made;
  return made;
}

/** What a disk says it does at a sync, and does not: nothing ever, or only once the next one begins. */
export type Lie = 'never' | 'late';

export interface Recording {
  /** The folder that is recorded. */
  readonly root: string;
  /** For processes whose doings are recorded. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the record is now: what is seen before this is true of a disk of this place, and of any later one. */
  now(): number;
  /** The places after each step of what was recorded. */
  places(): readonly number[];
  /** Goes through places of the record, and gives for each what a disk may hold then, in a folder that goes afterwards. */
  moments(places: readonly number[], random: Random): Generator<Moment>;
  /** Goes through all steps: the disk as a process finds it that starts when the others were killed there. */
  steps(): Generator<Disk>;
  /** Wants that all that was done to the files is in the record, and that nobody who is killed leaves a log beside no file. */
  wantAll(): void;
}

export interface Moment {
  readonly at: number;
  /** The folder in the place of the recorded one. */
  readonly held: string;
}

/** Begins to record a folder: what is in it is on disk. */
export function record(given: string, lie?: Lie): Recording {
  const root = realpathSync(given);
  const log = join(ownFolder(), 'log');
  writeFileSync(log, '');
  const begin = new Disk(root);
  return {
    root,
    env: {
      ...{ LD_PRELOAD: recorder(), POWER_ROOT: root, POWER_LOG: log },
      ...{ POWER_SYNC_US: String(SYNC_US), UV_USE_IO_URING: '0' },
      ...(lie === undefined ? {} : { POWER_LIES: lie }),
    },
    now: () => statSync(log).size,
    *moments(places, random) {
      const disk = begin.again();
      const steps = disk.through(readFileSync(log));
      for (const at of places.toSorted((one, other) => one - other)) {
        while (disk.reached < at && steps.next().done !== true);
        const held = join(ownFolder(), 'held');
        writeHeld(disk.held(random), held);
        try {
          yield { at, held };
        } finally {
          rmSync(held, { recursive: true, force: true });
        }
      }
    },
    places() {
      const disk = begin.again();
      return Array.from(disk.through(readFileSync(log)), () => disk.reached);
    },
    *steps() {
      const disk = begin.again();
      for (const _ of disk.through(readFileSync(log))) yield disk;
    },
    wantAll() {
      let disk = begin;
      for (disk of this.steps())
        assert.deepEqual(disk.alone(), [], 'whoever is killed here leaves a log beside no file');
      const [recorded, found] = [disk.inMemory(), filesIn(root)];
      assert.deepEqual([...recorded.keys()].toSorted(), [...found.keys()].toSorted());
      for (const [name, bytes] of found)
        assert.ok(recorded.get(name)?.equals(bytes), `${name} is not as it was recorded`);
    },
  };
}
