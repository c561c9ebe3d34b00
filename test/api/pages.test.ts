/** Pages of filtered lists: where the neighbouring ones are (RFC 8288), and a walk while others write. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import type { Answer, Sent } from '../support/service.ts';
import { world } from '../support/world.ts';

const PUBLIC_URL = 'https://records.example.com/ledger';
const stage = world({ settings: { public_url: PUBLIC_URL } });

const identifiers = ({ body }: Answer) => pluck(body.data, 'unique_identifier');

/** The addresses of the `Link` header, by their relation. */
function linksOf({ headers }: Answer): Record<string, string> {
  const header = headers.get('link');
  if (header === null) return {};
  const links = header.split(', ').map((link) => {
    const [, url = '', rel = ''] = /^<([^<>"\s]+)>; rel="(next|prev)"$/.exec(link) ?? [];
    assert.ok(url !== '', header);
    return [rel, url] as const;
  });
  return Object.fromEntries(links);
}

/** Goes where a link leads, at the address of the test. */
function follow(url = '', sent?: Sent): Promise<Answer> {
  assert.ok(url.startsWith(`${PUBLIC_URL}/v1/`), url);
  return stage.service.get(url.slice(PUBLIC_URL.length), sent);
}

/** A location of its own with that many events. */
async function crowd(count: number): Promise<{ location: string; events: string[] }> {
  const { body } = await stage.upsert('locations');
  const location = body.unique_identifier;
  const json = { location_unique_identifier: location };
  const events: string[] = [];
  for (let index = 0; index < count; index += 1)
    events.unshift((await stage.upsert('events', { json })).body.unique_identifier);
  return { location, events };
}

describe('The header Link', () => {
  it('leads to the next page and back, with all that was asked for', async () => {
    const { location, events } = await crowd(7);
    const query = `limit=3&location_unique_identifier=${location}&expand[]=location&event_datetime[lt]=2099-01-01T01:00:00%2B01:00`;
    let page = await stage.service.get(`/v1/events?${query}`);
    for (const [from, to, relations, onward] of [
      [0, 3, ['next'], 'next'],
      [3, 6, ['next', 'prev'], 'next'],
      [6, 7, ['prev'], 'prev'],
      [3, 6, ['next', 'prev'], 'prev'],
      [0, 3, ['next'], undefined],
    ] as const) {
      assert.deepEqual(identifiers(page), events.slice(from, to));
      assert.deepEqual(Object.keys(linksOf(page)), relations);
      assert.equal(page.body.data[0].location.unique_identifier, location);
      if (from === 6) assert.equal(page.body.has_more, false);
      if (onward !== undefined) page = await follow(linksOf(page)[onward]);
    }
  });

  it('has one place in the list, however the query wrote it', async () => {
    const { location, events } = await crowd(3);
    const cursor = `%73tarting_after=${events[0]}`;
    const url = `/v1/events?${cursor}&limit=1&location_unique_identifier=${location}`;
    const { next, prev } = linksOf(await stage.service.get(url));
    for (const [link, name, at] of [
      [next, 'starting_after', events[1]],
      [prev, 'ending_before', events[1]],
    ] as const) {
      const asked = new URL(link ?? '').searchParams;
      const names = ['limit', 'location_unique_identifier', name];
      assert.deepEqual([...asked.keys()].sort(), names.sort());
      assert.equal(asked.get(name), at);
    }
  });

  it('keeps what a header could not hold', async () => {
    const headers = { 'Ledgerstone-Unknown-Fields': 'ignore' };
    const { location } = await crowd(2);
    const query = `limit=1&location_unique_identifier=${location}&note=%3E%22%0d%0aX-Evil:%201%F0%9F%95%AF`;
    const answer = await stage.service.get(`/v1/events?${query}`, { headers });
    assert.equal(answer.headers.get('x-evil'), null);
    const { next = '' } = linksOf(answer);
    assert.equal(new URL(next).searchParams.get('note'), '>"\r\nX-Evil: 1\u{1f56f}');
    assert.equal((await follow(next, { headers })).status, 200);
  });

  it('is left out where there is no other page', async () => {
    const { location, events } = await crowd(2);
    const url = `/v1/events?location_unique_identifier=${location}`;
    for (const query of ['', `&starting_after=${events[1]}`, `&ending_before=${events[0]}`]) {
      const answer = await stage.service.get(url + query);
      assert.equal(answer.headers.get('link'), null, query);
    }
  });

  it('is on lists by name, too', async () => {
    const first = await stage.service.get('/v1/locations?limit=1');
    const second = await follow(linksOf(first).next);
    assert.equal(identifiers(second).length, 1);
    assert.deepEqual(identifiers(await follow(linksOf(second).prev)), identifiers(first));
  });
});

describe('A walk through a filtered list while others write', () => {
  for (const [filter, json] of [
    ['location_unique_identifier', {}],
    ['event_datetime', { event_datetime: '2032-05-05T10:00:00Z' }],
    ['event_datetime[gte]', { event_datetime: '2033-05-05T10:00:00Z' }],
    ['updated_at[gte]', {}],
  ] as const) {
    it(`by ${filter} finds every record once that was there throughout`, async () => {
      const { location } = await crowd(0);
      const own = { location_unique_identifier: location, ...json };
      const make = (as?: string, more = {}) => stage.made('events', as, { ...own, ...more });
      const there: string[] = [];
      for (let index = 0; index < 20; index += 1)
        there.unshift((await make(`${filter} ${index}`)).unique_identifier);
      const asked = new URLSearchParams({ limit: '3', location_unique_identifier: location });
      if (filter !== 'location_unique_identifier')
        asked.set(filter, Object.values(json)[0] ?? '2026-01-01T00:00:00Z');
      const seen: unknown[] = [];
      let answer = await stage.service.get(`/v1/events?${asked}`);
      for (let page = 0; ; page += 1) {
        assert.equal(answer.status, 200, answer.text);
        seen.push(...identifiers(answer));
        const { next } = linksOf(answer);
        assert.equal(answer.body.has_more, next !== undefined);
        if (next === undefined) break;
        const renamed = make(`${filter} ${page}`, { event_name: `Renamed ${page}` });
        await Promise.all([make(), make(), renamed]);
        answer = await follow(next);
      }
      assert.equal(new Set(seen).size, seen.length);
      assert.deepEqual(seen, there);
    });
  }
});
