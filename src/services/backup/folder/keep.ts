/** Selects the backups of a folder to retain: the newest of each of the last days, weeks and months that have one. */

const DAY_MS = 86_400_000;
/** 1970 began on a Thursday, and weeks begin on Mondays. */
const THURSDAY = 3;
const isoOf = (time: number): string => new Date(time).toISOString();

/** Names the day, week, month or year of a time, in UTC. */
const SPANS: Readonly<Record<string, (time: number) => string>> = {
  d: (time) => isoOf(time).slice(0, 10),
  w: (time) => String(Math.floor((Math.floor(time / DAY_MS) + THURSDAY) / 7)),
  m: (time) => isoOf(time).slice(0, 7),
  y: (time) => isoOf(time).slice(0, 4),
};

/** How many of each of `SPANS` are retained. */
export type Keep = ReadonlyMap<string, number>;

/** Reads `7d,4w,12m`; `undefined` if the text is anything else. */
export function readKeep(text: string): Keep | undefined {
  const keep = new Map<string, number>();
  for (const word of text.split(',')) {
    const [, count, unit] = /^([1-9]\d{0,3})([dwmy])$/.exec(word.trim()) ?? [];
    if (unit === undefined) return undefined;
    keep.set(unit, Number(count));
  }
  return keep;
}

/** The moments to remove. The newest one always stays. */
export function expired(moments: readonly number[], keep: Keep): readonly number[] {
  const newest = moments.toSorted((one, other) => other - one);
  const stays = new Set(newest.slice(0, 1));
  for (const [unit, count] of keep) {
    const spans = Map.groupBy(newest, (time) => SPANS[unit]?.(time)).values();
    for (const [first] of spans.take(count)) if (first !== undefined) stays.add(first);
  }
  return newest.filter((time) => !stays.has(time));
}
