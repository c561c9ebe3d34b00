/** The files that spreadsheet programs write are read as they were meant, or refused with what to say. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import { resources } from '../../../src/core/registry.ts';
import { writeArchive } from '../../../src/features/exports/serves/formats.ts';
import type { ImportCounts } from '../../../src/features/imports/declares/import-run.ts';
import { ColumnsUnknown } from '../../../src/features/imports/serves/mapping.ts';
import { placesOf } from '../../../src/features/imports/serves/places.ts';
import { planImport } from '../../../src/features/imports/serves/plan.ts';
import { OPTIONS } from '../../../src/features/imports/serves/words.ts';
import { counts, filesFolder, type Importing, rejectedIn, take } from '../../support/importing.ts';
import { pluck } from '../../support/pluck.ts';
import type { Body } from '../../support/service.ts';
import { world } from '../../support/world.ts';

const stage = world();
const files = filesFolder();

const into = (path: string, importing: Importing = {}) =>
  take(stage.service.app.store, stage.parents.account, [path], importing);

/** Imports a file, of whose rows as many are taken, and returns the run. */
async function wantCounts(wanted: ImportCounts, path: string, importing?: Importing) {
  const { run } = await into(path, importing);
  assert.deepEqual(run.counts, wanted);
  return run;
}

const HEAD =
  'location_unique_identifier,external_identifier,event_name,event_datetime,person.full_name,person.date_of_birth';

async function eventNamed(name: string) {
  const query = `location_unique_identifier=${stage.parents.location}&external_identifier=${encodeURIComponent(name)}`;
  return (await stage.service.get(`/v1/events?${query}`)).body.data[0];
}

/** What is wrong with a file, or with the import of it. */
async function refusal(path: string, importing: Importing = {}): Promise<string> {
  const error = await into(path, { resource: 'events', ...importing }).then(
    () => undefined,
    (failed: Error) => failed,
  );
  assert.equal(error?.name, 'TransferRefused');
  return error?.message ?? '';
}

const row = (name: string, rest: string, time = '2027-03-20T10:00:00Z') =>
  `${stage.parents.location},${name},Zoë’s service,${time},${rest}`;

describe('encodings', () => {
  const text = (name: string) => `${HEAD}\r\n${row(name, '"Dana\r\n""D"" Zoë",')}\r\n`;
  const cases: Record<string, (name: string) => Uint8Array> = {
    'utf-8': (name) => Buffer.from(text(name)),
    'utf-8 with a mark': (name) => Buffer.from(`\ufeff${text(name)}`),
    'utf-16le with a mark': (name) => Buffer.from(`\ufeff${text(name)}`, 'utf16le'),
    'utf-16le': (name) => Buffer.from(text(name), 'utf16le'),
    'utf-16be with a mark': (name) => Buffer.from(`\ufeff${text(name)}`, 'utf16le').swap16(),
    'windows-1252': (name) => Buffer.from(text(name).replaceAll('’', '\x92'), 'latin1'),
  };
  for (const [encoding, bytes] of Object.entries(cases)) {
    it(`${encoding} is found by the bytes`, async () => {
      const path = files.write('events.csv', bytes(encoding));
      await wantCounts(counts(1, 0, 0, 0), path);
      const event = await eventNamed(encoding);
      assert.equal(event.event_name, 'Zoë’s service');
      assert.equal(event.public_data.person.full_name, 'Dana\r\n"D" Zoë');
    });
  }
});

describe('delimiters', () => {
  for (const [name, delimiter] of [
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['bars', '|'],
  ] as const) {
    it(`${name} are found`, async () => {
      const text = [HEAD, row(name, 'Dana,1950-01-02'), ',,,,,', row(`${name} 2`, ',')].join('\n');
      const path = files.write('events.csv', text.replaceAll(',', delimiter));
      await wantCounts(counts(2, 0, 0, 0), path);
      assert.equal((await eventNamed(name)).public_data.person.date_of_birth, '1950-01-02');
    });
  }

  it('that fit alike are asked for', async () => {
    const path = files.write('tie.csv', 'a;b,c\n1;2,3\n');
    assert.match(await refusal(path), /commas and semicolons fit alike.*--delimiter/);
  });
});

