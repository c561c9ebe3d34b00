/** Lists as rows while they are under way: what is removed meanwhile, keys that end, and clients that do not read. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPageReads } from '../../src/core/fair/page-reads.ts';
import { Timing } from '../../src/core/observe/timing.ts';
import { event } from '../../src/core/resources/event.ts';
import { operatorOf } from '../../src/records/auth/principal.ts';
import { createRows } from '../../src/records/query/query.ts';
import { answersIn, LINES_TYPE, sendLines } from '../support/rows.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { LONG_MS, until } from '../support/until.ts';
import { world } from '../support/world.ts';

const RECORDS = 3_000;
/** Bytes of free-form content in each record: all together are more than sockets take in unread. */
const LONG = 10_000;

const long = { additional_event_metadata: { text: 'x'.repeat(LONG) } };

let clock = Date.now();
const stage = world({ now: () => clock }, async ({ parents }) => {
  for (let at = 0; at < RECORDS; at += 100) {
    const lines = Array.from({ length: 100 }, (_, index) =>
      JSON.stringify(eventBody(parents.location, `long ${at + index}`, long)),
    );
    const { last } = answersIn((await sendLines(stage, 'events', `${lines.join('\n')}\n`)).text);
    assert.equal(last.summary.created, 100);
  }
});

/** Begins to read rows; `rest` reads on to the end. */
async function begin(type: string, key = stage.service.key) {
  const answer = await fetch(`${stage.service.url}/v1/events`, {
    headers: {
      Accept: type,
      Authorization: `Bearer ${key}`,
      // What it is made of would take no room compressed.
      'Accept-Encoding': 'identity',
    },
    signal: AbortSignal.timeout(LONG_MS),
  });
  assert.equal(answer.status, 200);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const chunks = [(await reader.read()).value ?? new Uint8Array()];
  return {
    async rest(): Promise<string> {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return Buffer.concat(chunks).toString();
        chunks.push(value);
      }
    },
  };
}

/** Rows of events as an operator of the account reads them, page by page. */
function walking() {
  const operator = operatorOf([stage.parents.account]);
  const rows = createRows(stage.service.app.store, createPageReads());
  const asked = { query: '', unknown: 'refuse' } as const;
  return { operator, walk: rows(operator, event, asked, new Timing()) };
}

describe('Rows under way', () => {
  it('are read no faster than they are taken', async (test) => {
    const reads = test.mock.method(stage.service.app.store, 'list').mock;
    const reading = await begin(LINES_TYPE);
    let early = 0;
    let quiet = 0;
    // A read that goes on has read more by the time that other requests are answered.
    await until(async () => {
      await stage.service.get('/healthz');
      quiet = reads.callCount() === early ? quiet + 1 : 0;
      early = reads.callCount();
      return quiet === 20;
    });
    const rows = (await reading.rest()).split('\n').slice(0, -1);
    assert.equal(rows.length, RECORDS + 1);
    assert.ok(reads.callCount() > 25, `${reads.callCount()} pages`);
    assert.ok(early < reads.callCount() - 5, `${early} of ${reads.callCount()} pages`);
  });

  it('end with their key, and say so: lines by an error, CSV by an end that is none', async () => {
    const { secret, key } = await stage.service.newKey();
    const lines = await begin(LINES_TYPE, secret);
    const csv = await begin('text/csv', secret);
    await stage.service.app.store.keys.revoke(key.unique_identifier);
    // Another process may have revoked it: it stops within a second.
    clock += 1_000;
    const rows = (await lines.rest()).split('\n').slice(0, -1);
    const last = JSON.parse(rows.at(-1) ?? '') as Body;
    assert.equal(last.error.code, 'api_key_revoked');
    assert.ok(rows.length < RECORDS);
    await assert.rejects(csv.rest());
  });

  it('have each record that stays once, also where those are removed that were read last', async () => {
    const { operator, walk } = walking();
    const seen: Body[] = [];
    const removed: string[] = [];
    for (let page = await walk.next(operator); page; page = await walk.next(operator)) {
      const rows = [...{ [Symbol.iterator]: () => page as IterableIterator<Body> }];
      seen.push(...rows);
      for (const row of rows.slice(-3)) {
        removed.push(row._unique_identifier);
        await stage.service.send('DELETE', `/v1/events/${row._unique_identifier}?cascade=true`);
      }
    }
    const identifiers = seen.map((row) => row._unique_identifier);
    assert.equal(new Set(identifiers).size, identifiers.length);
    assert.equal(identifiers.length, RECORDS + 1);
    assert.ok(removed.length > 3);
  });

  it('end whole where all that was read, and all that was left, is gone', async () => {
    const { operator, walk } = walking();
    await walk.next(operator);
    await stage.service.send('DELETE', `/v1/locations/${stage.parents.location}?cascade=true`);
    assert.equal((await walk.next(operator))?.next().done, true);
    assert.equal(await walk.next(operator), undefined);
  });
});
