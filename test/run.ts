/**
 * Runs the tests: each guarantee once on each store, and with `--all` also what repeats one on another version of the
 * server, on divided tables, or for longer. Every file; and beside them, those that speak to the service, on PostgreSQL.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { packages } from './support/built-client.ts';
import { bundleProgram } from './support/bundled-program.ts';
import { type Job, runJobs } from './support/jobs.ts';
import { makeTemplate } from './support/postgres-template.ts';
import { findServer } from './support/store-postgres.ts';

const PROJECT = join(import.meta.dirname, '..');
/** Tests wait for servers, disks and clocks, too. */
const JOBS_AT_ONCE = 3 * availableParallelism();

/**
 * How many files of a folder share a process, which has read their common imports once. In these folders they start
 * programs and wait for them: they begin first, and few after one another, so that no core is idle at the end. With
 * `--all` they take longer, and each has its own.
 */
const WAITING = {
  crash: 2,
  siege: 1,
  docs: 3,
  browser: 4,
  conformance: 1,
  cli: 5,
  deploy: 3,
  extras: 1,
};
/** Files about what their process has loaded, or holds in memory. */
const UNSHARED = ['client-gone', 'metrics-off', 'upsert-many-process'].map(
  (name) => `test/api/${name}.test.ts`,
);
/** Files that only repeat what others prove. */
const REPEATED = ['test/conformance/postgres-partitioned.test.ts'];
/** Files about what is decided before a store is asked: on PostgreSQL they repeat what they prove on SQLite. */
const BEFORE_THE_STORE = new Set([
  ...[
    ...['answers', 'bombs', 'client-gone', 'cors', 'encodings', 'failed-keys', 'faults'],
    ...['filter-faults', 'forms', 'hostile', 'http', 'images', 'key-addresses'],
    ...['log-of-refusals', 'metrics-off', 'metrics-port', 'openapi', 'paths', 'phones'],
    ...['rate-limits', 'reference', 'tls', 'trace-context'],
  ].map((name) => `test/api/${name}.test.ts`),
  ...['staff/told', 'staff/words', 'transfer/import-files'].map((name) => `test/${name}.test.ts`),
]);
/** A file about how the client is packed, compiled and run; what it asks a service for, others ask both stores. */
const PACKED = 'test/client/ledgerstone-packed.test.ts';

const ALL = process.argv.includes('--all');
const OTHERS = ALL ? 10 : 16;

function filesIn(folder: string): string[] {
  return globSync(`test/${folder}/*.test.ts`, { cwd: PROJECT })
    .filter((file) => ALL || !REPEATED.includes(file))
    .sort();
}

/** Neighbours go to different processes: those of one subject are alike in how long they take. */
function deal(files: readonly string[], most: number): string[][] {
  const hands = Math.ceil(files.length / most);
  return Array.from({ length: hands }, (_, hand) => files.filter((_, at) => at % hands === hand));
}

/** Others go by themselves to the stores that they are about. */
function speaksToService(file: string): boolean {
  const text = readFileSync(join(PROJECT, file), 'utf8');
  return /'\.\.\/support\/(?:scenario|service|counted-service)\.ts'/.test(text);
}

/** What makes a run quicker, and is left out with `--all`: then everything is started and made as people do. */
async function quicker() {
  const { launcher, threads, commands } = await bundleProgram();
  return {
    TEST_PROGRAM: launcher,
    TEST_THREADS: threads,
    TEST_COMMANDS: commands,
    ...(hasTemplates && url !== undefined ? { TEST_TEMPLATE: await makeTemplate(url) } : {}),
  };
}

const url = await findServer().catch(() => undefined);
/** A database is not copied while a pooler has a connection to it. */
const hasTemplates = url !== process.env.TEST_DATABASE_URL && process.env.TEST_POOLER === undefined;
const env = {
  // What Node makes of the code is kept from process to process, and from run to run.
  NODE_COMPILE_CACHE: join(PROJECT, 'node_modules', '.cache', 'tests'),
  TEST_PACKAGES: packages(),
  ...(ALL ? { TEST_ALL: '1' } : await quicker()),
  // One server for all files but those that stop theirs.
  ...(url === undefined ? {} : { TEST_POSTGRES: url }),
};
const onPostgres = { ...env, TEST_STORE: 'postgres' };

const waiting = Object.entries(WAITING).flatMap(([folder, most]) =>
  deal(filesIn(folder), ALL ? 1 : most),
);
const unshared = UNSHARED.map((file) => [file]);
const apart = new Set([...waiting.flat(), ...UNSHARED, ...REPEATED]);
const others = globSync('test/**/*.test.ts', { cwd: PROJECT }).sort();
const here = others.filter((file) => !apart.has(file));
const there = filesIn('{api,client,staff,transfer}')
  .filter((file) => ALL || !(BEFORE_THE_STORE.has(file) || file === PACKED))
  .filter((file) => !UNSHARED.includes(file) && speaksToService(file));
const jobs: Job[] = [
  ...[...waiting, ...unshared, ...deal(here, OTHERS)].map((files) => ({ files, env })),
  ...deal(there, OTHERS).map((files) => ({ files, env: onPostgres })),
  ...(ALL ? unshared : []).map((files) => ({ files, env: onPostgres })),
];
process.exit((await runJobs(jobs, JOBS_AT_ONCE)) ? 0 : 1);
