/** The progress of an import: one line that is overwritten, on a terminal only. */
import type { ImportCounts } from '../../core/objects/transfer/import-run.ts';
import { progressLine } from '../progress.ts';

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