describe('columns', () => {
  it('that are unknown are refused with the proposed mapping', async () => {
    const names = 'External-Identifier,Event nam,Colour,event_datetime,location unique identifier';
    const path = files.write('columns.csv', `${names}\n1,2,3,4,5\n`);
    const error = await into(path, { resource: 'events' }).catch((failed: unknown) => failed);
    assert.ok(error instanceof ColumnsUnknown);
    assert.deepEqual(error.proposed, {
      ...{ 'External-Identifier': 'external_identifier', 'Event nam': 'event_name', Colour: null },
      ...{ event_datetime: 'event_datetime' },
      'location unique identifier': 'location_unique_identifier',
    });
  });

  it('that are there twice, merged or missing are named', async () => {
    const twice = files.write('twice.csv', `${HEAD},Event Name\n`);
    assert.match(await refusal(twice), /nothing says what it is: "Event Name"\./);
    const wrong = await refusal(twice, { map: { 'Event Name': 'event_name' } });
    assert.match(wrong, /"event_name" and "Event Name" are both for event_name/);
    const merged = files.write('merged.csv', `${HEAD},,,event_name\n,,,,,,x,,\n`);
    const refused = await refusal(merged);
    assert.match(refused, /2 columns .*: "Column G", "event_name \(2\)"\./);
    const missing = files.write('missing.csv', 'external_identifier,event_name\n');
    assert.match(await refusal(missing), /no column for event_datetime/);
    const unmapped = files.write('mapping.csv', `${HEAD}\n`);
    const denied = await refusal(unmapped, { map: { Other: null } });
    assert.match(denied, /"Other", which is not in the file/);
  });
});

describe('values for all rows', () => {
  const set = { event_name: 'Service for {Deceased}', 'person.full_name': '{Deceased}' };
  const head = 'location_unique_identifier,external_identifier,Date,Deceased';
  const map = { Date: 'event_datetime', Deceased: null };

  it('take what stands in the columns that they name in braces', async () => {
    const lines = ['filled,2027-03-20T10:00:00Z,Ann Ash', 'without,2027-03-20T10:00:00Z,'];
    const rows = lines.map((line) => `${stage.parents.location},${line}`);
    const path = files.write('events.csv', [head, ...rows].join('\n'));
    const run = await wantCounts(counts(1, 0, 0, 1), path, { map, set });
    const made = await eventNamed('filled');
    assert.equal(made.event_name, 'Service for Ann Ash');
    assert.equal(made.public_data.person.full_name, 'Ann Ash');
    assert.match(rejectedIn(run), /3,.*event_name is missing/);
  });

  it('name at most ten columns, so that a row stays as large as it is', async () => {
    const path = files.write('events.csv', `${head}\n`);
    const much = { map, set: { event_name: '{Deceased}'.repeat(11) } };
    assert.match(await refusal(path, much), /event_name.* names 11 columns.*at most 10/);
  });
});

