/**
 * Runs the tests: what a change at a desk can break, with `--ci` what is left to CI, with `--land` both of them, and with
 * `--all` everything. What a file needs, and in which it runs, says its line `// needs: …`; CONTRIBUTING.md documents the
 * words. `TEST_FAULTS` has what failed before, each behind a form feed: it is listed with the tests that fail.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { bundle } from '../bin/bundle.mjs';
import { CACHE, programFolder, removeEarlier, testedFolder } from '../bin/cache.mjs';
import { packages } from './support/built-client.ts';
import { LAUNCHER } from './support/cli-program.ts';
import { installExtras } from './support/extras.ts';
import { type Entry, runFiles } from './support/jobs.ts';
import { type TestFile, testFiles } from './support/needs.ts';
import { makeTemplate } from './support/postgres-template.ts';
import { inOrder, type StoreName } from './support/queue.ts';
import { makeRelease } from './support/release.ts';
import { findServer } from './support/store-postgres.ts';

const PROJECT = join(import.meta.dirname, '..');
const ALL = process.argv.includes('--all');
const LAND = process.argv.includes('--land');
const CI = process.argv.includes('--ci') || LAND;
/** So that no core is idle while those that wait do so, and these are not kept waiting for a core either. */
const AT_ONCE = { waiting: availableParallelism(), working: availableParallelism() };
/** With `--all` a file may kill a process at each of some hundred steps. */
const LIMITS = { test_ms: 300_000, file_ms: ALL ? 3_600_000 : 1_200_000 };

/**
 * Tests import from a bundle what they name in the source. It is the program's, with an entry for each file of the
 * source.
 */
async function bundled() {
  const folder = testedFolder();
  mkdirSync(CACHE, { recursive: true });
  if (!existsSync(folder)) await bundle(PROJECT, folder, { doors: true });
  removeEarlier('tested', folder);
  const first = pathToFileURL(join(import.meta.dirname, 'support/from-bundle.ts')).href;
  return { TEST_BUNDLE: folder, NODE_OPTIONS: `--import=${first}` };
}

/** What makes a run quicker, and is left out with `--all`: then everything is started and made as people do. */
async function quicker() {
  // The program's bundle, and what it serves.
  execFileSync(LAUNCHER, ['--version']);
  execFileSync(process.execPath, [join(PROJECT, 'bin', 'site.ts')]);
  return {
    // The module that runs commands.
    TEST_COMMANDS: join(programFolder(), 'cli-run.mjs'),
    TEST_HASHES: 'quick',
    ...(hasTemplates && url !== undefined ? { TEST_TEMPLATE: await makeTemplate(url) } : {}),
  };
}

/** The unpacked release; `undefined` where none could be made, and then the tests that need none still run. */
async function released() {
  try {
    return await makeRelease();
  } catch (error) {
    if (!LAND) throw error;
    faults.push(`the release could not be made: ${inspect(error)}`);
    return undefined;
  }
}

/**
 * What a change at a desk does not need: other runtimes, compilers and bundlers. Where it cannot be had its tests are
 * skipped and say why; with `CI` set the run fails.
 */
async function installed(folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    try {
      await installExtras(folder);
    } catch (error) {
      if (process.env.CI) faults.push(`test/${folder} could not be installed: ${inspect(error)}`);
    }
}

const url = await findServer().catch(() => undefined);
/** A database is not copied while a pooler has a connection to it. */
const hasTemplates = url !== process.env.TEST_DATABASE_URL && process.env.TEST_POOLER === undefined;
const faults = (process.env.TEST_FAULTS ?? '').split('\f').filter((one) => one !== '');
// It takes half a minute of one core: the rest is made beside it.
const releasing = CI || ALL ? released() : undefined;
const installing = installed(ALL ? ['extras', 'generators'] : CI ? ['extras'] : []);
const env = {
  // Where the program has what it builds, and Node what it makes of the code.
  NODE_COMPILE_CACHE: CACHE,
  TEST_PACKAGES: packages(),
  ...(await bundled()),
  ...(ALL ? { TEST_ALL: '1' } : await quicker()),
  // One server for all files but those that stop theirs.
  ...(url === undefined ? {} : { TEST_POSTGRES: url }),
};

const release = await releasing;
await installing;
const all = testFiles(PROJECT);
const files = inOrder(
  all.filter(({ needs }) => ALL || (!needs.has('--all') && (LAND || needs.has('--ci') === CI))),
);
const again = files.filter(
  ({ needs }) => needs.has('both stores') || (ALL && needs.has('both stores with --all')),
);
const on = (store: StoreName, some: readonly TestFile[]): readonly Entry[] =>
  some.map(({ path, needs }) => ({
    path,
    store,
    waits: needs.has('waits'),
    isAlone: needs.has('alone'),
  }));
const ofRelease =
  release !== undefined ? inOrder(all.filter(({ needs }) => needs.has('release'))) : [];
const entries = [...on('release', ofRelease), ...on('sqlite', files), ...on('postgres', again)];
const passed = await runFiles(entries, {
  env: {
    ...env,
    ...(release === undefined ? {} : { TEST_RELEASE: release.root, TEST_DIST: release.dist }),
  },
  ...{ atOnce: AT_ONCE, limits: LIMITS, faults },
  again: !ALL,
});
release?.remove();
process.exit(passed ? 0 : 1);
