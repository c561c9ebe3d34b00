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
/** So that no core is idle while those that wait do so, and these are not kept waiting for a core either. */
const AT_ONCE = { waiting: 2 * availableParallelism(), working: availableParallelism() };

/**
 * How many files of a folder share a process, which has read their common imports once: few, so that no core is idle
 * at the end. With `--all` they take longer, and each has its own. First the longest.
 */
const WAITING = { crash: 2, docs: 3, deploy: 3, extras: 1 };
const WORKING = { siege: 1, browser: 4, conformance: 1, cli: 5 };
/** Files that wait for clocks. */
const SLOW = new Set(
  [
    ...['keys', 'rate-limits', 'requests', 'upsert-many-trouble'],
    ...['webhook-delivery', 'webhook-load', 'webhook-retries'],
  ].map((name) => `test/api/${name}.test.ts`),
);
const SLOW_TOGETHER = 4;
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
/** Files that take longer than any other with `--all`, and begin first. */
const LONGEST = ['test/cli/memory.test.ts', 'test/cli/memory-postgres.test.ts'];
const isLongest = (file: string) => LONGEST.includes(file);
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

const inFolders = (folders: Readonly<Record<string, number>>) =>
  Object.entries(folders).flatMap(([folder, most]) => deal(filesIn(folder), ALL ? 1 : most));
const waiting = inFolders(WAITING);
const working = [...UNSHARED.map((file) => [file]), ...inFolders(WORKING)].sort(
  (one, other) => Number(other.some(isLongest)) - Number(one.some(isLongest)),
);
const apart = new Set([...waiting.flat(), ...working.flat(), ...REPEATED]);
const here = globSync('test/**/*.test.ts', { cwd: PROJECT })
  .sort()
  .filter((file) => !apart.has(file));
const there = filesIn('{api,client,staff,transfer}')
  .filter((file) => ALL || !(BEFORE_THE_STORE.has(file) || file === PACKED))
  .filter((file) => !UNSHARED.includes(file) && speaksToService(file));

const isSlow = (file: string) => SLOW.has(file);
const isQuick = (file: string) => !SLOW.has(file);
const slow = (files: readonly string[]) => deal(files.filter(isSlow), ALL ? 1 : SLOW_TOGETHER);
const quick = (files: readonly string[]) => deal(files.filter(isQuick), OTHERS);
const made = (groups: readonly string[][], where: NodeJS.ProcessEnv, waits: boolean): Job[] =>
  groups.map((files) => ({ files, env: where, waits }));
const jobs: readonly Job[] = [
  ...made([...waiting, ...slow(here)], env, true),
  ...made(slow(there), onPostgres, true),
  ...made([...working, ...quick(here)], env, false),
  ...made(quick(there), onPostgres, false),
  ...made(ALL ? UNSHARED.map((file) => [file]) : [], onPostgres, false),
];
process.exit((await runJobs(jobs, AT_ONCE)) ? 0 : 1);
