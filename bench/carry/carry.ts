/** In and out: rows a second of imports and exports, what backup and restore take, and what all of it does to a service beside it. */
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Options } from '../options.ts';
import { type BenchPostgres, onServer, startPostgres } from '../postgres-server.ts';
import { say, sayFilled } from '../progress.ts';
import { type Columns, machine, type Report, table, whole } from '../report.ts';
import { startService } from '../service.ts';
import { KNOWN, makeWorld, type World } from '../world.ts';
import { type Beside, beside } from './beside.ts';
import { LAUNCHER, type Took, timed } from './command.ts';
import type { ConsoleExport } from './console.ts';
import { writeRows } from './rows.ts';

const FORMATS = ['csv', 'ndjson', 'xlsx'] as const;

interface Line {
  readonly what: string;
  readonly rows: number;
  readonly took: Took;
  readonly mb?: number | undefined;
}

const LINES: Columns<Line> = [
  ['', ({ what }) => what],
  ['seconds', ({ took }) => took.seconds.toFixed(1)],
  ['rows/s', ({ rows, took }) => whole(rows / took.seconds)],
  ['MB', ({ mb }) => mb?.toFixed(0) ?? ''],
  ['memory MiB', ({ took }) => (took.peakMiB ? whole(took.peakMiB) : '')],
];

const BESIDE: Columns<Beside> = [
  ['beside', (one) => one.beside],
  ['p50 ms', (one) => one.p50Ms.toFixed(1)],
  ['p99 ms', (one) => one.p99Ms.toFixed(1)],
  ['ratio', (one) => one.ratio.toFixed(2)],
  ['failed', (one) => String(one.failed)],
];

const EXPORTS: Columns<ConsoleExport> = [
  ['from the console', (one) => one.format],
  ['exports', (one) => String(one.count)],
  ['first byte ms', (one) => one.firstByteMs.toFixed(0)],
  ['seconds', (one) => one.seconds.toFixed(1)],
  ['MB', (one) => one.mb.toFixed(1)],
  ['service MiB before', (one) => whole(one.restMiB)],
  ['at the most', (one) => whole(one.peakMiB)],
];

export async function carry(options: Options, folder: string): Promise<Report> {
  const server = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  try {
    const stores = storesIn(folder, server);
    const store = await stores('store');
    const world = await makeWorld(store.url, options.records, (done) =>
      sayFilled(done, options.records),
    );
    const run = async (url: string, ...words: string[]): Promise<Took> => {
      say(words.join(' '));
      return timed(LAUNCHER, words, { cwd: folder, env: { DATABASE_URL: url } });
    };
    const isWanted = (what: string): boolean =>
      options.only === undefined || what.includes(options.only);
    const lines: Line[] = [];
    const { rows } = options;
    if (isWanted('rows')) {
      const csv = join(folder, 'events.csv');
      writeRows(csv, world, rows, 'row');
      const base = join(folder, 'base');
      await run(store.url, 'backup', '--fast', base);
      const into = (format: string, took: Took): number =>
        lines.push({ what: `import, ${format}`, rows, took });
      into('csv', await run(store.url, 'import', '--fast', csv));
      for (const format of FORMATS) {
        const out = join(folder, format);
        const took = await run(
          store.url,
          'export',
          '--fast',
          '--format',
          format,
          '--out',
          `${out}/`,
        );
        // The known check-ins and services, too.
        const all = rows + 2 * KNOWN;
        lines.push({ what: `export, ${format}`, rows: all, took, mb: sizeIn(out) });
      }
      const streamed = await stores('streamed');
      await run(streamed.url, 'restore', base);
      const took = await streamRows(streamed.url, world, rows, folder);
      lines.push({ what: 'the rows of the CSV as streams to a service', rows, took });
      await streamed.remove();
      for (const format of ['ndjson', 'xlsx']) {
        const other = await stores(format);
        await run(other.url, 'restore', base);
        into(
          format,
          await run(other.url, 'import', '--fast', join(folder, format, `events.${format}`)),
        );
        await other.remove();
      }
      const file = join(folder, 'all');
      const backup = await run(store.url, 'backup', '--fast', file);
      lines.push({ what: 'backup', rows, took: backup, mb: megabytes(file) });
      const other = await stores('restored');
      const restore = await run(other.url, 'restore', file);
      lines.push({ what: 'restore, read back', rows, took: restore });
      await other.remove();
    }
    const { besides, exports } = await beside({
      ...options,
      url: store.url,
      world,
      folder,
      isWanted,
    });
    const parts = [
      `${machine()}${server === undefined ? '' : `, ${server.version}`}; ${whole(rows)} rows`,
      ...(lines.length > 0 ? [table(LINES, lines)] : []),
      ...(besides.length > 0 ? [table(BESIDE, besides)] : []),
      ...(exports.length > 0 ? [table(EXPORTS, exports)] : []),
    ];
    const bars = lines.flatMap(({ what, rows, took }) =>
      rows === undefined || took === undefined
        ? []
        : [{ panel: 'rows a second', group: what, name: what, value: rows / took.seconds }],
    );
    return {
      text: parts.join('\n\n'),
      json: {
        machine: machine(),
        version: server?.version,
        options,
        lines,
        beside: besides,
        exports,
      },
      chart: { title: 'In and out', bars },
    };
  } finally {
    await server?.stop();
  }
}

