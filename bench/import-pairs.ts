/**
 * Compares the import of this tree with that of another one, in interleaved pairs:
 *   sh bin/run bench/import-pairs.ts ../main [rows] [pairs]
 * Each pair imports the same files into two new stores, the other tree first and then this one, or the other way round.
 * Prints for CSV and XLSX the median seconds of both, the median of the ratios (above 1: this tree is faster), and peak memory.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeXlsxStream } from 'hucre/xlsx';

const [other = '', rowsText = '50000', pairsText = '5'] = process.argv.slice(2);
const ROWS = Number(rowsText);
const PAIRS = Number(pairsText);
const LOOK_MS = 20;
/** Ticks of processor time in a second. */
const TICKS = 100;
const HERE = resolve(import.meta.dirname, '..');
/** 2026-02-01, as sheets count days. */
const SERIAL = 46_054;

const HEADER = [
  ...['External Identifier', 'Location External Identifier', 'Event Name', 'Event Datetime'],
  ...['person.full_name', 'person.date_of_birth', 'person.date_of_death'],
];

/** A row as text, and as a workbook has it, with days and times by their numbers. */
function rowOf(at: number) {
  const day = String((at % 28) + 1).padStart(2, '0');
  const common = [`case-${at}`, 'home', `Celebration of life ${at}`] as const;
  const time = `2027-03-${day}T14:30:00Z`;
  return {
    text: [...common, time, `Dana Example ${at}`, `1950-05-${day}`, `2026-02-${day}`].join(','),
    cells: [...common, time, `Dana Example ${at}`, SERIAL - 28_000 + (at % 28), SERIAL + (at % 28)],
  };
}

interface Ran {
  readonly seconds: number;
  /** Processor time, for which it matters less what else runs. */
  readonly cpu: number;
  readonly mib: number;
}

/** Imports a file into a new store with the program of a tree. */
async function ran(tree: string, file: string): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-pairs-'));
  try {
    const env = { ...process.env, DATABASE_URL: `sqlite:${join(folder, 'store.db')}` };
    const program = join(tree, 'bin', 'ledgerstone');
    const run = (...words: string[]) =>
      execFileSync(program, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    run('accounts', 'create', '--name', 'Example');
    run('import', '--fast', join(data, 'locations.csv'));
    const began = performance.now();
    const words = ['import', '--fast', '--resource', 'events', file];
    const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    let [mib, cpu] = [0, 0];
    const looking = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
        cpu = (Number(stat?.[11]) + Number(stat?.[12])) / TICKS;
        mib = Math.max(mib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
      } catch {
        // It has ended.
      }
    }, LOOK_MS);
    const code = await new Promise((done) => child.on('close', done));
    clearInterval(looking);
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${said.slice(-2_000)}`);
    return { seconds: (performance.now() - began) / 1_000, cpu, mib };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (other === '' || !(ROWS > 0) || !(PAIRS > 0)) {
  console.error('Name the folder of the other tree: bench/import-pairs.ts ../main [rows] [pairs]');
  process.exit(1);
}
const data = mkdtempSync(join(tmpdir(), 'ledgerstone-pairs-data-'));
try {
  mkdirSync(data, { recursive: true });
  const all = Array.from({ length: ROWS }, (_, at) => rowOf(at));
  const lines = [HEADER.join(','), ...all.map(({ text }) => text)].map((line) => `${line}\n`);
  await pipeline(Readable.from(lines), createWriteStream(join(data, 'events.csv')));
  const home = ['external_identifier,location_name\nhome,Home\n'];
  await pipeline(Readable.from(home), createWriteStream(join(data, 'locations.csv')));
  const columns = HEADER.map((header, at) => ({ header, ...(at > 4 && { numFmt: 'yyyy-mm-dd' }) }));
  const book = writeXlsxStream(
    all.map(({ cells }) => cells),
    { name: 'events', columns },
  );
  await pipeline(Readable.fromWeb(book as never), createWriteStream(join(data, 'events.xlsx')));
  for (const name of ['events.csv', 'events.xlsx']) {
    const theirs: Ran[] = [];
    const ours: Ran[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const order = [
        [resolve(other), theirs],
        [HERE, ours],
      ] as const;
      for (const [tree, results] of pair % 2 === 0 ? order : order.toReversed())
        results.push(await ran(tree, join(data, name)));
    }
    const ratiosOf = (of: 'seconds' | 'cpu') =>
      ours.map((one, at) => (theirs[at]?.[of] ?? Number.NaN) / one[of]);
    const ratios = ratiosOf('seconds');
    const seconds = (some: readonly Ran[]) => median(some.map((one) => one.seconds)).toFixed(2);
    const mib = (some: readonly Ran[]) => Math.round(Math.max(...some.map((one) => one.mib)));
    console.log(
      `${name}, ${ROWS} rows: ${seconds(theirs)} s before, ${seconds(ours)} s here, ${median(ratios).toFixed(3)} of the speed before (${ratios.map((one) => one.toFixed(2)).join(' ')}), ${median(ratiosOf('cpu')).toFixed(3)} by processor time; ${mib(theirs)} MiB before, ${mib(ours)} MiB here`,
    );
  }
} finally {
  rmSync(data, { recursive: true });
}
