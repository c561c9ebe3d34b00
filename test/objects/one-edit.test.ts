/** A field of one of our own objects, and a table, are declared in one place: what stores and shows them has them, too. */
// needs: --ci, program, long
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type * as Generate from '../../scripts/generate.ts';
import type * as OpenApi from '../../scripts/openapi/document.ts';
import type * as OwnTables from '../../scripts/own-tables.ts';
import type * as Resources from '../../src/core/resources/index.ts';
import type * as Imports from '../../src/features/imports/store.ts';
import type * as Parts from '../../src/services/backup/parts.ts';
import type * as Statements from '../../src/store/books/sql/key-sql.ts';
import { ask } from '../support/ask.ts';
import { findServer, postgresGround } from '../support/store-postgres.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FIELD = `    colour: nullable(text(), 'The colour of its label', { example: 'green', settable }),\n`;
const COLOUR = `    colour: field(text(), 'Its colour', { initial: 'none' }),\n`;
/** By file: before which field it goes. */
const DECLARED = {
  'api-key.ts': ['ending', FIELD],
  'passkey.ts': ['inserted_at', COLOUR],
  '../../features/imports/declares/import-run.ts': ['accounts', COLOUR],
} as const;

const TABLE = `import { text } from '../schema/fields/index.ts';
import { count, identifier } from './kinds.ts';
import { field, ownTable } from './own-object.ts';

export const shade = ownTable({
  table: 'shade',
  key: ['of_account', 'number'],
  indexes: { tint: 'of_account, tint' },
  goesWith: 'account',
  backup: 'shades',
  holds: 'Shades of people',
  goes: 'Never',
  fields: {
    of_account: field(identifier('acct_'), 'The account'),
    number: field(count(), 'Which one'),
    tint: field(text(), 'How it looks', { personal: true }),
  },
});
`;

const copy = mkdtempSync(join(tmpdir(), 'ledgerstone-one-edit-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
const load = <Module>(path: string): Promise<Module> => import(join(copy, path));

const runIn = (project: string, url: string, ...words: string[]): string =>
  execFileSync(process.execPath, [join(project, 'src/main.ts'), ...words], {
    env: { ...process.env, DATABASE_URL: url },
    encoding: 'utf8',
    timeout: 60_000,
  });
const run = (url: string, ...words: string[]): string => runIn(copy, url, ...words);

describe('What is declared once', () => {
  before(async () => {
    for (const name of [
      'bin',
      'src',
      'scripts',
      'client',
      'console',
      'docs',
      'manual',
      'package.json',
    ])
      cpSync(join(PROJECT, name), join(copy, name), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
    for (const [name, [before, field]] of Object.entries(DECLARED)) {
      const declaration = join(copy, 'src/core/objects', name);
      const text = readFileSync(declaration, 'utf8');
      const place = text.indexOf(`    ${before}: field(`);
      assert.ok(place > 0);
      writeFileSync(declaration, text.slice(0, place) + field + text.slice(place));
    }
    writeFileSync(join(copy, 'src/core/objects/shade.ts'), TABLE);
    const { tablesText } = await load<typeof OwnTables>('scripts/own-tables.ts');
    writeFileSync(join(copy, 'src/core/objects/tables/all.ts'), tablesText());
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
      'client/src/generated/objects.d.ts': [
        /type ApiKey = \{[^}]*colour: string \| null;/,
        /type Import = \{(?:(?!export type).)*colour: string;/s,
      ],
      'console/src/generated/objects.ts': [
        /type ApiKey = client\.ApiKey & \{/,
        /type Passkey = \{[^}]*colour: string;/,
      ],
    };
    for (const [name, says] of Object.entries(types))
      for (const one of says)
        assert.match(outputs.find(({ path }) => path === name)?.text() ?? '', one, name);
  });

  it('is in backups, and written and read on both stores', async () => {
    const { resources } = await load<typeof Resources>('src/core/resources/index.ts');
    const { partsOf } = await load<typeof Parts>('src/services/backup/parts.ts');
    for (const { name, columns = [] } of partsOf(resources))
      if (['keys', 'imports', 'staff_passkeys'].includes(name))
        assert.ok(columns.some((column) => column.name === 'colour'));
    const { keyStatements } = await load<typeof Statements>('src/store/books/sql/key-sql.ts');
    const { insert, list } = keyStatements;
    const { sql: importStatements } = await load<typeof Imports>('src/features/imports/store.ts');
    for (const { sqlite, postgres } of [insert, list, importStatements.put, importStatements.find])
      for (const text of [sqlite, postgres]) assert.match(text, /"colour"/);
  });

  it('is added to a store that is there, and printed by the command line', async () => {
    const url = `sqlite:${join(copy, 'one.db')}`;
    const made = JSON.parse(runIn(PROJECT, url, 'accounts', 'create', '--name', 'A', '--json'));
    const key = JSON.parse(
      run(url, 'keys', 'create', '--account', made.unique_identifier, '--json'),
    );
    assert.equal(key.colour, null);
    await ask(url, "UPDATE api_key SET colour = 'red'");
    assert.match(run(url, 'keys', 'show', key.unique_identifier), /^Colour +red$/m);
    const rotated = JSON.parse(run(url, 'keys', 'rotate', key.unique_identifier, '--json'));
    assert.equal(rotated.colour, 'red', 'a key like the old one');
  });

  it('is a table, on both stores: made, backed up, emptied with its account, and told of', async () => {
    const { outputs } = await load<typeof Generate>('scripts/generate.ts');
    const page = outputs.find(({ path }) => path === 'docs/personal-data.md')?.text() ?? '';
    assert.match(page, /^\| `shade` \| Shades of people \| `tint` \| `of_account` \| Never \|$/m);
    const url = `sqlite:${join(copy, 'table.db')}`;
    const made = runIn(PROJECT, url, 'accounts', 'create', '--name', 'A', '--json');
    const account = JSON.parse(made).unique_identifier;
    assert.match(run(url, 'migrate'), /^ {2}tables shade$/m);
    const insert = `INSERT INTO shade (of_account, number, tint) VALUES ('${account}', 1, 'Ann')`;
    await ask(url, insert);
    const backup = join(copy, 'first.backup');
    run(url, 'backup', backup);
    const places = [`${url}.restored`, ...(await databases())];
    for (const place of places) {
      run(place, 'restore', backup);
      const next = join(copy, `${places.indexOf(place)}.backup`);
      run(place, 'backup', next);
      const last = `${url}.${places.indexOf(place)}`;
      run(last, 'restore', next);
      assert.equal(await shadesIn(last), 1, place);
      run(place, 'accounts', 'close', account);
      run(place, 'accounts', 'delete', account, '--yes');
      assert.equal(await shadesIn(place), 0, place);
    }
  });
});

/** An empty database, where there is a server. */
async function databases(): Promise<readonly string[]> {
  const server = await findServer().catch(() => undefined);
  if (server === undefined) return [];
  const { url } = await postgresGround(server);
  return [url];
}

async function shadesIn(url: string): Promise<number> {
  return (await ask(url, "SELECT 1 FROM shade WHERE tint = 'Ann'")).length;
}
