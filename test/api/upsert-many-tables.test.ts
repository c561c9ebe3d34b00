/** Many upserts as a table: CSV and tab-separated values (decisions, "Bodies"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { answersIn, inShort, sendLines, summary } from '../support/rows.ts';
import { faultsOf } from '../support/scenario.ts';
import { refused, type World, world } from '../support/world.ts';

const stage = world();

function send(path: string, text: string | Uint8Array, query = '', headers = {}) {
  const type = { 'Content-Type': 'text/csv', ...headers };
  return sendLines(stage as World, path, text, { headers: type, query });
}

const HEAD = 'location_unique_identifier,external_identifier,event_name,event_datetime';
const AT = '2026-11-20T14:30:00Z';
const row = (name: string, says = 'Ann', at = AT) => `${stage.location},${name},${says},${at}`;

describe('a table of upserts', () => {
  it('has a header of declared names, and a row for each record', async () => {
    const table = [
      `${HEAD},person.full_name,additional_event_metadata`,
      `${row('t1', '"Smith, Ann"')},Ann Smith,"{""plot"":""B-12"",""rows"":12}"`,
      `${row('t2', '"Two\r\nlines"', '2026-11-20T09:30:00-05:00')},,`,
    ].join('\r\n');
    const answer = await send('events', table);
    assert.equal(answer.status, 200, answer.text);
    const { rows, last } = answersIn(answer.text);
    assert.deepEqual(pluck(rows, 'line'), [2, 3]);
    assert.deepEqual(inShort(rows), ['created', 'created']);
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
    const full = `${HEAD},person.full_name\n${row('kept')},Ann Smith\n`;
    const [made] = answersIn((await send('events', full)).text).rows;
    const part = `${HEAD},person.full_name\n${row('kept', 'Anne')},\n`;
    assert.deepEqual(inShort(answersIn((await send('events', part)).text).rows), ['updated']);
    const { body } = await stage.service.get(`/v1/events/${made?.unique_identifier}`);
    assert.equal(body.event_name, 'Anne');
    assert.deepEqual(body.public_data, { person: { full_name: 'Ann Smith' } });
  });

  it('may be separated by tabs, and begin with a byte order mark', async () => {
    const cells = `${HEAD}\n${row('tabs', 'Ann; Bob')}\n`.replaceAll(',', '\t');
    const table = `\ufeff${cells.replace(';', ',')}`;
    const type = { 'Content-Type': 'text/tab-separated-values; charset=utf-8' };
    const { rows } = answersIn((await send('events', table, '', type)).text);
    assert.deepEqual(inShort(rows), ['created']);
  });

  it('names the columns that begin with an underscore, which are passed over', async () => {
    const table = `_row,${HEAD},_error\n7,${row('passed')},none\n`;
    const { rows, last } = answersIn((await send('events', table)).text);
    assert.deepEqual(inShort(rows), ['created']);
    assert.deepEqual(last, { summary: summary(1, 0, 0, 0), passed_over: ['_row', '_error'] });
  });

  it('says of each row what is wrong with it, and saves the others', async () => {
    const table = [
      ...[`${HEAD},additional_event_metadata`, 'few,cells', `${row('bad', 'Ann', 'tomorrow')},{`],
      ...[`${row('quote', '5" pipe')},`, ',,,,', `${row('good')},`, `${row('open', '"Ann')},`],
    ];
    const { rows, last } = answersIn((await send('events', table.join('\n'))).text);
    const csv = [[undefined, 'csv_invalid']];
    const both = [
      ['additional_event_metadata', 'json_invalid'],
      ['event_datetime', 'datetime_invalid'],
    ];
    assert.deepEqual(
      rows.map(({ line, outcome, error }) => [
        line,
        outcome ?? pluck(error.errors, 'param', 'code'),
      ]),
      [
        [2, csv],
        [3, both],
        [4, csv],
        [6, 'created'],
        [7, csv],
      ],
    );
    assert.deepEqual(last.summary, summary(1, 0, 0, 4));
    assert.match(rows[0]?.error.message, /The row has 2 cells, and the header 5/);
  });

  it('is refused whole, with every fault, where its header is wrong', async () => {
    const header = 'external_identifier,event_nam,event_name,event_name,person,person.full_name';
    const answer = await send('events', `${header}\n1,2,3,4,5,6\n`);
    refused(answer, 400);
    assert.deepEqual(faultsOf(answer), [
      ['event_nam', 'parameter_unknown'],
      ['event_name', 'parameter_repeated'],
      ['person.full_name', 'parameter_repeated'],
      ['event_datetime', 'parameter_missing'],
    ]);
    assert.match(
      answer.text,
      /event_nam is not a parameter here, and event_name is a column as well/,
    );
    refused(await send('events', ''), 400, 'csv_invalid');
    refused(await send('events', '"external_identifier\n'), 400, 'csv_invalid');
  });

  it('takes unknown columns where they are to be ignored, and names them', async () => {
    const table = `${HEAD},shoe_size\n${row('ignored')},43\n`;
    const answer = await send('events', table, '', { 'Ledgerstone-Unknown-Fields': 'ignore' });
    const { last: end } = answersIn(answer.text);
    assert.deepEqual(end.passed_over, ['shoe_size']);
  });

  it('may be rehearsed, and takes neither atomic=true nor an Idempotency-Key', async () => {
    const table = `${HEAD}\n${row('rehearsed')}\n`;
    const dry = await send('events', table, '?dry_run=true');
    assert.equal(dry.headers.get('ledgerstone-dry-run'), 'true');
    assert.deepEqual(inShort(answersIn(dry.text).rows), ['created']);
    assert.deepEqual(inShort(answersIn((await send('events', table)).text).rows), ['created']);
    assert.equal((await send('events', table, '?atomic=true')).status, 400);
    const key = { 'Idempotency-Key': 'once' };
    assert.equal((await send('events', table, '', key)).body.error.code, 'header_invalid');
  });
});
