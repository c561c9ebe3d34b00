/** The tables of a store, of either kind, in whose rows something stands. */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { until } from './until.ts';

/** `database` as in `DATABASE_URL`. */
export function tablesHolding(
  database: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const file = /^sqlite:(.+)$/.exec(database)?.[1];
  return file === undefined ? inPostgres(database, texts) : inSqlite(file, texts);
}

async function inSqlite(path: string, texts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of [path, `${path}-search`]) {
    const database = await opened(file);
    const columns = database
      .prepare(
        "SELECT m.name, group_concat('CAST(\"' || c.name || '\" AS TEXT)', ',') AS texts FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' GROUP BY m.name",
      )
      .all();
    for (const { name, texts: row } of columns) {
      const wanted = texts.map(() => `instr(concat_ws('|', ${row}), ?) > 0`).join(' OR ');
      const has = database.prepare(`SELECT 1 FROM "${name}" WHERE ${wanted} LIMIT 1`);
      if (name !== 'home' && has.get(...texts) !== undefined) found.push(String(name));
    }
    database.close();
  }
  return found;
}

/** Read only. A service makes its index of search some seconds after it has started. */
async function opened(path: string): Promise<DatabaseSync> {
  await until(() => {
    using database = openedOrNot(path);
    return database !== undefined;
  });
  return new DatabaseSync(path, { readOnly: true });
}

function openedOrNot(path: string): DatabaseSync | undefined {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch {
    return undefined;
  }
}

async function inPostgres(url: string, texts: readonly string[]): Promise<readonly string[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const found: string[] = [];
    const { rows } = await client.query(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
    );
    for (const { name } of rows) {
      const wanted = texts.map((text) => `each::text LIKE '%${text}%'`).join(' OR ');
      const held = await client.query(`SELECT 1 FROM "${name}" AS each WHERE ${wanted} LIMIT 1`);
      if (held.rowCount === 1) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}
