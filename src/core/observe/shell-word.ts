/** Words of commands that a person pastes into a POSIX shell. */

/** As the shell takes it: in single quotes where it would see more in it than letters. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
