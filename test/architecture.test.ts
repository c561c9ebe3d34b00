/** The house keeps its law: who may import whom, no cycles, one name for one type, small files (docs/architecture.md). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  behind,
  beside,
  breachesOf,
  importsOf,
  LAYERS,
  outside,
  roomOf,
} from '../scripts/import-law.ts';

const PROJECT = join(import.meta.dirname, '..');

/** The TypeScript of the service, of its client, its console, its manual and what builds them, and of its load; by path from the project's folder. */
const sources = new Map(
  ['src', 'client/src', 'console', 'manual', 'bin', 'scripts', 'bench'].flatMap((folder) =>
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
    const known = [beside, behind, outside].flatMap((some) => Object.keys(some));
    assert.deepEqual(
      known.filter((room) => !rooms.has(room)),
      [],
    );
  });

  it('lets no layer import one above it', () => {
    const heightOf = (room: string): number => LAYERS.indexOf(room.split('/', 1)[0] ?? '');
    for (const [room, others] of Object.entries(behind))
      for (const other of others.filter((one) => heightOf(one) >= 0))
        assert.ok(heightOf(other) >= heightOf(room), `${other} imports ${room}`);
  });

  it('has no folder of more than fifteen files', () => {
    const folders = Map.groupBy(
      [...sources.keys()].filter((path) => path.startsWith('src/')),
      (path) => path.slice(0, path.lastIndexOf('/')),
    );
    const full = [...folders].filter(([, files]) => files.length > 15).map(([folder]) => folder);
    assert.deepEqual(full, []);
  });
});

