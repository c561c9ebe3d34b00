/**
 * Runs the tests: each guarantee once on each store, and with `--all` also what repeats one on another version of the
 * server, on divided tables, or for longer. Every file; and beside them, those that speak to the service, on PostgreSQL.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { packages } from './support/built-client.ts';
import { bundleProgram } from './support/bundled-program.ts';
import { type Job, runJobs } from './support/jobs.ts';
import { makeTemplate } from './support/postgres-template.ts';
import { findServer } from './support/store-postgres.ts';

const PROJECT = join(import.meta.dirname, '..');
/** Tests wait for servers, disks and clocks, too. */
const JOBS_AT_ONCE = availableParallelism() + 2;

/**
 * Folders of files that have a process each, since they start programs, or measure what theirs does. Those that wait for
 * long begin first, so that no core is idle at the end.
 */
const ALONE = ['docs', 'crash', 'cli', 'conformance', 'siege', 'browser', 'deploy', 'extras'];
/** Files about what their process has loaded, or holds in memory. */
const UNSHARED = ['client-gone', 'metrics-off', 'upsert-many-process'].map(
  (name) => `test/api/${name}.test.ts`,
);
/** How many files of the other folders share a process, which has read their common imports once. */
const TOGETHER = 10;
/** Files that only repeat what others prove. */
const REPEATED = ['test/conformance/postgres-partitioned.test.ts'];
/** Files about what is decided before a store is asked: on PostgreSQL they repeat what they prove on SQLite. */
const BEFORE_THE_STORE = new Set(
  [
    ...['bombs', 'client-gone', 'cors', 'encodings', 'failed-keys', 'faults', 'filter-faults'],
    ...['forms', 'hostile', 'http', 'key-addresses', 'metrics-off', 'metrics-port', 'openapi'],
    ...['paths', 'phones', 'rate-limits', 'reference', 'tls', 'trace-context'],
    'upsert-many-process',
  ].map((name) => `test/api/${name}.test.ts`),
);

const ALL = process.argv.includes('--all');

function filesIn(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    globSync(`test/${folder}/*.test.ts`, { cwd: PROJECT })
      .filter((file) => ALL || !REPEATED.includes(file))
      .sort(),
  );
}

/** Neighbours go to different processes: those of one subject are alike in how long they take. */
function deal(files: readonly string[]): string[][] {
  const hands = Math.ceil(files.length / TOGETHER);
  return Array.from({ length: hands }, (_, hand) => files.filter((_, at) => at % hands === hand));
}

/** What makes a run quicker, and is left out with `--all`: then everything is started and made as people do. */
async function quicker() {
  const { launcher, threads } = await bundleProgram();
  return {
    TEST_PROGRAM: launcher,
    TEST_THREADS: threads,
    ...(url === undefined || url === process.env.TEST_DATABASE_URL
      ? {}
      : { TEST_TEMPLATE: await makeTemplate(url) }),
  };
}

const url = await findServer().catch(() => undefined);
const env = {
  // What Node makes of the code is kept from process to process, and from run to run.
  NODE_COMPILE_CACHE: join(PROJECT, 'node_modules', '.cache', 'tests'),
  TEST_PACKAGES: packages(),
  ...(ALL ? { TEST_ALL: '1' } : await quicker()),
  // One server for all files but those that stop theirs.
  ...(url === undefined ? {} : { TEST_POSTGRES: url }),
};
const onPostgres = { ...env, TEST_STORE: 'postgres' };

const alone = [...filesIn(...ALONE), ...UNSHARED];
const others = globSync('test/**/*.test.ts', { cwd: PROJECT }).sort();
const here = deal(others.filter((file) => !alone.includes(file) && !REPEATED.includes(file)));
const there = deal(
  filesIn('{api,client,staff,transfer}')
    .filter((file) => ALL || !BEFORE_THE_STORE.has(file))
    .filter((file) => !UNSHARED.includes(file)),
);
const aloneThere = ALL ? UNSHARED : [];
const jobs: Job[] = [
  ...alone.map((file) => ({ files: [file], env })),
  ...here.map((files) => ({ files, env })),
  ...there.map((files) => ({ files, env: onPostgres })),
  ...aloneThere.map((file) => ({ files: [file], env: onPostgres })),
];
process.exit((await runJobs(jobs, JOBS_AT_ONCE)) ? 0 : 1);
