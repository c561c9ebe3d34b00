/** `kill -9` of `import --watch` after each step that changes a file or the store: run again, each file is imported once, and is where it belongs. */
// needs: program, long, waits
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ALL } from '../support/all.ts';
import { LAUNCHER, watch } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { withAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

const PRELOAD = new URL('../support/kill-after-files.ts', import.meta.url).href;
/** At which `kill-after.ts` ends its process. */
const MOST_STEPS = 10_000;
/** Of all steps so many, evenly; with --all each one. */
const KILLS = ALL ? MOST_STEPS : 3;

const FILES: Readonly<Record<string, string>> = {
  'locations.csv': 'external_identifier,location_name\na,Hill\nb,\nc,Dale\n',
  'locations-2.csv': 'external_identifier,location_name\nd,Vale\n',
  'locations-3.csv': 'what,is,this\n1,2,3\n',
};
const WHERE: Readonly<Record<string, string>> = {
  'locations.csv': 'refused',
  'locations-2.csv': 'done',
  'locations-3.csv': 'refused',
};

type Imports = readonly {
  readonly status: string;
  readonly counts: { readonly created: number; readonly failed: number };
  readonly files: readonly { readonly name: string }[];
}[];

async function killedEverywhere(flags: readonly string[], isAway: boolean): Promise<string> {
  const { cwd, secret, json } = await withAccount();
  const data = join(cwd, 'data');
  cpSync(data, join(cwd, 'copy'), { recursive: true });
  const folder = join(cwd, 'in');
  const steps = join(cwd, 'steps');
  let service: Awaited<ReturnType<typeof serveHere>> | undefined;
  let url = '';
  const setBack = async (): Promise<void> => {
    await service?.stop();
    for (const path of [data, folder]) rmSync(path, { recursive: true, force: true });
    cpSync(join(cwd, 'copy'), data, { recursive: true });
    mkdirSync(folder);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    if (isAway) ({ url } = service = await serveHere({ cwd }));
  };
  const words = () => [
    ...['import', '--watch', folder, '--source', 'County', '--quiet', '0s', ...flags],
    ...(isAway ? ['--url', url] : []),
  ];
  const env = { LEDGERSTONE_KEY: secret };
  const begin = (more: Readonly<Record<string, string>> = {}) =>
    watch(words(), { cwd, env: { ...env, ...more }, program: LAUNCHER });
  const isDone = () =>
    Object.entries(WHERE).every(([name, place]) => existsSync(join(folder, place, name)));
  /** Killed after that many steps, or when all is done; gives how many there were. */
  const round = async (most: number): Promise<number> => {
    await setBack();
    writeFileSync(steps, Buffer.alloc(MOST_STEPS - most));
    const killed = begin({ NODE_OPTIONS: `--import=${PRELOAD}`, STEPS: steps });
    const { child } = killed;
    await until(() => isDone() || child.exitCode !== null || child.signalCode !== null);
    await killed.stop('SIGKILL');
    const count = statSync(steps).size - (MOST_STEPS - most);
    rmSync(steps);
    const goesOn = begin();
    await until(() => isDone() && /^Watching /m.test(goesOn.printed.stderr)).catch((cause) => {
      const { stdout, stderr } = goesOn.printed;
      throw new Error(`${readdirSync(folder)}: ${stdout}${stderr}`, { cause });
    });
    // What it has moved, it has told.
    const { code } = await goesOn.stop('SIGTERM');
    assert.equal(code, 0);
    const left = readdirSync(folder).filter((name) => !name.startsWith('.'));
    assert.deepEqual(left.sort(), ['done', 'refused']);
    assert.deepEqual(readdirSync(join(folder, 'done')), ['locations-2.csv']);
    const refused = readdirSync(join(folder, 'refused')).filter((one) => !one.endsWith('.partial'));
    assert.deepEqual(refused.sort(), [
      'locations-3.csv',
      'locations-3.csv.why.txt',
      'locations.csv',
      'locations.csv.rejected.csv',
    ]);
    const rows = readFileSync(join(folder, 'refused', 'locations.csv.rejected.csv'), 'utf8');
    assert.match(rows, /^\ufeff_row,_error,[^\n]*\n3,"?location_name[^\n]*\n$/);
    const imports = await json<Imports>('imports', 'list');
    const told = imports.map(({ status, counts: { created, failed }, files: [file] }) => ({
      ...{ status, created, failed, name: file?.name },
    }));
    assert.deepEqual(
      told.toSorted((one, other) => String(one.name).localeCompare(String(other.name))),
      [
        { status: 'finished', created: 1, failed: 0, name: 'locations-2.csv' },
        { status: 'finished', created: 2, failed: 1, name: 'locations.csv' },
      ],
    );
    if (!isAway) return count;
    const { text } = await call(url, secret, '/v1/locations?limit=10');
    assert.equal(JSON.parse(text).data.length, 3);
    return count;
  };
  const all = await round(MOST_STEPS);
  assert.ok(all > 20, `${all} steps`);
  const kills = Math.min(all, KILLS);
  for (let kill = 0; kill < kills; kill += 1) {
    const after = Math.ceil(((kill + (ALL ? 1 : Math.random())) * all) / kills) || 1;
    await round(after).catch((cause: Error) => {
      throw new Error(`Killed after step ${after} of ${all}: ${cause.message}`, { cause });
    });
  }
  return `killed at ${kills} of ${all} steps`;
}

for (const [name, flags, isAway] of [
  ['into a store', [], false],
  ['into a store, as syncs', ['--sync', '--at-most', '100%'], false],
  ['by --url', [], true],
] as const)
  it(name, async (test) => test.diagnostic(await killedEverywhere(flags, isAway)));
