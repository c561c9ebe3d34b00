/** Lists in another order than the usual one: `order=event_datetime`. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import type { Answer } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

const list = (query: Record<string, string>): Promise<Answer> =>
  stage.service.get(`/v1/events?${new URLSearchParams(query)}`);
const names = ({ status, body, text }: Answer): string[] => {
  assert.equal(status, 200, text);
  return pluck(body.data, 'external_identifier');
};

/** When the events of a location are, in the order in which they are made. */
const DAYS = [
  ['third', '2031-01-03'],
  ['first', '0999-12-31'],
  ['second', '2031-01-02'],
  ['second too', '2031-01-02'],
  ['last', '9999-12-31'],
] as const;
const SORTED = ['first', 'second', 'second too', 'third', 'last'];

describe('order=event_datetime', () => {
  let at: string;
  before(async () => {
    at = await stage.service.location('sorted');
    const away = await stage.service.location('away');
    for (const [as, day] of DAYS) {
      for (const location_unique_identifier of [at, away]) {
        const event_datetime = `${day}T12:00:00Z`;
        await stage.made('events', as, { location_unique_identifier, event_datetime });
      }
    }
  });
  const sorted = (query: Record<string, string> = {}): Promise<Answer> =>
    list({ order: 'event_datetime', location_unique_identifier: at, ...query });

  it('lists the earliest first, whenever they were made; of equal ones the first made', async () => {
    assert.deepEqual(names(await sorted()), SORTED);
    const everywhere = names(await list({ order: 'event_datetime' }));
    assert.equal(everywhere.length, 2 * DAYS.length + 1);
    assert.deepEqual(everywhere.slice(0, 2), ['first', 'first']);
    const plain = { location_unique_identifier: at };
    assert.deepEqual(names(await list(plain)), DAYS.map(([as]) => as).reverse());
  });

  it('is walked page by page, both ways, and Link leads on', async () => {
    for (const limit of ['1', '2', '3']) {
      const seen: string[] = [];
      let last = '';
      for (let url: string | undefined = ''; url !== undefined; ) {
        const page: Answer = url === '' ? await sorted({ limit }) : await stage.service.get(url);
        seen.push(...names(page));
        last = page.body.data.at(-1).unique_identifier;
        const next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
        url = next?.slice(next.indexOf('/v1/'));
      }
      assert.deepEqual(seen, SORTED);
      const back = await sorted({ limit, ending_before: last });
      assert.deepEqual(names(back), SORTED.slice(0, -1).slice(-Number(limit)));
    }
  });

  it('lists the latest first with a minus sign, and is walked both ways', async () => {
    const down = (query: Record<string, string> = {}): Promise<Answer> =>
      list({ order: '-event_datetime', location_unique_identifier: at, ...query });
    const reversed = SORTED.toReversed();
    assert.deepEqual(names(await down()), reversed);
    const first = await down({ limit: '2' });
    assert.deepEqual(names(first), reversed.slice(0, 2));
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    assert.match(next, /order=-event_datetime/);
    const second = await stage.service.get(next.slice(next.indexOf('/v1/')));
    assert.deepEqual(names(second), reversed.slice(2, 4));
    const ending_before = second.body.data[0].unique_identifier;
    assert.deepEqual(names(await down({ limit: '2', ending_before })), reversed.slice(0, 2));
    const upTo = { 'event_datetime[lte]': '2031-01-02T12:00:00Z' };
    assert.deepEqual(names(await down(upTo)), ['second too', 'second', 'first']);
  });
});

describe('order=-name', () => {
  it('lists locations from Z to A', async () => {
    const byName = await stage.service.get('/v1/locations?order=name');
    const usual = await stage.service.get('/v1/locations');
    const down = await stage.service.get('/v1/locations?order=-name');
    assert.deepEqual(byName.body.data, usual.body.data);
    assert.deepEqual(down.body.data, usual.body.data.toReversed());
    assert.equal((await stage.service.get('/v1/accounts?order=-name')).body.data.length, 1);
  });
});
