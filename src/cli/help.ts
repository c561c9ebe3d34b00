/** Shared parts of help texts. */

/** The examples at the end of a help text: commands, each with what it does. */
export function examples(...lines: readonly (readonly [command: string, does: string])[]): string {
  const shown = lines.map(([command, does]) => `  ${does}:\n    $ ${command}`);
  return `\nExamples:\n${shown.join('\n')}`;
}
