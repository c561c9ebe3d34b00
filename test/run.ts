/**
 * Runs the tests: each guarantee once on each store, and with `--all` also what repeats one on another version of the
 * server, on divided tables, or for longer. Every file; and beside them, those that speak to the service, on PostgreSQL.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { findServer } from './support/store-postgres.ts';

const PROJECT = join(import.meta.dirname, '..');
/** Tests wait for servers, disks and clocks more than they compute. */
const FILES_AT_ONCE = availableParallelism() + 1;
const FILES_AT_ONCE_THERE = Math.ceil(availableParallelism() / 2);
/** None may hang for ever. */
const TIMEOUT_MS = 180_000;

/** Files that wait for long begin first, so that no core is idle at the end. */
const SLOWEST = [
  'crash/postgres-s',
  'conformance/',
  'browser/',
  'siege/',
  'crash/',
  'docs/',
  'api/failed-keys',
  'api/changes',
  'api/rate-limits',
  'api/upsert-many-',
  'cli/',
  'store/',
];
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

function filesOf(pattern: string): string[] {
  const place = (file: string): number => {
    const at = SLOWEST.findIndex((start) => file.startsWith(`test/${start}`));
    return at === -1 ? SLOWEST.length : at;
  };
  return globSync(pattern, { cwd: PROJECT })
    .filter((file) => ALL || !REPEATED.includes(file))
    .sort()
    .sort((one, other) => place(one) - place(other));
}

/** Begins to run files, each in a process of its own. `report` prints what comes of them, and tells whether all went well. */
function begin(files: readonly string[], filesAtOnce: number, env: NodeJS.ProcessEnv) {
  let well = true;
  const results = run({
    files: files.map((file) => join(PROJECT, file)),
    concurrency: filesAtOnce,
    execArgv: [`--test-timeout=${TIMEOUT_MS}`],
    env: { ...process.env, ...env },
  });
  results.on('test:fail', () => {
    well = false;
  });
  return {
    async report(): Promise<boolean> {
      const text = results.compose(spec);
      text.pipe(process.stdout);
      await new Promise((resolve) => text.once('end', resolve));
      return well;
    },
  };
}

const url = await findServer().catch(() => undefined);
const env = {
  // What Node makes of the code is kept from file to file, and from run to run.
  NODE_COMPILE_CACHE: join(PROJECT, 'node_modules', '.cache', 'tests'),
  ...(ALL ? { TEST_ALL: '1' } : {}),
  // One server for all files but those that stop theirs.
  ...(url === undefined ? {} : { TEST_POSTGRES: url }),
};
const here = begin(filesOf('test/**/*.test.ts'), FILES_AT_ONCE, env);
const files = filesOf('test/{api,client,staff,transfer}/*.test.ts');
const there = begin(
  files.filter((file) => ALL || !BEFORE_THE_STORE.has(file)),
  FILES_AT_ONCE_THERE,
  { ...env, TEST_STORE: 'postgres' },
);
console.log('Tests …');
const isWell = await here.report();
console.log('Tests of the service, on PostgreSQL …');
process.exit((await there.report()) && isWell ? 0 : 1);
