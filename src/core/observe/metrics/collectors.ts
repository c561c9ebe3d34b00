/** Shows our own figures through prom-client's registry, read from the accumulators at each scrape. */
import type { Metric, Registry } from 'prom-client';
import type { Histogram } from './histogram.ts';

type Labels = Readonly<Record<string, string | number>>;

/** One line of what is shown. */
interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

interface Description {
  readonly name: string;
  readonly help: string;
  /**
   * How to combine the values of several processes: by default counters and histograms by their sum, gauges by the
   * largest value, which is also right if all are the same.
   */
  readonly together?: 'sum' | 'min' | 'max';
}

/** Shows a counter or a gauge; `read` gives one sample for each set of labels, and no labels twice. */
export function show(
  registry: Registry,
  {
    type,
    together = type === 'counter' ? 'sum' : 'max',
    ...rest
  }: Description & {
    readonly type: 'counter' | 'gauge';
  },
  read: () => readonly Sample[] | Promise<readonly Sample[]>,
): void {
  register(registry, { ...rest, type, together, read });
}

/** Shows histograms of one name, distinguished by their labels. */
export function showHistograms(
  registry: Registry,
  { name, help }: Description,
  read: () => Iterable<readonly [Labels, Histogram]>,
): void {
  register(registry, {
    name,
    help,
    type: 'histogram',
    read: () =>
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
  });
}

function register(
  registry: Registry,
  {
    read,
    together: aggregator = 'sum',
    ...rest
  }: Description & {
    readonly type: 'counter' | 'gauge' | 'histogram';
    readonly read: () =>
      | readonly (Sample & { readonly metricName?: string })[]
      | Promise<readonly (Sample & { readonly metricName?: string })[]>;
  },
): void {
  const described = { ...rest, aggregator };
  const metric = { ...described, get: async () => ({ ...described, values: await read() }) };
  // A registry needs no more than this of a metric, though its type names prom-client's own classes.
  registry.registerMetric(metric as unknown as Metric);
}
