/** A field of one of our own objects is declared in one place: what stores and shows the object has it, too. */
// needs: program
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, it } from 'node:test';
import type * as Generate from '../../scripts/generate.ts';
import type * as OpenApi from '../../scripts/openapi/document.ts';
import type * as Resources from '../../src/core/resources/index.ts';
import type * as Imports from '../../src/store/books/imports.ts';
import type * as Statements from '../../src/store/books/sql/key-sql.ts';
import type * as FixedTables from '../../src/store/promises/fixed-tables.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FIELD = `    colour: nullable(text(), 'The colour of its label', { example: 'green', settable }),\n`;
/** By file: before which field it goes. */
const DECLARED = {
  'api-key.ts': ['ending', FIELD],
  'transfer/import-run.ts': ['accounts', `    colour: field(text(), 'Its colour'),\n`],
} as const;

describe('A field that is declared once', () => {
  const copy = mkdtempSync(join(tmpdir(), 'ledgerstone-one-edit-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  const load = <Module>(path: string): Promise<Module> => import(join(copy, path));

  before(() => {
    for (const name of ['src', 'scripts', 'client', 'console', 'docs', 'package.json'])
      cpSync(join(PROJECT, name), join(copy, name), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
    for (const [name, [before, field]] of Object.entries(DECLARED)) {
      const declaration = join(copy, 'src/core/objects', name);
      const text = readFileSync(declaration, 'utf8');
      const place = text.indexOf(`    ${before}: field(`);
      assert.ok(place > 0);
      writeFileSync(declaration, text.slice(0, place) + field + text.slice(place));
    }
    for (const store of ['sqlite', 'postgres'])
      writeFileSync(
        join(copy, `src/store/${store}/schema/migrations/9000_colour.sql`),
        'ALTER TABLE api_key ADD COLUMN colour text;\nALTER TABLE import_run ADD COLUMN colour text;\n',
      );
  });

  it('is in OpenAPI, and in the types of the client and of the console', async () => {
    const { openapiDocument } = await load<typeof OpenApi>('scripts/openapi/document.ts');
    const { resources } = await load<typeof Resources>('src/core/resources/index.ts');
    const { components } = openapiDocument(resources, 'http://localhost') as {
      components: { schemas: Record<string, { properties: object; required: string[] }> };
    };
    const { properties, required } = components.schemas.ApiKey ?? { properties: {}, required: [] };
    assert.deepEqual((properties as { colour?: object }).colour, {
      type: ['string', 'null'],
      description: 'The colour of its label',
      examples: ['green'],
    });
    assert.ok(required.includes('colour'));
    const { outputs } = await load<typeof Generate>('scripts/generate.ts');
    const types = {
      'client/src/generated/objects.d.ts': /colour: string \| null;/,
      'console/src/generated/objects.ts':
        /type ApiKey = client\.ApiKey & \{.*type Import = \{.*colour: string;.*type Backup/s,
    };
    for (const [name, says] of Object.entries(types))
      assert.match(outputs.find(({ path }) => path === name)?.text() ?? '', says, name);
  });

  it('is in backups, and written and read on both stores', async () => {
    const tables = await load<typeof FixedTables>('src/store/promises/fixed-tables.ts');
    for (const { columns } of [tables.keysTable, tables.importsTable])
      assert.equal(columns.colour, 'text');
    const { keyStatements } = await load<typeof Statements>('src/store/books/sql/key-sql.ts');
    const { insert, list } = keyStatements;
    const { importStatements } = await load<typeof Imports>('src/store/books/imports.ts');
    for (const { sqlite, postgres } of [insert, list, importStatements.put, importStatements.find])
      for (const text of [sqlite, postgres]) assert.match(text, /"colour"/);
  });

  it('is stored by a migration, and printed by the command line', () => {
    const file = join(copy, 'one.db');
    const env = { ...process.env, DATABASE_URL: `sqlite:${file}` };
    const run = (...words: string[]): string =>
      execFileSync(process.execPath, [join(copy, 'src/main.ts'), ...words], {
        env,
        encoding: 'utf8',
        timeout: 60_000,
      });
    const made = JSON.parse(run('accounts', 'create', '--name', 'A', '--json'));
    const key = JSON.parse(run('keys', 'create', '--account', made.unique_identifier, '--json'));
    assert.equal(key.colour, null);
    const database = new DatabaseSync(file);
    database.exec("UPDATE api_key SET colour = 'red'");
    database.close();
    assert.match(run('keys', 'show', key.unique_identifier), /^Colour +red$/m);
    const rotated = JSON.parse(run('keys', 'rotate', key.unique_identifier, '--json'));
    assert.equal(rotated.colour, 'red', 'a key like the old one');
  });
});
