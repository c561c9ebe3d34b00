/** Whatever a field holds goes out by every format and comes in again as it was; in a workbook days, times and numbers are such, and nothing is run. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openXlsx } from 'hucre/xlsx';
import { resources } from '../../../src/core/registry.ts';
import type { Resource } from '../../../src/core/schema/define.ts';
import { fieldsIn } from '../../../src/core/schema/present/display.ts';
import { columnsForPeople } from '../../../src/core/schema/row.ts';
import { isObject, type Json, type JsonObject } from '../../../src/core/schema/values.ts';
import { planWhole, tableOf } from '../../../src/features/exports/serves/export.ts';
import {
  CONSOLE_FORMATS,
  type ConsoleFormat,
  endingOf,
  rowPartsFor,
} from '../../../src/features/exports/serves/formats.ts';
import { ownFolder } from '../../support/cli-program.ts';
import { counts, rejectedIn, take } from '../../support/importing.ts';
import { fillOddly } from '../../support/odd-records.ts';
import { leastOf, world } from '../../support/world.ts';

const under = resources.filter(({ parent }) => parent !== undefined);
const TEXTS = [
  ...[
    '007',
    "=cmd|' /C calc'!A0",
    '+1+1',
    '-2',
    '@SUM(A1)',
    '\tx',
    "'=1",
    "''",
    '12345678901234567890',
  ],
  ...[
    '1.41555E+10',
    '2027-03-20',
    '26-1',
    '3/4/2026',
    '1e5',
    'TRUE',
    '#N/A',
    '0',
    ' around ',
    'two\nlines',
  ],
  ...[
    'a\r\nb\rc',
    '😀 é \u{1f56f}',
    '{"a":1}',
    '[1]',
    'a;b,c\td|e',
    '"',
    '_x0041_',
    '$1,895.00',
    '50%',
    '12:30',
  ],
];
/** Beside the samples of each kind, by its name. */
const EDGES: Readonly<Record<string, readonly unknown[]>> = {
  date: [
    '0001-01-01',
    '1899-12-31',
    '1900-01-01',
    '1900-02-28',
    '1900-03-01',
    '1904-01-01',
    '2024-02-29',
  ],
  'date and time': [
    ...[
      '0001-01-01T00:00:00Z',
      '1883-11-18T17:00:00Z',
      '1900-02-28T23:59:59Z',
      '1900-03-01T00:00:00Z',
    ],
    ...[
      '2027-11-07T05:30:00Z',
      '2027-11-07T06:30:00Z',
      '2027-03-14T07:00:00Z',
      '2099-12-31T23:59:59Z',
    ],
    ...['2100-06-01T12:00:01Z', '2027-03-20T14:30:00+05:45', '9999-12-31T23:59:59Z'],
  ],
  'free-form object': [{ a: { b: [1, null, { c: '=1+1' }] }, n: 12345678901234, t: '007' }],
};
/** With half and quarter hours, clocks that change, the ends of the earth, and none. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Africa/Monrovia',
];

/** What the cells of a column are. Days that sheets do not count stay texts. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  ...{ amount: ['amount number'], number: ['number number'] },
  ...{ day: ['day moment', 'day string'], time: ['time moment', 'time string'] },
};

/** A body with that value at a path such as `person.full_name`. */
function withValue(
  body: JsonObject,
  [first = '', ...rest]: readonly string[],
  value: Json,
): JsonObject {
  const within = body[first];
  const inner = isObject(within) ? within : {};
  return {
    ...body,
    [first]: rest.length === 0 ? value : withValue(inner, rest, value),
  } as JsonObject;
}

