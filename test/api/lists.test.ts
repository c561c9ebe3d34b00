/** Lists of accounts and locations (specification, section 4; decisions, "Lists", "Order"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { faultsOf } from '../support/scenario.ts';
import { locationBody } from '../support/sent.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { refused, world } from '../support/world.ts';

const NOTHING = { object: 'list', url: '/v1/locations', has_more: false, data: [] };
/** Names of one list, with what folding makes alike and what it must tell apart. */
const NAMES = [
  'Zoe|zoë|ZOE|Émile|emile|Emile|e\u0301mile|Eme|Emz|apple|Apple|Ápple|äpfel|Zebra|_under',
  'a b|ab|a-b|10|9|1|½|\ufb01n|fin|Fin|Æther|Aether|ß|ss|Straße|İstanbul|istanbul|Ωmega',
  'ωmega|Ж|ж|あ|ア|\ufffd|\u{1f56f}|\u{10000}|\uffee|  spaces|ﬀ|Ⅳ|iv|\u0301|Å|\u212b|a|A',
].flatMap((some) => some.split('|'));

let otherAccount: string;
let otherLocation: string;
const stage = world({}, async ({ service }) => {
  const other = await group('Another Group');
  otherAccount = other.account;
  const foreign = locationBody(otherAccount, 'x');
  const made = await service.json('/v1/locations/upsert', foreign, { key: other.secret });
  otherLocation = made.body.unique_identifier;
  for (const location_name of NAMES) await stage.made('locations', undefined, { location_name });
});

/** An account with a key of its own. */
async function group(name: string): Promise<{ account: string; secret: string }> {
  const { accounts } = stage.service.app.store;
  const { unique_identifier: account } = await accounts.create({ name, livemode: false });
  return { account, secret: (await stage.service.newKey({ accounts: [account] })).secret };
}

const list = (query = '', sent?: Sent): Promise<Answer> =>
  stage.service.get(`/v1/locations${query}`, sent);
const names = ({ body }: Answer): string[] => pluck(body.data, 'name');
const identifiers = ({ body }: Answer): string[] => pluck(body.data, 'unique_identifier');

