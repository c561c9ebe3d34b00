/** Lists as rows: all that a key sees, as lines of JSON or as CSV, each row the upsert that would make the record. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvRows } from '../../src/cli/table-file.ts';
import { examples } from '../support/bodies.ts';
import { fillOddly } from '../support/odd-records.ts';
import { pluck } from '../support/pluck.ts';
import { answersIn, LINES_TYPE, sendLines, summary } from '../support/rows.ts';
import { faultsOf } from '../support/scenario.ts';
import { visitorBody } from '../support/sent.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { leastOf, world } from '../support/world.ts';

const LINES = { Accept: LINES_TYPE };
const CSV = { Accept: 'text/csv' };

const stage = world();
const rowsOf = ({ status, text }: Answer): Body[] => {
  assert.equal(status, 200, text);
  assert.ok(text === '' || text.endsWith('\n'));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};
const lines = async (path: string, query = '', sent: Sent = {}): Promise<Body[]> =>
  rowsOf(await stage.service.get(`/v1/${path}${query}`, { headers: LINES, ...sent }));

/** Identifiers of what a list has, and of its rows. */
const listed = async (query: string) =>
  pluck((await stage.service.get(`/v1/${query}`)).body.data, 'unique_identifier');
const identifiersOf = (rows: readonly Body[]) => rows.map((row) => row._unique_identifier);

