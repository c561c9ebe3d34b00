/** One record, read by its unique identifier (decisions, "Requests", "Answers", "Keys"); and what is told to those who send an identifier of another kind. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { pluck } from '../support/pluck.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { refused, world } from '../support/world.ts';

/** What the upsert of the fullest example answered, by the path of its resource. */
const made = new Map<string, Body>();
const stage = world({}, async ({ service, parents }) => {
  for (const { path, parent, full } of examples) {
    const sent = { [`${parent}_unique_identifier`]: parents[parent], ...full };
    made.set(path, (await service.json(`/v1/${path}/upsert`, sent)).body);
  }
});

const paths = examples.map(({ path }) => path);
const idOf = (path: string): string => made.get(path).unique_identifier;

describe('A record that is read', () => {
  for (const path of paths) {
    it(`${path}: is the very object that its upsert answered`, async () => {
      const { status, headers, body } = await stage.service.get(`/v1/${path}/${idOf(path)}`);
      assert.equal(status, 200);
      assert.deepEqual(body, made.get(path));
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'private, no-cache');
      assert.equal(headers.get('etag'), '"1"');
      assert.match(headers.get('request-id') ?? '', /^req_/);
    });

    it(`${path}: stands in its list, the newest first`, async () => {
      await stage.upsert(path);
      const { body } = await stage.service.get(`/v1/${path}`);
      const found = body.data.find((one: Body) => one.unique_identifier === idOf(path));
      if (path === 'locations') return assert.equal(found.name, made.get(path).location_name);
      assert.deepEqual(found, made.get(path));
      const listed = pluck(body.data, 'unique_identifier');
      assert.deepEqual(listed, [...listed].sort().reverse());
    });
  }

  it('accounts: is the same object as in their list', async () => {
    const { account } = stage.parents;
    const { body } = await stage.service.get('/v1/accounts');
    const answer = await stage.service.get(`/v1/accounts/${account}`);
    assert.deepEqual(answer.body, body.data[0]);
  });

  it('HEAD has the headers of GET, and no body', async () => {
    const url = `/v1/events/${idOf('events')}`;
    const asked = await stage.service.send('HEAD', url);
    const { headers } = await stage.service.get(url);
    assert.equal(asked.status, 200);
    assert.equal(asked.text, '');
    for (const name of ['etag', 'cache-control', 'content-type', 'content-length']) {
      assert.equal(asked.headers.get(name), headers.get(name), name);
    }
  });
});

describe('A list without a limit', () => {
  it('has 100 records a page, but for accounts and locations', async () => {
    const location_unique_identifier = await stage.service.location('crowded');
    const json = { location_unique_identifier };
    await Promise.all(Array.from({ length: 101 }, () => stage.upsert('events', { json })));
    const url = `/v1/events?location_unique_identifier=${location_unique_identifier}`;
    const first = await stage.service.get(url);
    assert.equal(first.body.data.length, 100);
    assert.equal(first.body.has_more, true);
    const last = first.body.data.at(-1).unique_identifier;
    const second = await stage.service.get(`${url}&starting_after=${last}`);
    assert.equal(second.body.data.length, 1);
    assert.equal(second.body.has_more, false);
  });
});

describe('What identifies no record', () => {
  for (const path of [...paths, 'accounts']) {
    it(`${path}: is 404, to the letter alike`, async () => {
      const there = path === 'accounts' ? stage.account : idOf(path);
      const errorOf = async (id: string): Promise<Body> => {
        const answer = await stage.service.get(`/v1/${path}/${id}`);
        refused(answer, 404, 'resource_missing');
        return { ...answer.body.error, request_id: undefined };
      };
      // What begins as no identifier of the resource does is told so, whatever it is.
      const strange = await errorOf('nothing');
      for (const id of [
        there.toUpperCase(),
        `%00${there}`,
        '%F0%9F%95%AF',
        'a%2Fb',
        'x'.repeat(8000),
      ])
        assert.deepEqual(await errorOf(id), strange);
    });
  }
});

describe('A path', () => {
  it('that ends in upsert is no record: only its own methods are taken', async () => {
    for (const path of paths) {
      const answer = await stage.service.get(`/v1/${path}/upsert`);
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'POST');
    }
  });

  it('of a record takes no POST, and says what it takes', async () => {
    for (const url of [`/v1/events/${idOf('events')}`, '/v1/events/nothing', '/v1/accounts/x']) {
      const answer = await stage.service.send('POST', url);
      assert.equal(answer.status, 405);
      assert.match(answer.headers.get('allow') ?? '', /\bGET\b/);
    }
  });

  it('with nothing in place of the identifier, or more behind it, is unknown', async () => {
    for (const url of ['/v1/events/', `/v1/events/${idOf('events')}/`, '/v1/events/a/b']) {
      refused(await stage.service.get(url), 404, 'path_unknown');
    }
  });
});

const messageOf = async (path: string): Promise<string> => {
  const { status, body } = await stage.service.get(path);
  assert.equal(status, 404, path);
  return body.error.message;
};

it('an identifier of another kind is told what it should begin with', async () => {
  const none = 'There is no account with this unique_identifier, or you may not see it.';
  const other = await messageOf(`/v1/accounts/${stage.location}`);
  assert.equal(other, `${none} Those of accounts begin with acct_.`);
  assert.equal(await messageOf('/v1/accounts/acct_nothing'), none);
  assert.match(
    await messageOf(`/v1/events/${stage.location}`),
    / Those of events begin with evt_\.$/,
  );
});

it("a caller's own identifier is told where it goes, for reads and for parents", async () => {
  const says =
    / Those of locations begin with loc_; your own identifier goes into external_identifier\.$/;
  assert.match(await messageOf('/v1/locations/chapel'), says);
  assert.match(await messageOf('/v1/events?location_unique_identifier=chapel'), says);
  const { body } = await stage.service.json('/v1/events/upsert', eventBody('chapel', 'case-1'));
  assert.match(body.error.message, says);
  assert.equal(body.error.param, 'location_unique_identifier');
});
