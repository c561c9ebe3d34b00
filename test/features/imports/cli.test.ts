/** `ledgerstone import`: what it says by its exit status, and that it can be interrupted. */
// needs: program, long
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ALL } from '../../support/all.ts';
import { ask } from '../../support/ask.ts';
import { finish, start, watch } from '../../support/cli-program.ts';
import { withAccount } from '../../support/cli-setup.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';

const HEAD = 'external_identifier,location_name\n';

async function scene() {
  const made = await withAccount();
  const file = (name: string, text: string) => writeFileSync(join(made.cwd, name), text);
  return { ...made, file, ledgerstone: made.run };
}

describe('the exit status of an import', () => {
  it('is 0 where all rows are in, 1 where nothing was done, 2 where rows were rejected', async () => {
    const { file, ledgerstone, json } = await scene();
    file('locations.csv', `${HEAD}a,A\n`);
    const told = await json<Record<string, unknown>>('import', 'locations.csv');
    assert.match(String(told.import), /^imp_/);
    const counts = { created: 1, updated: 0, unchanged: 0, failed: 0 };
    assert.deepEqual(told, {
      ...counts,
      import: told.import,
      imports: [told.import],
      rejected: [],
      reasons: [],
    });
    file('places.csv', 'Names,Identifiers\nA,a\n');
    const nothing = await ledgerstone('import', 'places.csv', '--resource', 'locations');
    assert.equal(nothing.code, 1);
    const map = { Names: 'location_name', Identifiers: 'external_identifier' };
    assert.deepEqual(JSON.parse(nothing.stdout), map);
    assert.match(nothing.stderr, /> map\.json.*--map map\.json/);
    file('locations.csv', `${HEAD}a,A\nb,\n`);
    const rejected = await ledgerstone('import', 'locations.csv');
    assert.equal(rejected.code, 2);
    assert.match(
      rejected.stdout,
      /0 created, 0 updated, 1 unchanged, 1 rejected\.[\s\S]*Rejected, row 3: location_name [^\n]+\n.*locations\.csv\.rejected\.csv/,
    );
  });

  it('says why rows are rejected, once for each reason, also of a dry run', async () => {
    const { account, file, ledgerstone, json } = await scene();
    file('locations.csv', `${HEAD}a,A\n`);
    await json('import', 'locations.csv');
    const dates = ['3/20/2027 2 PM', '3/21/2027', '3/22/2027', 'soon', 'soon "or later"'];
    const rows = dates.map((when, at) => `e${at},a,"${when.replaceAll('"', '""')}",Wake`);
    const lines = rows.map((row) => row.replaceAll('"', '').split(','));
    file('events.csv', ['Identifier,Chapel,Date,Event', ...rows].join('\n'));
    const names = ['external_identifier', 'location_external_identifier', 'event_datetime'];
    file(
      'events.ndjson',
      lines
        .map((cells) =>
          JSON.stringify(Object.fromEntries(names.map((name, at) => [name, cells[at]]))),
        )
        .join('\n'),
    );
    const options = ['--account', account, '--time-zone', 'America/Chicago', '--dates', 'mdy'];
    const { stdout } = await ledgerstone('import', 'events.csv', '--dry-run', ...options);
    const [summary, ...reasons] = stdout.trimEnd().split('\n');
    assert.match(summary ?? '', /^Dry run: 1 created, 0 updated, 0 unchanged, 4 rejected\./);
    assert.equal(reasons.length, 2, stdout);
    assert.match(reasons[0] ?? '', /^Rejected, 2 rows, first row 3: event_datetime holds a date, /);
    assert.match(reasons[1] ?? '', /^Rejected, 2 rows, first row 5: event_datetime is not /);
    const told = await ledgerstone('import', 'events.ndjson', '--dry-run', ...options, '--json');
    const all = JSON.parse(told.stdout).reasons as readonly { rows: number; row: number }[];
    assert.equal(
      all.reduce((sum, { rows: some }) => sum + some, 0),
      dates.length,
    );
    assert.equal(all[0]?.row, 1);
  });

  it('is 0 for the sheet of an office: a title, words of the trade, and one location for all rows', async () => {
    const { account, file, ledgerstone, json, fails } = await scene();
    file('locations.csv', `${HEAD}a,A\n`);
    await json('import', 'locations.csv');
    const rows = ['1,Ann,Wake,Dec 3 2026,2 PM', '1,Ann,Wake,Dec 3 2026,3 PM'];
    file('events.csv', ['Services of 2026', 'Case #,Deceased,Event,Date,Time', ...rows].join('\n'));
    const dry = ['import', 'events.csv', '--dry-run', '--time-zone', 'America/Chicago'];
    const unsaid = await fails(...dry);
    assert.match(unsaid, /which location each row belongs: .*--set location_unique_identifier=/);
    const said = [...dry, '--set', 'location_external_identifier=a'];
    const { code, stderr } = await ledgerstone(...said);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /read as utf-8, commas, header in row 2\./);
    assert.match(stderr, /1 row names the same record as an earlier one \(row 4 that of row 3\)/);
    const inHome = said.filter((word) => !['--time-zone', 'America/Chicago'].includes(word));
    const unset = await fails(...inHome);
    assert.match(unset, /nothing in it says where they are: say --time-zone/);
    for (const where of [
      ['accounts', 'change', account, '--time-zone', 'America/Denver'],
      ['locations', 'change', 'a', '--time-zone', 'America/New_York'],
    ]) {
      await ledgerstone(...where);
      const home = await ledgerstone(...inHome);
      assert.equal(home.code, 0, home.stderr);
      assert.match(home.stderr, /read by the clock of the location of each row\./);
    }
    const title = await ledgerstone(...said, '--header-row', '1');
    assert.equal(title.code, 1);
    assert.match(title.stderr, /--header-row/);
  });

  it('is 3 where rows were imported and the disk of the rejected ones is full', async (t) => {
    const { cwd, file, ledgerstone } = await scene();
    const folder = join(cwd, 'full');
    mkdirSync(folder);
    const disk = mountSmallDisk(folder, 1);
    if (disk === undefined) return t.skip('only root can have a disk of its own');
    try {
      disk.fill();
      file('locations.csv', `${HEAD}a,A\nb,\n`);
      const words = ['import', 'locations.csv', '--rejected', 'full/rejected.csv'];
      const stopped = await ledgerstone(...words);
      assert.equal(stopped.code, 3, stopped.stderr);
      assert.match(stopped.stderr, /full\/rejected\.csv cannot be written \(ENOSPC\)/);
      disk.makeRoom();
      const done = await ledgerstone(...words);
      assert.equal(done.code, 2, done.stderr);
      assert.match(done.stdout, /1 created, 0 updated, 0 unchanged, 1 rejected/);
      const rejected = readFileSync(join(folder, 'rejected.csv'), 'utf8');
      assert.match(rejected, /^\ufeff_row,_error.*\r\n3,/);
    } finally {
      disk.unmount();
    }
  });

  it('and rejected rows go through no symbolic link, which may lead anywhere', async () => {
    const { cwd, file, ledgerstone } = await scene();
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'locations.csv.rejected.csv'));
    file('locations.csv', `${HEAD}b,\n`);
    const { code, stdout } = await ledgerstone('import', 'locations.csv');
    assert.equal(code, 2);
    assert.ok(!existsSync(join(cwd, 'elsewhere')));
    assert.match(stdout, /locations\.csv\.rejected-2\.csv/);
  });

  it('is 3 where too many rows were rejected', async () => {
    const { file, ledgerstone } = await scene();
    file('locations.csv', `${HEAD}${'x,\n'.repeat(300)}a,A\n`);
    assert.equal((await ledgerstone('import', 'locations.csv', '--max-failed', '5')).code, 3);
    // Whether it takes pauses does not matter to an import.
    const { stderr, code } = await ledgerstone('import', '--fast', 'locations.csv');
    assert.match(stderr, /Continuing imp_\w+ after 64 rows/);
    assert.equal(code, 2);
  });

  it('is 130 where it was interrupted, and the same command goes on', async () => {
    const { cwd, file, json } = await scene();
    const rows = Array.from({ length: ALL ? 30_000 : 10_000 }, (_, at) => `${at},A\n`);
    file('locations.csv', `${HEAD}${rows.join('')}`);
    const { child, end, stop } = watch(['import', 'locations.csv', '--json'], { cwd });
    const store = `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`;
    const hasBegun = async () => (await ask(store, 'SELECT 1 FROM location LIMIT 1')).length > 0;
    await until(async () => child.exitCode !== null || (await hasBegun()));
    stop('SIGINT');
    const { code, stdout } = await end;
    assert.equal(code, 130, stdout);
    const before = JSON.parse(stdout);
    assert.ok(before.created < rows.length);
    const last = await json<typeof before>('import', 'locations.csv');
    assert.deepEqual([last.import, last.created], [before.import, rows.length]);
  });
});

