/** How far an import has come: one line that is written over, on a terminal alone. */
import type { WriteStream } from 'node:tty';
import type { ImportCounts } from '../store/imports.ts';

const EVERY_MS = 200;

export function importProgress(stream: Pick<WriteStream, 'isTTY' | 'write'>, total: number) {
  const began = performance.now();
  let first: number | undefined;
  let shownAt = 0;
  return {
    show(rows: number, { failed }: ImportCounts): void {
      first ??= rows;
      const now = performance.now();
      if (!stream.isTTY || now - shownAt < EVERY_MS) return;
      shownAt = now;
      const rate = ((rows - first) / (now - began)) * 1_000;
      const left = rate > 0 ? `, ${Math.ceil((total - rows) / rate)} s left` : '';
      const said = [
        `${rows.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} rows`,
        ...(failed > 0 ? [`${failed.toLocaleString('en-US')} rejected`] : []),
        `${Math.round(rate).toLocaleString('en-US')}/s${left}`,
      ];
      stream.write(`\r\u001b[K${said.join(', ')}`);
    },
    clear(): void {
      if (shownAt > 0) stream.write('\r\u001b[K');
    },
  };
}
