/** Faults of settings, and files that settings name. */
import { readFileSync, statSync } from 'node:fs';

/** A setting, or a file that one names, cannot be used: one clear sentence for the operator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const MAX_BYTES = 1_048_576;

/** The text of a file that a setting names. Throws `SettingsError`; `how` says how a missing one is made. */
export function readNamed(setting: string, path: string, how?: string): string {
  try {
    const stat = statSync(path);
    if (!stat.isDirectory() && stat.size <= MAX_BYTES) return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      code === 'ENOENT'
        ? `${setting}: there is no file ${path}${how === undefined ? '' : `; ${how}`}.`
        : `${setting}: ${path} cannot be read by the user that the service runs as (${code}).`,
      { cause: error },
    );
  }
  throw new SettingsError(`${setting}: ${path} is not a file of at most 1 MiB.`);
}