/** The order of the decisions, made another way: arrays of code points. */
function folded(name: string): number[] {
  const text = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
function byName(one: Body, another: Body): number {
  const [a, b] = [folded(one.name), folded(another.name)];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? -1) - (b[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.unique_identifier < another.unique_identifier ? -1 : 1;
}

describe('entries and envelope', () => {
  it('of accounts: no object, and a name', async () => {
    const { status, body } = await stage.service.get('/v1/accounts');
    assert.equal(status, 200);
    const { unique_identifier, name } = stage.service.account;
    const [{ inserted_at }] = body.data;
    assert.match(inserted_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const data = [{ unique_identifier, name, inserted_at, updated_at: inserted_at }];
    assert.deepEqual(body, { object: 'list', url: '/v1/accounts', has_more: false, data });
  });

  it('of locations: called name, and public_data', async () => {
    const made = await stage.upsert('locations', { json: { location_name: 'Made' }, as: 'made' });
    const { unique_identifier, inserted_at, updated_at } = made.body;
    const { data, ...envelope } = (await list()).body;
    assert.deepEqual(envelope, { object: 'list', url: '/v1/locations', has_more: false });
    assert.deepEqual(
      data.filter((one: Body) => one.name === 'Made'),
      [{ unique_identifier, inserted_at, updated_at, name: 'Made', public_data: {} }],
    );
  });

  it('of nothing: data is []', async () => {
    const { secret: key } = await group('Empty Group');
    assert.deepEqual((await list('', { key })).body, NOTHING);
  });
});

describe('order', () => {
  it('by code point after NFKD, removal of marks and lower-casing; ties by unique_identifier', async () => {
    const answer = await list();
    const shown = names(answer);
    assert.deepEqual(shown, pluck(answer.body.data.toSorted(byName), 'name'));
    for (const name of NAMES) assert.ok(shown.includes(name), name);
  });

  it('accounts likewise, those of one key from all its accounts', async () => {
    const made: string[] = [];
    for (const name of ['émile', 'Zoe', 'Emil', 'Émile', '\u{1f56f}', '\ufffd']) {
      const account = await stage.service.app.store.accounts.create({ name, livemode: false });
      made.push(account.unique_identifier);
    }
    const { secret } = await stage.service.newKey({ accounts: made.toReversed() });
    const answer = await stage.service.get('/v1/accounts', { key: secret });
    assert.deepEqual(names(answer), ['Emil', 'émile', 'Émile', 'Zoe', '\ufffd', '\u{1f56f}']);
    const next = `/v1/accounts?limit=2&starting_after=${made[0]}`;
    const page = await stage.service.get(next, { key: secret });
    assert.deepEqual(names(page), ['Émile', 'Zoe']);
    assert.equal(page.body.has_more, true);
  });

  it('a renamed location moves', async () => {
    await stage.upsert('locations', { json: { location_name: 'aaaa' }, as: 'moves' });
    const before = names(await list()).indexOf('aaaa');
    await stage.upsert('locations', { json: { location_name: 'zzzz' }, as: 'moves' });
    const after = names(await list());
    assert.ok(after.indexOf('zzzz') > before);
    assert.ok(!after.includes('aaaa'));
  });
});

describe('limit', () => {
  it('is how many there are at most', async () => {
    for (const limit of [1, 2, 10, 1000]) {
      const all = identifiers(await list());
      const answer = await list(`?limit=${limit}`);
      assert.deepEqual(identifiers(answer), all.slice(0, limit));
      assert.equal(answer.body.has_more, limit < all.length);
    }
  });

  for (const [query, code] of [
    ['limit=abc', 'type_invalid'],
    ['limit', 'value_invalid'],
    ['limit[]=5', 'type_invalid'],
    ['limit[a]=5', 'type_invalid'],
    ['limit=%zz', 'form_invalid'],
  ] as const) {
    it(`${query} is 400`, async () => {
      for (const path of ['/v1/locations', '/v1/accounts']) {
        const answer = await stage.service.get(`${path}?${query}`);
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer)[0], ['limit', code]);
      }
    });
  }

  it('without it there are up to 1000', async () => {
    const { account, secret: key } = await group('Large Group');
    const rows = Array.from({ length: 1001 }, (_, index) =>
      locationBody(account, `${index}`, { location_name: `Location ${index % 10}` }),
    );
    for (const some of [rows.slice(0, 501), rows.slice(501)])
      await stage.ok('/v1/locations/upsert_many', some, key);
    const first = await list('', { key });
    assert.equal(first.body.data.length, 1000);
    assert.equal(first.body.has_more, true);
    const second = await list(`?starting_after=${identifiers(first).at(-1)}`, { key });
    assert.equal(second.body.data.length, 1);
    assert.equal(second.body.has_more, false);
  });
});

describe('unknown parameters are 400', () => {
  for (const [query, param, says] of [
    ['limt=5', 'limt', /\blimit\b/],
    ['Limit=5', 'Limit', /\blimit\b/],
    ['start_after=x', 'start_after', /\bstarting_after\b/],
    ['page=2', 'page', /\blimit\b|starting_after/],
    ['event_unique_identifier=x', 'event_unique_identifier', /./],
    ['=x', undefined, /./],
    ['__proto__=1', '__proto__', /./],
  ] as const) {
    it(query, async () => {
      const answer = await list(`?${query}`);
      assert.equal(answer.status, 400);
      if (param !== undefined) assert.deepEqual(faultsOf(answer), [[param, 'parameter_unknown']]);
      assert.match(answer.body.error.message, says);
    });
  }

  it('unless the header says to ignore them', async () => {
    const headers = { 'Ledgerstone-Unknown-Fields': 'ignore' };
    const answer = await list('?limt=5&limit=2', { headers });
    assert.equal(answer.body.data.length, 2);
  });

  it('all faults are named at once', async () => {
    const answer = await list('?limit=0&x=1&starting_after=a&ending_before=b');
    const params = new Set(faultsOf(answer).map(([param]) => param));
    assert.deepEqual(params, new Set(['limit', 'x', 'ending_before']));
  });
});

describe('starting_after and ending_before', () => {
  it('give what comes right after and right before, in the order of the list', async () => {
    const all = identifiers(await list());
    for (const at of [0, 1, 7, all.length - 2, all.length - 1]) {
      const after = await list(`?limit=3&starting_after=${all[at]}`);
      assert.deepEqual(identifiers(after), all.slice(at + 1, at + 4));
      assert.equal(after.body.has_more, at + 4 < all.length);
      const before = await list(`?limit=3&ending_before=${all[at]}`);
      assert.deepEqual(identifiers(before), all.slice(Math.max(0, at - 3), at));
      assert.equal(before.body.has_more, at > 3);
    }
  });

  it('past the end data is []', async () => {
    const all = identifiers(await list());
    for (const query of [`starting_after=${all.at(-1)}`, `ending_before=${all[0]}`]) {
      const { status, body } = await list(`?${query}`);
      assert.equal(status, 200);
      assert.deepEqual(body, NOTHING);
    }
  });

  it('both at once are 400', async () => {
    const [one] = identifiers(await list());
    const answer = await list(`?starting_after=${one}&ending_before=${one}`);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error.message, /starting_after.*ending_before/);
  });

  it('what the key cannot see is 400, whether it exists or not', async () => {
    const { account, event } = stage.parents;
    for (const name of ['starting_after', 'ending_before']) {
      let first: Body;
      const missing = 'loc_0350hLTg4Qw7ghih1EWE8L';
      for (const cursor of ['nothing', missing, otherLocation, account, event, '%20', '🕯']) {
        const answer = await list(`?${name}=${cursor}`);
        assert.equal(answer.status, 400);
        const { request_id: _, ...error } = answer.body.error;
        assert.equal(error.param, name);
        first ??= error;
        assert.deepEqual(error, first);
      }
      const empty = await list(`?${name}=`);
      assert.equal(empty.status, 400);
      assert.equal(empty.body.error.param, name);
    }
    refused(await stage.service.get(`/v1/accounts?starting_after=${otherAccount}`), 400);
  });
});

