/** `import --watch` takes each file that comes into a folder once, says what became of it, and stops for none. */
// needs: program, long, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { whenOver } from '../../support/at-end.ts';
import { ownFolder, programIn, watch } from '../../support/cli-program.ts';
import { call, serveHere } from '../../support/cli-service.ts';
import { withAccount } from '../../support/cli-setup.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';

const HEAD = 'external_identifier,location_name\n';
const SOURCE = 'County export';
/** Whoever is root may read and write everything. */
const isRoot = process.getuid?.() === 0;

interface Watching {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly quiet?: string;
}

/** A folder that is watched by a process of its own, over the store of `cwd`, or by `--url`. */
async function watching(made: { readonly cwd: string }, more: Watching = {}) {
  const { cwd } = made;
  const folder = more.folder ?? join(cwd, 'in');
  mkdirSync(folder, { recursive: true });
  const words = ['import', '--watch', folder, '--source', SOURCE, '--quiet', more.quiet ?? '0s'];
  const begin = async () => {
    const process = watch([...words, ...(more.flags ?? [])], { cwd, env: more.env ?? {} });
    await until(() => /Watching /.test(process.printed.stderr) || process.child.exitCode !== null);
    return process;
  };
  let process = await begin();
  const at = (...names: string[]) => join(folder, ...names);
  return {
    at,
    folder,
    put: (name: string, text: string | Uint8Array) => writeFileSync(at(name), text),
    moved: (...names: string[]) =>
      until(() => existsSync(at(...names))).catch((error) => {
        const { stdout, stderr } = process.printed;
        throw new Error(`${names.join('/')} is not there: ${stdout}${stderr}`, { cause: error });
      }),
    said: async (pattern: RegExp) => {
      const all = () => process.printed.stdout + process.printed.stderr;
      await until(() => pattern.test(all())).catch(() => assert.match(all(), pattern));
    },
    get printed() {
      return process.printed;
    },
    stop: (signal?: NodeJS.Signals) => process.stop(signal),
    async again(signal: NodeJS.Signals = 'SIGKILL') {
      await process.stop(signal);
      process = await begin();
    },
  };
}

type Imports = readonly {
  readonly status: string;
  readonly files: readonly { readonly name: string }[];
}[];

