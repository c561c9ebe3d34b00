/**
 * Gathers the lines of the log for up to a tenth of a second: a line for each
 * of tens of thousands of requests must not cost a system call. pino's own
 * destination copies all that it has with each line, and where the log cannot
 * be written (a full disk), it stops the process or waits without end; what
 * cannot be written here is lost, and the service goes on.
 */
import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** In characters: what is handed on at once. */
const ENOUGH = 16_000;
const LONGEST_MS = 100;
/** Characters that wait for the reader of the log, before more of it is lost. */
const MAX_WAITING = 16_000_000;

export interface Gathered extends DestinationStream {
  /**
   * Hands on what is still delayed: it is written in its order, before the process ends. (To wait for it here would let
   * it overtake what is being written.)
   */
  flush(): void;
}

/** Writes to a file descriptor, in the background. */
export function gathered(descriptor: number): Gathered {
  let lines = '';
  /** The part of the current write that is still left. */
  let left: Buffer | undefined;

  const go = (): void => {
    if (left === undefined) return;
    write(descriptor, left, (error, written) => {
      if (error?.code === 'EAGAIN') {
        // The reader of the pipe is behind.
        setTimeout(go, LONGEST_MS);
        return;
      }
      left = error === null && written < (left?.length ?? 0) ? left?.subarray(written) : undefined;
      if (left === undefined) handOn();
      else go();
    });
  };
  const handOn = (): void => {
    if (lines === '' || left !== undefined) return;
    left = Buffer.from(lines);
    lines = '';
    go();
  };
  setInterval(handOn, LONGEST_MS).unref();
  process.once('exit', () => {
    // The current write may be done in part: better to log a line twice than to lose it.
    try {
      writeSync(descriptor, Buffer.concat([left ?? Buffer.alloc(0), Buffer.from(lines)]));
    } catch {
      // The log has no reader.
    }
  });
  return {
    write(line) {
      if (lines.length < MAX_WAITING) lines += line;
      if (lines.length >= ENOUGH) handOn();
    },
    flush: handOn,
  };
}