it('an import is like the one that it names, or the latest of a file with the same columns', async () => {
  const { cwd, run, account } = await withAccount();
  const table = (name: string, id: string) =>
    writeFileSync(join(cwd, name), `Nr,Wie\n${id},Chapel ${id}\n`);
  const map = (to: object) => writeFileSync(join(cwd, 'map.json'), JSON.stringify(to));
  const bring = (name: string, ...how: string[]) =>
    run('import', name, '--resource', 'locations', '--account', account, '--json', ...how);
  table('first.csv', 'a');
  assert.equal((await bring('first.csv')).code, 1);
  map({ Nr: 'external_identifier', Wie: 'location_name' });
  const first = await bring('first.csv', '--map', 'map.json');
  assert.equal(first.code, 0, first.stderr);
  const { import: id } = JSON.parse(first.stdout);
  table('second.csv', 'b');
  const second = await bring('second.csv');
  assert.match(second.stderr, new RegExp(`columns and choices as in first\\.csv \\(${id}\\)`));
  assert.equal(JSON.parse(second.stdout).created, 1);
  table('third.csv', 'c');
  const third = await bring('third.csv', '--like', id);
  assert.equal(JSON.parse(third.stdout).created, 1);
  const none = await bring('third.csv', '--like', 'imp_none');
  assert.match(none.stderr, /--like imp_none: nothing is kept of such an import/);
});

