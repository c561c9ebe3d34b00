/** Many upserts as a table: CSV and tab-separated values (decisions, "Bodies"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersIn, inShort, sendLines, summary } from '../support/rows.ts';
import { faultsOf } from '../support/scenario.ts';
import { refused, type World, world } from '../support/world.ts';

const stage = world();

function send(path: string, text: string | Uint8Array, query = '', headers = {}) {
  const type = { 'Content-Type': 'text/csv', ...headers };
  return sendLines(stage as World, path, text, { headers: type, query });
}

const events = () => stage.parents.location;

describe('a table of upserts', () => {
  it('has a header of declared names, and a row for each record', async () => {
    const table = [
      'location_unique_identifier,external_identifier,event_name,event_datetime,person.full_name,additional_event_metadata',
      `${events()},t1,"Smith, Ann",2026-11-20T14:30:00Z,Ann Smith,"{""plot"":""B-12"",""rows"":12}"`,
      `${events()},t2,"Two`,
      `lines",2026-11-20T09:30:00-05:00,,`,
    ].join('\r\n');
    const answer = await send('events', table);
    assert.equal(answer.status, 200, answer.text);
    const { rows, last } = answersIn(answer.text);
    assert.deepEqual(
      rows.map(({ line, outcome }) => [line, outcome]),
      [
        [2, 'created'],
        [3, 'created'],
      ],
    );
    assert.deepEqual(last, { summary: summary(2, 0, 0, 0) });
    const [first, second] = await Promise.all(
      rows.map((row) => stage.service.get(`/v1/events/${row.unique_identifier}`)),
    );
    assert.equal(first?.body.event_name, 'Smith, Ann');
    assert.deepEqual(first?.body.public_data, {
      person: { full_name: 'Ann Smith' },
      additional_event_metadata: { plot: 'B-12', rows: 12 },
    });
    assert.equal(second?.body.event_name, 'Two\r\nlines');
    assert.deepEqual(second?.body.public_data, {});
  });

  it('leaves alone what an empty cell or no column says nothing of', async () => {
    const full = `location_unique_identifier,external_identifier,event_name,event_datetime,person.full_name\n${events()},kept,Ann,2026-11-20T14:30:00Z,Ann Smith\n`;
    const [made] = answersIn((await send('events', full)).text).rows;
    const part = `location_unique_identifier,external_identifier,event_name,event_datetime,person.full_name\n${events()},kept,Anne,2026-11-20T14:30:00Z,\n`;
    assert.deepEqual(inShort(answersIn((await send('events', part)).text).rows), ['updated']);
    const { body } = await stage.service.get(`/v1/events/${made?.unique_identifier}`);
    assert.deepEqual(
      [body.event_name, body.public_data],
      ['Anne', { person: { full_name: 'Ann Smith' } }],
    );
  });

  it('may be separated by tabs, and begin with a byte order mark', async () => {
    const table = `\ufefflocation_unique_identifier\texternal_identifier\tevent_name\tevent_datetime\n${events()}\ttabs\tAnn, Bob\t2026-11-20T14:30:00Z\n`;
    const type = { 'Content-Type': 'text/tab-separated-values; charset=utf-8' };
    const { rows } = answersIn((await send('events', table, '', type)).text);
    assert.deepEqual(inShort(rows), ['created']);
  });

  it('names the columns that begin with an underscore, which are passed over', async () => {
    const table = `_row,location_unique_identifier,external_identifier,event_name,event_datetime,_error\n7,${events()},passed,Ann,2026-11-20T14:30:00Z,none\n`;
    const { rows, last } = answersIn((await send('events', table)).text);
    assert.deepEqual(inShort(rows), ['created']);
    assert.deepEqual(last, { summary: summary(1, 0, 0, 0), passed_over: ['_row', '_error'] });
  });

  it('says of each row what is wrong with it, and saves the others', async () => {
    const header =
      'location_unique_identifier,external_identifier,event_name,event_datetime,additional_event_metadata';
    const rows = [
      'few,cells',
      `${events()},bad,Ann,tomorrow,{`,
      `${events()},quote,5" pipe,2026-11-20T14:30:00Z,`,
      ',,,,',
      `${events()},good,Ann,2026-11-20T14:30:00Z,`,
      `${events()},open,"Ann,2026-11-20T14:30:00Z,`,
    ];
    const answer = await send('events', [header, ...rows].join('\n'));
    const told = answersIn(answer.text);
    assert.deepEqual(
      told.rows.map(({ line, outcome, error }) => [
        line,
        outcome ??
          error.errors.map((each: { param?: string; code: string }) => [each.param, each.code]),
      ]),
      [
        [2, [[undefined, 'csv_invalid']]],
        [
          3,
          [
            ['additional_event_metadata', 'json_invalid'],
            ['event_datetime', 'datetime_invalid'],
          ],
        ],
        [4, [[undefined, 'csv_invalid']]],
        [6, 'created'],
        [7, [[undefined, 'csv_invalid']]],
      ],
    );
    assert.deepEqual(last(told), summary(1, 0, 0, 4));
    assert.match(told.rows[0]?.error.message, /The row has 2 cells, and the header 5/);
  });

  it('is refused whole, with every fault, where its header is wrong', async () => {
    const header = 'external_identifier,event_nam,event_name,event_name,person,person.full_name';
    const answer = await send('events', `${header}\n1,2,3,4,5,6\n`);
    assert.deepEqual(
      [answer.status, faultsOf(answer)],
      [
        400,
        [
          ['event_nam', 'parameter_unknown'],
          ['event_name', 'parameter_repeated'],
          ['person.full_name', 'parameter_repeated'],
          ['event_datetime', 'parameter_missing'],
        ],
      ],
    );
    assert.match(answer.text, /Did you mean event_name/);
    refused(await send('events', ''), 400, 'csv_invalid');
    refused(await send('events', '"external_identifier\n'), 400, 'csv_invalid');
  });

  it('takes unknown columns where they are to be ignored, and names them', async () => {
    const table = `location_unique_identifier,external_identifier,event_name,event_datetime,shoe_size\n${events()},ignored,Ann,2026-11-20T14:30:00Z,43\n`;
    const answer = await send('events', table, '', { 'Ledgerstone-Unknown-Fields': 'ignore' });
    const { last: end } = answersIn(answer.text);
    assert.deepEqual(end.passed_over, ['shoe_size']);
  });

  it('may be rehearsed, and takes neither atomic=true nor an Idempotency-Key', async () => {
    const table = `location_unique_identifier,external_identifier,event_name,event_datetime\n${events()},rehearsed,Ann,2026-11-20T14:30:00Z\n`;
    const dry = await send('events', table, '?dry_run=true');
    assert.equal(dry.headers.get('ledgerstone-dry-run'), 'true');
    assert.deepEqual(inShort(answersIn(dry.text).rows), ['created']);
    assert.deepEqual(inShort(answersIn((await send('events', table)).text).rows), ['created']);
    assert.equal((await send('events', table, '?atomic=true')).status, 400);
    const key = { 'Idempotency-Key': 'once' };
    assert.equal((await send('events', table, '', key)).body.error.code, 'header_invalid');
  });
});

function last(told: ReturnType<typeof answersIn>) {
  return told.last.summary;
}
