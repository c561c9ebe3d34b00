/** Shares test files out to processes: files with the same needs share one, and none takes much longer than the others. */
import type { Durations } from './durations.ts';
import type { Job, StoreName } from './jobs.ts';
import type { Need, TestFile } from './needs.ts';

/** So long that what a process reads and compiles once matters little, and so short that no core idles at the end. */
const JOB_MS = 40_000;
/** Of a file that no run has measured: one that starts programs takes longer. */
const GUESS_MS = { slow: 6_000, quick: 1_500 };
const SLOW: readonly Need[] = ['program', 'browser', 'waits'];

/** The longest jobs come first. */
export function deal(
  files: readonly TestFile[],
  store: StoreName,
  durations: Durations,
): readonly (Job & { readonly ms: number })[] {
  const groups = Map.groupBy(files, ({ path, needs }) =>
    needs.has('alone') ? path : SLOW.filter((need) => needs.has(need)).join(),
  );
  return [...groups.values()].flatMap((group) => {
    const waits = group.some(({ needs }) => needs.has('waits'));
    const measured = group
      .map((file) => ({
        path: file.path,
        ms: durations.get(keyOf(file.path, store)) ?? guess(file),
      }))
      .sort((one, other) => other.ms - one.ms);
    const sum = measured.reduce((ms, one) => ms + one.ms, 0);
    const jobs = Array.from({ length: Math.ceil(sum / JOB_MS) }, () => ({
      ms: 0,
      files: [] as string[],
    }));
    for (const { path, ms } of measured) {
      const shortest = jobs.reduce((one, other) => (other.ms < one.ms ? other : one));
      shortest.files.push(path);
      shortest.ms += ms;
    }
    return jobs.map((job) => ({ ...job, store, waits }));
  });
}

export function keyOf(path: string, store: StoreName): string {
  return `${path} ${store}`;
}

function guess({ needs }: TestFile): number {
  return SLOW.some((need) => needs.has(need)) ? GUESS_MS.slow : GUESS_MS.quick;
}
