/** How far a long command has come: one line that is written over, on a terminal alone. */
import type { WriteStream } from 'node:tty';

const EVERY_MS = 200;

export interface Progress {
  show(what: string, rows: number): void;
  /** Takes the line away. */
  clear(): void;
}

export function countingProgress(stream: Pick<WriteStream, 'isTTY' | 'write'>): Progress {
  let shownAt = 0;
  return {
    show(what, rows) {
      const now = performance.now();
      if (!stream.isTTY || now - shownAt < EVERY_MS) return;
      shownAt = now;
      stream.write(
        `\r\u001b[K${what}: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`,
      );
    },
    clear() {
      if (shownAt > 0) stream.write('\r\u001b[K');
      shownAt = 0;
    },
  };
}
