/** The figures of several processes as one: what they have counted, also those that have ended since. */
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { metricsIn } from './figures.ts';

/** One metric of one process, as prom-client hands it to another. */
export interface Figure {
  readonly name: string;
  readonly type: string;
  readonly aggregator: string;
}
export type Figures = readonly Figure[];

/** Without a process that has ended these would fall, which Prometheus takes for a restart. */
const RISING: readonly string[] = ['counter', 'histogram', 'summary'];

/** The figures of this process, to be added to those of others. */
export async function forTogether(registry: Registry): Promise<Figures> {
  // prom-client says with numbers what it fills with names.
  const figures = (await registry.getMetricsAsJSON()) as unknown as Figures;
  return figures.map((one) =>
    // The mean of several event loops would hide the one that is blocked; the latest start is that of a replacement.
    one.aggregator === 'average' || one.name === 'process_start_time_seconds'
      ? { ...one, aggregator: 'max' }
      : one,
  );
}

export function showEnded(registry: Registry, count: () => number): void {
  metricsIn(registry).counter(
    'ledgerstone_processes_ended_total',
    'Processes of "serve --processes" that ended and were replaced.',
    count,
  );
}

/** Adds up the figures of several processes, each identified by an object. */
export class Together {
  readonly #own = new Registry();
  readonly contentType = this.#own.contentType;
  readonly #last = new Map<object, Figures>();
  #counted: Figures = [];
  #ended = 0;

  constructor() {
    collectDefaultMetrics({ register: this.#own });
    showEnded(this.#own, () => this.#ended);
  }

  /** Keeps the last figures of a process that has ended in the sums. */
  ended(process: object): void {
    this.#ended += 1;
    const last = (this.#last.get(process) ?? []).filter(isRising);
    this.#last.delete(process);
    this.#counted = aggregate([this.#counted, last]).getMetricsAsArray() as unknown as Figures;
  }

  /**
   * The figures of all processes and of this one, with the last known ones of a process that does not answer. Throws if
   * none answers: nothing serves then, and the scrape must fail.
   */
  async text(reported: ReadonlyMap<object, Figures | undefined>): Promise<string> {
    if ([...reported.values()].every((figures) => figures === undefined))
      throw new Error('No process reports its figures.');
    const all: Figures[] = [await forTogether(this.#own)];
    for (const [process, figures] of reported) {
      if (figures !== undefined) this.#last.set(process, figures);
      all.push(figures ?? (this.#last.get(process) ?? []).filter(isRising));
    }
    return aggregate([...all, this.#counted]).metrics();
  }
}

function aggregate(all: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate([...all]);
}

function isRising({ type }: Figure): boolean {
  return RISING.includes(type);
}
