/** The project's own client writes, reads, walks and removes, and its errors say what the service's do. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import {
  AuthenticationError,
  answerOf,
  IdempotencyError,
  InvalidRequestError,
  Ledgerstone,
  PermissionError,
} from '../../client/src/index.ts';
import { resources } from '../../src/core/resources/index.ts';
import { featureObjects } from '../../src/features/declares.ts';
import { examples } from '../support/bodies.ts';
import { all, clientOf, errorOf } from '../support/client.ts';
import { pluck } from '../support/pluck.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

const api = (): Ledgerstone => clientOf(stage.service).api;
const event = (external_identifier: string, event_name = 'Celebration of life') => ({
  location_unique_identifier: stage.parents.location,
  external_identifier,
  event_name,
  event_datetime: '2027-03-20T09:30:00-05:00',
});

describe('every resource', () => {
  it('is a member of the client by its path', () => {
    assert.deepEqual(Object.keys(api()), [
      ...resources.map(({ path }) => path),
      'changes',
      'removals',
      'proposals',
      'location_settings',
      'sources',
      'syncs',
      'requests',
      'activity',
      'audit',
      'erasures',
      ...featureObjects.flatMap(({ path = '' }) => /^\/v1\/(\w+)$/.exec(path)?.[1] ?? []),
    ]);
  });

  for (const { path, parent, full } of examples) {
    it(`${path}: written, read, changed and removed, as the service answers it`, async () => {
      const collection = (api() as Body)[path];
      const body = { ...full, [`${parent}_unique_identifier`]: stage.parents[parent] };
      const made = await collection.upsert({ ...body, external_identifier: 'by client' });
      const id: string = made.unique_identifier;
      const direct = await stage.service.get(`/v1/${path}/${id}`);
      assert.deepEqual(made, direct.body);
      assert.deepEqual(await collection.retrieve(id), direct.body);
      assert.deepEqual(await collection.patch(id, {}), direct.body);
      const [listed] = await all<Body>(collection.list({ external_identifier: 'by client' }));
      assert.equal(listed.unique_identifier, id);
      const gone = { object: made.object, unique_identifier: id, deleted: true };
      assert.deepEqual(await collection.remove(id), gone);
      assert.equal((await stage.service.get(`/v1/${path}/${id}`)).status, 404);
    });
  }

  it('takes parents by the identifiers of the caller, and puts them in where asked', async () => {
    const made = await api().event_check_in_records.upsert({
      event_external_identifier: 'service',
      location_external_identifier: 'chapel',
      account_unique_identifier: stage.parents.account,
      external_identifier: 'visitor',
      visitor_full_name: 'Jane Doe',
      visitor_phone_number: '+14155550123',
    });
    const read = await api().event_check_in_records.retrieve(made.unique_identifier, {
      expand: ['event', 'location'],
    });
    assert.deepEqual(
      [read.event.external_identifier, read.location.location_name],
      ['service', 'Main Street Chapel'],
    );
  });

  it('is changed and removed by the identifiers of the caller, too, and answers writes with what is asked for', async () => {
    const made = await api().events.upsert(event('named'), { expand: ['location', 'identifiers'] });
    assert.equal(made.location.external_identifier, 'chapel');
    assert.equal(made.identifiers.location_external_identifier, 'chapel');
    const named = {
      location_external_identifier: 'chapel',
      account_unique_identifier: stage.parents.account,
      external_identifier: 'named',
    };
    const changed = await api().events.patch(named, { event_name: 'by name' }, { ifMatch: '"1"' });
    assert.equal(changed.unique_identifier, made.unique_identifier);
    assert.equal(changed.event_name, 'by name');
    const removed = await api().events.remove(named);
    assert.equal(removed.unique_identifier, made.unique_identifier);
  });

  it('comes back whole when its removal is undone', async () => {
    const made = await api().events.upsert(event('undone'));
    const removal = answerOf(await api().events.remove(made.unique_identifier))?.removal ?? '';
    assert.equal((await api().removals.retrieve(removal)).record, made.unique_identifier);
    const [page] = await Array.fromAsync(api().removals.list({ resource: ['event'], limit: 1 }));
    assert.equal(page?.data[0]?.unique_identifier, removal);
    assert.equal((await api().removals.restore(removal, { dry_run: true })).restored, 1);
    assert.deepEqual((await api().removals.restore(removal)).left, []);
    const back = await api().events.retrieve(made.unique_identifier);
    assert.equal(back.external_identifier, 'undone');
  });
});

describe('what came with an answer', () => {
  it('is told of the record, and does not stand in it', async () => {
    const outcomes = [];
    for (const name of ['First', 'First', 'Second']) {
      const made = await api().events.upsert(event('answered', name));
      assert.match(answerOf(made)?.requestId ?? '', /^req_/);
      outcomes.push(answerOf(made)?.outcome);
      assert.ok(!('outcome' in made));
    }
    assert.deepEqual(outcomes, ['created', 'unchanged', 'updated']);
  });

  it('has the version, to which a write can be held', async () => {
    const first = await api().events.upsert(event('held'));
    const { etag } = answerOf(first) ?? {};
    await api().events.patch(first.unique_identifier, { event_name: 'Changed meanwhile' });
    const error = await errorOf(
      api().events.patch(first.unique_identifier, { event_name: 'Late' }, { ifMatch: etag }),
    );
    assert.deepEqual([error.status, error.code], [412, 'record_changed']);
  });

  it('has how many records went', async () => {
    const made = await api().events.upsert(event('with visitors'));
    await api().event_check_in_records.upsert({
      event_unique_identifier: made.unique_identifier,
      external_identifier: 'v',
      visitor_full_name: 'Jane Doe',
      visitor_phone_number: '+14155550123',
    });
    const refused = await errorOf(api().events.remove(made.unique_identifier));
    assert.equal(refused.code, 'record_has_children');
    const gone = await api().events.remove(made.unique_identifier, { cascade: true });
    assert.deepEqual([answerOf(gone)?.outcome, answerOf(gone)?.removed], ['deleted', 2]);
  });
});

describe('options', () => {
  it('rehearse, narrow, and ignore what is not known', async () => {
    await api().events.upsert(event('rehearsed'), { dryRun: true });
    assert.deepEqual(await all(api().events.list({ external_identifier: 'rehearsed' })), []);
    const chapel = {
      ...{ account_unique_identifier: stage.parents.account, location_name: 'x' },
      external_identifier: 'chapel',
    };
    const exists = await errorOf(api().locations.upsert(chapel, { mode: 'create_only' }));
    assert.equal(exists.code, 'record_exists');
    const misspelt = { ...event('ignored'), event_nam: 'x' };
    assert.equal((await errorOf(api().events.upsert(misspelt))).code, 'parameter_unknown');
    const made = await api().events.upsert(misspelt, { unknownFields: 'ignore' });
    assert.equal(made.external_identifier, 'ignored');
  });

  it('end a request by a signal, with its own reason', async () => {
    const reason = new Error('The visitor went away.');
    const signal = AbortSignal.abort(reason);
    const sent = api().events.upsert(event('aborted'), { signal });
    await assert.rejects(sent, (error) => error === reason);
  });
});

describe('lists', () => {
  const names = Array.from({ length: 7 }, (_, index) => `walked ${index}`);
  const walk = { location_unique_identifier: '', limit: 3 };

  it('are walked page by page, each record once, newest first', async () => {
    const place = await api().locations.upsert({
      account_unique_identifier: stage.parents.account,
      external_identifier: 'walked',
      location_name: 'Walked',
    });
    walk.location_unique_identifier = place.unique_identifier;
    const { unique_identifier: location_unique_identifier } = place;
    for (const name of names)
      await api().events.upsert({ ...event(name), location_unique_identifier });
    const { api: watched, tries } = clientOf(stage.service);
    const found = await all(watched.events.list(walk));
    assert.deepEqual(pluck(found, 'external_identifier'), names.toReversed());
    assert.equal(tries.length, 3);
    const page = await watched.events.list(walk).page();
    const counted = { ...walk, limit: 1, include: ['total'] as const };
    const { total } = await api().events.list(counted).page();
    assert.deepEqual(total, { count: found.length, more: false });
    assert.deepEqual(await all(api().events.list(counted)), found);
    assert.deepEqual([page.data.length, page.has_more], [3, true]);
  });

  it('are walked backwards from a record, nearest first', async () => {
    const found = await all(api().events.list(walk));
    const oldest = found.at(-1)?.unique_identifier;
    const back = await all(api().events.list({ ...walk, ending_before: oldest }));
    assert.deepEqual(pluck(back, 'external_identifier'), names.slice(1));
  });

  it('are found by ranges, and hold what is to be put in', async () => {
    const params = {
      ...walk,
      event_datetime: { gte: '2027-03-20T14:30:00Z', lt: '2027-03-21T00:00:00Z' },
    };
    const found = await all(api().events.list({ ...params, expand: ['location'] }));
    for (const { location } of found) assert.equal(location.external_identifier, 'walked');
    assert.equal(found.length, 7);
    const none = { ...params, event_datetime: { gt: '2027-03-20T14:30:00Z' } };
    assert.deepEqual(await all(api().events.list(none)), []);
  });

  it('go on where others remove the record beside which the next page begins', async () => {
    const found: string[] = [];
    const two = { ...walk, limit: 2 };
    for await (const one of api().events.list(two)) {
      found.push(one.external_identifier);
      if (found.length === 1) {
        const { data } = await api().events.list(two).page();
        await api().events.remove(data[1]?.unique_identifier ?? '');
      }
    }
    assert.deepEqual(found, names.toReversed());
  });

  it('can be removed while they are walked', async () => {
    for await (const one of api().events.list(walk))
      await api().events.remove(one.unique_identifier);
    assert.deepEqual(await all(api().events.list(walk)), []);
  });
});

describe('search', () => {
  it('finds records of every resource, with what they belong to', async () => {
    const { unique_identifier: id } = await api().events.upsert(event('sought', 'Sought service'));
    while (await stage.service.app.store.search.feed());
    const asked = { q: 'sought', resource: ['event'], expand: ['location'] } as const;
    const { index, data } = await api().search(asked);
    assert.equal(index.status, 'ready');
    const [group] = data;
    assert.ok(group?.resource === 'event');
    assert.equal(group.data[0]?.record.unique_identifier, id);
    assert.equal(group.data[0]?.record.location?.object, 'location');
  });
});

describe('what changed', () => {
  it('is read page by page, from where the last page ended', async () => {
    const { position } = await api().changes.list({ starting_after: 'now' }).page();
    assert.ok(position !== null);
    const made = await api().events.upsert(event('followed'));
    await api().events.patch(made.unique_identifier, { event_name: 'Graveside service' });
    const told = [];
    const params = { starting_after: position, limit: 1, resource: ['event'] } as const;
    for await (const page of api().changes.list({ ...params, expand: ['record'] })) {
      for (const { outcome, changed, record_now } of page.data) {
        assert.deepEqual(record_now, await api().events.retrieve(made.unique_identifier));
        told.push([outcome, ...changed]);
      }
    }
    assert.deepEqual(told, [['created'], ['updated', 'event_name']]);
  });

  it('waits longer than other requests', async () => {
    const { key, url } = stage.service;
    const patient = new Ledgerstone({ key, url, timeout: 500 });
    const page = await patient.changes.list({ starting_after: 'now', wait: 1 }).page();
    assert.deepEqual([page.data, page.has_more], [[], false]);
  });

  it('of a record is its history, from which a version is read and brought back', async () => {
    const { events } = api();
    const { unique_identifier: id } = await events.upsert(event('restored', 'First'));
    await events.patch(id, { event_name: 'Second' });
    const history = await all(events.history(id, { limit: 1 }));
    assert.deepEqual(
      history.map(({ version, changes }) => [version, changes?.[0]?.before]),
      [
        [2, 'First'],
        [1, null],
      ],
    );
    assert.equal((await events.retrieve(id, { version: 1 })).event_name, 'First');
    const restored = await events.restore(id, { version: 1 });
    assert.deepEqual([restored.event_name, answerOf(restored)?.outcome], ['First', 'updated']);
    await events.remove(id);
    assert.equal((await events.restore(id, { version: 2 })).event_name, 'Second');
    const error = await errorOf(events.restore(id, { version: 9 }));
    assert.equal(error.code, 'version_missing');
  });
});

describe('errors', () => {
  it('name every fault, in the class of their type', async () => {
    const wrong = { ...event('x'), event_name: '', event_datetime: 'tomorrow' };
    const error = await errorOf(api().events.upsert(wrong));
    assert.ok(error instanceof InvalidRequestError);
    assert.deepEqual(
      [error.name, error.type, error.code, error.param, error.status],
      ['InvalidRequestError', 'invalid_request_error', 'parameter_missing', 'event_name', 400],
    );
    assert.deepEqual(pluck(error.errors, 'param', 'code'), [
      ['event_name', 'parameter_missing'],
      ['event_datetime', 'datetime_invalid'],
    ]);
    assert.match(error.requestId ?? '', /^req_/);
    assert.match(error.docUrl ?? '', /#parameter_missing$/);
  });

  it('have a class for each type', async () => {
    const { api: stranger } = clientOf({ ...stage.service, key: 'sk_test_nobody' });
    assert.ok((await errorOf(stranger.accounts.list().page())) instanceof AuthenticationError);
    const { secret: key } = await stage.service.newKey({ permissions: ['read'] });
    const { api: reader } = clientOf({ ...stage.service, key });
    assert.ok((await errorOf(reader.events.upsert(event('x')))) instanceof PermissionError);
    await api().events.upsert(event('once'), { idempotencyKey: 'one' });
    const reused = await errorOf(api().events.upsert(event('twice'), { idempotencyKey: 'one' }));
    assert.ok(reused instanceof IdempotencyError);
  });

  it('never show the key, and neither does the client', async () => {
    const error = await errorOf(api().events.retrieve('evt_nothing'));
    const shown = inspect(error, { depth: 9 }) + inspect(api(), { depth: 9, showHidden: true });
    assert.ok(!shown.includes(stage.service.key));
  });

  it('say at once what is wrong with the call itself', () => {
    assert.throws(() => api().events.upsertMany([], { rows: 2000 }), RangeError);
  });
});

describe('a client that is made wrongly', () => {
  const right = { key: 'sk_test_x', url: 'https://records.example.com' };
  const wrong: readonly (readonly [what: string, settings: object, says: RegExp])[] = [
    ['no key', { key: undefined }, /^key is missing.*variable/],
    ['an empty key', { key: '' }, /^key is missing/],
    ['a key with a line break', { key: 'sk_test_x\n' }, /^key holds/],
    ['no address', { url: undefined }, /^url is missing.*https:/],
    ['an address without a scheme', { url: 'records.example.com' }, /^url is "records.*https:/],
    ['an address of another kind', { url: 'ftp://records.example.com' }, /^url is "ftp/],
    ['an address with the version', { url: `${right.url}/v1` }, /without \/v1/],
    ['an address with the version and a slash', { url: `${right.url}/v1/` }, /without \/v1/],
  ];
  for (const [what, settings, says] of wrong) {
    it(`is told of ${what} at once`, () => {
      const made = () => new Ledgerstone({ ...right, ...settings } as typeof right);
      assert.throws(made, { name: 'TypeError', message: says });
    });
  }
  it('is told that there are no settings', () => {
    const made = () => new Ledgerstone(undefined as unknown as typeof right);
    assert.throws(made, { name: 'TypeError', message: /^key is missing/ });
  });
  it('takes an address below which the service is', () => {
    for (const path of ['', '/', '/records/']) new Ledgerstone({ ...right, url: right.url + path });
  });
});
