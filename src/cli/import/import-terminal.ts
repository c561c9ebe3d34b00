/** The progress of an import: one line that is overwritten, on a terminal only. */
import { createInterface } from 'node:readline/promises';
import type { ImportCounts } from '../../core/objects/transfer/import-run.ts';
import { targetOf } from '../../core/schema/csv/targets.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Mapped, Mapping } from '../../services/import/mapping.ts';
import { plain, progressLine } from '../output.ts';

export function importProgress(stream: Parameters<typeof progressLine>[0], total: number) {
  const began = performance.now();
  const line = progressLine(stream);
  let first: number | undefined;
  return {
    show(rows: number, { failed }: ImportCounts): void {
      first ??= rows;
      const before = first;
      line.show(() => {
        const rate = ((rows - before) / (performance.now() - began)) * 1_000;
        const left = rate > 0 ? `, ${Math.ceil((total - rows) / rate)} s left` : '';
        const count = `${rows.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} rows`;
        const rejected = failed > 0 ? `, ${failed.toLocaleString('en-US')} rejected` : '';
        return `${count}${rejected}, ${Math.round(rate).toLocaleString('en-US')}/s${left}`;
      });
    },
    clear: line.clear,
  };
}

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
