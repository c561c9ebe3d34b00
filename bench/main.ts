/** `npm run bench`: our service beside a bare server, under the same load, in turn. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { type Workload, workloads } from './bodies.ts';
import { measure, median, type Result } from './measure.ts';
import { table } from './report.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { makeWorld, type World } from './world.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/ledgerstone', import.meta.url));
const BARE = fileURLToPath(new URL('./bare.ts', import.meta.url));
const SHIM = fileURLToPath(new URL('./slow-disk.c', import.meta.url));
const PORT = 18_080;
const BARE_PORT = 18_081;

interface Options {
  readonly json?: true;
  readonly connections: number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly records: number;
  readonly slowDisk?: number;
  readonly only?: string;
}

const options = new Command('npm run bench --')
  .description(
    'Measures durable upserts per second beside a bare node:http server, in interleaved rounds. Needs wrk (on Debian: apt-get install wrk).',
  )
  .option('--json', 'print the results as one JSON document')
  .option(
    '--connections <list>',
    'numbers of connections, with commas between them',
    numbers,
    [1, 16, 64, 256],
  )
  .option('--seconds <n>', 'how long a round takes', positive, 4)
  .option('--rounds <n>', 'rounds for each line; medians are shown', positive, 5)
  .option('--records <n>', 'check-ins that are there before', positive, 10_000)
  .option(
    '--slow-disk <delay>',
    'add a delay to every sync, such as 2ms (needs a C compiler)',
    delayUs,
  )
  .option('--only <text>', 'only the workloads whose name has this in it')
  .parse()
  .opts<Options>();

const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-bench-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const url = `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, options.records, (done) =>
    say(`filling: ${done.toLocaleString('en')} of ${options.records.toLocaleString('en')} records`),
  );
  const bytesPerRecord =
    statSync(join(folder, 'data', 'ledgerstone.db')).size /
    (Math.max(options.records, 10_000) + 10_000);

  const environment = { DATABASE_URL: url, PORT: String(PORT), HOST: '127.0.0.1', ...slowDisk() };
  const startMs = median(await startUps(environment, world));
  const service = await startServer('sh', [LAUNCHER, 'serve'], PORT, environment);
  const all = workloads(world).filter(({ name }) => name.includes(options.only ?? ''));
  const results: Result[] = [];
  for (const workload of all) {
    const bare = await startServer(
      process.execPath,
      [BARE, String(BARE_PORT), String(await answerBytes(workload, world))],
      BARE_PORT,
    );
    await warmUp(service, bare, workload, world);
    for (const connections of options.connections) {
      say(`${workload.name}, ${connections} connections`);
      results.push(
        await measure(service, bare, workload, connections, {
          authorization: world.authorization,
          ...options,
        }),
      );
    }
    await bare.stop();
  }
  await service.stop();
  say('');
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ machine, options, startMs, bytesPerRecord, results }, undefined, 2)}\n`,
    );
    return;
  }
  const lines = [
    `${machine}; medians of ${options.rounds} rounds of ${options.seconds} s`,
    `From start to the first answered upsert: ${startMs.toFixed(0)} ms. ${bytesPerRecord.toFixed(0)} bytes a record.`,
  ];
  for (const { name } of all)
    lines.push('', name, '', table(results.filter(({ workload }) => workload === name)));
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** From starting the process to the first answered upsert, a few times. */
async function startUps(environment: NodeJS.ProcessEnv, world: World): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 6; round++) {
    const began = performance.now();
    const service = await startServer('sh', [LAUNCHER, 'serve'], PORT, environment);
    await upsertOnce(workloads(world)[0] as Workload, world);
    times.push(performance.now() - began);
    await service.stop();
  }
  // The first one may have to fill caches on the disk.
  return times.slice(1);
}

async function upsertOnce(
  { path, contentType, template }: Workload,
  world: World,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method: 'POST',
    headers: {
      Authorization: world.authorization,
      'Content-Type': contentType,
      'Accept-Encoding': 'identity',
    },
    body: template.replaceAll('@ID@', 'known-1').replaceAll('@N@', '1'),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The service answers ${answer.status}: ${text}`);
  return text;
}

async function answerBytes(workload: Workload, world: World): Promise<number> {
  return Buffer.byteLength(await upsertOnce(workload, world));
}

async function warmUp(
  service: ServerProcess,
  bare: ServerProcess,
  workload: Workload,
  world: World,
): Promise<void> {
  await measure(service, bare, workload, 16, {
    authorization: world.authorization,
    seconds: 2,
    rounds: 1,
  });
}

/** What makes the service's syncs slow: a library loaded before the C library. */
function slowDisk(): NodeJS.ProcessEnv {
  if (options.slowDisk === undefined) return {};
  const library = join(folder, 'slow-disk.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SHIM, '-ldl'], {
    stdio: 'inherit',
  });
  return { LD_PRELOAD: library, SLOW_DISK_US: String(options.slowDisk) };
}

function say(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}`);
  else if (what !== '' && !what.startsWith('filling')) process.stderr.write(`${what}\n`);
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function numbers(text: string): number[] {
  return text.split(',').map(positive);
}

function delayUs(text: string): number {
  const found = /^([\d.]+)(ms|us)?$/.exec(text);
  if (found === null) throw new InvalidArgumentError('It must be a delay such as 2ms.');
  return Number(found[1]) * (found[2] === 'us' ? 1 : 1000);
}