describe('a list walked page by page', () => {
  const walk = async (between: (cursor: string | undefined) => Promise<unknown>) => {
    const seen: string[] = [];
    for (let query = '?limit=3'; ; query = `?limit=3&starting_after=${seen.at(-1)}`) {
      const answer = await list(query);
      assert.equal(answer.status, 200, answer.text);
      seen.push(...identifiers(answer));
      if (!answer.body.has_more) return seen;
      await between(seen.at(-1));
    }
  };

  it('gives exactly once what existed throughout and kept its place, while others write', async () => {
    const named = (location_name: string, as?: string) =>
      stage.made('locations', as, { location_name });
    const wanderer = (name: string) => named(name, 'wanderer');
    const { unique_identifier } = await wanderer('0 here');
    const all = identifiers(await list()).filter((one) => one !== unique_identifier);
    let count = 0;
    const seen = await walk(async (cursor) => {
      count += 1;
      await Promise.all([
        // Some come before the page, some after it, and one keeps moving; but not while the walk
        // holds on to it: where it was, its identifier alone cannot tell.
        named(`0 new ${count}`),
        named(`m new ${count}`),
        count <= 5 && named(`\u{1f56f} ${count}`),
        cursor === unique_identifier || wanderer(count % 2 === 0 ? '0 here' : '\u{10ffff} there'),
      ]);
    });
    const known = new Set(all);
    assert.deepEqual(
      seen.filter((one) => known.has(one)),
      all,
    );
    const fresh = seen.filter((one) => !known.has(one) && one !== unique_identifier);
    assert.equal(new Set(fresh).size, fresh.length);
  });
});
