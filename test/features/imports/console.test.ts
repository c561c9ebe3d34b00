/** People bring spreadsheets along: looked at, checked, imported, and taken back. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMessages } from '../../../console/build/messages.ts';
import { catalogue } from '../../../src/core/errors.ts';
import { wholeRows } from '../../../src/features/imports/operations/refused.ts';
import { FIELDS } from '../../../src/features/imports/serves/words.ts';
import { withAll } from '../../support/all.ts';
import { whenOver } from '../../support/at-end.ts';
import { bring as bringing } from '../../support/bring.ts';
import { ownFolder } from '../../support/cli-program.ts';
import { type ConsoleBrowser, OWN, signedIn } from '../../support/console.ts';
import { pluck } from '../../support/pluck.ts';
import type { Answer, Body } from '../../support/service.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { newAccount } from '../../support/store-world.ts';
import { refused, served } from '../../support/world.ts';

const FILE = [
  'Location name;external identifier;note',
  'Riverside Chapel;r1;old',
  ';r2;nameless',
  'Oak Hill;r3;new',
].join('\r\n');

describe('An import by a person', () => {
  let editor: ConsoleBrowser;

  const service = served({}, async () => {
    editor = await signedIn(service);
  });

  const bring = (
    what: 'look' | 'check' | 'run',
    asked: Body,
    file: string,
    by: ConsoleBrowser = editor,
  ): Promise<Answer> =>
    bringing(
      (method, path, body, headers) => by.send(method, path, body, { ...OWN, ...headers }),
      what,
      { resource: 'locations', ...(what === 'run' && { from_start: true }), ...asked },
      file,
    );
  const map = {
    'Location name': 'location_name',
    'external identifier': 'external_identifier',
    note: null,
  };
  const told = ({ text }: Answer) => {
    const lines: Body[] = Array.from(text.trimEnd().split('\n'), (line) => JSON.parse(line));
    const rejected = lines.map((line) => line.rejected ?? '').join('');
    return { end: lines.at(-1), rejected, id: String(lines[0]?.import) };
  };
  const names = async (): Promise<string[]> => {
    const { body } = await service.get('/v1/locations');
    return body.data.map(({ name }: Body) => name).sort();
  };

  it('begins with a look, which says how the file was read and what its columns may be', async () => {
    const { status, body, text } = await bring('look', {}, FILE);
    assert.equal(status, 200, text);
    assert.deepEqual(body.read, { encoding: 'utf-8', delimiter: ';' });
    assert.deepEqual(body.header, ['Location name', 'external identifier', 'note']);
    assert.deepEqual(body.rows[0], ['Riverside Chapel', 'r1', 'old']);
    assert.deepEqual(body.mapping, { ...map });
  });

  it('is checked without a trace, done, and taken back', async () => {
    const before = await names();
    const checked = told(await bring('check', { map }, FILE));
    const counts = { created: 2, updated: 0, unchanged: 0, failed: 1 };
    assert.deepEqual(checked.end, { done: true, counts });
    assert.deepEqual(await names(), before);
    assert.deepEqual((await editor.get('/v1/imports')).body.data, []);

    const done = told(await bring('run', { map }, FILE));
    assert.deepEqual(done.end, checked.end);
    assert.match(
      done.rejected,
      /_row,_error,Location name,external identifier,note\r\n3,.*Location name is empty.*,,r2,nameless/,
    );
    assert.deepEqual(await names(), [...before, 'Oak Hill', 'Riverside Chapel'].sort());

    const { data } = (await editor.get('/v1/imports')).body;
    assert.deepEqual(pluck(data, 'unique_identifier', 'status', 'files'), [
      [done.id, 'finished', [{ name: 'chapels.csv', resource: 'locations' }]],
    ]);
    const undo = `/v1/imports/${done.id}/undo`;
    const would = await editor.post(undo, { dry_run: true });
    assert.deepEqual(pluck([would.body], 'removed', 'restored', 'kept'), [[2, 0, 0]], would.text);
    assert.equal((await names()).length, before.length + 2);
    await editor.post(undo, { dry_run: false });
    assert.deepEqual(await names(), before);
    assert.equal((await editor.get('/v1/imports')).body.data[0].status, 'undone');
  });

  it('leaves its refused rows for a week, whether its page was left or not', async () => {
    const { id, rejected } = told(await bring('run', { map }, FILE));
    const { status, body } = await editor.get(`/v1/imports/${id}/rejected`);
    assert.deepEqual([status, body.rows], [200, rejected]);
    assert.match(rejected, /r2,nameless/);

    const { imports } = service.app.store;
    await imports.purge();
    assert.equal((await editor.get(`/v1/imports/${id}/rejected`)).status, 200);
    const run = await imports.find(id);
    assert.ok(run);
    await imports.put({ ...run, updated_at: Date.now() - 8 * 86_400_000 });
    assert.equal(await imports.purge(), false);
    const gone = await editor.get(`/v1/imports/${id}/rejected`);
    refused(gone, 404, 'resource_missing');
    assert.match(gone.body.error.message, /seven days/);
  });

  it('keeps whole rows of what it refuses, however long', () => {
    const rows = '_row,_error\r\n2,"an ""end""\r\nof a line"\r\n3,"cut';
    const whole = rows.slice(0, rows.indexOf('3,'));
    assert.equal(wholeRows(Buffer.from(rows)).toString(), whole);
    assert.equal(wholeRows(Buffer.from('_row,_error')).toString(), '');
  });

  it('keeps 32 MiB of the rows that it refuses, and counts the others', withAll, async () => {
    // Each refused row is as wide as the header.
    const columns = Array.from({ length: 5_000 }, (_, at) => `c${at}`);
    const head = ['external_identifier', 'location_name', ...columns].join(',');
    const unused = Object.fromEntries(columns.map((name) => [name, null]));
    const rows = 'a\n'.repeat(10_000);
    const wide = await bring('check', { map: unused, delimiter: ',' }, `${head}\n${rows}`);
    const { end, rejected } = told(wide);
    assert.equal(end.counts?.failed, 10_000, wide.text.slice(-500));
    assert.ok(Buffer.byteLength(rejected) <= 33_554_432);
    const kept = rejected.split('\r\n').length - 2;
    assert.ok(kept > 6_000, `${kept}`);
    assert.equal(end.cut, 10_000 - kept);
  });

  it('says what to choose where the file does not say it, in the words of the screen', async () => {
    const head = 'location_unique_identifier,external_identifier,event_name,event_datetime';
    const told = async (code: string, asked: Body, row: string): Promise<string> => {
      const answer = await bring('check', { resource: 'events', ...asked }, `${head}\n${row}`);
      refused(answer, 400, code);
      const { body } = answer;
      assert.equal(body.error.values.file, 'chapels.csv');
      assert.doesNotMatch(body.error.message, /--/);
      return body.error.message;
    };
    const unclear = { time_zone: 'America/New_York' };
    const [missing, twice] = [{ map: { event_name: null } }, { set: { event_name: 'B' } }];
    for (const [code, asked, time, wanted] of [
      ['times_without_zone', {}, '2027-03-20 10:00', `: ${FIELDS.zone}\\.$`],
      ['date_order_unclear', unclear, '03/04/2027 10:00', `: ${FIELDS.dates}\\.$`],
      [
        ...(['column_missing', missing, '2027-03-20T10:00:00Z'] as const),
        'no column for "Service", which every row needs: choose a column for it, or give it a value for all rows\\.$',
      ],
      [
        ...(['column_given_twice', twice, '2027-03-20T10:00:00Z'] as const),
        'a column for "Service", and the choice for all rows gives it as well',
      ],
    ] as const)
      assert.match(await told(code, asked, `loc_1,a,A,${time}`), new RegExp(wanted));
    // They name what stands on the screen.
    const says = readMessages<Record<string, string>>('en', 'imports');
    assert.ok(FIELDS.dates.includes(`"${says.dates}"`));
    assert.ok(FIELDS.zone.includes(`"${says.zone}"`));
    assert.ok(catalogue.date_order_missing.person?.includes(`"${says.dates}"`));
    assert.ok(catalogue.zone_missing.person?.includes(`"${says.zone}"`));
  });

  it('takes no time zone that there is not', async () => {
    const { status, body } = await bring('look', { time_zone: 'America/NewYork' }, FILE);
    assert.deepEqual([status, body.error.param], [400, 'time_zone']);
    assert.match(
      body.error.message,
      /time_zone is not the name of a time zone\. Did you mean America\/New_York\?/,
    );
  });

  it('says what is wrong with the file or the request, by the name that the person gave it', async () => {
    const empty = await bring('look', {}, '');
    refused(empty, 400, 'file_empty');
    assert.match(empty.body.error.message, /^chapels\.csv is empty/);
    const unmapped = { ...map, note: 'no_such_field' };
    refused(await bring('run', { map: unmapped }, FILE), 400, 'import_refused');
    refused(await bring('look', { colour: 'blue' }, FILE), 400, 'parameter_unknown');
    const wrong = await bring('look', { dates: 'dym', header_row: 0, time_zone: 'Rome' }, FILE);
    assert.deepEqual(pluck(wrong.body.error.errors, 'param'), ['header_row', 'dates', 'time_zone']);
    refused(await editor.post('/v1/imports', { resource: 'events' }), 400, 'parameter_missing');
  });

  it('says so where the service has no room for the file', async (t) => {
    const folder = ownFolder();
    const disk = mountSmallDisk(folder, 1);
    const { TMPDIR } = process.env;
    whenOver(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      disk?.unmount();
    });
    if (disk === undefined) return t.skip('only root can have a disk of its own');
    disk.fill();
    process.env.TMPDIR = folder;
    const full = await bring('look', {}, FILE);
    refused(full, 503, 'files_no_room');
    assert.match(full.body.error.message, /no room for files.*TMPDIR/);
    assert.ok(full.headers.get('retry-after'));
    disk.makeRoom();
    assert.equal((await bring('look', {}, FILE)).status, 200);
  });

  it('is for people who may write in whole accounts', async () => {
    const location = await service.location();
    const viewer = await signedIn(service, 'viewer@example.com', { role: 'viewer' });
    const local = await signedIn(service, 'local@example.com', { anchors: [location] });
    for (const [person, code] of [
      [viewer, 'permission_denied'],
      [local, 'whole_account_needed'],
    ] as const) {
      refused(await bring('run', { map }, FILE, person), 403, code);
      assert.equal((await person.get('/v1/imports')).status, 403);
    }
  });

  it('is hidden from people who do not see its accounts', async () => {
    const { id } = told(await bring('run', { map }, FILE));
    const accounts = [await newAccount(service.app.store, 'Other')];
    const stranger = await signedIn(service, 'other@example.com', { accounts });
    assert.deepEqual((await stranger.get('/v1/imports')).body.data, []);
    assert.equal((await stranger.get(`/v1/imports/${id}/rejected`)).status, 404);
    const undone = await stranger.post(`/v1/imports/${id}/undo`, { dry_run: false });
    refused(undone, 404, 'resource_missing');
  });
});
