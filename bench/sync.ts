/** What a sync costs: streams of unchanged rows that belong to one, in turn with the same streams that belong to none. */
import { join } from 'node:path';
import { median } from './measure.ts';
import type { Options } from './options.ts';
import { startPostgres } from './postgres-server.ts';
import { say, sayFilled } from './progress.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import { slowDisk, startService } from './service.ts';
import { KNOWN, makeWorld } from './world.ts';

/** As many as one stream may bring. */
const ROWS = 100_000;

interface Result {
  readonly workload: string;
  readonly rowsPerSecond: number;
  readonly plainPerSecond: number;
  /** How much longer a stream takes with a sync, pair by pair. */
  readonly ratios: readonly number[];
  readonly finishMs: number;
}

const COLUMNS: Columns<Result> = [
  ['rows/s in a sync', (one) => whole(one.rowsPerSecond)],
  ['rows/s', (one) => whole(one.plainPerSecond)],
  ['ratio of times', (one) => median(one.ratios).toFixed(2)],
  ['from', (one) => Math.min(...one.ratios).toFixed(2)],
  ['to', (one) => Math.max(...one.ratios).toFixed(2)],
  ['finish ms', (one) => whole(one.finishMs)],
];

export async function syncCost(options: Options, folder: string): Promise<Report> {
  const { rounds, records } = options;
  const postgres = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const service = await startService(url, slowDisk(folder, options.slowDisk));
  const { authorization, location } = world;
  const post = async (path: string, type: string, body: string, headers = {}): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method: 'POST',
      body,
      headers: { Authorization: authorization, 'Content-Type': type, ...headers },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  };
  const object = async (path: string, body: object) =>
    JSON.parse(await post(path, 'application/json', JSON.stringify(body)));
  const lines = Array.from({ length: ROWS }, (_, at) =>
    JSON.stringify({
      location_unique_identifier: location,
      external_identifier: `known-${at % KNOWN}`,
      event_name: 'Service',
      event_datetime: '2026-11-20T14:30:00Z',
    }),
  ).join('\n');
  /** Seconds. */
  const stream = async (headers = {}): Promise<number> => {
    await postgres?.checkpoint();
    const began = performance.now();
    const text = await post('/v1/events/upsert_many', 'application/x-ndjson', lines, headers);
    const took = (performance.now() - began) / 1_000;
    const { summary } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
    if (summary.unchanged !== ROWS) throw new Error(JSON.stringify(summary));
    return took;
  };
  const [plain, synced, finishes]: number[][] = [[], [], []];
  await stream();
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1}`);
    const { unique_identifier: id } = await object('/v1/syncs', { resource: 'event', location });
    const pair = [
      async () => synced?.push(await stream({ 'Ledgerstone-Sync': id })),
      async () => plain?.push(await stream()),
    ];
    for (const one of round % 2 === 0 ? pair : pair.toReversed()) await one();
    const began = performance.now();
    await object(`/v1/syncs/${id}/finish`, { dry_run: true });
    finishes?.push(performance.now() - began);
  }
  await service.stop();
  await postgres?.stop();
  const result: Result = {
    workload: `${whole(ROWS)} unchanged events in one stream`,
    rowsPerSecond: ROWS / median(synced ?? []),
    plainPerSecond: ROWS / median(plain ?? []),
    ratios: (synced ?? []).map((took, at) => took / (plain?.[at] ?? Number.NaN)),
    finishMs: median(finishes ?? []),
  };
  const bar = { panel: result.workload, group: options.database };
  return {
    text: `${machine()}; medians of ${rounds} rounds\n\n${tables(COLUMNS, [result])}`,
    json: { machine: machine(), options, results: [result] },
    chart: {
      title: 'Unchanged rows a second, in a sync and without',
      bars: [
        { ...bar, name: 'in a sync', value: result.rowsPerSecond },
        { ...bar, name: 'without', value: result.plainPerSecond },
      ],
    },
  };
}
