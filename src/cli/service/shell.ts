/** Commands that a person can paste into a POSIX shell. */
import { join, relative } from 'node:path';
import { shellWord } from '../../core/observe/shell-word.ts';

const LAUNCHER = join(import.meta.dirname, '../../../bin/ledgerstone');

/** The command for this program, from the current folder, with the store at that address; `undefined`: the default. */
export function thisProgram(address: string | undefined): string {
  const near = relative(process.cwd(), LAUNCHER);
  const launcher = near.startsWith('..') ? LAUNCHER : near.includes('/') ? near : `./${near}`;
  const option = address === undefined ? [] : ['--database-url', shellWord(address)];
  return [shellWord(launcher), ...option].join(' ');
}
