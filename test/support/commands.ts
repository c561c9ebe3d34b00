/** The commands of the program, as they are declared. */
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/run.ts';

/** The program and everything below it, each with the words that lead there. */
export async function commands(): Promise<readonly (readonly [string, Command])[]> {
  return leaves(await createProgram([]));
}

function leaves(command: Command, words = ''): readonly (readonly [string, Command])[] {
  return [
    [words, command],
    ...command.commands.flatMap((one) => leaves(one, `${words} ${one.name()}`.trimStart())),
  ];
}