describe('A list as rows', () => {
  for (const { path } of examples) {
    it(`of ${path}: sent again, they change nothing`, async () => {
      await fillOddly(stage, path);
      const answer = await stage.service.get(`/v1/${path}`, { headers: LINES });
      const rows = rowsOf(answer);
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
      assert.deepEqual(identifiersOf(rows), await listed(`${path}?limit=1000`));
      const headers = { 'Ledgerstone-Unknown-Fields': 'ignore' };
      const { last } = answersIn((await sendLines(stage, path, answer.text, { headers })).text);
      assert.deepEqual(last.summary, summary(0, 0, rows.length, 0));
    });

    it(`of ${path}: as CSV they have the same in their cells`, async () => {
      const rows = (await stage.service.get(`/v1/${path}`, { headers: LINES })).text.split('\n');
      const csv = await stage.service.get(`/v1/${path}`, { headers: CSV });
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
      const [head, ...table] = (await csvRows(Buffer.from(csv.text))).map(({ cells }) => cells);
      assert.equal(table.length, rows.length - 1);
      for (const [at, cells] of table.entries())
        assert.equal(rowOfCells(head ?? [], cells), rows[at]);
    });

    it(`of ${path}: as CSV they are sent again as they are`, async () => {
      const { text } = await stage.service.get(`/v1/${path}`, { headers: CSV });
      const headers = { 'Content-Type': 'text/csv' };
      const { rows, last } = answersIn((await sendLines(stage, path, text, { headers })).text);
      const faults = rows.filter((row) => row.error !== undefined);
      assert.deepEqual(faults, []);
      assert.equal(last.summary.unchanged, (await listed(`${path}?limit=1000`)).length);
    });
  }

  it('of accounts: their names', async () => {
    const { unique_identifier, name } = stage.service.account;
    const [row, ...others] = await lines('accounts');
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(row, { name, _unique_identifier: unique_identifier });
  });

  it('says what a record belongs to by its own identifiers, and when it was made and changed', async () => {
    await stage.made('event_check_in_records', 'known');
    const [row] = await lines('event_check_in_records', '?external_identifier=known');
    const known = '/v1/event_check_in_records?external_identifier=known';
    const { body } = await stage.service.get(known);
    const [{ unique_identifier, inserted_at, updated_at }] = body.data;
    assert.deepEqual(row, {
      external_identifier: 'known',
      event_external_identifier: 'service',
      location_external_identifier: 'chapel',
      account_unique_identifier: stage.parents.account,
      ...leastOf('event_check_in_records'),
      _unique_identifier: unique_identifier,
      _inserted_at: inserted_at,
      _updated_at: updated_at,
    });
  });

  it('goes on over many pages, in the order and by the filters of the list', async () => {
    const event = await stage.service.event(stage.parents.location, 'many');
    const names = Array.from({ length: 1_234 }, (_, index) => `many ${index}`);
    const rows = names.map((name) => JSON.stringify(visitorBody(event, name)));
    const text = `${rows.join('\n')}\n`;
    answersIn((await sendLines(stage, 'event_check_in_records', text)).text);
    const query = `?event_unique_identifier=${event}`;
    const seen = await lines('event_check_in_records', query);
    assert.deepEqual(new Set(seen.map((row) => row.external_identifier)), new Set(names));
    const identifiers = identifiersOf(seen);
    assert.deepEqual(identifiers, [...new Set(identifiers)].sort().reverse());
    const after = seen[700]._unique_identifier;
    const rest = await lines('event_check_in_records', `${query}&starting_after=${after}`);
    assert.deepEqual(rest, seen.slice(701));
    const events = await lines('events', '?order=event_datetime');
    assert.deepEqual(identifiersOf(events), await listed('events?order=event_datetime'));
  });

  it('is compressed where the client asks, and HEAD has its headers alone', async () => {
    const answer = await fetch(`${stage.service.url}/v1/events`, {
      headers: { ...CSV, Authorization: `Bearer ${stage.service.key}`, 'Accept-Encoding': 'gzip' },
    });
    assert.equal(answer.headers.get('content-encoding'), 'gzip');
    const head = await stage.service.send('HEAD', '/v1/events', { headers: CSV });
    assert.match(head.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(head.headers.get('vary') ?? '', /Accept\b/);
    assert.equal(head.text, '');
    const identity = { ...CSV, 'Accept-Encoding': 'identity' };
    const plain = await stage.service.get('/v1/events', { headers: identity });
    assert.equal(await answer.text(), plain.text);
  });

  it('is a page of JSON for a client that accepts both equally', async () => {
    for (const Accept of [
      '*/*',
      'application/json, text/csv',
      'text/html, application/json;q=0.9, text/csv;q=0.8, */*;q=0.7',
      'text/csv;q=0',
    ]) {
      const answer = await stage.service.get('/v1/events', { headers: { Accept } });
      assert.equal(answer.body.object, 'list', Accept);
    }
    const better = { Accept: 'text/csv;header=present;q=0.9, application/json;q=0.5' };
    const csv = await stage.service.get('/v1/events', { headers: better });
    assert.match(csv.text, /^external_identifier,location_external_identifier,/);
  });

  it('takes nothing that is of pages, and says why', async () => {
    const query = '?limit=5&ending_before=x&expand[]=location&event_name=x&event_datetime[gte]=x';
    const answer = await stage.service.get(`/v1/events${query}`, { headers: CSV });
    assert.equal(answer.status, 400);
    assert.deepEqual(faultsOf(answer), [
      ['event_datetime.gte', 'datetime_invalid'],
      ['limit', 'parameter_unknown'],
      ['ending_before', 'parameter_unknown'],
      ['expand', 'parameter_unknown'],
      ['event_name', 'parameter_unknown'],
    ]);
    assert.match(answer.body.error.errors[1].message, /Accept: application\/json to get pages/);
    assert.match(answer.body.error.errors[4].message, /not filtered by it/);
    const unseen = await stage.service.get('/v1/events?starting_after=x', { headers: LINES });
    assert.deepEqual(faultsOf(unseen), [['starting_after', 'value_invalid']]);
  });

  it('has only what the key may see, and needs what it tells of', async () => {
    const away = await stage.service.location('away');
    await stage.service.event(away, 'elsewhere');
    const { secret: one } = await stage.service.newKey({ anchors: [away] });
    const seen = await lines('events', '', { key: one });
    assert.deepEqual(pluck(seen, 'external_identifier'), ['elsewhere']);
    const { secret: few } = await stage.service.newKey({ resources: ['events'] });
    const refused = await stage.service.get('/v1/events', { headers: CSV, key: few });
    assert.deepEqual(faultsOf(refused), [[undefined, 'permission_denied']]);
  });
});

type Node = Map<string, Node | string>;

/** Members that a cell has as JSON; all others it has as text. */
const AS_JSON = /urls|metadata|data$|cents|is_|interested/;

/** The row as JSON text. */
function rowOfCells(names: readonly string[], cells: readonly string[]): string {
  const row: Node = new Map();
  for (const [at, name] of names.entries()) {
    const cell = cells[at] ?? '';
    if (cell === '') continue;
    const steps = name.split('.');
    const last = steps.pop() ?? '';
    let inside = row;
    for (const step of steps) inside = inside.getOrInsertComputed(step, () => new Map()) as Node;
    inside.set(last, AS_JSON.test(last) ? cell : JSON.stringify(cell));
  }
  return textOf(row);
}

function textOf(node: Node): string {
  const members = Array.from(
    node,
    ([name, one]) => `${JSON.stringify(name)}:${typeof one === 'string' ? one : textOf(one)}`,
  );
  return `{${members.join()}}`;
}
