/** A write with a header that asks for what the service does not do is refused, in place of doing the write without it; and weakened tags are told what weakened them. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { rights } from '../../src/records/auth/principal.ts';
import { world } from '../support/world.ts';

const stage = world();

/** By header: what the refusal names in its place. */
const ASKED: Readonly<Record<string, readonly [value: string, instead: RegExp]>> = {
  'If-Unmodified-Since': ['Sat, 01 Jan 2022 00:00:00 GMT', /ETag in If-Match/],
  'X-Idempotency-Key': ['k-1', /Send Idempotency-Key/],
  'Idempotency-Token': ['k-1', /Send Idempotency-Key/],
  'X-Request-Idempotency-Key': ['k-1', /Send Idempotency-Key/],
  'X-HTTP-Method-Override': ['GET', /own method/],
  'X-HTTP-Method': ['merge', /own method/],
  'X-HTTP-Override': ['PUT', /own method/],
  HTTP_IDEMPOTENCY_KEY: ['k-1', /Send Idempotency-Key/],
  'X-Method-Override': ['HEAD', /own method/],
  'X-Dry-Run': ['true', /dry_run=true/],
};

/** Those that begin as ours do, or nearly: by header, what an upsert is told. */
const OURS: Readonly<Record<string, readonly [value: string, instead: RegExp]>> = {
  'Ledgerstone-Dry-Run': ['true', /dry_run=true/],
  'X-Ledgerstone-Dryrun': ['true', /dry_run=true/],
  'Ledgerstone-Modes': ['create_only', /Did you mean Ledgerstone-Mode\?/],
  'X-Ledgerstone-Mode': ['create_only', /Did you mean Ledgerstone-Mode\?/],
  HTTP_LEDGERSTONE_MODE: ['create_only', /Did you mean Ledgerstone-Mode\?/],
  Ledgerstone_Sync: ['syn_1', /Did you mean Ledgerstone-Sync\?/],
  'Ledgestone-Sync': ['syn_1', /Did you mean Ledgerstone-Sync\?/],
  'Ledgerstone-Sync-Id': ['syn_1', /Did you mean Ledgerstone-Sync\?/],
  'Ledgerstone-Unknown-Field': ['ignore', /Did you mean Ledgerstone-Unknown-Fields\?/],
  'Ledgerstone-Version': [
    '1.0.0',
    /Known ones are Ledgerstone-Instead-Of, Ledgerstone-Mode, Ledgerstone-Sync/,
  ],
  [`Ledgerstone-${'x'.repeat(200)}`]: ['1', /Known ones are/],
};

