/** The bundle that people run resolves each name as the source does, where every developer reads it. */
// needs: alone
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundle, entryName, threadsOf } from '../../bin/bundle.mjs';
import about from '../../package.json' with { type: 'json' };
import { ownFolder } from '../support/cli-program.ts';

const PROJECT = join(import.meta.dirname, '../..');
/** What Node and compilers say of a CommonJS file by names that no source takes. */
const OF_FORMATS = ['module.exports', '__esModule'];

/** What modules export: of each name, what kind of value it is. */
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** In a process of its own, which loads nothing else, and from the folder of the modules. */
function namesIn(cwd: string, modules: Readonly<Record<string, string>>, member?: string): Names {
  const program = `
    const names = {};
    for (const [name, from] of Object.entries(JSON.parse(process.argv[1]))) {
      const module = await import(from);
      const all = ${member === undefined ? 'module' : `module.${member}`};
      names[name] = Object.fromEntries(Object.keys(all).sort().map((one) => [one, typeof all[one]]));
    }
    process.stdout.write(JSON.stringify(names), () => process.exit());`;
  const words = ['--input-type=module', '--eval', program, JSON.stringify(modules)];
  const { NODE_OPTIONS: _, ...env } = process.env;
  return JSON.parse(execFileSync(process.execPath, words, { cwd, env, encoding: 'utf8' }));
}

const url = (file: string): string => pathToFileURL(file).href;
const folder = ownFolder();

it('each source file exports from the bundle what it exports by itself', async () => {
  const threads = new Set(threadsOf(PROJECT));
  // Those begin a program when they are read.
  const files = globSync('src/**/*.ts', { cwd: PROJECT }).filter(
    (file) => file !== 'src/main.ts' && !file.endsWith('.d.ts') && !threads.has(file),
  );
  const to = join(folder, 'doors');
  await bundle(PROJECT, to, { doors: true });
  const from = (place: (file: string) => string) =>
    namesIn(PROJECT, Object.fromEntries(files.map((file) => [file, url(place(file))])));
  assert.deepEqual(
    from((file) => join(to, entryName(file))),
    from((file) => join(PROJECT, file)),
  );
});

/** Each package that the program can import, and each way into one that the source names. */
function packages(): readonly string[] {
  const named = globSync('src/**/*.ts', { cwd: PROJECT }).flatMap((file) =>
    [
      ...readFileSync(join(PROJECT, file), 'utf8').matchAll(
        /(?:^(?:import|export) (?!type )[^;]*?from |^import |\bimport\()'([^.'][^']*)'/gms,
      ),
    ].map(([, name = '']) => name),
  );
  // One compiles, and is no part of the bundle.
  const own = Object.keys(about.dependencies).filter((name) => name !== 'esbuild');
  return [...new Set([...own, ...named])].filter((name) => !name.startsWith('node:')).sort();
}

describe('a package in the bundle has the names that Node gives it', () => {
  const project = join(folder, 'project');
  const all = packages();
  let asNode: Names;
  before(() => {
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
    asNode = namesIn(project, Object.fromEntries(all.map((one) => [one, one])));
  });

  const ways: readonly (readonly [string, (name: string) => string])[] = [
    ['where it is imported at the start', (name) => `import * as all from '${name}';`],
    ['where it is imported when it is needed', (name) => `const all = await import('${name}');`],
  ];
  for (const [way, importing] of ways)
    it(way, async () => {
      const files = all.map((name, at) => [name, `src/package-${at}.ts`] as const);
      // So that nothing of it is left out of the bundle.
      for (const [name, file] of files)
        writeFileSync(
          join(project, file),
          `${importing(name)}\nexport const names = Object.fromEntries(Object.entries(all));\n`,
        );
      const to = join(project, way.replaceAll(' ', '-'));
      await bundle(project, to, { doors: true });
      const found = namesIn(
        project,
        Object.fromEntries(files.map(([name, file]) => [name, url(join(to, entryName(file)))])),
        'names',
      );
      for (const name of all) {
        // What a package has beside those that Node gives is no name of the source.
        const wanted = Object.entries(asNode[name] ?? {}).filter(
          ([one]) => !OF_FORMATS.includes(one),
        );
        const had = wanted.map(([one]) => [one, found[name]?.[one]]);
        assert.deepEqual(had, wanted, name);
      }
    });
});
