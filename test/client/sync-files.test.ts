/** `ledgerstone-sync` sends files that have all of a resource, names each row that is refused, and removes the rest. */
// needs: --ci, program, both stores with --all

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ownFolder } from '../support/cli-program.ts';
import { all, clientOf } from '../support/client.ts';
import { joinService } from '../support/service.ts';

const service = await joinService();
const PROGRAM = join(import.meta.dirname, '../../client/bin/ledgerstone-sync.ts');
const HEAD = 'location_unique_identifier,external_identifier,event_name,event_datetime';
const AT = '2027-03-20T14:30:00Z';
let grounds = 0;

async function ground() {
  grounds += 1;
  const name = `Files ${grounds}`;
  const location = await service.location(name);
  const { secret: key } = await service.newKey({ name });
  const { api } = clientOf({ ...service, key });
  const cwd = ownFolder();
  const table = (...rows: readonly string[]) =>
    [HEAD, ...rows.map((row) => `${location},${row}`)].join('\n');
  return {
    location,
    table,
    write: (file: string, text: string) => writeFileSync(join(cwd, file), text),
    /** Somebody's live integration, with the same key. */
    live: (external_identifier: string) =>
      api.events.upsert({
        ...{ location_unique_identifier: location, external_identifier },
        ...{ event_name: 'Live', event_datetime: AT },
      }),
    ahead: (file: string) => {
      const at = Date.now() / 1000 + 86_400;
      utimesSync(join(cwd, file), at, at);
    },
    sync: (...words: readonly string[]) => syncIn(cwd, { LEDGERSTONE_KEY: key }, words),
    async there() {
      const found = await all(api.events.list({ location_unique_identifier: location }));
      return found.map((one) => one.external_identifier).sort();
    },
  };
}

