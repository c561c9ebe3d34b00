/**
 * Reads workbooks as an import does and as LibreOffice does, and lists the cells in which people would see something else:
 *   sh bin/run scripts/beside-office.ts FOLDER
 * CI does not run it: it has no LibreOffice. Where a program shows a number or a day otherwise for a country or a font, both may be right.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { shownIn } from '../src/core/tables/cell.ts';
import { openWorkbook } from '../src/core/tables/read-xlsx/workbook.ts';

/** Comma, quotes, UTF-8, all as it is shown, each sheet its own file. */
const EACH_SHEET = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';
const IN_A_CALL = 20;
const CALL_MS = 180_000;
const LONGEST_ROW = 1_048_576;
const SHOWN = 6;

type Grid = ReadonlyMap<string, string>;

const [folder = '.'] = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => /\.xls[xm]$/i.test(name))
  .toSorted();
const theirs = mkdtempSync(join(tmpdir(), 'ledgerstone-office-'));
const counts = { files: 0, refused: 0, unread: 0, sheets: 0, cells: 0, different: 0 };
try {
  for (let at = 0; at < files.length; at += IN_A_CALL) {
    const some = files.slice(at, at + IN_A_CALL);
    const to = join(theirs, `${at}`);
    mkdirSync(to);
    convert(some, to);
    for (const name of some) await compare(name, to);
  }
  console.log(JSON.stringify(counts));
} finally {
  rmSync(theirs, { recursive: true });
}

/** A file that stops the office is left out; the others of its call are tried alone. */
function convert(some: readonly string[], to: string): void {
  const words = ['--headless', '--convert-to', EACH_SHEET, '--outdir', to];
  try {
    const paths = some.map((name) => join(folder, name));
    execFileSync('soffice', [...words, ...paths], { stdio: 'ignore', timeout: CALL_MS });
  } catch {
    if (some.length > 1) for (const one of some) convert([one], to);
  }
}

async function compare(name: string, to: string): Promise<void> {
  counts.files += 1;
  const stem = basename(name).replace(/\.[^.]*$/, '');
  try {
    using book = await openWorkbook(join(folder, name));
    const written = readdirSync(to);
    for (const sheet of book.sheets) {
      const grid = new Map<string, string>();
      for await (const rows of book.rows(sheet, LONGEST_ROW)) {
        for (const row of rows) {
          for (const { column, text, value } of row.cells) {
            const shown = normal(shownIn(text, value));
            if (shown !== '') grid.set(`${row.number}:${column}`, shown);
          }
        }
      }
      const csv = written.find((one) => one === `${stem}-${sheet.replaceAll('/', '_')}.csv`);
      if (csv === undefined) counts.unread += 1;
      else tell(`${name} ${sheet}`, grid, gridOf(join(to, csv)));
    }
  } catch (error) {
    counts.refused += 1;
    console.log(`${name}: refused: ${error instanceof Error ? error.message : error}`);
  }
}

function gridOf(path: string): Grid {
  const rows: string[][] = parse(readFileSync(path, 'utf8'), { relax_column_count: true });
  return new Map(
    rows.flatMap((row, at) =>
      row.flatMap((text, column) => {
        const shown = normal(text);
        return shown === '' ? [] : [[`${at + 1}:${column}`, shown] as const];
      }),
    ),
  );
}

function normal(text: string): string {
  return text.normalize().replace(/\s+/g, ' ').trim();
}

function tell(sheet: string, ours: Grid, others: Grid): void {
  counts.sheets += 1;
  const places = new Set([...ours.keys(), ...others.keys()]);
  const different = [...places].filter((at) => ours.get(at) !== others.get(at));
  counts.cells += places.size;
  counts.different += different.length;
  if (different.length === 0) return;
  console.log(`${sheet}: ${different.length} of ${places.size}`);
  for (const at of different.slice(0, SHOWN)) {
    console.log(`  ${at} ${JSON.stringify(ours.get(at))} | ${JSON.stringify(others.get(at))}`);
  }
}
