/** Commands that a person can paste into a POSIX shell. */
import { join, relative } from 'node:path';

const LAUNCHER = join(import.meta.dirname, '../../bin/ledgerstone');

/** A word that the shell takes as it is. */
export function quoteWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What to type for this program, from the current folder, to work on the store with that address; `undefined`: the default. */
export function thisProgram(address: string | undefined): string {
  const near = relative(process.cwd(), LAUNCHER);
  const launcher = near.startsWith('..') ? LAUNCHER : near.includes('/') ? near : `./${near}`;
  const option = address === undefined ? [] : ['--database-url', quoteWord(address)];
  return [quoteWord(launcher), ...option].join(' ');
}
