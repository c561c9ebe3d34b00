/** Spreadsheets are taken in: every row is in, or rejected with its reason, and nothing is guessed. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALL } from '../../support/all.ts';
import { counts, filesFolder, type Importing, rejectedIn, take } from '../../support/importing.ts';
import { world } from '../../support/world.ts';

const stage = world();
const files = filesFolder();

const into = (paths: readonly string[], importing: Importing = {}) =>
  take(stage.service.app.store, stage.parents.account, paths, importing);

/** Imports files, one that is stopped goes on, and returns the run. */
async function wantCounts(
  paths: readonly string[],
  wanted: ReturnType<typeof counts>,
  importing: Importing = {},
  resumes = false,
) {
  const { run, resumed } = await into(paths, importing);
  assert.deepEqual([run.counts, resumed], [wanted, resumes]);
  return run;
}

/** Stops an import at that call, where its rows are in and nobody has heard of it, or before. */
function stoppingAt(at: number, isIn = true): NonNullable<Importing['between']> {
  let sent = 0;
  return ({ array }) => ({
    async array(...rows) {
      sent += 1;
      if (sent >= at && !isIn) throw new Error('stopped');
      const done = await array(...rows);
      if (sent >= at) throw new Error('stopped');
      return done;
    },
  });
}

async function rows(path: string): Promise<string> {
  const headers = { Accept: 'application/x-ndjson' };
  return (await stage.service.send('GET', `/v1/${path}`, { headers })).text;
}

const LOCATIONS = 'external_identifier,location_name';
const EVENTS = 'location_external_identifier,external_identifier,event_name,event_datetime';
const LOCATION = { resource: 'locations' } as const;
const TIME = '2027-03-20T10:00:00Z';

describe('every row is in, or rejected with its reason', () => {
  it('and what was rejected is imported once it is fixed', async () => {
    const locations = files.write('locations.csv', `${LOCATIONS}\nmend,Chapel\n`);
    const bad = Array.from({ length: 600 }, (_, at) =>
      at % 100 === 7
        ? `nowhere,mend ${at},Service,${TIME}`
        : `mend,mend ${at},"Service, ${at}",${TIME}`,
    );
    const events = files.write('events.csv', `${EVENTS}\n${bad.join('\n')}\n`);
    const run = await wantCounts([events, locations], counts(595, 0, 0, 6));
    assert.equal(run.status, 'finished');
    const text = rejectedIn(run, run.files[1]);
    assert.match(text, /^\ufeff_row,_error,location_external_identifier,/);
    assert.match(
      text,
      /\r\n9,"location_external_identifier: This account has no location .*",nowhere,mend 7,Service,/,
    );
    const fixed = files.write('fixed.csv', text.replaceAll(',nowhere,', ',mend,'));
    const again = await wantCounts([fixed], counts(6, 0, 0, 0), { resource: 'events' });
    assert.ok(!existsSync(again.files[0]?.rejected ?? ''));
  });

  it('names all that is wrong with a row', async () => {
    const head =
      'event_unique_identifier,external_identifier,visitor_full_name,visitor_phone_number,visitor_interested_in_pre_planning';
    const lines = [
      ...['wrong,,555,yes', 'unsure,Dana,5555550100,perhaps', 'phone,Dana,1.41555E+10,yes'],
      ...['right,Dana,(555) 555-0100,yes', 'short,Dana'],
    ].map((line) => `${stage.parents.event},${line}`);
    const path = files.write('event_check_in_records.csv', [head, ...lines].join('\n'));
    const read = { us_phones: true, delimiter: ',' } as const;
    const run = await wantCounts([path], counts(1, 0, 0, 4), read);
    const [, first, unsure, second, third] = rejectedIn(run).split('\r\n');
    const both = /visitor_full_name is missing.*visitor_phone_number is not a phone number/;
    assert.match(first ?? '', both);
    assert.match(unsure ?? '', /pre_planning must be yes or no, y or n, true or false, 1 or 0/);
    assert.match(second ?? '', /visitor_phone_number was shortened by a spreadsheet program/);
    assert.match(third ?? '', /The row has 3 cells, and the header 5/);
    assert.match(await rows('event_check_in_records'), /"visitor_phone_number":"\+15555550100"/);
  });

  it('names the cell whose JSON cannot be read, beside all else that is wrong', async () => {
    const head = `${EVENTS.replace('location_external', 'location_unique')},additional_event_metadata,person.date_of_birth`;
    const own = (name: string, rest: string) =>
      `${stage.parents.location},${name},A,${TIME},${rest}`;
    const cells = ['"{""plot"": 12}",', '"{""plot"": 12",no day', 'B-12,', '\u0000,'];
    const path = files.write(
      'events.csv',
      [head, ...cells.map((rest, at) => own(`json ${at}`, rest))].join('\n'),
    );
    const told = rejectedIn(await wantCounts([path], counts(1, 0, 0, 3))).split('\r\n');
    assert.match(
      told[1] ?? '',
      /^3,.*additional_event_metadata must hold JSON in its cell.*person\.date_of_birth/,
    );
    assert.match(told[2] ?? '', /^4,.*additional_event_metadata must hold JSON/);
    assert.match(told[3] ?? '', /^5,.*additional_event_metadata has a NUL character/);
  });

  it('goes on as it began, fast or beside a service', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `pace ${at},A`);
    const path = files.write('pace.csv', `${LOCATIONS}\n${lines.join('\n')}\n`);
    const importing = { resource: 'locations', pace: 'fast' } as const;
    await assert.rejects(into([path], { ...importing, between: stoppingAt(2) }), /stopped/);
    await wantCounts([path], counts(1_000, 0, 0, 0), { ...importing, pace: 'beside' }, true);
  });

  it('never overwrites rejected rows, which a person may have fixed', async () => {
    const path = files.write('kept.csv', `${EVENTS}\nnowhere,1,A,${TIME}\n`);
    const first = await into([path], { resource: 'events' });
    const second = await into([path], { resource: 'events' });
    assert.notEqual(first.run.files[0]?.rejected, second.run.files[0]?.rejected);
    assert.ok(existsSync(second.run.files[0]?.rejected ?? ''));
  });
});