describe('What fields hold', () => {
  const on = world({}, async () => {
    let written = 0;
    for (const { path, fields, public_data } of under) {
      await fillOddly(on, path);
      for (const { path: name, field } of fieldsIn({ ...fields, ...public_data })) {
        const { kind } = field;
        const samples = kind.samples().accepted.map(({ send }) => send as unknown);
        const isText = kind.schema.type === 'string';
        const all = [...samples, ...(EDGES[kind.name] ?? []), ...(isText ? TEXTS : [])];
        for (const [at, value] of all.entries()) {
          // More does not fit a cell, and a workbook says so.
          if (JSON.stringify(value).length > 30_000) continue;
          const least = leastOf(path) as JsonObject;
          const json = withValue(least, name.split('.'), value as Json);
          const { status, text } = await on.upsert(path, { json, as: `${name} ${at}` });
          assert.ok(status === 200 || status === 400, text);
          if (status === 200) written += 1;
        }
      }
      for (const text of TEXTS) {
        const { status } = await on.upsert(path, { as: text });
        if (status === 200) written += 1;
      }
    }
    assert.ok(written > 800, `${written} records`);
  });

  /** Files of all records in a format, as people or programs take them away, parents first. */
  async function files(format: ConsoleFormat) {
    const { app, account } = on.service;
    const { store } = app;
    const plan = await planWhole(store, [account.unique_identifier]);
    const parts = rowPartsFor(format, store);
    const folder = ownFolder();
    const made: { readonly resource: Resource; readonly file: string; readonly rows: number }[] =
      [];
    for (const resource of under) {
      const table = tableOf({ log: store.log, plan, format: 'csv', parts }, resource);
      let rows = 0;
      async function* counted() {
        for await (const some of table.rows) {
          rows += some.length;
          yield some;
        }
      }
      const file = join(folder, `${resource.path}.${endingOf(format)}`);
      await writeFile(file, CONSOLE_FORMATS[format]({ ...table, rows: counted() }));
      made.push({ resource, file, rows });
    }
    await plan.snapshot.close();
    return made;
  }

  for (const zone of ZONES)
    it(`goes out by each format and comes in unchanged, by the clock of ${zone}`, async () => {
      const { app, account, patch } = on.service;
      const path = `/v1/locations/${on.location}/settings`;
      assert.equal((await patch(path, { time_zone: zone })).status, 200);
      for (const format of Object.keys(CONSOLE_FORMATS) as ConsoleFormat[]) {
        for (const { file, rows } of await files(format)) {
          const { run } = await take(app.store, account.unique_identifier, [file]);
          const { failed } = run.counts;
          assert.deepEqual(run.counts, counts(0, 0, rows - failed, failed), file);
          if (failed === 0) continue;
          // A table of texts may have been saved by a spreadsheet program: what that spoils is refused, and told.
          const rejected = rejectedIn(run);
          assert.ok(format.endsWith('csv'), `${file}: ${rejected}`);
          const refused = rejected.match(/"?(?:#N\/A|1\.41555E\+10)"?,/g) ?? [];
          assert.equal(refused.length >= failed, true, rejected);
        }
      }
    });

  it('are days, times and numbers in their columns of a workbook, and texts everywhere else', async () => {
    const made = await files('xlsx');
    const seen = new Set<string>();
    for (const { file, resource } of made) {
      const book = await openXlsx(await readFile(file));
      const [sheet] = book.sheets;
      const columns = columnsForPeople(resource);
      for (const row of sheet?.rows.slice(1) ?? [])
        for (const [at, { name, holds }] of columns.entries()) {
          const value = row[at];
          if (value === null || value === undefined || value === '') continue;
          const is = value instanceof Date ? 'moment' : typeof value;
          if (holds === undefined) assert.equal(is, 'string', `${resource.path} ${name}: ${value}`);
          else seen.add(`${holds} ${is}`);
        }
    }
    const columns = under.flatMap((resource) => columnsForPeople(resource));
    const wanted = new Set(columns.flatMap(({ holds }) => TYPES[holds ?? 'text'] ?? []));
    assert.deepEqual([...seen].sort(), [...wanted].sort());
  });
});
