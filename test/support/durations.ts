/** How long test files took in the last run, which tells how to share them out in the next one. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** In milliseconds, by file and store. */
export type Durations = ReadonlyMap<string, number>;

/** Empty where there was no run. */
export function readDurations(path: string): Durations {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8'))));
  } catch {
    return new Map();
  }
}

/** What took part in this run replaces what is known of it. */
export function writeDurations(path: string, known: Durations, took: Durations): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(Object.fromEntries([...known, ...took]), null, 1)}\n`);
}
