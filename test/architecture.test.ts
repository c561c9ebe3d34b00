/** The house keeps its law: who may import whom, no cycles, one name for one type, small files (docs/architecture.md). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { breachesOf, importsOf } from './support/import-law.ts';

const SRC = join(import.meta.dirname, '..', 'src');

const sources = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(SRC, path), 'utf8')]),
);

describe('the house', () => {
  it('keeps its law', () => {
    assert.deepEqual(breachesOf(sources), []);
  });

  it('is found: its files and what they import', () => {
    assert.ok(sources.size > 50);
    const imports = [...sources].flatMap(([path, text]) => importsOf(path, text));
    assert.ok(imports.length > 200);
    for (const imported of imports.filter((path) => path.endsWith('.ts'))) {
      assert.ok(sources.has(imported), `${imported} is no file`);
    }
  });
});

describe('the law can be broken', () => {
  const cases: readonly [why: string, files: Record<string, string>, breach: string][] = [
    [
      'an adapter outside the store',
      { 'http/x.ts': "import { open } from '../store/sqlite/y.ts';", 'store/sqlite/y.ts': '' },
      'src/http/x.ts may not import src/store/sqlite/y.ts',
    ],
    [
      'a type counts, too',
      {
        'schema/x.ts': "import type {\n  A,\n  B,\n} from '../store/store.ts';",
        'store/store.ts': '',
      },
      'src/schema/x.ts may not import src/store/store.ts',
    ],
    [
      'one adapter from another',
      {
        'store/postgres/x.ts': "export * from '../sqlite/y.ts';",
        'store/sqlite/y.ts': '',
      },
      'src/store/postgres/x.ts may not import src/store/sqlite/y.ts',
    ],
    [
      'resources from anywhere but the composition root',
      {
        'openapi/x.ts': "export { account } from '../resources/account.ts';",
        'resources/account.ts': '',
      },
      'src/openapi/x.ts may not import src/resources/account.ts',
    ],
    [
      'settings below the composition root',
      { 'ingest/x.ts': "type S = import('../config.ts').Settings;", 'config.ts': '' },
      'src/ingest/x.ts may not import src/config.ts',
    ],
    [
      'for its side effects',
      { 'errors.ts': "import './app.ts';", 'app.ts': '' },
      'src/errors.ts may not import src/app.ts',
    ],
    [
      'a cycle',
      {
        'schema/a.ts': "import { b } from './b.ts';",
        'schema/b.ts': "import type { C } from './c.ts';",
        'schema/c.ts': "export type { A } from './a.ts';",
      },
      'import cycle: src/schema/a.ts → src/schema/b.ts → src/schema/c.ts → src/schema/a.ts',
    ],
    ['a room that nobody knows', { 'utils/x.ts': '' }, 'src/utils/x.ts is in no room of the law'],
    [
      'a long file',
      { 'errors.ts': 'x\n'.repeat(401) },
      'src/errors.ts has 401 lines, and 400 are the most',
    ],
    ['a deep folder', { 'http/a/b/c/x.ts': '' }, 'src/http/a/b/c/x.ts is more than 3 folders deep'],
    [
      'two types of one name',
      { 'http/x.ts': 'export interface Place {}', 'schema/y.ts': 'export type Place = string;' },
      'Place is the name of a type in src/http/x.ts and in src/schema/y.ts',
    ],
    [
      'a type of an adapter with the name of one outside',
      {
        'http/x.ts': 'export interface Place {}',
        'store/sqlite/y.ts': 'export class Place {}',
        'store/postgres/y.ts': '',
      },
      'Place is the name of a type in src/http/x.ts and in src/store/sqlite/y.ts',
    ],
    [
      'the environment read anywhere',
      { 'store/store.ts': 'const path = process.env.PATH;' },
      'src/store/store.ts may not read process.env',
    ],
  ];
  for (const [why, files, breach] of cases) {
    it(why, () => assert.deepEqual(breachesOf(new Map(Object.entries(files))), [breach]));
  }

  it('and what is lawful is none', () => {
    const files = {
      'http/x.ts':
        "import { StoreUnavailable } from '../store/store.ts';\nimport fastify from 'fastify';",
      'store/store.ts': "import type { Fault } from '../errors.ts';",
      'store/sqlite/x.ts': 'export interface Table {}',
      'store/postgres/x.ts': 'export class Table {}',
      'errors.ts': '',
      'cli/x.ts': 'process.env.HOME',
    };
    assert.deepEqual(breachesOf(new Map(Object.entries(files))), []);
  });
});