describe('repeating', () => {
  it('changes nothing', async () => {
    const path = files.write('again.csv', `${LOCATIONS}\nagain 1,A\nagain 2,B\n`);
    await wantCounts([path], counts(2, 0, 0, 0), LOCATION);
    const before = await rows('locations');
    await wantCounts([path], counts(0, 0, 2, 0), LOCATION);
    assert.equal(await rows('locations'), before);
  });

  it('after it stopped anywhere goes on there, with the counts and rejected rows of one run', async () => {
    // 24 commits; rows are rejected before and after each stop.
    const lines = Array.from({ length: 1_500 }, (_, at) =>
      at % 300 === 3 ? `stop ${at},` : `stop ${at},Chapel ${at}`,
    );
    const path = files.write('stopped.csv', `${LOCATIONS}\n${lines.join('\n')}\n`);
    for (const lost of [false, true]) {
      for (let at = 0; at < 20; at += ALL ? 7 : 13) {
        const set = { location_name: `Set ${at} ${lost}` };
        const names = lines.map((line) => line.split(',')[0]).join('\n');
        const wide = files.write('only.csv', `external_identifier\n${names}\n`);
        const between = stoppingAt(at + 1, lost);
        await assert.rejects(into([wide], { ...LOCATION, set, between }), /stopped/);
        const done = at === 0 && !lost ? counts(1_500, 0, 0, 0) : counts(0, 1_500, 0, 0);
        await wantCounts([wide], done, { ...LOCATION, set }, true);
      }
    }
    await assert.rejects(into([path], { ...LOCATION, between: stoppingAt(18) }), /stopped/);
    const run = await wantCounts([path], counts(0, 1_495, 0, 5), LOCATION, true);
    const [, ...rejected] = rejectedIn(run).trimEnd().split('\r\n');
    const found = rejected.map((line) => line.split(',')[0]);
    const wanted = Array.from({ length: 5 }, (_, at) => String(5 + 300 * at));
    assert.deepEqual(found, wanted);
  });
});

