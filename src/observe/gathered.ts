/**
 * Gathers the lines of the log for up to a tenth of a second: a line for each
 * of tens of thousands of requests must not cost a system call. pino's own
 * destination would gather them too, but copies all that it has with each line.
 */
import { type DestinationStream, destination } from 'pino';

/** In characters: what is handed on at once. */
const ENOUGH = 16_000;
const LONGEST_MS = 100;

export interface Gathered extends DestinationStream {
  /**
   * Hands on what is still held back: it is written in its turn, before the
   * process ends. (To wait for it here would let it overtake what is being written.)
   */
  flush(): void;
}

/** Writes to a file descriptor, in the background. */
export function gathered(descriptor: number): Gathered {
  const target = destination({ dest: descriptor, sync: false });
  let lines = '';
  const handOn = (): void => {
    if (lines === '') return;
    target.write(lines);
    lines = '';
  };
  setInterval(handOn, LONGEST_MS).unref();
  return {
    write(line) {
      lines += line;
      if (lines.length >= ENOUGH) handOn();
    },
    flush: handOn,
  };
}
