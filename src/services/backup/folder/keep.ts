/** Selects the backups of a folder to retain: the newest of each of the last days, weeks and months that have one. */
import { areDated } from './dated.ts';

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

interface Kept {
  readonly moment: number;
  readonly version: string;
}

/** The newest backup is from a wrong clock, perhaps, where it is this much later than the one before. */
const JUMP_MS = 2 * DAY_MS;

/**
 * The backups to remove, of those of one store in the order in which they were made. The newest one always stays, and so
 * do, as far back as `keep` reaches, the last one before each change of the release and those from a clock that was wrong, which
 * take the place of no other one.
 */
export function expired<One extends Kept>(
  made: readonly One[],
  keep: Keep,
  now: number,
): readonly One[] {
  const dated = areDated(
    made.map(({ moment }) => moment),
    now,
  );
  const newest = made.length - 1;
  const before = made.findLast((_, at) => dated[at] && at < newest);
  const isProven = (at: number): boolean =>
    at < newest || (made[at]?.moment ?? 0) - (before?.moment ?? now) < JUMP_MS;
  const spans = [...keep].map(([unit, count]) => ({
    count,
    nameOf: SPANS[unit] ?? isoOf,
    seen: new Set<string>(),
    isPast: false,
  }));
  const gone: One[] = [];
  for (const [at, one] of [...made.entries()].reverse()) {
    const isLastOfRelease = made[at + 1]?.version !== one.version;
    let isFirst = false;
    if (dated[at] && isProven(at)) {
      for (const span of spans) {
        const name = span.nameOf(one.moment);
        if (span.seen.has(name)) continue;
        if (span.seen.size >= span.count) span.isPast = true;
        else isFirst = true;
        span.seen.add(name);
      }
    }
    const isWithin = spans.some(({ isPast }) => !isPast);
    const stays = at === newest || isFirst || (isWithin && (isLastOfRelease || !dated[at]));
    if (!stays) gone.push(one);
  }
  return gone;
}

/**
 * As `expired`, and nothing goes for the sake of one that `isWhole` says is damaged: of those that stay, each is read that is of
 * the same day, week, month or year as one that goes. `damaged` are those that count for nothing.
 */
export async function expiredBesideWhole<One extends Kept>(
  made: readonly One[],
  keep: Keep,
  now: number,
  isWhole: (one: One) => Promise<boolean>,
): Promise<{ readonly gone: readonly One[]; readonly damaged: readonly One[] }> {
  const known = new Map<One, boolean>();
  const namesOf = ({ moment }: One) => [...keep.keys()].map((unit) => SPANS[unit]?.(moment));
  for (;;) {
    const whole = made.filter((one) => known.get(one) !== false);
    const gone = expired(whole, keep, now);
    const spans = gone.map(namesOf);
    const unread = whole.filter(
      (one) =>
        !known.has(one) &&
        !gone.includes(one) &&
        spans.some((names) => namesOf(one).some((name, at) => name === names[at])),
    );
    if (unread.length === 0)
      return { gone, damaged: made.filter((one) => known.get(one) === false) };
    for (const one of unread) known.set(one, await isWhole(one));
  }
}