describe('dates', () => {
  const time_zone = 'America/New_York';

  it('are read in the order that the file proves, in its time zone', async () => {
    const mdy = row('mdy 1', 'A,3/4/1950', '3/4/2027 2:30 PM');
    const text = [HEAD, mdy, row('mdy 2', 'A,12/31/1950', '7/4/2027 14:30')].join('\n');
    await wantCounts(counts(2, 0, 0, 0), files.write('events.csv', text), { time_zone });
    const first = await eventNamed('mdy 1');
    assert.equal(first.event_datetime, '2027-03-04T19:30:00Z');
    assert.equal(first.public_data.person.date_of_birth, '1950-03-04');
    assert.equal((await eventNamed('mdy 2')).event_datetime, '2027-07-04T18:30:00Z');
  });

  it('are read with the names of months, and with their time in a column of its own', async () => {
    const head = HEAD.replace('event_datetime', 'Date,Time');
    const lines = [
      row('3 Dec', 'A,', '3 Dec 2026,2:30 PM'),
      row('Dec 4', 'A,', 'Friday December 4th 2026,noon'),
      row('5 Dec', 'A,', '2026-12-05T00:00:00,9 a.m.'),
      row('turned', 'A,', '14:30,6-Dec-2026'),
      row('one', 'A,', 'Sept. 7 2026 at 10:05 am,'),
      row('none', 'A,', '8 Dec 2026,'),
      row('no month', 'A,', '8 Xyz 2026,10:00'),
    ];
    const path = files.write('events.csv', [head, ...lines].join('\n'));
    await wantCounts(counts(5, 0, 0, 2), path, { time_zone });
    const times = ['3 Dec', 'Dec 4', '5 Dec', 'turned', 'one'].map(
      async (name) => (await eventNamed(name)).event_datetime,
    );
    assert.deepEqual(await Promise.all(times), [
      ...['2026-12-03T19:30:00Z', '2026-12-04T17:00:00Z', '2026-12-05T14:00:00Z'],
      ...['2026-12-06T19:30:00Z', '2026-09-07T14:05:00Z'],
    ]);
  });

  it('of which the order cannot be told are asked for', async () => {
    const text = [HEAD, row('either', 'A,', '3/4/2027 2:30 PM')].join('\n');
    const path = files.write('events.csv', text);
    assert.match(await refusal(path, { time_zone }), /\(row 2\).*--dates mdy or --dates dmy/);
    await wantCounts(counts(1, 0, 0, 0), path, { time_zone, dates: 'dmy' });
    assert.equal((await eventNamed('either')).event_datetime, '2027-04-03T18:30:00Z');
    const both = [HEAD, row('x', 'A,13/1/1950'), row('y', 'A,1/13/1950')].join('\n');
    const wrong = await refusal(files.write('both.csv', both));
    assert.match(wrong, /month first in row 3 and the day first in row 2/);
  });

  it('without a zone prompt a question, or reject their row if others have one', async () => {
    const local = row('local', ',', '2027-03-20 10:00');
    const path = files.write('local.csv', [HEAD, row('none', ',', ''), local].join('\n'));
    assert.match(await refusal(path), /without an offset from UTC \(row 3\).*--time-zone/);
    const mixed = [HEAD, local, row('offset', ',', '2027-03-20T10:00:00-04:00')].join('\n');
    const run = await wantCounts(counts(1, 0, 0, 1), files.write('events.csv', mixed));
    assert.match(rejectedIn(run), /2,.*--time-zone/);
  });

  it('without a zone are read by the clock of the location that their row names', async () => {
    const { service, parents } = stage;
    const { store } = service.app;
    const east = { unique_identifier: parents.location, account: parents.account };
    const own = { account_unique_identifier: parents.account, external_identifier: 'west' };
    const sent = { ...own, location_name: 'West Chapel' };
    const { body: west } = await service.json('/v1/locations/upsert', sent);
    await store.locationSettings.change([
      { ...east, time_zone: 'America/New_York' },
      { ...east, unique_identifier: west.unique_identifier, time_zone: 'America/Los_Angeles' },
    ]);
    const places = () =>
      placesOf(store, resources, { accounts: new Set([parents.account]), anchors: undefined });
    const lines = ['west,own,Wake,2027-03-20 10:00', 'WEST chapel,named,Wake,2027-03-20 10:00'];
    const text = ['Location,Case,Service,Date', ...lines].join('\n');
    const path = files.write('events.csv', text);
    await wantCounts(counts(2, 0, 0, 0), path, { places });
    const set = { location_unique_identifier: parents.location };
    const one = files.write('one.csv', 'Case,Service,Date\nall,Wake,2027-03-20 10:00');
    await wantCounts(counts(1, 0, 0, 0), one, { places, resource: 'events', set });
    const query = `location_unique_identifier=${west.unique_identifier}`;
    const { body } = await service.get(`/v1/events?${query}`);
    const found = pluck<Body>(body.data, 'event_datetime');
    assert.deepEqual(found, ['2027-03-20T17:00:00Z', '2027-03-20T17:00:00Z']);
    assert.equal((await eventNamed('all')).event_datetime, '2027-03-20T14:00:00Z');
    await store.locationSettings.change([{ ...east, time_zone: '' }]);
    const wrong = await refusal(one, { places, set });
    assert.match(wrong, /without an offset from UTC \(row 2\).*--time-zone/);
  });

  it('that are no moment reject their row', async () => {
    const text = [
      HEAD,
      row('skipped', ',', '2027-03-14 2:30'),
      row('doubled', ',', '2027-11-07 1:30'),
      row('no time', ',', '2027-11-07'),
      row('number', ',', '46463.5'),
      row('day', ',2027-02-30'),
      row('short', ',1/2/50'),
    ].join('\n');
    const path = files.write('events.csv', text);
    const run = await wantCounts(counts(0, 0, 0, 6), path, { time_zone });
    const rejected = rejectedIn(run);
    for (const why of [
      /2,.*twice or not at all/,
      /3,.*twice or not at all/,
      /4,.*time of day/,
      /5,.*format the column as a date/,
      /6,.*date_of_birth/,
      /7,.*four digits/,
    ])
      assert.match(rejected, why);
  });
});

