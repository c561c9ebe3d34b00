/** A log for tests, which can be read. */
import { Writable } from 'node:stream';
import { createLog, type Log } from '../../src/core/observe/log.ts';

/** A log that keeps its lines, each as its JSON object. */
export function keptLog(): { readonly log: Log; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { log: createLog('info', stream), lines };
}