for (const where of ['over a store', 'by --url'] as const)
  describe(`A watched folder, ${where}`, () => {
    const ground = async (flags: readonly string[] = []) => {
      const made = await withAccount();
      const service = await serveHere(made);
      const { url } = service;
      const far = ['--url', url];
      const of =
        where === 'over a store'
          ? { flags }
          : { flags: [...far, ...flags], env: { LEDGERSTONE_KEY: made.secret } };
      const names = async () => {
        const headers = { Authorization: `Bearer ${made.secret}`, Accept: 'application/x-ndjson' };
        const text = await (await fetch(`${url}/v1/locations`, { headers })).text();
        const rows = text.split('\n').filter((line) => line !== '');
        return rows.map((line) => JSON.parse(line).location_name as string).sort();
      };
      const imports = () => programIn(made.cwd).json<Imports>('imports', 'list');
      const files = async () => (await imports()).map(({ files: [one] }) => one?.name).reverse();
      return { ...made, service, url, of, names, imports, files };
    };

    it('takes whole files to done, and those with refused rows to refused, with these beside', async () => {
      const made = await ground();
      const on = await watching(made, made.of);
      on.put('locations.csv', `${HEAD}a,Hill\nb,Dale\n`);
      await on.moved('done', 'locations.csv');
      on.put('locations 2.csv', `${HEAD}c,\nd,Vale\n`);
      await on.moved('refused', 'locations 2.csv');
      const rows = readFileSync(on.at('refused', 'locations 2.csv.rejected.csv'), 'utf8');
      assert.match(
        rows,
        /^\ufeff_row,_error,external_identifier,location_name\r\n2,"location_name is missing/,
      );
      on.put('locations-3.csv', 'what,is,this\n1,2,3\n');
      await on.moved('refused', 'locations-3.csv');
      const why = readFileSync(on.at('refused', 'locations-3.csv.why.txt'), 'utf8');
      assert.match(why, /^locations-3\.csv has 3 columns of which nothing says what they are/);
      on.put('notes.csv', `${HEAD}z,Z\n`);
      await on.moved('refused', 'notes.csv');
      on.put('locations-4.csv', '');
      await on.moved('refused', 'locations-4.csv');
      assert.deepEqual(await made.names(), ['Dale', 'Hill', 'Vale']);
      assert.deepEqual(await made.files(), ['locations.csv', 'locations 2.csv']);
      assert.match(
        on.printed.stdout,
        /^locations\.csv: 2 created, 0 updated, 0 unchanged, 0 refused \(imp_\w+\)\. Moved to done\/locations\.csv\.$/m,
      );
      const { code } = await on.stop('SIGTERM');
      assert.equal(code, 0);
    });

    it('imports the same once, under any name, and other content under the same name', async () => {
      const made = await ground();
      const on = await watching(made, made.of);
      const first = `${HEAD}a,Hill\n`;
      on.put('locations.csv', first);
      await on.moved('done', 'locations.csv');
      on.put('locations-tuesday.csv', first);
      await on.moved('done', 'locations-tuesday.csv');
      await on.said(
        /locations-tuesday\.csv: the same as locations\.csv, .* Nothing was imported again\./,
      );
      on.put('locations.csv', `${HEAD}a,Hill Chapel\n`);
      await until(() => readdirSync(on.at('done')).length === 3);
      assert.deepEqual(await made.names(), ['Hill Chapel']);
      // One that comes late does not put back what is newer.
      on.put('locations.csv', first);
      await until(() => readdirSync(on.at('done')).length === 4);
      assert.deepEqual(await made.names(), ['Hill Chapel']);
      assert.deepEqual(await made.files(), ['locations.csv', 'locations.csv']);
      assert.ok(!existsSync(on.at('locations.csv')));
      // What was refused may come again, when it is right.
      on.put(
        'events.csv',
        'external_identifier,location_external_identifier,event_name,event_datetime\ne,x,Wake,2027-03-20T10:00:00Z\n',
      );
      await on.moved('refused', 'events.csv');
      on.put('locations-x.csv', `${HEAD}x,Extra\n`);
      await on.moved('done', 'locations-x.csv');
      renameSync(on.at('refused', 'events.csv'), on.at('events.csv'));
      await until(() => readdirSync(on.at('done')).some((name) => name.startsWith('events')));
    });

    it('waits for what is still being sent, and leaves what is no file, each with its sentence', async () => {
      const made = await ground();
      // Far longer than this process may be kept from adding to a file.
      const on = await watching(made, { ...made.of, quiet: '4s' });
      on.put('locations.csv', HEAD);
      // It is sent for longer than it takes until others are taken that come whole, one after the other.
      let rooms = 0;
      for (const name of ['locations-a.csv', 'locations-b.csv']) {
        on.put(name, `${HEAD}${name},Whole\n`);
        await until(() => {
          appendFileSync(on.at('locations.csv'), `r${rooms},Room ${rooms}\n`);
          rooms += 1;
          return existsSync(on.at('done', name));
        });
      }
      assert.deepEqual(await made.names(), ['Whole', 'Whole']);
      const said = on.printed.stdout + on.printed.stderr;
      assert.doesNotMatch(said, /locations\.csv: it has changed while it was read/);
      on.put('locations-1.csv.part', `${HEAD}p,Part\n`);
      on.put('locations-2.csv.filepart', `${HEAD}q,Quay\n`);
      on.put('.locations-3.csv', `${HEAD}h,Hidden\n`);
      symlinkSync(join(made.cwd, 'data', 'ledgerstone.db'), on.at('locations-4.csv'));
      mkdirSync(on.at('locations-5.csv'));
      execFileSync('mkfifo', [on.at('locations-6.csv')]);
      await on.moved('done', 'locations.csv');
      assert.equal((await made.names()).length, rooms + 2);
      renameSync(on.at('locations-1.csv.part'), on.at('locations-1.csv'));
      await on.moved('done', 'locations-1.csv');
      await on.said(
        /^locations-4\.csv: it is a link, and links are not followed: put the file there\.$/m,
      );
      await on.said(
        /^locations-5\.csv: it is a folder, and files are taken from the watched folder alone/m,
      );
      await on.said(/^locations-6\.csv: it is no file: remove it\.$/m);
      const left = readdirSync(on.folder).filter((name) => name.startsWith('loc'));
      assert.equal(left.length, 4, left.join());
      assert.equal((await made.names()).length, rooms + 3);
      // Said once.
      assert.equal(on.printed.stderr.match(/it is a link/g)?.length, 1);
      // Old files have been still for long, however they came.
      on.put('locations-7.csv', `${HEAD}old,Old\n`);
      utimesSync(on.at('locations-7.csv'), 0, 0);
      await on.moved('done', 'locations-7.csv');
    });

    it('says that the key is refused, and moves nothing until it is not', async (test) => {
      if (where !== 'by --url') return test.skip('There is no key.');
      const made = await ground();
      const { secret: reader } = await programIn(made.cwd).json<{ secret: string }>(
        ...['keys', 'create', '--account', made.account, '--permission', 'read'],
      );
      for (const [key, status] of [
        ['sk_test_nothing', /locations\.csv: .*key.* It waits, and is tried again\./],
        [reader, /locations\.csv: .*write.* It waits, and is tried again\./],
      ] as const) {
        const on = await watching(made, { ...made.of, env: { LEDGERSTONE_KEY: key } });
        on.put('locations.csv', `${HEAD}a,Hill\n`);
        await on.said(status);
        assert.ok(existsSync(on.at('locations.csv')));
        await on.stop('SIGTERM');
      }
      const on = await watching(made, made.of);
      await on.moved('done', 'locations.csv');
    });

    it('waits for a service that is away, and takes the next file meanwhile or later', async (test) => {
      if (where !== 'by --url') return test.skip('The store is there.');
      const made = await ground();
      const on = await watching(made, made.of);
      await made.service.stop();
      on.put('locations.csv', `${HEAD}a,Hill\n`);
      await on.said(/locations\.csv: .*was not reached/);
      await on.again('SIGTERM');
      const port = new URL(made.url).port;
      const back = await serveHere({ ...made, port });
      assert.equal(back.url, made.url);
      await on.moved('done', 'locations.csv');
      assert.deepEqual(await made.names(), ['Hill']);
    });

    it('takes columns, choices and the resource of an earlier import', async () => {
      const made = await ground();
      const { ok, json } = programIn(made.cwd);
      writeFileSync(
        join(made.cwd, 'map.json'),
        '{"No": "external_identifier", "What": "location_name", "X": null}',
      );
      writeFileSync(join(made.cwd, 'old.csv'), 'No,What,X\n1,Hill,x\n');
      await ok('import', '--resource', 'locations', '--map', 'map.json', 'old.csv');
      const [{ unique_identifier: like = '' } = {}] = await json<{ unique_identifier: string }[]>(
        'imports',
        'list',
      );
      const on = await watching(made, { ...made.of, flags: [...made.of.flags, '--like', like] });
      on.put('chapels of march.csv', 'No,What,X\n2,Dale,x\n');
      await on.moved('done', 'chapels of march.csv');
      assert.deepEqual(await made.names(), ['Dale', 'Hill']);
    });

    it('is the source in the activity, by location, also where the same comes again', async () => {
      const made = await ground();
      const on = await watching(made, made.of);
      on.put('locations.csv', `${HEAD}a,Hill\n`);
      await on.moved('done', 'locations.csv');
      on.put('locations-9.csv', `${HEAD}a,Hill\n`);
      await on.moved('done', 'locations-9.csv');
      const { json } = programIn(made.cwd);
      type Entry = { key: string; outcome: string; location?: string };
      const entries = (await json<Entry[]>('activity', 'list')).filter(({ key }) =>
        key.startsWith('imp_'),
      );
      assert.deepEqual(
        entries.map(({ outcome, location }) => [outcome, location?.slice(0, 4)]).sort(),
        [
          ['created', 'loc_'],
          ['unchanged', 'loc_'],
        ],
      );
      const sources = await json<{ name: string }[]>('sources', 'list', '--account', made.account);
      assert.ok(sources.some(({ name }) => name === SOURCE));
    });
  });

