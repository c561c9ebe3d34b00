/** Figures that are read at each scrape, by the names under which others give them. */
import type { Metric, Registry } from 'prom-client';

/** `undefined`: not known now; `null`: 0, where there is no time of which the age could be shown. */
type Value = number | null | undefined;
/** Several figures are told apart by a label. */
export type FigureNow = Value | Iterable<readonly [label: string, value: Value]>;

export interface FigureSpec {
  readonly name: string;
  readonly help: string;
  /** By default a gauge. */
  readonly type?: 'counter';
  readonly together?: Aggregated;
  /** The labels that tell several figures apart. */
  readonly label?: string;
  /** Labels that are shown, also where nothing was counted. */
  readonly always?: readonly string[];
  /** The figure is in milliseconds, or a time of which the age is shown; both as seconds. */
  readonly is?: 'ms' | 'age';
  /** Shown where nothing is known. */
  readonly otherwise?: 0;
}

/** By their names, before which stands `ledgerstone_`. */
const FIGURES = {
  queue_drafts: { help: 'Drafts that wait for a commit.', otherwise: 0 },
  store_size_bytes: {
    help: 'Bytes that the store takes; part is records (with their indexes), log or search (its index).',
    label: 'part',
  },
  tables_refusing: {
    help: 'Always 1: a table of a PostgreSQL store in which writes are refused, since somebody has put a condition of their own there or taken a right away; all processes over one database show the same.',
    label: 'table',
  },
  backup_checked_timestamp_seconds: {
    help: 'When the last backup that passed "restore --check" was taken; 0 until there is one.',
    is: 'ms',
    otherwise: 0,
  },
  backup_lag_seconds: {
    help: 'Age of the moment up to which a folder of "backup --follow" or BACKUP_TO holds everything; all processes over one database show the same.',
    is: 'ms',
    label: 'folder',
  },
  backup_whole_timestamp_seconds: {
    help: 'When the whole backup was taken that a folder of "backup --follow" or BACKUP_TO begins with; 0 until there is one.',
    is: 'ms',
    label: 'folder',
  },
  erasure_journal_lag_seconds: {
    help: 'For how long a copy of the journal of erasures, in BACKUP_TO or ERASURES_TO, has lacked something or could not be used; 0: all are complete.',
    is: 'ms',
    otherwise: 0,
  },
  audit_unwritten: {
    help: 'Entries of the audit that are not written yet; they are lost in a crash.',
    together: 'sum',
    otherwise: 0,
  },
  audit_head_timestamp_seconds: {
    help: 'When the last thing was done of which the audit of a process has an entry; 0 until there is one.',
    is: 'ms',
    otherwise: 0,
  },
  erasures: {
    help: 'Erasures by status, in all accounts; all processes over one database show the same.',
    label: 'status',
    always: ['ready', 'running', 'waiting', 'done', 'closed'],
  },
  erasures_overdue: {
    help: 'Erasures that are neither done nor closed and were due by now; all processes over one database show the same.',
  },
  erased_sent_again_total: {
    help: 'Erased records that were sent again, and refused; all processes over one database show the same.',
    type: 'counter',
    otherwise: 0,
  },
  jobs: {
    help: 'Long work that is under way, by kind; all processes over one database show the same.',
    label: 'kind',
  },
  job_stalled_seconds: {
    help: 'For how long a job has come no further: of each kind, the one that stands still the longest.',
    is: 'ms',
    label: 'kind',
  },
  ready: {
    help: 'Whether the store accepts writes now, as /readyz finds out: 1 or 0.',
    together: 'min',
    otherwise: 0,
  },
  disk_free_bytes: {
    help: 'Free bytes of the disk that holds the store or the folder of BACKUP_TO.',
    label: 'disk',
  },
  disk_size_bytes: { help: 'The size of that disk.', label: 'disk' },
  certificate_expires_timestamp_seconds: {
    help: 'When the certificate expires that connections are encrypted with; 0 without one.',
    is: 'ms',
    together: 'min',
    otherwise: 0,
  },
  followers: {
    help: 'Streams of changes, and polls that wait for one.',
    together: 'sum',
    otherwise: 0,
  },
  follower_lag_seconds: {
    help: 'Age of the oldest change that a follower is being sent and has not read; of the slowest one.',
    is: 'age',
    otherwise: 0,
  },
  changes_oldest_seconds: {
    help: 'Age of the oldest change that is kept, of all accounts.',
    is: 'age',
  },
  changes_commits: { help: 'Commits whose changes are kept.' },
  search_lag_seconds: {
    help: 'Age of the oldest change that search does not find yet.',
    is: 'age',
  },
  search_cut_records: {
    help: 'Records with a text that is too long for the index: search finds its first words only.',
  },
  search_building: {
    help: 'Accounts whose search index is being made: not all of their records are found yet.',
  },
  connections: {
    help: 'Open connections; state is keyed if they have carried a valid key, else keyless.',
    together: 'sum',
    label: 'state',
    always: ['keyed', 'keyless'],
    otherwise: 0,
  },
  authentication_failures_held: {
    help: 'Answers to them that are delayed, because their address keeps failing.',
    together: 'sum',
    otherwise: 0,
  },
} as const satisfies Readonly<Record<string, Omit<FigureSpec, 'name'>>>;

export type FigureName = keyof typeof FIGURES;
export type ReadFigures = {
  readonly [Name in FigureName]?: () => FigureNow | Promise<FigureNow>;
};

/** Each has lines of its own. */
export const MAX_LABELS = 200;
const MS_PER_SECOND = 1000;

/** Shows all of them: `show` says how those are read that somebody has, and `figure` adds one. */
export function showFigures(registry: Registry) {
  const metrics = metricsIn(registry);
  const given: { -readonly [Name in FigureName]?: ReadFigures[Name] } = {};
  const figure = (shown: FigureSpec, now: () => FigureNow | Promise<FigureNow>): void => {
    const read = async () => {
      try {
        return toShown(shown, await now());
      } catch {
        // A store that cannot report now must not hide all that the others report.
        return toShown(shown, undefined);
      }
    };
    metrics[shown.type ?? 'gauge'](shown.name, shown.help, read, shown.together);
  };
  for (const [key, shown] of Object.entries(FIGURES))
    figure({ ...shown, name: `ledgerstone_${key}` }, () => given[key as FigureName]?.());
  const show = (more: ReadFigures): void => void Object.assign(given, more);
  return { show, figure };
}

function toShown({ label, always, is, otherwise }: FigureSpec, figure: FigureNow) {
  const scaled = (value: Value): number => {
    if (value === null || value === undefined) return 0;
    if (is === 'age') return Math.max(0, Date.now() - value) / MS_PER_SECOND;
    return is === 'ms' ? value / MS_PER_SECOND : value;
  };
  if (typeof figure === 'number' || figure === null) return scaled(figure);
  if (label === undefined || (figure === undefined && otherwise === undefined)) return otherwise;
  const found = new Map(figure);
  const names = always ?? [...found.keys()].slice(0, MAX_LABELS);
  return names.map((name) => ({ labels: { [label]: name }, value: scaled(found.get(name)) }));
}

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
type Aggregated = 'sum' | 'min' | 'max';

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
    histogram: (name: string, help: string, read: () => Iterable<readonly [Labels, Histogram]>) =>
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