describe('A header that the service does not read', () => {
  const all = operationsOf(resources);
  const records = resources
    .filter(({ parent }) => parent !== undefined)
    .flatMap(({ path }) => [
      { method: 'POST', url: `/v1/${path}/upsert` },
      { method: 'POST', url: `/v1/${path}/upsert_many` },
      ...['PATCH', 'DELETE'].map((method) => ({ method, url: `/v1/${path}/evt_1` })),
    ]);
  const own = all
    .filter((one) => !one.route.startsWith('GET ') && one.sameAs === undefined)
    .map(({ route }) => {
      const [method = '', url = ''] = route.split(' ');
      return { method, url: url.replaceAll(/:\w+/g, 'evt_1') };
    });

  it('is refused by every write, with what to do instead', async () => {
    const { secret: key } = await stage.service.newKey({ allow: Object.keys(rights) });
    for (const { method, url } of [...records, ...own])
      for (const [name, [value, instead]] of Object.entries({ ...ASKED, ...OURS })) {
        const { status, body } = await stage.service.send(method, url, {
          key,
          headers: { 'Content-Type': 'application/json', [name]: value },
        });
        // Some are for people alone, or for callers with more.
        if (status === 403 || status === 415) continue;
        assert.equal(
          body.error?.code,
          'header_invalid',
          `${method} ${url}, ${name}: ${JSON.stringify(body)}`,
        );
        assert.ok(
          body.error.message.startsWith(`The header ${name.toLowerCase()} is not read`) ||
            body.error.message.startsWith(`The header ${name} is not read`),
          body.error.message,
        );
        if (url.includes('/upsert') || !(name in OURS)) assert.match(body.error.message, instead);
      }
  });

  it('is refused by every read, too, if its name begins as ours do', async () => {
    const { secret: key } = await stage.service.newKey({ allow: Object.keys(rights) });
    const reads = [
      ...resources.flatMap(({ path }) => [`/v1/${path}`, `/v1/${path}/evt_1`]),
      ...all.flatMap(({ route }) => (route.startsWith('GET ') ? [route.slice(4)] : [])),
    ];
    for (const path of reads.map((one) => one.replaceAll(/:\w+/g, 'evt_1')))
      for (const name of [...Object.keys(OURS), 'Ledgerstone-Sync', 'Ledgerstone-Mode']) {
        const { status, body } = await stage.service.get(path, { key, headers: { [name]: 'x' } });
        if (status === 403) continue;
        assert.equal(body.error?.code, 'header_invalid', `${path}, ${name}`);
      }
  });

  it('is refused by name where only upserts take it, and taken there', async () => {
    const { unique_identifier: id } = await stage.made('events', 'only upserts');
    for (const [name, value] of [
      ['Ledgerstone-Sync', 'syn_0350hLTg4Qw7ghih1EWE8N'],
      ['Ledgerstone-Mode', 'update_only'],
    ] as const)
      for (const method of ['PATCH', 'DELETE']) {
        const sent = method === 'PATCH' ? { body: '{"event_name":"New"}' } : {};
        const headers = { 'Content-Type': 'application/json', [name]: value };
        const answer = await stage.service.send(method, `/v1/events/${id}`, { headers, ...sent });
        assert.equal(answer.body.error?.code, 'header_invalid', `${method}, ${name}`);
        assert.match(answer.body.error.message, /Only upserts take Ledgerstone-/);
      }
    const { body } = await stage.service.get(`/v1/events/${id}`);
    assert.notEqual(body.event_name, 'New');
    const headers = { 'Ledgerstone-Mode': 'create_only', 'Ledgerstone-Answer': 'after-rows' };
    assert.equal((await stage.upsert('events', { as: 'taken', headers })).status, 200);
  });

  it('is named with all others of the request', async () => {
    const headers = { 'Ledgerstone-Dry-Run': 'true', 'Ledgerstone-Syncs': 'syn_1' };
    const { errors } = (await stage.upsert('events', { headers })).body.error;
    assert.equal(errors.length, 2);
    assert.deepEqual(
      errors.flatMap(({ values }: { values?: { nearest: string } }) => values?.nearest ?? []),
      ['Ledgerstone-Sync'],
    );
  });

  it('leaves nothing written', async () => {
    for (const [name, [value]] of Object.entries({ ...ASKED, ...OURS })) {
      const refused = await stage.upsert('events', {
        as: `with ${name}`,
        headers: { [name]: value },
      });
      assert.equal(refused.status, 400);
      const { body } = await stage.service.get(
        `/v1/events?external_identifier=${encodeURIComponent(`with ${name}`)}`,
      );
      assert.deepEqual(body.data, []);
    }
  });

  it('is passed over where nothing is written, and where it asks for what is done', async () => {
    for (const [name, [value]] of Object.entries(ASKED)) {
      const headers = { [name]: value };
      assert.equal((await stage.service.get('/v1/events', { headers })).status, 200, name);
      const search = {
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"q":"doe"}',
      };
      assert.equal((await stage.service.send('POST', '/v1/search', search)).status, 200, name);
    }
    const same = {
      headers: {
        'X-HTTP-Method-Override': 'post',
        'X-Request-Id': '7',
      },
    };
    assert.equal((await stage.upsert('events', same)).status, 200);
  });
});

describe('An If-Match whose tags can match no version', () => {
  it('is 412 that says why, and not that the record has changed', async () => {
    const { unique_identifier: id } = await stage.made('events', 'weakened');
    const path = `/v1/events/${id}`;
    for (const [tag, says] of [
      [
        'W/"1"',
        /The W\/"1" in If-Match is a weak tag, which never matches.*proxy that compresses.*Send the tag without it/,
      ],
      ['W/"1", W/"2"', /is a weak tag/],
      ['"1-gzip"', /The "1-gzip" in If-Match is not as the service sent it.*proxy that compresses/],
      ['"1--gzip"', /is not as the service sent it/],
      ['"abc"', /is no tag of the record/],
    ] as const) {
      const answer = await stage.service.patch(
        path,
        { event_name: 'New' },
        { headers: { 'If-Match': tag } },
      );
      assert.deepEqual([answer.status, answer.body.error.code], [412, 'record_changed'], tag);
      assert.match(answer.body.error.message, says, tag);
      assert.doesNotMatch(answer.body.error.message, /has changed since/);
      assert.equal(answer.body.error.errors[0].message, answer.body.error.message);
    }
    const stripped = { headers: { 'If-Match': '"1"' } };
    assert.equal((await stage.service.patch(path, { event_name: 'New' }, stripped)).status, 200);
    const late = await stage.service.patch(
      path,
      { event_name: 'Newer' },
      { headers: { 'If-Match': '"1", W/"2"' } },
    );
    assert.match(late.body.error.message, /has changed since you read it/);
  });
});

it('ASCII is UTF-8, by any of its names', async () => {
  for (const charset of ['us-ascii', 'US-ASCII', '"us-ascii"', 'ascii', 'ANSI_X3.4-1968'])
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const headers = { 'Content-Type': `${type}; charset=${charset}` };
      const sent = type.endsWith('json') ? { json: {} } : { form: 'event_name=Zo%C3%AB' };
      const answer = await stage.upsert('events', { headers, ...sent });
      assert.equal(answer.status, 200, `${type} ${charset}: ${answer.text}`);
    }
  const latin = { headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } };
  assert.match((await stage.upsert('events', latin)).body.error.message, /UTF-8/);
});