it('an import takes values for all rows, each behind its option, before and after its file', async () => {
  const { cwd, run, account } = await withAccount();
  writeFileSync(join(cwd, 'chapels.csv'), 'Reference\nset-1\n');
  const words = ['import', '--resource', 'locations', '--account', account, '--json'];
  const name = ['--set', 'location_name=Chapel'];
  const first = await run(...words, ...name, 'chapels.csv');
  assert.equal(first.code, 0, first.stderr);
  const both = ['--set', 'external_identifier=set-2', ...name];
  writeFileSync(join(cwd, 'chapels.csv'), '_note\nx\n');
  for (const how of [
    [...both, 'chapels.csv'],
    ['chapels.csv', ...both],
  ]) {
    const done = await run(...words, ...how);
    assert.equal(done.code, 0, done.stderr);
  }
});

it('an import takes a map that it has saved', async () => {
  const { cwd, file, ok } = await scene();
  file('map.json', '{"Name": "location_name", "Identifier": "external_identifier", "Notes": null}');
  file('places.csv', 'Name,Identifier,Notes\nA,a,x\n');
  const words = ['import', 'places.csv', '--resource', 'locations', '--map'];
  assert.match(await ok(...words, 'map.json', '--save-map', 'used.json'), /^1 created/);
  assert.match(await ok(...words, 'used.json'), /^0 created, 0 updated, 1 unchanged/);
  const read = (name: string) => JSON.parse(readFileSync(join(cwd, name), 'utf8'));
  assert.deepEqual(read('used.json'), read('map.json'));
});

describe('an import from standard input', () => {
  const given = async (cwd: string, text: string | Uint8Array, ...words: string[]) => {
    const child = start(['import', ...words], { cwd, env: { TMPDIR: cwd } }, { stdio: 'pipe' });
    child.stdin?.end(text);
    return finish(child);
  };
  const left = (cwd: string) =>
    readdirSync(cwd).filter((name) => name.startsWith('ledgerstone-import-'));

  it('reads CSV, TSV and JSON lines, and leaves rejected rows in the current folder', async () => {
    const { cwd } = await scene();
    const flags = ['--resource', 'locations', '--json', '-'];
    const csv = await given(cwd, `${HEAD}a,A\nb,\n`, ...flags);
    assert.equal(csv.code, 2, csv.stderr);
    assert.deepEqual(JSON.parse(csv.stdout).rejected, ['standard-input.rejected.csv']);
    assert.match(readFileSync(join(cwd, 'standard-input.rejected.csv'), 'utf8'), /\bb,/);
    assert.match(csv.stderr, /^standard-input: 2 rows of locations/m);
    const tsv = await given(cwd, 'external_identifier\tlocation_name\nc\tC\n', ...flags);
    assert.equal(JSON.parse(tsv.stdout).created, 1, tsv.stderr);
    const lines = '\ufeff{"external_identifier":"d","location_name":"D"}\n{"x":1}\n';
    const json = await given(cwd, lines, ...flags);
    assert.equal(JSON.parse(json.stdout).created, 1, json.stderr);
    assert.deepEqual(JSON.parse(json.stdout).rejected, ['standard-input.rejected.ndjson']);
    assert.deepEqual(left(cwd), []);
  });

  it('says what is wrong by its name, and leaves nothing behind', async () => {
    const { cwd } = await scene();
    const nameless = await given(cwd, HEAD, '-');
    assert.match(nameless.stderr, /The name of standard-input does not say .* --resource/);
    const empty = await given(cwd, '', '--resource', 'locations', '-');
    assert.match(empty.stderr, /: standard-input is empty\./);
    const two = await given(cwd, HEAD, '--resource', 'locations', '-', 'locations.csv');
    assert.match(two.stderr, /"-" stands for standard input and must be the only file/);
    assert.deepEqual([nameless.code, empty.code, two.code], [1, 1, 1]);
    assert.deepEqual(left(cwd), []);
  });
});
