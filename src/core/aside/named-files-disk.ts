/** Looks at the disk of a file that a setting names. */
import { statSync } from 'node:fs';
import { codeOf } from '../disk-failure.ts';
import { readNamed, SettingsError } from '../settings-error.ts';

/** A file, with the setting that names it. */
export interface NamedFile {
  readonly setting: string;
  readonly path: string;
}

export const namedFilesDisk = {
  async mark(path: string): Promise<string> {
    try {
      const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
      return `${dev} ${ino} ${size} ${mtimeNs}`;
    } catch (error) {
      return codeOf(error);
    }
  },

  async text({ setting, path }: NamedFile): Promise<{ text?: string; fault?: string }> {
    try {
      return { text: readNamed(setting, path) };
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return { fault: error.message };
    }
  },

  /** Reads the file, unless that would take from a pipe what its reader is to get. */
  async tried(path: string): Promise<void> {
    try {
      if (statSync(path).isFile()) readNamed('', path);
    } catch {
      // The service reads it next, and reports the fault.
    }
  },
};

export type NamedFilesDisk = typeof namedFilesDisk;
