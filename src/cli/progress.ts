/** The progress of a long command: one line that is overwritten, on a terminal only. */
import type { WriteStream } from 'node:tty';

const EVERY_MS = 200;

/** Goes from the terminal when it is disposed of. */
export interface Progress extends Disposable {
  show(what: string, rows: number): void;
  /** Takes the line away. */
  clear(): void;
}

type Terminal = Pick<WriteStream, 'isTTY' | 'write'>;

export function countingProgress(stream: Terminal): Progress {
  const line = progressLine(stream);
  return {
    show: (what, rows) =>
      line.show(() => `${what}: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`),
    clear: line.clear,
    [Symbol.dispose]: line.clear,
  };
}

/** A line that is written over, now and then, by what `text` makes. */
export function progressLine(stream: Terminal) {
  let shownAt = 0;
  return {
    show(text: () => string): void {
      const now = performance.now();
      if (!stream.isTTY || now - shownAt < EVERY_MS) return;
      shownAt = now;
      stream.write(`\r\u001b[K${text()}`);
    },
    clear(): void {
      if (shownAt > 0) stream.write('\r\u001b[K');
      shownAt = 0;
    },
  };
}
