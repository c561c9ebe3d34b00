/** How long the stages of a request took: the `Server-Timing` header and the metrics. */

export const STAGES = ['parse', 'authorize', 'resolve', 'merge', 'commit', 'present'] as const;
export type Stage = (typeof STAGES)[number];

/** Durations by stage, in milliseconds. A stage may be entered more than once; its durations add up. */
export class Timing {
  readonly #durations: Partial<Record<Stage, number>> = {};

  add(stage: Stage, durationMs: number): void {
    this.#durations[stage] = (this.#durations[stage] ?? 0) + durationMs;
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
    return this.#durations[stage];
  }

  /** The value of a `Server-Timing` header, in the order of the stages. */
  header(): string {
    let header = '';
    for (const stage of STAGES) {
      const duration = this.#durations[stage];
      if (duration === undefined) continue;
      header += `${header === '' ? '' : ', '}${stage};dur=${Math.round(duration * 1000) / 1000}`;
    }
    return header;
  }
}