describe('a dry run', () => {
  it('tells what would be, and writes nothing', async () => {
    const before = await rows('locations');
    const listed = await stage.service.app.store.imports.list(1_000);
    const path = files.write('dry.csv', `${LOCATIONS}\ndry 1,A\ndry 2,\n`);
    const run = await wantCounts([path], counts(1, 0, 0, 1), { ...LOCATION, dry_run: true });
    assert.equal(await rows('locations'), before);
    assert.deepEqual(await stage.service.app.store.imports.list(1_000), listed);
    assert.ok(!existsSync(run.files[0]?.rejected ?? ''));
  });
});

describe('a dry run sees what earlier rows would do', () => {
  it('to a record that a later row names again, and not to one that it belongs to', async () => {
    const both = files.write('dry-twice.csv', `${LOCATIONS}\ndry twice,A\ndry twice,B\n`);
    await wantCounts([both], counts(1, 1, 0, 0), { ...LOCATION, dry_run: true });
    const below = files.write('events.csv', `${EVENTS}\ndry twice,dry event,Funeral,${TIME}\n`);
    const above = files.write('locations.csv', `${LOCATIONS}\ndry twice,A\n`);
    await wantCounts([below, above], counts(1, 0, 0, 1), { dry_run: true });
    await wantCounts([below, above], counts(2, 0, 0, 0));
    await wantCounts([both], counts(0, 1, 1, 0), LOCATION);
  });
});

describe('limits', () => {
  it('too many rejected rows stop it, and it goes on from there', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `limit ${at},${at < 300 ? '' : 'A'}`);
    const path = files.write('limit.csv', `${LOCATIONS}\n${lines.join('\n')}\n`);
    const stopped = await into([path], { resource: 'locations', maxFailed: 10 });
    assert.equal(stopped.stopped, 'too_many_failed');
    assert.deepEqual(stopped.run.counts, counts(0, 0, 0, 64));
    await wantCounts([path], counts(700, 0, 0, 300), LOCATION, true);
  });

  it('modes only create, or only update', async () => {
    const path = files.write('mode.csv', `${LOCATIONS}\nmode,A\n`);
    await wantCounts([path], counts(0, 0, 0, 1), { ...LOCATION, mode: 'update_only' });
    await wantCounts([path], counts(1, 0, 0, 0), { ...LOCATION, mode: 'create_only' });
  });
});

describe('lines of JSON', () => {
  it('are taken in without what the service gave, and bad ones are rejected as lines', async () => {
    const lines = [
      '{"external_identifier":"line 1","location_name":"A","_updated_at":"2027-01-01T00:00:00Z"}',
      '{"external_identifier":"line 2"}',
      'no JSON',
    ];
    const path = files.write('locations.ndjson', lines.join('\n'));
    const run = await wantCounts([path], counts(1, 0, 0, 2));
    const [first, second] = rejectedIn(run)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(first._row, 2);
    assert.match(first._error, /location_name/);
    assert.equal(first.external_identifier, 'line 2');
    assert.equal(second._line, 'no JSON');
    const fixed = files.write('fixed.ndjson', JSON.stringify({ ...first, location_name: 'B' }));
    await wantCounts([fixed], counts(1, 0, 0, 0), LOCATION);
  });

  it('as they are exported, they change nothing', async () => {
    await stage.upsert('event_check_in_records');
    for (const path of ['locations', 'events', 'event_check_in_records']) {
      const exported = files.write(`${path}.exported.ndjson`, await rows(path));
      const { run } = await into([exported]);
      const { unchanged, ...others } = run.counts;
      assert.deepEqual(others, { created: 0, updated: 0, failed: 0 }, path);
      assert.ok(unchanged > 0);
    }
  });
});
