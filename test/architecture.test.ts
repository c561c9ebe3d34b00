/** The house keeps its law: who may import whom, no cycles, one name for one type, small files (docs/architecture.md). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { breachesOf, importsOf, law, roomOf } from '../scripts/import-law.ts';

const PROJECT = join(import.meta.dirname, '..');

/** The TypeScript of the service, of its client, of its console, of what writes its pages, and of its load; by path from the project's folder. */
const sources = new Map(
  ['src', 'client/src', 'console/src', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .sort()
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')]),
  ) as [string, string][],
);

describe('the house', () => {
  it('keeps its law', () => {
    // The law itself names what it forbids.
    const judged = new Map(sources);
    judged.delete('scripts/import-law.ts');
    assert.deepEqual(breachesOf(judged), []);
  });

  it('is found: its files and what they import', () => {
    assert.ok(sources.size > 50);
    const imports = [...sources].flatMap(([path, text]) => importsOf(path, text));
    assert.ok(imports.length > 200);
    for (const imported of imports.filter((path) => /\.tsx?$/.test(path))) {
      assert.ok(sources.has(imported), `${imported} is no file`);
    }
  });

  it('has every room that the law knows', () => {
    const rooms = new Set([...sources.keys()].map((path) => roomOf(path)));
    assert.deepEqual(
      Object.keys(law).filter((room) => !rooms.has(room)),
      [],
    );
  });
});

describe('the law can be broken', () => {
  const cases: readonly [why: string, files: Record<string, string>, breach: string][] = [
    [
      'an adapter outside the store',
      {
        'src/http/x.ts': "import { open } from '../store/sqlite/y.ts';",
        'src/store/sqlite/y.ts': '',
      },
      'src/http/x.ts may not import src/store/sqlite/y.ts',
    ],
    [
      'a type counts, too',
      {
        'src/schema/x.ts': "import type {\n  A,\n  B,\n} from '../store/store.ts';",
        'src/store/store.ts': '',
      },
      'src/schema/x.ts may not import src/store/store.ts',
    ],
    [
      'one adapter from another',
      {
        'src/store/postgres/x.ts': "export * from '../sqlite/y.ts';",
        'src/store/sqlite/y.ts': '',
      },
      'src/store/postgres/x.ts may not import src/store/sqlite/y.ts',
    ],
    [
      'resources from anywhere but the composition root',
      {
        'src/openapi/x.ts': "export { account } from '../resources/account.ts';",
        'src/resources/account.ts': '',
      },
      'src/openapi/x.ts may not import src/resources/account.ts',
    ],
    [
      'settings below the composition root',
      { 'src/ingest/x.ts': "type S = import('../config.ts').Settings;", 'src/config.ts': '' },
      'src/ingest/x.ts may not import src/config.ts',
    ],
    [
      'for its side effects',
      { 'src/errors.ts': "import './app.ts';", 'src/app.ts': '' },
      'src/errors.ts may not import src/app.ts',
    ],
    [
      'a cycle',
      {
        'src/schema/a.ts': "import { b } from './b.ts';",
        'src/schema/b.ts': "import type { C } from './c.ts';",
        'src/schema/c.ts': "export type { A } from './a.ts';",
      },
      'import cycle: src/schema/a.ts → src/schema/b.ts → src/schema/c.ts → src/schema/a.ts',
    ],
    [
      'the service from the bench, but for what it may see',
      { 'bench/x.ts': "import { createApp } from '../src/app.ts';", 'src/app.ts': '' },
      'bench/x.ts may not import src/app.ts',
    ],
    [
      'what both adapters do alike, outside of the store',
      {
        'src/query/x.ts': "import { judge } from '../store/judge.ts';",
        'src/store/judge.ts': '',
      },
      'src/query/x.ts may not import src/store/judge.ts',
    ],
    [
      'the service from the client',
      { 'client/src/x.ts': "import type { A } from '../../src/errors.ts';", 'src/errors.ts': '' },
      'client/src/x.ts may not import src/errors.ts',
    ],
    [
      'packages and Node from the client',
      { 'client/src/x.ts': "import { Readable } from 'node:stream';" },
      'client/src/x.ts may import no package',
    ],
    [
      'a room that nobody knows',
      { 'src/utils/x.ts': '' },
      'src/utils/x.ts is in no room of the law',
    ],
    [
      'a long file',
      { 'src/errors.ts': 'x\n'.repeat(401) },
      'src/errors.ts has 401 lines, and 400 are the most',
    ],
    [
      'a deep folder',
      { 'src/http/a/b/c/x.ts': '' },
      'src/http/a/b/c/x.ts is more than 4 folders deep',
    ],
    [
      'two types of one name',
      {
        'src/http/x.ts': 'export interface Place {}',
        'src/schema/y.ts': 'export type Place = string;',
      },
      'Place is the name of a type in src/http/x.ts and in src/schema/y.ts',
    ],
    [
      'a type of an adapter with the name of one outside',
      {
        'src/http/x.ts': 'export interface Place {}',
        'src/store/sqlite/y.ts': 'export class Place {}',
        'src/store/postgres/y.ts': '',
      },
      'Place is the name of a type in src/http/x.ts and in src/store/sqlite/y.ts',
    ],
    [
      'the environment read anywhere',
      { 'src/store/store.ts': 'const path = process.env.PATH;' },
      'src/store/store.ts may not read process.env',
    ],
    [
      'a semaphore in which nobody takes turns',
      { 'src/images/x.ts': 'class Semaphore {}' },
      'src/images/x.ts limits work by a count of its own: use FairSlots',
    ],
    [
      'a count of all that waits, which one caller can fill',
      { 'src/staff/x.ts': 'if (waiting >= MAX_WAITING) throw new Error();' },
      'src/staff/x.ts limits work by a count of its own: use FairSlots',
    ],
    [
      'slots in which all are one group',
      { 'src/staff/x.ts': "await this.#slots.run('', () => hash());" },
      'src/staff/x.ts has slots whose group is always the same',
    ],
    [
      'a store that speaks of HTTP',
      { 'src/store/refusals.ts': "const message = 'Send If-Match.';" },
      'src/store/refusals.ts speaks of HTTP',
    ],
  ];
  for (const [why, files, breach] of cases) {
    it(why, () => assert.deepEqual(breachesOf(new Map(Object.entries(files))), [breach]));
  }

  it('and what is lawful is none', () => {
    const files = {
      'src/http/x.ts':
        "import { StoreUnavailable } from '../store/store.ts';\nimport fastify from 'fastify';",
      'src/store/store.ts': "import type { Fault } from '../errors.ts';",
      'src/store/sqlite/x.ts': 'export interface Table {}',
      'src/store/postgres/x.ts': 'export class Table {}',
      'src/errors.ts': '',
      'src/cli/x.ts': 'process.env.HOME',
    };
    assert.deepEqual(breachesOf(new Map(Object.entries(files))), []);
  });
});