describe('A watched folder', () => {
  it('leaves what it may not read, and takes the others', async (test) => {
    if (isRoot) return test.skip('Root may read all files.');
    const made = await withAccount();
    const on = await watching(made);
    on.put('locations.csv', `${HEAD}a,Hill\n`);
    chmodSync(on.at('locations.csv'), 0);
    on.put('locations-2.csv', `${HEAD}b,Dale\n`);
    await on.moved('done', 'locations-2.csv');
    await on.said(/^locations\.csv: this user may not read it \(EACCES\)/m);
    chmodSync(on.at('locations.csv'), 0o600);
    await on.moved('done', 'locations.csv');
  });

  it('on a full disk waits, and loses and doubles nothing', async (test) => {
    const made = await withAccount();
    const folder = join(made.cwd, 'in');
    mkdirSync(folder);
    const disk = mountSmallDisk(folder, 1);
    if (disk === undefined) return test.skip('This user cannot mount a disk.');
    whenOver(() => disk.unmount());
    const on = await watching(made, { folder });
    on.put('locations.csv', `${HEAD}a,Hill\nb,\n`);
    disk.fill();
    await until(
      () =>
        /ENOSPC|no room|full/.test(on.printed.stderr) ||
        existsSync(on.at('refused', 'locations.csv')),
    );
    disk.makeRoom();
    await on.moved('refused', 'locations.csv');
    const listed = await programIn(made.cwd).json<Imports>('imports', 'list');
    assert.deepEqual(
      listed.map(({ status }) => status),
      ['finished'],
    );
    assert.match(
      readFileSync(on.at('refused', 'locations.csv.rejected.csv'), 'utf8'),
      /3,"?location_name/,
    );
  });

  it('writes nothing through links that are put in place of its folders', async () => {
    const made = await withAccount();
    const elsewhere = ownFolder();
    const on = await watching(made);
    // It makes its folders at each look.
    await until(() => {
      rmSync(on.at('done'), { recursive: true, force: true });
      try {
        symlinkSync(elsewhere, on.at('done'));
        return true;
      } catch {
        return false;
      }
    });
    on.put('locations.csv', `${HEAD}a,Hill\n`);
    await on.said(/done is no folder: move it away/);
    rmSync(on.at('done'));
    await on.moved('done', 'locations.csv');
    assert.deepEqual(readdirSync(elsewhere), []);
  });

  it('as a sync removes what the newest file leaves out, also where an older one comes again', async () => {
    const made = await withAccount();
    const service = await serveHere(made);
    const on = await watching(made, { flags: ['--sync', '--at-most', '100%'] });
    const names = async () => {
      const { text } = await call(service.url, made.secret, '/v1/locations?limit=100');
      return JSON.parse(text)
        .data.map(({ name }: { name: string }) => name)
        .sort();
    };
    const monday = `${HEAD}a,Hill\nb,Dale\n`;
    on.put('locations-1.csv', monday);
    await on.moved('done', 'locations-1.csv');
    on.put('locations-2.csv', `${HEAD}a,Hill\n`);
    await on.moved('done', 'locations-2.csv');
    assert.deepEqual(await names(), ['Hill']);
    on.put('locations-3.csv', monday);
    await on.moved('done', 'locations-3.csv');
    assert.deepEqual(await names(), ['Dale', 'Hill']);
    on.put('locations-4.csv', monday);
    await on.said(/locations-4\.csv: the same as locations-3\.csv/);
  });

  it('belongs to the command that began last', async () => {
    const made = await withAccount();
    const on = await watching(made);
    const other = await watching(made);
    await on.said(/Another command has begun to watch/);
    other.put('locations.csv', `${HEAD}a,Hill\n`);
    await other.moved('done', 'locations.csv');
  });

  it('wants a source, and no other files', async () => {
    const made = await withAccount();
    const { fails } = programIn(made.cwd);
    mkdirSync(join(made.cwd, 'in'));
    assert.match(await fails('import', '--watch', 'in'), /--watch needs --source/);
    assert.match(
      await fails('import', '--watch', 'in', '--source', 'A', 'a.csv'),
      /name no others/,
    );
    assert.match(await fails('import', '--watch', 'none', '--source', 'A'), /no such folder/);
    assert.match(await fails('import', '--quiet', '1s', 'a.csv'), /--quiet goes with --watch/);
    for (const option of ['--dry-run', '--from-start', '--rejected=x', '--save-map=x'])
      assert.match(
        await fails('import', '--watch', 'in', '--source', 'A', option),
        /not for --watch/,
      );
  });
});
