/** How many records a list has: said where it is asked for, for the whole list, up to a bound. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { visitorBody } from '../support/sent.ts';
import type { Answer, Sent } from '../support/service.ts';
import { world } from '../support/world.ts';

const MAX_TOTAL = 10_000;
const ROWS = 1_000;

let event: string;
let outside: string;
const stage = world({}, async ({ service, parents }) => {
  event = await service.event(parents.location, 'counted');
  const elsewhere = await service.location('elsewhere');
  ({ secret: outside } = await service.newKey({ anchors: [elsewhere] }));
});

const list = (query: string, sent: Sent = {}): Promise<Answer> =>
  stage.service.get(`/v1/event_check_in_records?event_unique_identifier=${event}&${query}`, sent);

async function visit(from: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({
    ...visitorBody(event, `v${from + at}`, { visitor_interested_in_pre_planning: at % 10 === 0 }),
  }));
  const { status, text } = await stage.service.json('/v1/event_check_in_records/upsert_many', rows);
  assert.equal(status, 200, text);
}

it('is said only where it is asked for, and of the whole list, wherever the page is', async () => {
  await visit(0, 25);
  assert.equal((await list('limit=10')).body.total, undefined);
  const first = await list('limit=10&include[]=total');
  assert.deepEqual(first.body.total, { count: 25, more: false });
  assert.equal(first.body.data.length, 10);
  const last = first.body.data.at(-1).unique_identifier;
  const next = await list(`limit=10&include[]=total&starting_after=${last}`);
  assert.deepEqual(next.body.total, { count: 25, more: false });
  assert.ok(first.headers.get('Link')?.includes('starting_after'));
  assert.ok(!first.headers.get('Link')?.includes('include'));
  const filtered = await list('include[]=total&visitor_interested_in_pre_planning=true');
  assert.deepEqual(filtered.body.total, { count: 3, more: false });
  const none = await list('include[]=total&external_identifier=nothing');
  assert.deepEqual(none.body.total, { count: 0, more: false });
});

it('counts nothing that the key may not see', async () => {
  const { body } = await stage.service.get('/v1/events?include[]=total', { key: outside });
  assert.deepEqual(body.total, { count: 0, more: false });
  const accounts = await stage.service.get('/v1/accounts?include[]=total');
  assert.deepEqual(accounts.body.total, { count: 1, more: false });
});

it('stops at ten thousand, and says that there are more', async () => {
  await visit(0, 25);
  for (let from = 25; from < MAX_TOTAL; from += ROWS)
    await visit(from, Math.min(ROWS, MAX_TOTAL - from));
  const full = await list('limit=1&include[]=total');
  assert.deepEqual(full.body.total, { count: MAX_TOTAL, more: false });
  await visit(MAX_TOTAL, 1);
  const beyond = await list('limit=1&include[]=total');
  assert.deepEqual(beyond.body.total, { count: MAX_TOTAL, more: true });
});

it('is refused where it has no meaning', async () => {
  const wrong = await list('include[]=sum');
  assert.equal(wrong.status, 400);
  assert.equal(wrong.body.error.param, 'include.0');
  const rows = await list('include[]=total', { headers: { Accept: 'application/x-ndjson' } });
  assert.equal(rows.status, 400);
  assert.match(rows.body.error.message, /include/);
});
