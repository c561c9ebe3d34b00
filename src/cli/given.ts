/** Files that a command is given, and standard input. */
import { readFileSync, statSync } from 'node:fs';
import { Mistake } from './mistake.ts';

export const STANDARD_INPUT = '-';

/** Reads the file, or standard input, of `mib` MiB at most. Throws `Mistake`. */
export function bytesOf(given: string, mib = 256): Buffer {
  const isInput = given === STANDARD_INPUT;
  const file = isInput ? 'Standard input' : given;
  const most = mib * 1_048_576;
  try {
    const isLarge = !isInput && statSync(file).size > most;
    const bytes = isLarge ? undefined : readFileSync(isInput ? 0 : file);
    if (bytes !== undefined && bytes.length <= most) return bytes;
  } catch (error) {
    throw new Mistake(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new Mistake(`${file} is larger than ${mib} MiB.`);
}
