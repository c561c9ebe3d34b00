/** `import --sync` removes what files leave out, and `syncs` tells, finishes and undoes it. */
// needs: program
import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programIn } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';
import type { Body } from '../support/service.ts';

const HEAD = 'location_external_identifier,external_identifier,event_name,event_datetime';

describe('ledgerstone import --sync', () => {
  it('removes what the source no longer sends, tells it before, and is undone', async () => {
    const { cwd, account, secret, url, run: program, fails, ok, json } = await servedAccount();
    await makeLocation(url, secret, account, 'oak');
    await makeLocation(url, secret, account, 'elm');
    const rowOf = (name: string, at = 'oak', when = '2027-03-20T14:30:00Z') =>
      `${at},${name},Funeral,${when}`;
    const file = (rows: readonly string[]) =>
      writeFileSync(join(cwd, 'events.csv'), `${[HEAD, ...rows].join('\n')}\n`);
    const there = async () => {
      const { data } = JSON.parse((await call(url, secret, '/v1/events?limit=1000')).text);
      return pluck<Body>(data, 'external_identifier').sort();
    };
    const words = ['import', 'events.csv', '--account', account];
    const sync = [...words, '--source', 'County', '--sync'];

    assert.match(await fails(...words, '--sync'), /--sync needs --source/);
    file(['a', 'b', 'c'].map((name) => rowOf(name)));
    // Of another source, and of the same at another location.
    assert.equal((await program(...words, '--source', 'Other')).code, 0);
    file([...['d', 'e', 'bad'].map((name) => rowOf(name)), rowOf('elsewhere', 'elm')]);
    const { created, syncs } = await json<Body>(...sync);
    assert.deepEqual([created, syncs[0].status, syncs[0].removed], [4, 'finished', {}]);

    const all = ['a', 'b', 'bad', 'c', 'd', 'e', 'elsewhere'];
    file([rowOf('d'), rowOf('new'), rowOf('bad', 'oak', 'soon')]);
    const at = [...sync, '--location', 'oak'];
    const dry = await program(...at, '--dry-run', '--from-start');
    assert.equal(dry.code, 2, dry.stderr);
    assert.match(dry.stdout, /Dry run: 1 created, 0 updated, 1 unchanged, 1 rejected/);
    assert.match(dry.stdout, /Would remove 1 record \(event: 1\)\.\nevent evt_\w+: e\n/);
    assert.deepEqual(await there(), all);
    const done = await program(...at, '--from-start');
    assert.equal(done.code, 2, done.stderr);
    assert.match(done.stdout, /Removed 1 record \(event: 1\)\./);
    assert.deepEqual(await there(), ['a', 'b', 'bad', 'c', 'd', 'elsewhere', 'new']);

    const printed = await ok('syncs', 'list');
    assert.match(printed, /^ID .*\nsyn_\w+ .* finished +County +event +loc_\w+ +1 +0$/m);
    const [sole] = await json<Body[]>('syncs', 'list');
    const id = sole.unique_identifier;
    const { records } = await json<Body>('syncs', 'show', id);
    assert.deepEqual(pluck<Body>(records, 'external_identifier'), ['e']);
    assert.match(await ok('syncs', 'undo', id), /^1 record restored\.$/m);
    assert.deepEqual(await there(), [...all, 'new'].sort());
    assert.match(await fails('syncs', 'show', 'syn_x'), /There is no sync "syn_x" in .*syncs list/);
  });

  it('is as of the time at which its file was last changed, or as it is told', async () => {
    const { cwd, account, secret, url, run: program, fails, json } = await servedAccount();
    await makeLocation(url, secret, account, 'oak');
    const file = (name: string, id: string) => {
      const text = `${HEAD}\noak,${id},Funeral,2027-03-20T14:30:00Z\n`;
      writeFileSync(join(cwd, name), text);
    };
    const from = ['--account', account, '--source', 'County', '--resource', 'events'];
    const sync = ['import', 'night.csv', ...from, '--sync', '--from-start'];
    file('night.csv', 'a');
    file('live.csv', 'new');
    assert.equal((await program('import', 'live.csv', ...from)).code, 0);
    const hour = Date.now() / 1000 - 3600;
    utimesSync(join(cwd, 'night.csv'), hour, hour);
    for (const more of [[], ['--as-of', '1h']]) {
      const { syncs } = await json<Body>(...sync, ...more);
      const [{ removed, left, as_of }] = syncs;
      assert.deepEqual(
        [removed, pluck<Body>(left, 'external_identifier', 'reason')],
        [{}, [['new', 'newer']]],
      );
      assert.ok(Math.abs(Date.parse(as_of) / 1000 - hour) < 600, as_of);
    }
    const said = await program(...sync, '--dry-run');
    assert.match(
      said.stderr,
      /As of \d{4}-\S+Z, when the file was last changed\. Another time: --as-of/,
    );
    assert.match(await fails('import', 'live.csv', ...from, '--as-of', '1h'), /goes with --sync/);
    assert.match(await fails(...sync, '--as-of', '2999-01-01'), /--as-of must be/);
  });

  it('says what to do where too much would go, and stops at a row that names no record', async () => {
    const { cwd, account, secret, url } = await servedAccount();
    await makeLocation(url, secret, account, 'oak');
    const { run: program, fails, ok } = programIn(cwd, { LEDGERSTONE_KEY: secret });
    const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
    const rowsOf = (some: readonly string[]) =>
      some.map((name) => `oak,${name},Funeral,2027-03-20T14:30:00Z`);
    const file = (rows: readonly string[]) =>
      writeFileSync(join(cwd, 'events.csv'), `${[HEAD, ...rows].join('\n')}\n`);
    const local = ['import', 'events.csv', '--source', 'County', '--sync', '--account', account];
    file(rowsOf(names));
    assert.equal((await program(...local)).code, 0);
    file(rowsOf(names.slice(0, 5)));
    const refused = await program(...local);
    assert.equal(refused.code, 2);
    assert.match(refused.stdout, /0 created, 0 updated, 5 unchanged/);
    const wrong = refused.stderr;
    assert.match(wrong, /remove 25 of the 30 records .*--at-most allows for 10.*such as 84%/);
    const [, id = ''] = /"ledgerstone syncs finish (syn_\w+) --dry-run"/.exec(refused.stderr) ?? [];
    assert.match(await fails('syncs', 'finish', id), /larger --at-most/);
    const told = await ok('syncs', 'finish', id, '--dry-run');
    assert.match(told, /^Would remove 25 records \(event: 25\)\.$/m);
    const shown = await ok('syncs', 'finish', id, '--at-most', '84%');
    assert.match(shown, /^Removed 25 records \(event: 25\)\.$/m);
    file(['oak,,Funeral,2027-03-20T14:30:00Z']);
    const { stderr } = await program(...local, '--at-most', '100%');
    assert.match(stderr, /row 2 does not say which record it is/);
  });
});
