/** What the metrics cost: our service with them beside our service without, under the same load, in turn. */
import { join } from 'node:path';
import { workloads } from './bodies.ts';
import { type Round, runLoad } from './load.ts';
import { measure, median } from './measure.ts';
import type { Options } from './options.ts';
import { say, sayFilled } from './progress.ts';
import { machine, type Report, tables, whole } from './report.ts';
import { startService } from './service.ts';
import { makeWorld } from './world.ts';

const CONNECTIONS = [64];
const PLAIN_PORT = 18_081;
const METRICS_PORT = 18_082;
/** As often as Prometheus asks where it is in a hurry. */
const SCRAPE_MS = 1_000;

interface Result {
  readonly workload: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly plainPerSecond: number;
  /** With metrics to without, pair by pair. */
  readonly ratio: number;
  /** Microseconds of processor time a request. */
  readonly cpuUs: number;
  readonly plainCpuUs: number;
}

export async function metricsCost(options: Options, folder: string): Promise<Report> {
  const { connections: numbers = CONNECTIONS, records, rounds, seconds } = options;
  const urlOf = (name: string): string => `sqlite:${join(folder, name, 'ledgerstone.db')}`;
  const world = await makeWorld(urlOf('counted'), records, (done) => sayFilled(done, records));
  const plainWorld = await makeWorld(urlOf('plain'), records, (done) => sayFilled(done, records));
  const counted = await startService(urlOf('counted'), { METRICS_PORT: String(METRICS_PORT) });
  const plain = await startService(urlOf('plain'), {}, PLAIN_PORT);
  const scraping = setInterval(() => {
    fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).then(
      (answer) => answer.text(),
      () => {},
    );
  }, SCRAPE_MS);
  const results: Result[] = [];
  for (const [index, workload] of workloads(world).entries()) {
    if (!workload.name.includes(options.only ?? 'check-ins, JSON')) continue;
    const same = workloads(plainWorld)[index] ?? workload;
    for (const connections of numbers) {
      say(`${workload.name}, ${connections} connections`);
      const beside = async (round: { seconds: number; prefix: string }) => {
        const before = plain.cpuSeconds();
        const load: Round = await runLoad({
          ...same,
          ...round,
          authorization: plainWorld.authorization,
          connections,
          url: `http://127.0.0.1:${plain.port}${same.path}`,
        });
        return { ...load, cpu: (plain.cpuSeconds() - before) / round.seconds };
      };
      const { authorization } = world;
      await measure(
        counted,
        workload,
        connections,
        { authorization, seconds: 2, rounds: 1 },
        beside,
      );
      const plan = { authorization, seconds, rounds };
      const { measured, pairs } = await measure(counted, workload, connections, plan, beside);
      const { perSecond, serviceCpu } = measured;
      results.push({
        workload: workload.name,
        connections,
        perSecond,
        plainPerSecond: median(pairs.map(({ other }) => other.perSecond)),
        ratio: median(pairs.map(({ ours, other }) => ours.perSecond / other.perSecond)),
        cpuUs: (serviceCpu / perSecond) * 1e6,
        plainCpuUs: median(pairs.map(({ other }) => (other.cpu / other.perSecond) * 1e6)),
      });
    }
  }
  clearInterval(scraping);
  await plain.stop();
  await counted.stop();
  const table = tables<Result>(
    [
      ['connections', (one) => String(one.connections)],
      ['with metrics/s', (one) => whole(one.perSecond)],
      ['without/s', (one) => whole(one.plainPerSecond)],
      ['ratio', (one) => one.ratio.toFixed(3)],
      ['CPU µs a request with', (one) => one.cpuUs.toFixed(1)],
      ['without', (one) => one.plainCpuUs.toFixed(1)],
    ],
    results,
  );
  return {
    text: `${machine()}; medians of ${rounds} rounds of ${seconds} s\n\n${table}`,
    json: { machine: machine(), options, results },
    chart: {
      title: 'Durable upserts a second, with metrics and without',
      bars: results.flatMap(({ workload, connections, perSecond, plainPerSecond }) => [
        { panel: workload, group: `${connections}`, name: 'with metrics', value: perSecond },
        { panel: workload, group: `${connections}`, name: 'without', value: plainPerSecond },
      ]),
    },
  };
}
