/** Looks of `doctor` at disks that an operator has named: each may hang. */
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { namedFilesDisk } from '../../core/aside/named-files-disk.ts';
import { codeOf } from '../../core/disk-failure.ts';
import { leftFolders } from '../../core/temporary.ts';
import { listBackups } from '../../services/backup/folder/listed.ts';
import { ROOT } from '../backup/backup-file.ts';

const TRIED_BYTES = 65_536;

/** The outcome of writing to a folder. */
interface Tried {
  /** The folder that was written to: that one, or the one in which it will be made. */
  readonly folder: string;
  /** The code of the system's error; `undefined`: it can be written to. */
  readonly code?: string;
}

export const doctorDisk = {
  tried: namedFilesDisk.tried,

  isThere: async (path: string): Promise<boolean> => existsSync(path),

  /** The device that it is on; `null` where it is not there. */
  device: async (path: string): Promise<number | null> =>
    statSync(path, { throwIfNoEntry: false })?.dev ?? null,

  /** The code of the system's error, where this user cannot read and write it. */
  async access(path: string): Promise<string | null> {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
      return null;
    } catch (error) {
      return codeOf(error);
    }
  },

  async write(named: string): Promise<Tried> {
    let folder = named;
    while (!existsSync(folder)) folder = dirname(folder);
    let tried: string | undefined;
    try {
      tried = mkdtempSync(join(folder, '.doctor-'));
      // A full disk may still take a folder.
      writeFileSync(join(tried, 'tried'), Buffer.alloc(TRIED_BYTES), { flush: true });
      return { folder };
    } catch (error) {
      return { folder, code: codeOf(error) };
    } finally {
      if (tried !== undefined) rmSync(tried, { recursive: true, force: true });
    }
  },

  /** Lists the backups in the folder, by their stores. */
  backups: (folder: string, now: number) => listBackups(folder, ROOT, now),

  left: leftFolders,
};

export type DoctorDisk = typeof doctorDisk;
