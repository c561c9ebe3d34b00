/** Selects the backups of a folder to retain: the newest of each of the last days, weeks and months that have one. */

const UNITS = { d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;

/** How many of each are retained. */
export interface Keep {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
  readonly years: number;
}

/** Reads `7d,4w,12m`; `undefined` if the text is anything else. */
export function readKeep(text: string): Keep | undefined {
  const keep = { days: 0, weeks: 0, months: 0, years: 0 };
  for (const word of text.split(',')) {
    const [, count, unit] = /^([1-9]\d{0,3})([dwmy])$/.exec(word.trim()) ?? [];
    if (unit === undefined) return undefined;
    keep[UNITS[unit as keyof typeof UNITS]] = Number(count);
  }
  return keep;
}

/** The moments to remove. The newest one always stays. Days, weeks and months are those of UTC. */
export function expired(moments: readonly number[], keep: Keep): readonly number[] {
  const newest = moments.toSorted((one, other) => other - one);
  const stays = new Set(newest.slice(0, 1));
  for (const [count, spanOf] of [
    [keep.days, (time: number) => isoOf(time).slice(0, 10)],
    [keep.weeks, weekOf],
    [keep.months, (time: number) => isoOf(time).slice(0, 7)],
    [keep.years, (time: number) => isoOf(time).slice(0, 4)],
  ] as const) {
    const spans = new Set<string>();
    for (const time of newest) {
      const span = spanOf(time);
      if (spans.has(span)) continue;
      if (spans.size === count) break;
      spans.add(span);
      stays.add(time);
    }
  }
  return newest.filter((time) => !stays.has(time));
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

const DAY_MS = 86_400_000;
/** 1970 began on a Thursday, and weeks begin on Mondays. */
const THURSDAY = 3;

function weekOf(time: number): string {
  return String(Math.floor((Math.floor(time / DAY_MS) + THURSDAY) / 7));
}
