/** Many rows by the commands into a store, out of it and into another, and how much memory each command takes. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  appendFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';
import { ALL } from './all.ts';
import { ownFolder, run, type Start } from './cli-program.ts';
import { makeAccount } from './cli-setup.ts';
import { workbookBytes } from './workbook-file.ts';

const MIB = 1024;
const MOST = 200 * MIB;
/** Rows are longer where they are fewer. */
// No longer run repeats itself: a workbook of one letter alone is packed like a bomb, and refused.
const NOTE = Array.from({ length: ALL ? 16 : 32 }, (_, at) => hash('sha512', String(at)))
  .join('')
  .slice(0, ALL ? 2_000 : 4_000);
const PRELOAD = join(import.meta.dirname, 'peak-memory.ts');
export const skip = existsSync('/proc/self/status') ? false : 'Only Linux says how much it was.';

function writeEvents(path: string, rows: number): void {
  writeFileSync(
    path,
    'external_identifier,location_external_identifier,event_name,event_datetime,person.full_name,person.date_of_death,additional_event_metadata.note\n',
  );
  for (let at = 0; at < rows; at += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => {
      const name = `Jane Doe ${at + index}`;
      return `case-${at + index},main-street,"Celebration of life, ${name}",2026-11-20T14:30:00-05:00,${name},2026-11-14,${NOTE}\n`;
    });
    appendFileSync(path, lines.join(''));
  }
}

/** Of a workbook whose cells share texts, of which there are more than memory may hold. */
const WORKBOOK = ALL ? 50_000 : 2_000;
const SHARED_NOTE = NOTE.slice(0, ALL ? 100 : 4_000);

/** As Excel saves it: the texts of all sheets behind them, each once. */
async function writeWorkbook(path: string, rows: number, shared: number): Promise<void> {
  const columns = ['external_identifier', 'location_external_identifier', 'event_name'];
  const names = [...columns, 'event_datetime', 'main-street', '2026-11-20T14:30:00-05:00'];
  const own = 2 * rows;
  async function* sheet(): AsyncGenerator<string> {
    const line = (...texts: readonly number[]) =>
      `<row>${texts.map((at) => `<c t="s"><v>${at}</v></c>`).join('')}</row>`;
    yield line(0, 1, 2, 3);
    for (let at = 0; at < rows; at += 1) {
      yield line(names.length + 2 * at, 4, names.length + 2 * at + 1, 5);
    }
  }
  async function* strings(): AsyncGenerator<string> {
    for (const name of names) yield `<si><t>${name}</t></si>`;
    for (let at = 0; at < own; at += 2)
      yield `<si><t>book-${at}</t></si><si><t>Funeral ${at}</t></si>`;
    for (let at = own; at < shared; at += 1) yield `<si><t>${at} ${SHARED_NOTE}</t></si>`;
  }
  const sheets = { Services: sheet() };
  await pipeline(workbookBytes({ sheets, strings: strings() }), createWriteStream(path));
}

/** Without making room for the tests beside them, which would take minutes. */
function hurried(words: readonly string[]): readonly string[] {
  return words[0] === 'restore' || words.includes('--fast') ? words : [...words, '--fast'];
}

/** Into the store, out of it in every format, and all of it into a second one; none of it may take 200 MiB. */
export async function carry(
  test: TestContext,
  { rows, shared }: { readonly rows: number; readonly shared: number },
  env: Record<string, string>,
  other: Record<string, string>,
): Promise<void> {
  const cwd = ownFolder();
  await makeAccount(cwd, env);
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write('locations.csv', 'external_identifier,location_name\nmain-street,Main Street Chapel\n');
  writeEvents(join(cwd, 'events.csv'), rows);
  await writeWorkbook(join(cwd, 'workbook.xlsx'), Math.min(rows, WORKBOOK), shared);
  mkdirSync(join(cwd, 'backups'));
  const PEAK_FILE = join(cwd, 'peak');
  const peakOf = async (words: readonly string[], store: Start['env']): Promise<number> => {
    const own = { PEAK_FILE, NODE_OPTIONS: `--import=${PRELOAD}` };
    const { code, stderr } = await run(words, { cwd, env: { ...store, ...own } });
    assert.equal(code, 0, stderr);
    return Number(readFileSync(PEAK_FILE, 'utf8'));
  };
  for (const [words, store] of [
    [['import', 'locations.csv', 'events.csv'], env],
    ...['ndjson', 'csv', 'xlsx'].map(
      (format) => [['export', '--format', format, '--out', `${format}/`], env] as const,
    ),
    [['import', '--fast', 'xlsx/events.xlsx'], env],
    [['import', '--fast', '--resource', 'events', 'workbook.xlsx'], env],
    [['backup', 'backups/'], env],
    [['restore', 'backups/'], other],
  ] as const) {
    const peak = await peakOf(hurried(words), store);
    test.diagnostic(`${words.join(' ')}: ${Math.round(peak / MIB)} MiB`);
    assert.ok(peak < MOST, `${words.join(' ')} took ${Math.round(peak / MIB)} MiB`);
  }
}
