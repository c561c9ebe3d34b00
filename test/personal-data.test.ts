/** Every table, column and file that the service writes is classed by what it holds of people: nothing is forgotten. */

import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  recordsTable,
  SEARCH_TABLES,
  TABLES,
  type Table,
} from '../scripts/reference/personal-data.ts';
import { OTHER_FILES, STORE_FILES } from '../scripts/reference/personal-files.ts';
import { ownColumns } from '../src/core/objects/own-object.ts';
import { ownTables } from '../src/core/objects/tables/all.ts';
import { resources, shapes } from '../src/core/registry.ts';
import type { Field } from '../src/core/schema/fields/kind.ts';
import { openStore } from '../src/store/open.ts';
import { searchFile } from '../src/store/sqlite/search/file.ts';
import { ask } from './support/ask.ts';
import { opened } from './support/opened.ts';
import { onPostgres } from './support/store-postgres.ts';
import { sqliteGround } from './support/store-sqlite.ts';

type Classed = Readonly<Record<string, Table>>;

/** `table.column` for each of them. */
const classed = (tables: Classed): string[] =>
  Object.entries(tables).flatMap(([table, { content = '', identifiers = '', nothing = '' }]) =>
    `${content} ${identifiers} ${nothing}`
      .trim()
      .split(/\s+/)
      .map((column) => `${table}.${column}`),
  );

const all: Classed = {
  ...Object.fromEntries(
    resources
      .filter(({ parent }) => parent !== undefined)
      .map((resource) => [resource.name, recordsTable(resource)]),
  ),
  ...TABLES,
};
/** What some store has. */
const seen = new Set<string>();

function wantClassed(columns: readonly string[], tables: Classed): void {
  const known = classed(tables);
  assert.equal(new Set(known).size, known.length, 'a column is classed twice');
  assert.ok(columns.length > 0);
  assert.deepEqual(
    columns.filter((column) => !known.includes(column)),
    [],
    'class it where it is declared, or in scripts/reference/personal-data.ts: what does it hold of people, and when does that go?',
  );
}

/** Notes about a record that stay when it is erased, and why. */
const STAYS = new Map([
  ['audit_entry', 'says who has seen what, and holds nothing of it'],
  ['hold', 'says why a record is kept: it is released, and goes two years later'],
]);

it('what people note about a record is declared to go with it', () => {
  const noted = ownTables.filter(
    ({ fields }) =>
      ownColumns({ fields }).some(({ field }) => field.personal) &&
      ['record', 'records'].some((name) => fields[name] !== undefined),
  );
  assert.ok(noted.length > 0);
  const left = noted.flatMap(({ about, table }) => (about || STAYS.has(table) ? [] : table));
  assert.deepEqual(left, [], 'declare `about`, or say why it stays');
});

async function columnsOf(path: string): Promise<readonly string[]> {
  const rows = await ask(
    `sqlite:${path}`,
    `SELECT t.name || '.' || c.name AS name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  );
  return rows.map(({ name }) => name);
}

describe('What is written is classed by what it holds of people', () => {
  it('each column and file of a SQLite store', async () => {
    const { url, path, folder } = await sqliteGround();
    const store = await opened({ url, shapes, create: true, serve: true });
    await store.accounts.create({ name: 'A', livemode: false });
    while (await store.search.feed());
    const columns = await columnsOf(path);
    wantClassed(columns, all);
    for (const column of columns) seen.add(column);
    const ofIndex = await columnsOf(searchFile(path));
    wantClassed(ofIndex, SEARCH_TABLES);
    assert.deepEqual(classed(SEARCH_TABLES).toSorted(), ofIndex.toSorted());

    const files = readdirSync(folder, { recursive: true }).map((name) =>
      join(folder, String(name)),
    );
    assert.ok(files.length > 3, String(files));
    assert.deepEqual(
      files.filter(
        (file) =>
          !file.startsWith(path) ||
          !STORE_FILES.some(({ pattern }) => pattern.test(file.slice(path.length))),
      ),
      [],
    );
  });

  it('each file of any name, by what writes it', () => {
    const WRITES = new RegExp(
      [
        /\b(writeFile|appendFile|copyFile|cp|mkdtemp)(Sync)?\(|\bcreateWriteStream\(|HeapSnapshot\(|VACUUM INTO|\b(replaceFile|writeDurably)\(/,
        /\bopen(Sync)?\([^;]*?(\bflags?\b|'(w|a|ax|wx|r\+|w\+|wx\+|a\+)')/,
        /new DatabaseSync\((?!':memory:'|[^;]*?readOnly: true)/,
      ]
        .map(({ source }) => source)
        .join('|'),
    );
    const writers = globSync('src/**/*.ts').filter((path) =>
      WRITES.test(readFileSync(path, 'utf8')),
    );
    assert.deepEqual(
      writers.map((path) => path.slice('src/'.length)).toSorted(),
      [...new Set([...STORE_FILES, ...OTHER_FILES].flatMap(({ by }) => by))].toSorted(),
      'class what it writes in scripts/reference/personal-files.ts: what does it hold of people, and when does that go?',
    );
  });

  it('each field that only people have', () => {
    const OF_PEOPLE = /^(phone|US phone|email|date$|object$|free-form|text map)/i;
    for (const { name, parent, fields, public_data } of resources) {
      if (parent === undefined) continue;
      for (const [field, { kind, personal }] of Object.entries<Field>({
        ...fields,
        ...public_data,
      }))
        if (OF_PEOPLE.test(kind.name)) assert.equal(personal, true, `${name}.${field}`);
    }
  });
});

// After the file of SQLite, so that what neither has is known.
await onPostgres(({ name, ground }) =>
  it(`each column of a store on ${name}, and nothing that no store has`, async () => {
    const { url } = await ground();
    const store = await openStore({ url, shapes, create: true, serve: false });
    const rows = await ask(
      url,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema()`,
    );
    await store.close();
    const columns = rows.map((row) => String(row.name));
    wantClassed(columns, all);
    for (const column of columns) seen.add(column);
    assert.deepEqual(
      classed(all).filter((column) => !seen.has(column)),
      [],
      'no store has it',
    );
  }),
);
