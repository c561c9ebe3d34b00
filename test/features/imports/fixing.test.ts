/** A check says what an import does: cells that are typed over, rows that repeat others, what is changed; and each office says once what it means. */
// needs: alone, both stores with --all
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { Faults } from '../../../src/core/errors.ts';
import { resources } from '../../../src/core/registry.ts';
import { type NamedTarget, targetNamed } from '../../../src/features/imports/serves/amounts.ts';
import { readCell } from '../../../src/features/imports/serves/table/cells.ts';
import { isNoDate } from '../../../src/features/imports/serves/table/dates.ts';
import { fieldNames } from '../../../src/features/imports/serves/table/headings.ts';
import { bring as bringing } from '../../support/bring.ts';
import { counts, filesFolder, rejectedIn, take } from '../../support/importing.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { world } from '../../support/world.ts';

const stage = world({ settings: keyed() });
const files = filesFolder();

const targets: readonly NamedTarget[] = resources.flatMap((resource) =>
  fieldNames(resource).flatMap((name) => targetNamed(resource, name) ?? []),
);

function read(target: NamedTarget, text: string): unknown {
  const faults = new Faults();
  const own = { order: 'mdy', zone: 'America/Chicago', usPhones: true } as const;
  const value = readCell(target, { text }, own, faults);
  return faults.named[0]?.code ?? value;
}

const send = (method: string, at: string, body: unknown, headers: Record<string, string>) =>
  stage.service.send(method, at, {
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    headers,
  } as never);

const HEAD = 'external_identifier,location_name';

