/** However many rows there are, import, export, backup and restore take less than 200 MiB. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { ALL } from '../support/all.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, run, type Start } from '../support/cli-program.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { onPostgres } from '../support/store-postgres.ts';

const MIB = 1024;
const MOST = 200 * MIB;
/** Enough that whatever is kept of each row, or of what is read of the file, is more than that: many rows, or long ones. */
const ROWS = ALL ? 400_000 : 14_000;
const NOTE = ALL ? '' : 'x'.repeat(4_000);
/** Rows are slower there, and what the command takes does not depend on the server. */
const ROWS_THERE = ALL ? 200_000 : 2_000;
const PRELOAD = join(import.meta.dirname, '../support/peak-memory.ts');
const skip = existsSync('/proc/self/status') ? false : 'Only Linux says how much it was.';

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

/** Into the store, out of it in every format, and all of it into a second one. */
async function carry(
  test: TestContext,
  rows: number,
  env: Record<string, string>,
  other: Record<string, string>,
): Promise<void> {
  const cwd = ownFolder(test);
  await makeAccount(cwd, env);
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write('locations.csv', 'external_identifier,location_name\nmain-street,Main Street Chapel\n');
  writeEvents(join(cwd, 'events.csv'), rows);
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
    [['backup', 'backups/'], env],
    [['restore', 'backups/'], other],
  ] as const) {
    const peak = await peakOf(words, store);
    test.diagnostic(`${words.join(' ')}: ${Math.round(peak / MIB)} MiB`);
    assert.ok(peak < MOST, `${words.join(' ')} took ${Math.round(peak / MIB)} MiB`);
  }
}

it(`${ROWS} rows in a SQLite file`, { skip, timeout: 900_000 }, async (t) => {
  const other = { DATABASE_URL: `sqlite:${join(ownFolder(t), 'other.db')}` };
  await carry(t, ROWS, {}, other);
});

await onPostgres(({ name, url }) => {
  it(`${ROWS_THERE} rows in ${name}`, { skip, timeout: 900_000 }, async (t) => {
    const { env } = await emptyDatabase(t, url);
    const { env: other } = await emptyDatabase(t, url);
    await carry(t, ROWS_THERE, { ...env }, { ...other });
  });
});
