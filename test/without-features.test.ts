/**
 * A feature goes with its folders: without any one of them, and without all, the rest is generated, checked, says
 * everything in every language, shows every screen, and keeps its promises.
 */
// needs: --ci, long
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withAll } from './support/all.ts';

const PROJECT = join(import.meta.dirname, '..');
/** What a developer has, and not the project. */
const LEFT = new Set(['.git', 'node_modules']);
/** What a run of tests has prepared of the whole project; the rest is tested with its own. */
const PREPARED = /^(?:NODE_OPTIONS|NODE_TEST_CONTEXT|TEST_(?:ALL|BUNDLE|COMMANDS|DIST|RELEASE))$/;
const TSC = 'node_modules/typescript-7/bin/tsc';
/** Where features have folders of their names. */
const FOLDERS = ['src/features', 'console/src/features', 'test/features'];
const MESSAGES = 'console/messages';
/** Other tests may name features. */
const TYPED = ['src', 'console/build', 'bin', 'scripts'];
const ALL_TYPED = [...TYPED, 'client/bin', 'manual/*.ts', 'bench', 'test/conformance'];

const features = [
  ...new Set(
    FOLDERS.flatMap((folder) =>
      readdirSync(join(PROJECT, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    ),
  ),
].sort();

/** A copy of the project, from which features are taken. */
const copy = mkdtempSync(join(tmpdir(), 'ledgerstone-core-'));
after(() => rmSync(copy, { recursive: true }));

/** Each result is told as it comes: of tests that keep their thread, none is before the last. */
async function run(...words: readonly string[]): Promise<void> {
  const own = Object.entries(process.env).filter(([name]) => !PREPARED.test(name));
  // What it builds is in a cache of its own: that of the project keeps little of others.
  const env = { ...Object.fromEntries(own), NODE_COMPILE_CACHE: join(copy, 'cache') };
  const child = spawn(process.execPath, words, {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [status] = await once(child, 'close');
  assert.equal(status, 0, `${words.join(' ')}:\n${said}`);
}

/** The copy is whole again, but for those features: all that has their name is gone, and the rest is generated. */
async function take(taken: readonly string[]): Promise<void> {
  for (const name of readdirSync(PROJECT).filter((one) => !LEFT.has(one))) {
    rmSync(join(copy, name), { recursive: true, force: true });
    cpSync(join(PROJECT, name), join(copy, name), {
      ...{ recursive: true, preserveTimestamps: true },
      // Packages for tests of their own are gigabytes.
      filter: (from) => basename(from) !== 'node_modules',
    });
  }
  rmSync(join(copy, 'node_modules'), { force: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  for (const feature of taken) {
    const catalogue = `${feature.replace(/-(.)/g, (_, one) => one.toUpperCase())}.json`;
    const parts = [
      ...FOLDERS.map((folder) => `${folder}/${feature}`),
      ...globSync(`${MESSAGES}/*/${catalogue}`, { cwd: copy }),
    ];
    for (const part of parts) rmSync(join(copy, part), { recursive: true, force: true });
  }
  await run('scripts/features.ts');
  await run('scripts/generate.ts');
}

async function hasTypes(include: readonly string[]): Promise<void> {
  writeFileSync(
    join(copy, 'rest.json'),
    JSON.stringify({ extends: './tsconfig.json', include: [...include, CATALOGUES] }),
  );
  await run(TSC, '--project', 'rest.json');
  await run(TSC, '--project', 'console');
}

const CATALOGUES = 'console/src/generated/catalogues.d.ts';
/** The messages are whole, and all of the page is bundled. */
const LANGUAGES = '--test-name-pattern=^the messages in|has a script of its own';

/** What holds for the rest, whatever was taken. */
function stands(): void {
  it('keeps the law, and is generated whole', withAll, async () => {
    await hasTypes(ALL_TYPED);
    await run('--test', 'test/architecture.test.ts', 'test/fresh.test.ts');
  });

  it('keeps the promises of a store on SQLite', withAll, async () => {
    await run('--test', 'test/conformance/sqlite.test.ts');
  });

  it('shows every screen of the console', withAll, async () => {
    await run('--test', 'test/browser/console-screens.test.ts');
  });
}

for (const feature of features)
  describe(`Without ${feature}, the rest`, () => {
    before(() => take([feature]));

    it('has its types', () => hasTypes(TYPED));

    it('says everything in every language', async () => {
      await run('--test', LANGUAGES, 'test/browser/languages.test.ts');
    });

    stands();
  });

describe('Without features, the core', withAll, () => {
  before(() => take(features));

  it('says everything in every language', async () => {
    await run('--test', LANGUAGES, 'test/browser/languages.test.ts');
  });

  stands();

  it('keeps the promises of a store on PostgreSQL', async () => {
    await run('--test', 'test/conformance/postgres.test.ts');
  });

  it('serves', async () => {
    await run(
      '--test',
      ...['merge', 'idempotency', 'upsert-many'].map((one) => `test/api/${one}.test.ts`),
    );
  });
});
