/** `ledgerstone import --url` imports into a service elsewhere as the command over its store does, also where the connection is cut. */
// needs: both stores with --all, program, long
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ownFolder, programIn } from '../../support/cli-program.ts';
import { call } from '../../support/cli-service.ts';
import { makeLocation, servedAccount } from '../../support/cli-setup.ts';
import { cutWire } from '../../support/cut-wire.ts';
import { pluck } from '../../support/pluck.ts';
import type { Body } from '../../support/service.ts';

const HEAD = 'external_identifier,location_name\n';

type Made = Awaited<ReturnType<typeof servedAccount>>;

describe('An import by --url', () => {
  let made: Made;
  before(async () => {
    made = await servedAccount();
  });

  /** A folder on another machine, with a key of the service. */
  const away = (secret = made.secret) => {
    const cwd = ownFolder();
    const program = programIn(cwd, { LEDGERSTONE_KEY: secret });
    const file = (name: string, text: string) => writeFileSync(join(cwd, name), text);
    return { cwd, file, ...program };
  };
  const names = async (path = 'locations'): Promise<string[]> => {
    const { text } = await call(made.url, made.secret, `/v1/${path}?limit=1000`);
    return pluck(JSON.parse(text).data, 'name').flat().sort();
  };

  it('says and leaves what it does over a store', async () => {
    const { cwd, file, run } = away();
    file('locations.csv', `${HEAD}a,Hill\nb,\nc,Vale\n`);
    const dry = await run('import', 'locations.csv', '--url', made.url, '--dry-run');
    assert.match(dry.stderr, /^locations\.csv: 3 rows of locations, read as utf-8, commas\.$/m);
    const [summary, reason] = dry.stdout.split('\n');
    assert.equal(
      summary,
      'Dry run: 2 created, 0 updated, 0 unchanged, 1 rejected. Nothing was written.',
    );
    assert.match(reason ?? '', /^Rejected, row 3: location_name /);
    assert.equal(dry.code, 2);
    assert.deepEqual(readdirSync(cwd), ['locations.csv']);
    assert.deepEqual(await names(), []);
    const done = await run('import', 'locations.csv', '--url', made.url);
    assert.match(
      done.stdout,
      /^2 created, 0 updated, 0 unchanged, 1 rejected\.\nImport: imp_\w+\nRejected, row 3: location_name [^\n]+\nRejected rows: locations\.csv\.rejected\.csv\n$/,
      done.stderr,
    );
    assert.equal(done.code, 2);
    const rejected = readFileSync(join(cwd, 'locations.csv.rejected.csv'), 'utf8');
    assert.match(
      rejected,
      /^\ufeff_row,_error,external_identifier,location_name\r\n3,"location_name is missing[^"]*",b,\r\n$/,
    );
    assert.deepEqual(await names(), ['Hill', 'Vale']);
    // Corrected, it comes back as it is, and the import is undone from here.
    file('fixed.csv', rejected.replace('b,\r\n', 'b,Dale\r\n'));
    const fixed = await run('import', 'fixed.csv', '--resource', 'locations', '--url', made.url);
    assert.equal(fixed.code, 0, fixed.stderr);
    const listed = await run('imports', 'list', '--url', made.url);
    assert.match(listed.stdout, /imp_\w+ .* finished +1 +0 +0 +0 +fixed\.csv/);
    const id = /imp_\w+/.exec(fixed.stdout)?.[0] ?? '';
    const undone = await run('imports', 'undo', id, '--yes', '--url', made.url);
    assert.equal(undone.stdout, '1 removed, 0 restored, 0 left as they are.\n', undone.stderr);
    assert.deepEqual(await names(), ['Hill', 'Vale']);
  });

  it('takes files with what belongs to others after these, and asks what it does not know', async () => {
    const { file, run, json } = away();
    file(
      'events.csv',
      'external_identifier,location_external_identifier,event_name,event_datetime\nw1,e1,Wake,2027-03-20T10:00:00Z\n',
    );
    file('locations.csv', `${HEAD}e1,East\n`);
    const told = await json<Body>('import', 'events.csv', 'locations.csv', '--url', made.url);
    assert.deepEqual(
      [told.created, told.failed, told.rejected, told.imports.length],
      [2, 0, [], 2],
    );
    file('places.csv', 'Names,Identifiers\nA,a\n');
    const unknown = await run('import', 'places.csv', '--resource', 'locations', '--url', made.url);
    assert.equal(unknown.code, 1);
    assert.deepEqual(JSON.parse(unknown.stdout), { Names: null, Identifiers: null });
    assert.match(unknown.stderr, /--map map\.json/);
    file('map.json', '{"Names":"location_name","Identifiers":"external_identifier"}');
    const words = ['import', 'places.csv', '--resource', 'locations', '--map', 'map.json'];
    const mapped = await run(...words, '--url', made.url);
    assert.equal(mapped.code, 0, mapped.stderr);
  });

  it('writes only where its key may', async () => {
    const { url, account, secret, newKey } = made;
    const [mine, other] = [
      await makeLocation(url, secret, account, 'mine'),
      await makeLocation(url, secret, account, 'other'),
    ];
    const { file, run } = away((await newKey(account, '--location', mine)).secret);
    const row = (id: string, location: string) => `${id},${location},Wake,2027-03-20T10:00:00Z\n`;
    file(
      'events.csv',
      `external_identifier,location_unique_identifier,event_name,event_datetime\n${row('in', mine)}${row('out', other)}`,
    );
    const done = await run('import', 'events.csv', '--url', url);
    assert.match(done.stdout, /^1 created, 0 updated, 0 unchanged, 1 rejected\./, done.stderr);
    const id = /imp_\w+/.exec(done.stdout)?.[0] ?? '';
    const undone = await run('imports', 'undo', id, '--yes', '--url', url);
    assert.match(undone.stderr, /limited to .*locations|whole account/i);
    const reader = away((await newKey(account, '--permission', 'read')).secret);
    reader.file('events.csv', 'external_identifier\n');
    assert.match((await reader.run('import', 'events.csv', '--url', url)).stderr, /write/);
  });

  const ROWS = 4_000;
  const many = (name: string): string =>
    HEAD +
    Array.from(
      { length: ROWS },
      (_, at) => `${name}${at},${at % 1_000 === 7 ? '' : 'Hill'}\n`,
    ).join('');

  /** With a key that takes seconds for them: when a connection is cut, far more is left than the service does before it notices. */
  const slowAway = async () =>
    away((await made.newKey(made.account, '--requests-a-second', '1000')).secret);

  it('goes on where the connection is cut, and does nothing twice', async () => {
    const { cwd, file, run } = await slowAway();
    const wire = await cutWire(Number(new URL(made.url).port));
    file('locations.csv', many('cut'));
    wire.cutAt('back', '"rows":');
    const words = ['import', 'locations.csv', '--mode', 'create_only', '--url'];
    const done = await run(...words, `http://127.0.0.1:${wire.port}`);
    assert.match(done.stderr, /cut\. Going on in/);
    assert.match(done.stderr, /^Continuing imp_\w+ after \d+ rows\.$/m);
    assert.match(
      done.stdout,
      new RegExp(`^${ROWS - 4} created, 0 updated, 0 unchanged, 4 rejected\\.`),
    );
    assert.equal(done.stdout.match(/imp_\w+/g)?.length, 1);
    const rejected = readFileSync(join(cwd, 'locations.csv.rejected.csv'), 'utf8');
    assert.deepEqual(rejected.match(/cut\d+/g), ['cut7', 'cut1007', 'cut2007', 'cut3007']);
  });

  it('is continued by the same command where the service is away', async () => {
    const { file, run } = await slowAway();
    const wire = await cutWire(Number(new URL(made.url).port));
    file('locations.csv', many('away'));
    wire.staysCut = true;
    wire.cutAt('back', '"rows":');
    const words = ['import', 'locations.csv', '--url'];
    const gone = await run(...words, `http://127.0.0.1:${wire.port}`);
    assert.equal(gone.code, 3, gone.stderr);
    assert.match(gone.stderr, /Run the same command to continue\.$/m);
    const done = await run(...words, made.url);
    assert.match(done.stderr, /^Continuing imp_\w+ after \d+ rows\.$/m);
    assert.match(
      done.stdout,
      new RegExp(`^${ROWS - 4} created, 0 updated, 0 unchanged, 4 rejected\\.`),
    );
  });

  it('says what only a store has, and what is too large', async () => {
    const { cwd, file, run } = away();
    file('locations.csv', `${HEAD}a,A\n`);
    const sync = ['--sync', '--source', 'County'];
    const synced = await run('import', 'locations.csv', ...sync, '--url', made.url);
    assert.match(synced.stderr, /--sync works on the store itself: leave out --url\./);
    writeFileSync(join(cwd, 'locations.csv'), Buffer.alloc(33_554_433, 'a'));
    const large = await run('import', 'locations.csv', '--url', made.url);
    assert.match(large.stderr, /locations\.csv has 33 MiB, and a service takes 32 MiB/);
  });
});