describe('workbooks', () => {
  const noon = new Date(Date.UTC(2027, 2, 20, 14, 30));

  it('are read with their dates, numbers, leading zeros, and rows of any width', async () => {
    const header = [
      ...['Location Unique Identifier', 'External Identifier', 'event_name', 'event_datetime'],
      ...['person.full_name', 'person.date_of_birth', 'additional_event_metadata.case'],
    ];
    const { location } = stage.parents;
    const born = new Date(Date.UTC(1950, 0, 2));
    const full = [location, '00123', 'A _x0041_', noon, 'Dana', born, 41];
    const rows = [header, full, [], [location, 14_155_501_234, 'Candle 🕯', noon]];
    const book = await writeXlsx({ sheets: [{ name: 'Services', rows }] });
    const path = files.write('events.xlsx', book);
    const run = await wantCounts(counts(2, 0, 0, 0), path, { time_zone: 'America/New_York' });
    const first = await eventNamed('00123');
    assert.equal(first.event_datetime, '2027-03-20T18:30:00Z');
    assert.deepEqual(first.public_data, {
      person: { full_name: 'Dana', date_of_birth: '1950-01-02' },
      additional_event_metadata: { case: '41' },
    });
    assert.equal((await eventNamed('14155501234')).event_name, 'Candle 🕯');
    assert.ok(!existsSync(run.files[0]?.rejected ?? ''));
  });

  it('formulas count by their values, and their errors reject the row', async () => {
    const header = HEAD.split(',');
    const own = (name: string) => [stage.parents.location, name, 'A', '2027-03-20T10:00:00Z'];
    const cells = new Map<string, object>([
      ['1,4', { value: 'Dana', type: 'formula', formula: 'A1', formulaResult: 'Dana' }],
      ['2,4', { value: '#REF!', type: 'error' }],
    ]);
    const sheets = [{ name: 'A', rows: [header, own('formula'), own('error')], cells }];
    const path = files.write('events.xlsx', await writeXlsx({ sheets }));
    const run = await wantCounts(counts(1, 0, 0, 1), path);
    assert.equal((await eventNamed('formula')).public_data.person.full_name, 'Dana');
    const rejected = rejectedIn(run);
    assert.match(rejected, /3,person\.full_name is the error #REF! of a formula\./);
  });

  it('cells longer than Excel takes are kept', async () => {
    const long = 'x'.repeat(40_000);
    const header = [
      ...['location_unique_identifier', 'external_identifier', 'person_full_name'],
      ...['person_phone_number', 'cart_summary'],
    ];
    const rows = [header, [stage.parents.location, 'long', 'Dana', '+15555550100', long]];
    const book = await writeXlsx({ sheets: [{ name: 'A', rows }] });
    const path = files.write('online_arrangements.xlsx', book);
    await wantCounts(counts(1, 0, 0, 0), path);
  });

  it('with several sheets need the name of one', async () => {
    const rows = [HEAD.split(',')];
    const sheets = ['One', 'Two'].map((name) => ({ name, rows }));
    const path = files.write('events.xlsx', await writeXlsx({ sheets }));
    assert.match(await refusal(path), /2 sheets: choose one with --sheet: "One", "Two"/);
    assert.match(await refusal(path, { sheet: 'Three' }), /no sheet "Three"/);
    await wantCounts(counts(0, 0, 0, 0), path, { sheet: 'Two' });
    assert.match(await refusal(files.write('bad.xlsx', 'no workbook')), /cannot be read as XLSX/);
  });

  it('are known by what they are, whatever their names', async () => {
    const rows = [HEAD.split(','), [stage.parents.location, 'macro', 'A', '2027-03-20T10:00:00Z']];
    const book = await writeXlsx({ sheets: [{ name: 'One', rows }] });
    await wantCounts(counts(1, 0, 0, 0), files.write('events.xlsm', book));
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    assert.match(
      await refusal(files.write('old.xls', old)),
      /old\.xls is a workbook of an old kind, as Excel 2003 and before saved it: open it/,
    );
    const content = { name: 'content.xml', bytes: Readable.from(['<office/>']), compress: true };
    const other = await buffer(writeArchive([content], new Date()));
    assert.match(
      await refusal(files.write('other.ods', other)),
      /other\.ods is a workbook of another kind, such as \.ods.*: open it in its program/,
    );
  });

  it('with a title above the names of the columns are read below it, from whichever row is said', async () => {
    const own = row('titled', 'A,', '2027-03-20T10:00:00Z').split(',');
    const rows = [['Services of 2027', 'Riverside'], [], HEAD.split(','), own];
    const book = await writeXlsx({ sheets: [{ name: 'One', rows }] });
    const path = files.write('events.xlsx', book);
    await wantCounts(counts(1, 0, 0, 0), path);
    assert.match(await refusal(path, { header_row: 1 }), /"Services of 2027", "Riverside"/);
    assert.match(await refusal(path, { header_row: 2 }), /no row 2, or nothing is in it/);
    const csv = files.write('events.csv', `Services, 2027\n\n${HEAD}\n${own.join(',')}\n`);
    await wantCounts(counts(0, 0, 1, 0), csv);
    const title = files.write('events.csv', 'Services of 2027\nof the home\n');
    assert.match(await refusal(title), /If that is a title, say which row .* with --header-row/);
  });
});

it('what a file is for must be known', async () => {
  const how = { resources, remedies: OPTIONS };
  const path = files.write('Guests 2027.csv', 'a,b\n1,2\n');
  await assert.rejects(planImport([path], how), /does not say what its rows are: use --resource/);
  await assert.rejects(planImport([path], { ...how, resource: 'guests' }), /no resource "guests"/);
  await assert.rejects(planImport(['/nowhere/events.csv'], how), /there is no such file/);
  await assert.rejects(planImport([files.write('events.csv', '')], how), /is empty/);
});
