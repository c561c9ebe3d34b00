/**
 * Runs the tests: what a change at a desk can break, with `--ci` what is left to CI, and with `--all` everything. What a
 * file needs, and in which of the three it runs, says its line `// needs: …`; CONTRIBUTING.md documents the words.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CACHE, programFolder } from '../bin/cache.mjs';
import { packages } from './support/built-client.ts';
import { LAUNCHER } from './support/cli-program.ts';
import { type Entry, runFiles } from './support/jobs.ts';
import { type TestFile, testFiles } from './support/needs.ts';
import { makeTemplate } from './support/postgres-template.ts';
import { inOrder, type StoreName } from './support/queue.ts';
import { findServer } from './support/store-postgres.ts';

const PROJECT = join(import.meta.dirname, '..');
const ALL = process.argv.includes('--all');
const CI = process.argv.includes('--ci');
/** So that no core is idle while those that wait do so, and these are not kept waiting for a core either. */
const AT_ONCE = { waiting: availableParallelism() + 1, working: availableParallelism() };
/** With `--all` a file may kill a process at each of some hundred steps. */
const LIMITS = { test_ms: 300_000, file_ms: ALL ? 3_600_000 : 1_200_000 };

/** What makes a run quicker, and is left out with `--all`: then everything is started and made as people do. */
async function quicker() {
  // The program's bundle, and what it serves.
  execFileSync(LAUNCHER, ['--version']);
  execFileSync(process.execPath, [join(PROJECT, 'bin', 'site.ts')]);
  return {
    // The files with which threads and processes begin, and the module that runs commands.
    TEST_THREADS: programFolder(),
    TEST_COMMANDS: join(programFolder(), 'cli-run.mjs'),
    TEST_HASHES: 'quick',
    ...(hasTemplates && url !== undefined ? { TEST_TEMPLATE: await makeTemplate(url) } : {}),
  };
}

const url = await findServer().catch(() => undefined);
/** A database is not copied while a pooler has a connection to it. */
const hasTemplates = url !== process.env.TEST_DATABASE_URL && process.env.TEST_POOLER === undefined;
const env = {
  // Where the program has what it builds, and Node what it makes of the code.
  NODE_COMPILE_CACHE: CACHE,
  TEST_PACKAGES: packages(),
  ...(ALL ? { TEST_ALL: '1' } : await quicker()),
  // One server for all files but those that stop theirs.
  ...(url === undefined ? {} : { TEST_POSTGRES: url }),
};

const files = inOrder(
  testFiles(PROJECT).filter(
    ({ needs }) => ALL || (!needs.has('--all') && needs.has('--ci') === CI),
  ),
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
const entries = [...on('sqlite', files), ...on('postgres', again)];
const passed = await runFiles(entries, { env, atOnce: AT_ONCE, limits: LIMITS });
process.exit(passed ? 0 : 1);
