/** The durations of the stages of a request, for the `Server-Timing` header and the metrics. */

/** The stages, in the order in which they are reported, each with the place of its duration. */
const PLACES = { parse: 0, authorize: 1, resolve: 2, merge: 3, commit: 4, present: 5 } as const;

export type Stage = keyof typeof PLACES;
export const STAGES = Object.keys(PLACES) as readonly Stage[];
/** The text before the duration of each stage, made once: texts concatenated from many pieces are slow to send. */
const LABELS = STAGES.map((stage) => ({ first: `${stage};dur=`, later: `, ${stage};dur=` }));

const NONE = -1;

/** Durations by stage, in milliseconds. A stage may be entered more than once; its durations add up. */
export class Timing {
  readonly #durations: number[] = [NONE, NONE, NONE, NONE, NONE, NONE];

  add(stage: Stage, durationMs: number): void {
    const at = PLACES[stage];
    const before = this.#durations[at] as number;
    this.#durations[at] = before === NONE ? durationMs : before + durationMs;
  }

  measure<T>(stage: Stage, work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.add(stage, performance.now() - start);
    }
  }

  get(stage: Stage): number | undefined {
    const duration = this.#durations[PLACES[stage]] as number;
    return duration === NONE ? undefined : duration;
  }

  stages(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      STAGES.flatMap((stage) => {
        const duration = this.get(stage);
        return duration === undefined ? [] : [[stage, Math.round(duration * 10) / 10]];
      }),
    );
  }

  /** The value of a `Server-Timing` header, in the order of the stages. */
  header(): string {
    let header = '';
    for (const [at, { first, later }] of LABELS.entries()) {
      const duration = this.#durations[at] as number;
      if (duration === NONE) continue;
      header += (header === '' ? first : later) + rounded(duration);
    }
    return header;
  }
}

/** The fraction's text for each number of thousandths: formatting a fraction takes longer than all the rest. */
const FRACTIONS = Array.from({ length: 1000 }, (_, part) =>
  part === 0 ? '' : `.${String(part).padStart(3, '0').replace(/0+$/, '')}`,
);

/** Milliseconds to three places at the most. */
function rounded(ms: number): string {
  const all = Math.max(0, Math.round(ms * 1000));
  const part = all % 1000;
  return `${(all - part) / 1000}${FRACTIONS[part]}`;
}