describe('the law can be broken', () => {
  const cases: readonly [why: string, files: Record<string, string>, breach: string][] = [
    [
      'an adapter outside the store',
      {
        'src/edge/x.ts': "import { open } from '../store/sqlite/y.ts';",
        'src/store/sqlite/y.ts': '',
      },
      'src/edge/x.ts may not import src/store/sqlite/y.ts',
    ],
    [
      'a type counts, too',
      {
        'src/core/schema/x.ts':
          "import type {\n  A,\n  B,\n} from '../../store/promises/store.ts';",
        'src/store/promises/store.ts': '',
      },
      'src/core/schema/x.ts may not import src/store/promises/store.ts',
    ],
    [
      'one adapter from another',
      { 'src/store/postgres/x.ts': "export * from '../sqlite/y.ts';", 'src/store/sqlite/y.ts': '' },
      'src/store/postgres/x.ts may not import src/store/sqlite/y.ts',
    ],
    [
      'resources from anywhere but the composition root',
      {
        'src/edge/operations/x.ts': "export { account } from '../../core/resources/account.ts';",
        'src/core/resources/account.ts': '',
      },
      'src/edge/operations/x.ts may not import src/core/resources/account.ts',
    ],
    [
      'settings below the composition root',
      {
        'src/records/ingest/x.ts': "type S = import('../../core/config.ts').Settings;",
        'src/core/config.ts': '',
      },
      'src/records/ingest/x.ts may not import src/core/config.ts',
    ],
    [
      'for its side effects',
      { 'src/core/errors.ts': "import '../app/app.ts';", 'src/app/app.ts': '' },
      'src/core/errors.ts may not import src/app/app.ts',
    ],
    [
      'a door of a feature from anywhere but its list and the feature',
      {
        'src/services/x.ts': "import { book } from '../features/holds/store.ts';",
        'src/features/holds/store.ts': '',
      },
      'src/services/x.ts may not import src/features/holds/store.ts',
    ],
    [
      'one feature from another',
      {
        'src/features/holds/serves.ts': "import { errors } from '../sources/errors.ts';",
        'src/features/sources/errors.ts': '',
      },
      'src/features/holds/serves.ts may not import src/features/sources/errors.ts',
    ],
    [
      'the part of the console of a feature from anywhere but the lists and the feature',
      {
        'console/src/screens/x.tsx': "import { Screen } from '../features/holds/screen.tsx';",
        'console/src/features/holds/screen.tsx': '',
      },
      'console/src/screens/x.tsx may not import console/src/features/holds/screen.tsx',
    ],
    [
      'that of one feature from that of another',
      {
        'console/src/features/holds/screen.tsx': "import { x } from '../retention/form.tsx';",
        'console/src/features/retention/form.tsx': '',
      },
      'console/src/features/holds/screen.tsx may not import console/src/features/retention/form.tsx',
    ],
    [
      'a door of a layer above',
      {
        'src/features/holds/store.ts': "import { serve } from './serves.ts';",
        'src/features/holds/serves.ts': '',
      },
      'src/features/holds/store.ts may not import src/features/holds/serves.ts',
    ],
    [
      'a cycle',
      {
        'src/core/schema/a.ts': "import { b } from './b.ts';",
        'src/core/schema/b.ts': "import type { C } from './c.ts';",
        'src/core/schema/c.ts': "export type { A } from './a.ts';",
      },
      'import cycle: src/core/schema/a.ts → src/core/schema/b.ts → src/core/schema/c.ts → src/core/schema/a.ts',
    ],
    [
      'the service from the bench, but for what it may see',
      { 'bench/x.ts': "import { createApp } from '../src/app/app.ts';", 'src/app/app.ts': '' },
      'bench/x.ts may not import src/app/app.ts',
    ],
    [
      'what both adapters do alike, outside of the store',
      {
        'src/edge/routes/x.ts': "import { judge } from '../../store/records/judge.ts';",
        'src/store/records/judge.ts': '',
      },
      'src/edge/routes/x.ts may not import src/store/records/judge.ts',
    ],
    [
      'the service from the client',
      {
        'client/src/x.ts': "import type { A } from '../../src/core/errors.ts';",
        'src/core/errors.ts': '',
      },
      'client/src/x.ts may not import src/core/errors.ts',
    ],
    [
      'packages and Node from the client',
      { 'client/src/x.ts': "import { Readable } from 'node:stream';" },
      'client/src/x.ts may import no package',
    ],
    [
      'a layer that the law does not know',
      { 'src/utils/x.ts': '' },
      'src/utils/x.ts is in no room of the law',
    ],
    [
      'a long file',
      { 'src/core/errors.ts': 'x\n'.repeat(401) },
      'src/core/errors.ts has 401 lines, and 400 are the most',
    ],
    [
      'a deep folder',
      { 'src/edge/a/b/c/d/x.ts': '' },
      'src/edge/a/b/c/d/x.ts is more than 5 folders deep',
    ],
    [
      'two types of one name',
      {
        'src/edge/x.ts': 'export interface Place {}',
        'src/core/schema/y.ts': 'export type Place = string;',
      },
      'Place is the name of a type in src/edge/x.ts and in src/core/schema/y.ts',
    ],
    [
      'a type of an adapter with the name of one outside',
      {
        'src/edge/x.ts': 'export interface Place {}',
        'src/store/sqlite/y.ts': 'export class Place {}',
        'src/store/postgres/y.ts': '',
      },
      'Place is the name of a type in src/edge/x.ts and in src/store/sqlite/y.ts',
    ],
    [
      'the environment read anywhere',
      { 'src/store/promises/store.ts': 'const path = process.env.PATH;' },
      'src/store/promises/store.ts may not read process.env',
    ],
    [
      'a semaphore in which nobody takes turns',
      { 'src/services/images/x.ts': 'class Semaphore {}' },
      'src/services/images/x.ts limits work by a count of its own: use FairSlots',
    ],
    [
      'a count of all that waits, which one caller can fill',
      { 'src/services/staff/x.ts': 'if (waiting >= MAX_WAITING) throw new Error();' },
      'src/services/staff/x.ts limits work by a count of its own: use FairSlots',
    ],
    [
      'slots in which all are one group',
      { 'src/services/staff/x.ts': "await this.#slots.run('', () => hash());" },
      'src/services/staff/x.ts has slots whose group is always the same',
    ],
    [
      'a program of ours that reads numbers as doubles',
      { 'console/src/screens/x.ts': 'const { data } = await answer.json();' },
      'console/src/screens/x.ts reads or writes numbers as doubles: use parseJson and toJson of client/src/json.ts',
    ],
    [
      'a program of ours that writes numbers as doubles',
      { 'client/src/x.ts': 'const body = JSON.stringify(params);' },
      'client/src/x.ts reads or writes numbers as doubles: use parseJson and toJson of client/src/json.ts',
    ],
    [
      'a store that speaks of HTTP',
      { 'src/store/promises/refusals.ts': "const message = 'Send If-Match.';" },
      'src/store/promises/refusals.ts speaks of HTTP',
    ],
  ];
  for (const [why, files, breach] of cases) {
    it(why, () => assert.deepEqual(breachesOf(new Map(Object.entries(files))), [breach]));
  }

  it('and what is lawful is none', () => {
    const files = {
      'src/edge/x.ts':
        "import { StoreUnavailable } from '../store/promises/store.ts';\nimport fastify from 'fastify';",
      'src/store/promises/store.ts': "import type { Fault } from '../../core/errors.ts';",
      'src/store/sqlite/x.ts': 'export interface Table {}',
      'src/store/postgres/x.ts': 'export class Table {}',
      'src/core/errors.ts': '',
      'src/cli/x.ts': 'process.env.HOME',
    };
    assert.deepEqual(breachesOf(new Map(Object.entries(files))), []);
  });
});
