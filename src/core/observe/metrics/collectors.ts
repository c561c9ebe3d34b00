/** Shows our own figures through prom-client's registry, read from the accumulators at each scrape. */
import type { Metric, Registry } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

type NamedSample = Sample & { readonly metricName?: string };

/** One value, or a sample for each set of labels and no labels twice; `undefined`: nothing is known now. */
type Shown = number | readonly Sample[] | undefined;

/**
 * How to combine the values of several processes: by default counters and histograms by their sum, gauges by the
 * largest value, which is also right if all are the same.
 */
export type Aggregated = 'sum' | 'min' | 'max';

/** Shows metrics, each by its name and what it says. */
export function metricsIn(registry: Registry) {
  const showing =
    (type: 'counter' | 'gauge', usual: Aggregated) =>
    (
      name: string,
      help: string,
      read: () => Shown | Promise<Shown>,
      together: Aggregated | undefined = usual,
    ): void =>
      register(registry, { name, help, type, aggregator: together }, async () => {
        const shown = await read();
        return typeof shown === 'number' ? [{ labels: {}, value: shown }] : (shown ?? []);
      });
  return {
    counter: showing('counter', 'sum'),
    gauge: showing('gauge', 'max'),
    /** Histograms of one name, distinguished by their labels. */
    histogram: (
      name: string,
      help: string,
      read: () => Iterable<readonly [Labels, Histogram]>,
    ): void =>
      register(registry, { name, help, type: 'histogram', aggregator: 'sum' }, () =>
        Array.from(read(), ([labels, histogram]) => {
          const buckets = histogram.buckets();
          return [
            ...buckets.map(({ bound, count }) => ({
              metricName: `${name}_bucket`,
              labels: { ...labels, le: bound === Number.POSITIVE_INFINITY ? '+Inf' : bound },
              value: count,
            })),
            { metricName: `${name}_sum`, labels, value: histogram.sum },
            { metricName: `${name}_count`, labels, value: buckets.at(-1)?.count ?? 0 },
          ];
        }).flat(),
      ),
  };
}

/** Values by one label. */
export function by(
  label: string,
  values: Iterable<readonly [name: string, value: number]>,
): readonly Sample[] {
  return Array.from(values, ([name, value]) => ({ labels: { [label]: name }, value }));
}

function register(
  registry: Registry,
  described: Readonly<Record<'name' | 'help' | 'type' | 'aggregator', string>>,
  read: () => readonly NamedSample[] | Promise<readonly NamedSample[]>,
): void {
  const metric = { ...described, get: async () => ({ ...described, values: await read() }) };
  // A registry needs no more than this of a metric, though its type names prom-client's own classes.
  registry.registerMetric(metric as unknown as Metric);
}

/** Counts values by size so cheaply that every request can be counted: nothing is allocated, and no label is looked up. */
export class Histogram {
  /** The upper bounds of the buckets, ascending; the last is infinite. */
  readonly #bounds: Float64Array;
  /** How many values fell into each bucket and into none before it. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds` are finite and ascending; values above them all are counted, too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = Float64Array.of(...bounds, Number.POSITIVE_INFINITY);
    this.#counts = new Float64Array(this.#bounds.length);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    // The last bound ends this by itself.
    while (value > (bounds[bucket] as number)) bucket++;
    (this.#counts[bucket] as number) += 1;
    this.#sum += value;
  }

  /** Each bound with the number of values up to it; the last one, which is infinite, counts them all. */
  buckets(): readonly { readonly bound: number; readonly count: number }[] {
    let count = 0;
    return Array.from(this.#bounds, (bound, bucket) => {
      count += this.#counts[bucket] ?? 0;
      return { bound, count };
    });
  }

  get sum(): number {
    return this.#sum;
  }
}