describe('a rehearsal', () => {
  it('counts what the import does, however rows repeat each other', async () => {
    let file = 0;
    const row = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('North', 'South', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        file += 1;
        const lines = rows.map(([id, name]) => `r${file} ${id},${name}`);
        const path = files.write(`repeats ${file}.csv`, [HEAD, ...lines].join('\n'));
        const how = { resource: 'locations' };
        const { store } = stage.service.app;
        const { account } = stage.parents;
        const tried = await take(store, account, [path], { ...how, dry_run: true });
        const done = await take(store, account, [path], how);
        const { created, failed } = tried.run.counts;
        assert.deepEqual([created, failed], [done.run.counts.created, done.run.counts.failed]);
        assert.deepEqual(tried.run.counts, done.run.counts);
      }),
      { numRuns: 15 },
    );
  });

  it('takes no year of two digits from a value for all rows, however it is written', async () => {
    const { location } = stage.parents;
    const text = 'Case #,Deceased,Service\nold-1,Dana Example,Funeral';
    const began = { event_datetime: '2027-03-20T10:00:00Z' };
    for (const set of [
      ...['0027-03-04', '3/4/27', '27-03-04', '03/04/0027', '3/4/027'].map((day) => ({
        ...{ 'person.date_of_birth': day, ...began },
      })),
      { event_datetime: '0027-03-04T10:00:00Z' },
      { event_datetime: '3/4/27 10:00 AM' },
    ]) {
      const asked = {
        ...{ name: 'old.csv', resource: 'events', dates: 'mdy', time_zone: 'America/Chicago' },
        set: { location_unique_identifier: location, ...set },
      };
      const { body } = await check(asked, text);
      assert.deepEqual(body.counts, counts(0, 0, 0, 1), JSON.stringify(set));
    }
  });

  it('shows both rows of one identifier, and says of whom each is', async () => {
    const { location } = stage.parents;
    const text = [
      'Case #,Deceased,Service,Date and time',
      'two-1,Dana Example,Funeral,2027-03-20T10:00:00Z',
      'two-2,Kim Example,Funeral,2027-03-20T11:00:00Z',
      'two-1,Robin Example,Funeral,2027-03-20T12:00:00Z',
    ].join('\n');
    const asked = {
      ...{ name: 'two.csv', resource: 'events', dates: 'mdy' },
      set: { location_unique_identifier: location },
    };
    const { body } = await check(asked, text);
    assert.deepEqual(body.counts, counts(2, 1, 0, 0));
    assert.deepEqual(body.twice, {
      count: 1,
      examples: [[4, 2]],
      records: [
        {
          identifier: 'two-1',
          column: 'Case #',
          rows: [
            { row: 2, of: 'Dana Example' },
            { row: 4, of: 'Robin Example' },
          ],
        },
      ],
    });
    const mended = await check({ ...asked, cells: { '4:Case #': 'two-3' } }, text);
    assert.deepEqual([mended.body.counts, mended.body.twice], [counts(3, 0, 0, 0), undefined]);
  });

  it('says of three rows what they change, field by field, and of no field that staff had corrected', async () => {
    const { location } = stage.parents;
    const set = { location_unique_identifier: location };
    const head = 'Case #,Deceased,Service,Date and time';
    const rows = (name: string) =>
      [1, 2, 3, 4].map((at) => `ch-${at},Dana ${at},${name},2027-03-20T10:00:00Z`);
    const asked = { name: 'change.csv', resource: 'events', set };
    await run(asked, [head, ...rows('Wake')].join('\n'));
    const { body } = await check(
      { ...asked, time_zone: 'America/Chicago' },
      [head, ...rows('Vigil'), 'ch-5,New,Wake,2027-03-20T10:00:00Z'].join('\n'),
    );
    assert.deepEqual(body.counts, counts(1, 4, 0, 0));
    assert.deepEqual(
      body.changes,
      [1, 2, 3].map((at) => ({
        row: at + 1,
        of: `Dana ${at}`,
        fields: [{ name: 'event_name', label: 'Service', from: 'Wake', to: 'Vigil' }],
      })),
    );
  });

  it('says details that change in words, and neither those that stay nor those that staff had corrected', async () => {
    const { location } = stage.parents;
    const more = 'additional_event_metadata';
    const set = {
      location_unique_identifier: location,
      ...{ event_name: 'Wake', event_datetime: '2027-03-20T10:00:00Z' },
    };
    const send = (details: object) =>
      stage.service.json('/v1/events/upsert', {
        ...{ ...set, external_identifier: 'detailed' },
        [more]: details,
      });
    const value = fc.constantFrom<unknown>('lilies', 'a, "b"', '', 7, true, ['x', 'y'], {
      of_two: { kinds: 'x' },
    });
    const details = fc.dictionary(fc.constantFrom('music', 'flower_card', 'Notes'), value);
    const asked = { name: 'details.csv', resource: 'events', set };
    await fc.assert(
      fc.asyncProperty(details, value, async (before, after) => {
        await send({ music: null, flower_card: null, Notes: null });
        await send(before);
        const file = `Case #,${more}\ndetailed,"${JSON.stringify({ Notes: after }).replaceAll('"', '""')}"`;
        const { body } = await check(asked, file);
        const isSame = JSON.stringify(before.Notes) === JSON.stringify(after);
        assert.deepEqual(body.counts, counts(0, isSame ? 0 : 1, isSame ? 1 : 0, 0));
        for (const { fields } of body.changes ?? [])
          for (const { name, from, to } of fields) {
            assert.equal(name, more);
            for (const text of [from, to]) {
              assert.doesNotMatch(text, /[{}[\]]|_|music|flower/);
              assert.match(text, /^(Notes: .*)?$/);
            }
            assert.notEqual(from, to);
          }
        assert.equal(body.changes?.length ?? 0, isSame ? 0 : 1);
      }),
      { numRuns: 25 },
    );
    await send({ Notes: 'early', flower_card: 'white' });
    const [{ unique_identifier: id }] = (
      await stage.service.get('/v1/events?external_identifier=detailed')
    ).body.data;
    const { secret: key } = await stage.service.newKey({ name: 'Office', allow: ['pin'] });
    const red = { [more]: { flower_card: 'red' } };
    const corrected = await stage.service.patch(`/v1/events/${id}`, red, { key });
    assert.equal(corrected.status, 200, corrected.text);
    const row = 'detailed,"{""Notes"":""late"",""flower_card"":""blue""}"';
    const { changes } = (await check(asked, `Case #,${more}\n${row}`)).body;
    assert.deepEqual(
      changes[0].fields.map(({ from, to }: Body) => [from, to]),
      [['Notes: early', 'Notes: late']],
    );
  });
});

