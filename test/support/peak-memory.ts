/** To be imported before the program: writes the most memory that its process has had, in KiB, where `PEAK_FILE` says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { PEAK_FILE } = process.env;
if (isMainThread && PEAK_FILE !== undefined) {
  process.on('exit', () => {
    const [, peak = ''] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    writeFileSync(PEAK_FILE, peak);
  });
}
