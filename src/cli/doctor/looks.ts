/** Looks of `doctor` at disks that an operator has named: what hangs is said, and does not hold up the rest. */
import { createAside } from '../../core/aside/aside.ts';
import { codeOf } from '../../core/disk-failure.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { type DoctorDisk, doctorDisk } from './disk.ts';

export type Looks = ReturnType<typeof createLooks>;

const CHILD = new URL('./disk-child.ts', import.meta.url);
const METHODS = Object.keys(doctorDisk) as (keyof DoctorDisk)[];
/** For a list of many backups on a share that is slow, but answers. */
const LIST_S = 120;

export function createLooks() {
  let disk = openDisk();
  const silent = new Set<string>();
  const untold: Finding[] = [];

  /** `undefined` where the disk of the place does not answer, which is said once; it is not asked again. */
  async function at<Result>(
    place: string,
    look: (of: DoctorDisk) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (silent.has(place)) return undefined;
    try {
      return await look(disk);
    } catch (error) {
      if (codeOf(error) !== 'ETIMEDOUT') throw error;
      // What hangs may not even end.
      disk = openDisk();
      silent.add(place);
      untold.push(silence(place));
      return undefined;
    }
  }

  return {
    at,
    isThere: (path: string) => at(path, ({ isThere }) => isThere(path)),
    /** `null` where it is not there. */
    device: (path: string) => at(path, ({ device }) => device(path)),
    backups: (folder: string, now: number) => at(folder, ({ backups }) => backups(folder, now)),
    /** Whether the disks of all these files answer, which can then be read at once. */
    async answer(files: readonly (string | undefined)[]): Promise<boolean> {
      for (const file of files.filter((one) => one !== undefined))
        await at(file, ({ tried }) => tried(file));
      return !files.some((file) => file !== undefined && silent.has(file));
    },
    /** The places that did not answer since this was last asked. */
    take: (): readonly Finding[] => untold.splice(0),
  };
}

function openDisk(): DoctorDisk {
  const aside = createAside<DoctorDisk>(CHILD);
  return { ...aside.methods(METHODS), ...aside.methods(['backups'], LIST_S) };
}

function silence(place: string): Finding {
  return findingsOf('disk').bad(
    `${place} does not answer: the disk or the share that it is on hangs. See that its server can be reached, or mount it again. Nothing else was looked at there.`,
  );
}
