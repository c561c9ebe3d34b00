/** What others take for the same: programs that know nothing of records, and check nothing of what they take in. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchPostgres, onServer } from '../postgres-server.ts';
import { type Took, timed } from './command.ts';
import { COLUMNS } from './rows.ts';

export interface Rival {
  readonly what: string;
  readonly took?: Took;
  readonly mb?: number;
  /** Why it was not measured. */
  readonly missing?: string;
}

/** A table with the columns of the file, and the index that tells one record from another. */
const TABLE = `CREATE TABLE rival (${COLUMNS.map((name) => `"${name}" text NOT NULL`).join(', ')});
CREATE UNIQUE INDEX rival_pair ON rival ("location_unique_identifier", "external_identifier");`;

export async function sqliteRivals(
  folder: string,
  store: string,
  csv: string,
): Promise<readonly Rival[]> {
  if (!isThere('sqlite3')) {
    return [{ what: 'sqlite3', missing: 'sqlite3 is not installed (apt-get install sqlite3)' }];
  }
  const own = join(folder, 'sqlite3');
  mkdirSync(own);
  const taken = ['taken.db', TABLE, `.import --csv --skip 1 ${csv} rival`];
  const imported = await timed('sqlite3', taken, { cwd: own });
  const copied = await timed('sqlite3', [store, '.backup copy.db'], { cwd: own });
  const copy = join(own, 'copy.db');
  const rivals = [
    { what: 'sqlite3 .import --csv', took: imported, mb: megabytes(join(own, 'taken.db')) },
    { what: 'sqlite3 .backup', took: copied, mb: megabytes(copy) },
  ];
  rmSync(own, { recursive: true });
  return rivals;
}

export async function postgresRivals(
  folder: string,
  server: BenchPostgres,
  url: string,
  csv: string,
): Promise<readonly Rival[]> {
  const program = (name: string): string => join(server.programs, name);
  const cwd = folder;
  const at = async (name: string): Promise<string> => {
    await onServer(server.url, (client) => client.query(`CREATE DATABASE ${name}`));
    const made = new URL(server.url);
    made.pathname = name;
    return made.href;
  };
  const taken = await at('rival_taken');
  const script = join(folder, 'take.sql');
  writeFileSync(script, `${TABLE}\n\\copy rival from '${csv}' with (format csv, header)\n`);
  const words = ['-v', 'ON_ERROR_STOP=1', '-q', '-d', taken, '-f', script];
  const imported = await timed(program('psql'), words, { cwd });
  const dump = join(folder, 'store.dump');
  const dumped = await timed(program('pg_dump'), ['-Fc', '-f', dump, '-d', url], { cwd });
  const restored = await timed(program('pg_restore'), ['-d', await at('rival_restored'), dump], {
    cwd,
  });
  const mb = megabytes(dump);
  rmSync(dump);
  return [
    { what: 'psql \\copy', took: imported },
    { what: 'pg_dump -Fc', took: dumped, mb },
    { what: 'pg_restore', took: restored },
  ];
}

export function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

export function megabytes(path: string): number {
  return existsSync(path) ? statSync(path).size / 1e6 : 0;
}

export function versionOf(program: string): string {
  return execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
}
