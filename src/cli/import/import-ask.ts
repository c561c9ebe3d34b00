/** Asks on a terminal what the columns of a file are for. */
import { createInterface } from 'node:readline/promises';
import { targetOf } from '../../core/schema/csv/targets.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Mapped, Mapping } from '../../services/import/mapping.ts';
import { plain } from '../output.ts';

export async function askFor(file: string, mapped: Mapped, resource: Resource): Promise<Mapping> {
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers: Record<string, string | null> = {};
  process.stderr.write(`${plain(file)} has columns of which nothing says what they are.\n`);
  for (const { column, nearest } of mapped.unknown) {
    const hint = nearest === undefined ? '' : `, such as ${nearest},`;
    for (;;) {
      const question = `Which field is ${plain(column)}? Type a name${hint} or press Enter to leave it out: `;
      const answer = (await terminal.question(question)).trim();
      answers[column] = answer === '' ? null : answer;
      if (answer === '' || targetOf(resource, answer) !== undefined) break;
    }
  }
  return answers;
}