function syncIn(cwd: string, env: Readonly<Record<string, string>>, words: readonly string[]) {
  const options = { cwd, env: { LEDGERSTONE_URL: service.url, ...env } };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [PROGRAM, ...words], options, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

describe('ledgerstone-sync', { concurrency: true }, () => {
  it('sends tables and lines, and removes what they no longer have', async () => {
    const { location, table, write, sync, there } = await ground();
    const words = ['--resource', 'events', '--location', location];
    write('events.csv', table(`a,A,${AT}`, `b,"B,\nB",${AT}`, `c,C,${AT}`));
    const first = await sync(...words, 'events.csv');
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.deepEqual(await there(), ['a', 'b', 'c']);

    write('events.csv', table(`a,Another name,${AT}`));
    const line = { location_unique_identifier: location, external_identifier: 'd' };
    write('more.ndjson', JSON.stringify({ ...line, event_name: 'D', event_datetime: AT }));
    const both = [...words, 'events.csv', 'more.ndjson'];
    const rehearsed = await sync(...both, '--dry-run');
    assert.equal(rehearsed.code, 0, rehearsed.stderr);
    assert.match(rehearsed.stdout, /^would remove: \{"event":2\}, left: 0$/m);
    assert.deepEqual(await there(), ['a', 'b', 'c']);

    const done = await sync(...both);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^events\.csv: \{.*"updated":1.*\}$/m);
    assert.match(done.stdout, /^removed: \{"event":2\}, left: 0$/m);
    assert.deepEqual(await there(), ['a', 'd']);
  });

  it('leaves what its source changed after the file, whose time it says', async () => {
    const { location, table, write, sync, there, live } = await ground();
    const words = ['--resource', 'events', '--location', location];
    write('events.csv', table(`a,A,${AT}`));
    await live('new');
    const [done, named] = [
      await sync(...words, 'events.csv'),
      await sync(...words, '--as-of', '2026-01-01T00:00:00Z', 'events.csv'),
    ];
    assert.match(done.stdout, /^As of \d{4}-\S+Z, when the file was last changed\./m);
    for (const { code, stdout, stderr } of [done, named]) {
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^removed: \{\}, left: 1$/m);
    }
    assert.doesNotMatch(named.stdout, /As of/);
    assert.deepEqual(await there(), ['a', 'new']);
    const late = await sync(...words, '--as-of', '2999-01-01T00:00:00Z', 'events.csv');
    assert.equal(late.code, 1);
    assert.match(late.stderr, /--as-of must not be after now/);
  });

  it('takes a file whose time is still to come as one of now, and says so', async () => {
    const { location, table, write, sync, there, live, ahead } = await ground();
    await live('old');
    write('events.csv', table(`a,A,${AT}`));
    ahead('events.csv');
    const done = await sync('--resource', 'events', '--location', location, 'events.csv');
    assert.match(
      done.stdout,
      /^As of now: the file was last changed at \S+, which is still to come/m,
    );
    assert.match(done.stdout, /^removed: \{"event":1\}, left: 0$/m);
    assert.deepEqual(await there(), ['a']);
  });

  it('names the line of every fault, and leaves the records of those rows', async () => {
    const { location, table, write, sync, there } = await ground();
    const words = ['--resource', 'events', '--location', location, 'events.csv'];
    write('events.csv', table(`a,A,${AT}`, `b,"B\nB",${AT}`, `c,C,${AT}`));
    assert.equal((await sync(...words)).code, 0);
    write('events.csv', table(`a,"A\nA",${AT}`, 'b,,soon'));
    const { code, stderr, stdout } = await sync(...words);
    assert.equal(code, 2);
    assert.match(stderr, /^events\.csv:4: event_name .+\nevents\.csv:4: event_datetime .+\n$/);
    assert.match(stdout, /^removed: \{"event":1\}, left: 0$/m);
    assert.deepEqual(await there(), ['a', 'b']);
  });

  it('removes nothing where the file is empty, wrong, or much shorter than before', async () => {
    const { location, table, write, sync, there } = await ground();
    const words = ['--resource', 'events', '--location', location, 'events.csv'];
    const names = Array.from({ length: 30 }, (_, at) => `n${at + 10}`);
    write('events.csv', table(...names.map((name) => `${name},A,${AT}`)));
    assert.equal((await sync(...words)).code, 0);
    for (const [text, says] of [
      [HEAD, /events\.csv has no rows/],
      [table(`n10,A,${AT}`).replace('event_name', 'name'), /The service answers 400: .*name/],
      [table(`n10,A,${AT}`), /The service answers 409: .*29 of the 30 .*--at-most/],
    ] as const) {
      write('events.csv', text);
      const { code, stderr } = await sync(...words);
      assert.equal(code, 1);
      assert.match(stderr, says);
      assert.deepEqual(await there(), names);
    }
    assert.equal((await sync(...words, '--at-most', '100%')).code, 0);
    assert.deepEqual(await there(), ['n10']);
  });

  it('says what it needs', async () => {
    const { location, table, write, sync } = await ground();
    write('events.csv', table(`a,A,${AT}`));
    const help = await sync('--help');
    assert.match(help.stdout, /^Usage: LEDGERSTONE_URL=.+Exit status: 0 /s);
    assert.equal(help.code, 0);
    const words = ['--resource', 'events', '--location', location];
    for (const [sent, says] of [
      [[...words, 'events.xlsx'], /^Usage: /],
      [[...words, 'nothing.csv'], /nothing\.csv/],
      [['--location', location, 'events.csv'], /^Usage: /],
      [['--resource', 'chapels', '--location', location, 'events.csv'], /400: .*resource/],
      [[...words, '--loud', 'events.csv'], /Unknown option '--loud'/],
    ] as const) {
      const { code, stderr } = await sync(...sent);
      assert.match(stderr, says);
      assert.equal(code, 1);
    }
    const keyless = await syncIn(ownFolder(), {}, words);
    assert.match(keyless.stderr, /^Set LEDGERSTONE_URL and LEDGERSTONE_KEY\.\n$/);
  });
});