function storesIn(folder: string, server: BenchPostgres | undefined) {
  return async (name: string) => {
    if (server === undefined) {
      const own = join(folder, `${name}.store`);
      mkdirSync(own);
      const path = join(own, 'store.db');
      const { rm } = await import('node:fs/promises');
      return { path, url: `sqlite:${path}`, remove: () => rm(own, { recursive: true }) };
    }
    const query = (sql: string): Promise<unknown> =>
      onServer(server.url, (client) => client.query(sql));
    await query(`CREATE DATABASE carry_${name}`);
    const url = new URL(server.url);
    url.pathname = `carry_${name}`;
    return { path: '', url: url.href, remove: () => query(`DROP DATABASE carry_${name}`) };
  };
}

function sizeIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + megabytes(join(folder, name)), 0);
}

function megabytes(path: string): number {
  return existsSync(path) ? statSync(path).size / 1e6 : 0;
}

/** The most rows of one request. */
const MOST = 100_000;

/** Sends that many rows, one request after the other, on a service that is started and stopped for it. */
async function streamRows(url: string, world: World, count: number, folder: string): Promise<Took> {
  const service = await startService(url);
  try {
    let seconds = 0;
    for (let from = 0; from < count; from += MOST) {
      const path = join(folder, 'stream.csv');
      writeRows(path, world, Math.min(MOST, count - from), `stream-${from}`);
      const began = performance.now();
      const last = await send(`http://127.0.0.1:${service.port}`, world.authorization, path);
      seconds += (performance.now() - began) / 1_000;
      const { created } = JSON.parse(last).summary;
      if (created !== Math.min(MOST, count - from)) throw new Error(`A stream ended with ${last}`);
    }
    return { seconds, peakMiB: 0 };
  } finally {
    await service.stop();
  }
}

/** Gives the last line of the answer. */
function send(url: string, authorization: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: authorization, 'Content-Type': 'text/csv' };
    const where = `${url}/v1/events/upsert_many`;
    const sending = request(where, { method: 'POST', headers, agent: false }, (answer) => {
      let tail = '';
      answer.setEncoding('latin1').on('data', (text: string) => {
        tail = (tail + text).slice(-1_000);
      });
      answer.on('end', () => resolve(tail.trimEnd().split('\n').at(-1) ?? ''));
      answer.on('error', reject);
    });
    sending.on('error', reject);
    createReadStream(path).pipe(sending);
  });
}