describe('cells that are typed over', () => {
  it('are read as if the file had them, of texts and of workbooks, checked and imported', async () => {
    const header = ['Reference', 'Name', 'Phone', 'Images'];
    const cell = fc.constantFrom(
      '',
      'Dana',
      '555',
      '(415) 555-0100',
      'https://a.example/1.jpg',
      '7',
      'dana@example.com',
      '11/20/2026',
    );
    const table = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 2, maxLength: 5 });
    const over = fc.tuple(fc.nat(4), fc.nat(3), cell);
    const set = { location_unique_identifier: stage.parents.location };
    const how = { resource: 'direct_mail_replies', us_phones: true, set, dry_run: true };
    const { store } = stage.service.app;
    let nth = 0;
    // By its cells a column is taken for what it is not called.
    const called: [string, string, string, string] = [
      '',
      '(415) 555-0100',
      '',
      'https://a.example/1.jpg',
    ];
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.array(over, { maxLength: 4 }),
        fc.boolean(),
        async (rows, typed, isSheet) => {
          nth += 1;
          const made = rows.map((cells, at) => [`t${nth}-${at}`, ...cells.slice(1)]);
          const mended = made.map((cells) => [...cells]);
          const cells: Record<string, string> = {};
          for (const [row, column, text] of typed) {
            const at = row % made.length;
            cells[`${at + 2}:${header[column]}`] = text;
            (mended[at] as string[])[column] = text;
          }
          const save = async (name: string, all: string[][]): Promise<string> =>
            isSheet
              ? files.write(
                  `${name}.xlsx`,
                  await writeXlsx({ sheets: [{ name: 'S', rows: [header, ...all] }] }),
                )
              : files.write(`${name}.csv`, [header, ...all].map((one) => one.join(',')).join('\n'));
          const said = async (path: string, more: object) => {
            const plan = await take(store, stage.parents.account, [path], {
              ...how,
              ...more,
              map: { Images: 'image_urls' },
            });
            return [plan.run.counts, plan.noticed];
          };
          const typedIn = await said(await save(`typed ${nth}`, made), { cells });
          assert.deepEqual(typedIn, await said(await save(`mended ${nth}`, mended), {}));
        },
      ),
      {
        numRuns: 40,
        examples: [false, true].map((is) => [[called, called], [[0, 1, 'Dana']], is]),
      },
    );
  });

  it('stand in the file of refused rows, and are refused by name where there is no such column', async () => {
    const path = files.write('refused.csv', `${HEAD}\nq1,\nq2,\n`);
    const { store } = stage.service.app;
    const how = {
      resource: 'locations',
      cells: { '2:location_name': 'Mended', '3:external_identifier': 'q9' },
    };
    const { run: done } = await take(store, stage.parents.account, [path], how);
    assert.deepEqual(done.counts, counts(1, 0, 0, 1));
    assert.match(rejectedIn(done), /,q9,/);
    assert.match(readFileSync(path, 'utf8'), /q2,/, 'the file stays as it is');
    await assert.rejects(
      take(store, stage.parents.account, [path], { ...how, cells: { '2:Nowhere': 'x' } }),
      /There is no cell "2:Nowhere"/,
    );
  });

  it('mend a row whose characters were cut, and no other fault of its', async () => {
    const bad = Buffer.concat([
      Buffer.from(`${HEAD}\nc1,Jos`),
      Buffer.from([0xc3]),
      Buffer.from('\nc2,Ren\u00e9\n'),
    ]);
    const path = files.write('cut.csv', bad);
    const { store } = stage.service.app;
    const how = { resource: 'locations' };
    const first = await take(store, stage.parents.account, [path], { ...how, dry_run: true });
    assert.deepEqual(first.run.counts, counts(1, 0, 0, 1));
    const cells = { '2:location_name': 'José' };
    const done = await take(store, stage.parents.account, [path], { ...how, cells });
    assert.deepEqual(done.run.counts, counts(2, 0, 0, 0));
  });
});

