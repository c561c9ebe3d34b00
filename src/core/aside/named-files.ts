/**
 * Files that settings name, looked at by a process of its own: they may be on a share whose server is gone, and then
 * nothing may hang but that process.
 */
import { resolve } from 'node:path';
import { codeOf } from '../disk-failure.ts';
import { SettingsError } from '../settings-error.ts';
import { createAside } from './aside.ts';
import type { NamedFile, NamedFilesDisk } from './named-files-disk.ts';

const disk = createAside<NamedFilesDisk>(
  new URL('./named-files-child.ts', import.meta.url),
).methods(['mark', 'text', 'tried']);

/** Changes when the file, or what a link leads to, is replaced or written. Throws `SettingsError`. */
export function markOf(file: NamedFile): Promise<string> {
  return answered(file, disk.mark(resolve(file.path)));
}

/** Throws `SettingsError` for what cannot be read, too. */
export async function textOf(file: NamedFile): Promise<string> {
  const { text, fault = '' } = await answered(file, disk.text(file));
  if (text === undefined) throw new SettingsError(fault);
  return text;
}

/** Throws `SettingsError` for the first whose disk does not answer; says nothing of other faults. */
export async function requireAnswers(files: readonly NamedFile[]): Promise<void> {
  for (const file of files)
    await answered(file, disk.tried(resolve(file.path))).catch((error) => {
      // Where no process can be begun, they are read all the same.
      if (error instanceof SettingsError) throw error;
    });
}

async function answered<Result>({ setting, path }: NamedFile, look: Promise<Result>) {
  try {
    return await look;
  } catch (error) {
    if (codeOf(error) !== 'ETIMEDOUT') throw error;
    const says = `${setting}: ${path} does not answer: the disk or the share that it is on hangs. See that its server can be reached, mount it again, or name a file elsewhere.`;
    throw new SettingsError(says, { cause: error });
  }
}
