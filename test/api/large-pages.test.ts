/** Pages of large records end early, and are the same to those who walk them (decisions, "Lists"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { visitorBody } from '../support/sent.ts';
import type { Answer, Body } from '../support/service.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const stage = world();
const PATH = '/v1/online_arrangements';
const MIB = 1_048_576;
/** Of what an entry has besides, and of the envelope. */
const MORE = 100_000;
const COUNT = 100;

/** 100 arrangements, nearly as large as they can be: 12 MiB. */
async function fill(): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    ...{ location_unique_identifier: stage.location, external_identifier: `large ${index}` },
    ...{ person_full_name: 'Ádám 🕯', person_phone_number: '+14155550123' },
    ...{ cart_summary: 'é'.repeat(32_000), additional_data: { text: 'x'.repeat(65_000) } },
  }));
  const answer = await stage.service.json(`${PATH}/upsert_many`, rows);
  assert.equal(answer.body.summary.created, COUNT);
}

function identifiers({ body }: Answer): string[] {
  return body.data.map((one: Body) => one.external_identifier);
}

/** All pages of a walk, by its `Link` headers. */
async function walk(query: string, rel: 'next' | 'prev'): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let path: string | undefined = `${PATH}${query}`; path !== undefined; ) {
    const page: Answer = await stage.service.get(path);
    assert.equal(page.status, 200, page.text.slice(0, 500));
    pages.push(page);
    const link: string = page.headers.get('link') ?? '';
    path = new RegExp(`<[^>]*(/v1/[^>]*)>; rel="${rel}"`).exec(link)?.[1];
  }
  return pages;
}

const inOrder = Array.from({ length: COUNT }, (_, index) => `large ${COUNT - 1 - index}`);

describe('A page of large records', () => {
  before(fill);

  it('ends before limit, says that there are more, and leads there', async () => {
    const page = await stage.service.get(`${PATH}?limit=1000`);
    assert.equal(page.body.has_more, true);
    const bytes = Buffer.byteLength(page.text);
    assert.ok(bytes > 3 * MIB && bytes < 4 * MIB + MORE, `${bytes} bytes`);
    assert.deepEqual(identifiers(page), inOrder.slice(0, page.body.data.length));
    assert.match(page.headers.get('link') ?? '', /rel="next"/);
  });

  it('is one of a walk that has every record once, forth and back', async () => {
    const pages = await walk('?limit=1000', 'next');
    assert.ok(pages.length >= 3);
    assert.deepEqual(pages.flatMap(identifiers), inOrder);
    const last = pages.at(-1)?.body.data.at(-1).unique_identifier;
    const back = await walk(`?limit=1000&ending_before=${last}`, 'prev');
    assert.ok(back.length >= 3);
    assert.deepEqual(back.toReversed().flatMap(identifiers), inOrder.slice(0, -1));
    assert.equal(back.at(-1)?.body.has_more, false);
  });

  it('is the same when it is compressed, and to HTTP/1.0, and has no body to HEAD', async () => {
    const plain = await stage.service.get(`${PATH}?limit=20`);
    assert.equal(plain.body.data.length, 20);
    const ask = async (headers: Record<string, string>, line = `GET ${PATH}?limit=20`) => {
      const [answer] = await exchange(stage.service.url, rawRequest(stage.service, line, headers));
      assert.equal(answer?.status, 200);
      return answer;
    };
    const br = await ask({ 'Accept-Encoding': 'br' });
    assert.equal(br.headers['content-encoding'], 'br');
    assert.equal(br.headers.vary, 'Accept, accept-encoding');
    assert.equal(brotliDecompressSync(br.payload).toString(), plain.text);
    const gzip = await ask({ 'Accept-Encoding': 'gzip' });
    assert.equal(gunzipSync(gzip.payload).toString(), plain.text);
    assert.equal((await ask({})).payload.toString(), plain.text);
    const { payload, headers } = await ask({}, `HEAD ${PATH}?limit=20`);
    assert.equal(payload.length, 0);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  });

  it('counts what is put in with expand[] each time, and ends before it is too much', async () => {
    const { service, location } = stage;
    const long = { additional_event_metadata: { text: 'x'.repeat(10_000) } };
    const event = await stage.made('events', 'large', long);
    const rows = Array.from({ length: 1000 }, (_, index) =>
      visitorBody(event.unique_identifier, `visit ${String(index).padStart(4, '0')}`),
    );
    const made = await service.json('/v1/event_check_in_records/upsert_many', rows);
    assert.equal(made.body.summary.created, 1000);
    const filter = `event_unique_identifier=${event.unique_identifier}`;
    const list = (query: string) =>
      service.get(`/v1/event_check_in_records?limit=1000&${filter}${query}`);

    const plain = await list('');
    assert.equal(plain.body.data.length, 1000);
    assert.equal(plain.body.has_more, false);
    const expand = '&expand[]=event&expand[]=location';
    const walked: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(expand + cursor);
      assert.ok(Buffer.byteLength(page.text) < 4 * MIB + MORE);
      walked.push(...identifiers(page));
      for (const one of page.body.data) {
        assert.deepEqual(one.event, event);
        assert.equal(one.location.unique_identifier, location);
      }
      if (!page.body.has_more) break;
      cursor = `&starting_after=${page.body.data.at(-1).unique_identifier}`;
    }
    assert.deepEqual(walked, identifiers(plain));

    const last = plain.body.data.at(-1).unique_identifier;
    const before = await list(`${expand}&ending_before=${last}`);
    assert.equal(before.body.has_more, true);
    const there = identifiers(before);
    assert.ok(there.length < 500);
    assert.deepEqual(there, identifiers(plain).slice(-1 - there.length, -1));
  });
});