it('days by which programs say that there is none are never stored, in any date or time', () => {
  const days = ['0001-01-01', '0000-00-00', '1601-01-01', '1753-01-01', '1/1/0001', '01/01/1753'];
  const more = ['12/30/1899', '1899-12-30', '00/00/0000', '9999-12-31', '31.12.9999'];
  const times = [
    '',
    'T00:00:00',
    ' 00:00:00',
    ' 0:00',
    ' 12:00:00 AM',
    'T00:00:00Z',
    ' 00:00:00.000',
  ];
  const dates = targets.filter(({ kind }) => kind.startsWith('date'));
  assert.ok(dates.length >= 4);
  for (const target of dates)
    for (const day of [...days, ...more])
      for (const time of times) assert.equal(read(target, `${day}${time}`), undefined, day + time);
  // A year that nobody has lived in is no empty cell, and no date.
  for (const target of dates)
    for (const day of [
      '0201-05-06',
      '0950-01-02',
      '0001-02-03T10:00:00Z',
      '5/6/0201',
      '6 May 0201',
    ])
      assert.match(String(read(target, day)), /^[a-z]+_[a-z_]+$/, day);
  for (const real of ['1900-01-01', '1970-01-01', '1/1/1900', '2026-12-31'])
    assert.equal(isNoDate(real), false, real);
});

it('the area code of a location is asked once: later files have it there, of whatever kind', async () => {
  const { account } = stage.parents;
  const { store } = stage.service.app;
  const [one, two] = [
    await stage.service.location('code-1'),
    await stage.service.location('code-2'),
  ];
  const text = (id: string) =>
    `Reference,Images,Name,Phone\n${id},https://example.com/a.jpg,Dana,555-0143\n`;
  const asked = (location: string) => ({
    ...{ name: 'codes.csv', resource: 'direct_mail_replies', us_phones: true, like: 'none' },
    set: { location_unique_identifier: location },
  });
  assert.equal((await run(asked(one), text('ac-1'))).body.counts.failed, 1);
  assert.equal(
    (await run({ ...asked(one), area_code: '507' }, text('ac-1'))).body.counts.failed,
    0,
  );
  assert.equal((await run(asked(two), text('ac-2'))).body.counts.failed, 1, 'another location');
  const next = 'Ref,Images,Respondent,Telephone\nac-3,https://example.com/a.jpg,Kim,555 0144\n';
  const done = await run(
    {
      ...asked(one),
      map: { Ref: 'external_identifier', Respondent: 'respondent_person.full_name' },
    },
    next,
  );
  assert.deepEqual(done.body.counts, counts(1, 0, 0, 0), done.text);
  const { data } = await stage.read('/v1/direct_mail_replies?external_identifier=ac-3');
  assert.match(JSON.stringify(data[0]), /\+15075550144/);
  assert.ok(store && account);
});

it('a program uses what was chosen before where it says nothing else, is told so, and can refuse it', async () => {
  const text = (id: string) => `Pr Nr,Pr Wie\n${id},Chapel ${id}\n`;
  const map = { 'Pr Nr': 'external_identifier', 'Pr Wie': 'location_name' };
  const asked = { name: 'own.csv', resource: 'locations' };
  assert.equal((await run(asked, text('pr-0'))).status, 400);
  const first = await run({ ...asked, map }, text('pr-1'));
  for (const make of [check, run]) {
    const { body, text: said } = await make(asked, text(make === run ? 'pr-2' : 'pr-3'));
    assert.deepEqual(body.counts, counts(1, 0, 0, 0), said);
    assert.deepEqual(body.like, { import: first.body.import, name: 'own.csv' });
  }
  assert.equal((await run({ ...asked, like: 'none' }, text('pr-4'))).status, 400);
  const own = await run(
    { ...asked, map: { ...map, 'Pr Wie': null }, set: { location_name: 'Said' } },
    text('pr-5'),
  );
  assert.deepEqual(own.body.counts, counts(1, 0, 0, 0), own.text);
});

async function check(asked: Body, text: string) {
  return whole('check', asked, text);
}

async function run(asked: Body, text: string) {
  return whole('run', asked, text);
}

/** The answer as one object. */
async function whole(what: 'check' | 'run', asked: Body, text: string) {
  const plain = (method: string, at: string, body: unknown, headers: Record<string, string>) =>
    send(method, at, body, { ...headers, Accept: 'application/json' });
  return bringing(plain, what, asked, text);
}
