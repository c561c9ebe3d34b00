/** DELETE /v1/<resource>/{unique_identifier}: what it takes away, and what it never does by accident. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { refused, world } from '../support/world.ts';

const stage = world();
const { made } = stage;
const TYPED = { headers: { 'Content-Type': 'application/json' } };

function remove(path: string, { unique_identifier }: Body, sent: Sent & { query?: string } = {}) {
  return stage.service.send('DELETE', `/v1/${path}/${unique_identifier}${sent.query ?? ''}`, sent);
}

/** Whether the record is there. */
async function stands(path: string, { unique_identifier }: Body): Promise<boolean> {
  const { status } = await stage.service.send('PATCH', `/v1/${path}/${unique_identifier}`);
  assert.ok(status === 200 || status === 404);
  return status === 200;
}

const under = ({ unique_identifier }: Body) => ({ event_unique_identifier: unique_identifier });
for (const { path, prefix, full } of examples) {
  describe(`DELETE /v1/${path}/{unique_identifier}`, () => {
    it('removes the record and says so; a second time there is none', async () => {
      const record = await made(path, 'removed');
      const { object, unique_identifier } = record;
      const answer = await remove(path, record);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, { object, unique_identifier, deleted: true });
      assert.equal(answer.headers.get('ledgerstone-outcome'), 'deleted');
      assert.equal(answer.headers.get('ledgerstone-removed'), '1');
      const again = await remove(path, record);
      refused(again, 404, 'resource_missing');
      assert.equal(await stands(path, record), false);
    });

    it('frees its pair: the next record has another unique_identifier and nothing of the old one', async () => {
      const { external_identifier: _, ...fields } = full;
      const record = await made(path, 'again', fields);
      await remove(path, record);
      const answer = await stage.upsert(path, { as: 'again' });
      assert.equal(answer.headers.get('ledgerstone-outcome'), 'created');
      assert.ok(answer.body.unique_identifier.startsWith(prefix));
      assert.notEqual(answer.body.unique_identifier, record.unique_identifier);
      assert.equal(answer.headers.get('etag'), '"1"');
    });
  });
}

describe('a record that others belong to', () => {
  it('is 409, and stays with all that belongs to it', async () => {
    const event = await made('events', 'parent');
    const child = await made('event_administrators', 'child', under(event));
    const answer = await remove('events', event);
    refused(answer, 409, 'record_has_children');
    assert.match(answer.body.error.message, /cascade=true/);
    assert.ok(await stands('events', event));
    assert.ok(await stands('event_administrators', child));
  });

  it('goes with them, at every depth, where the query says cascade=true', async () => {
    const location = await made('locations', 'whole');
    const { unique_identifier: location_unique_identifier } = location;
    const event = await made('events', 'whole', { location_unique_identifier });
    const child = await made('event_administrators', 'whole', under(event));
    const told = await remove('locations', location, { query: '?cascade=true&dry_run=true' });
    assert.equal(told.headers.get('ledgerstone-removed'), '3', 'it tells how many would go');
    const answer = await remove('locations', location, { query: '?cascade=true' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('ledgerstone-removed'), '3', 'and how many went');
    assert.equal(await stands('locations', location), false);
    assert.equal(await stands('events', event), false);
    assert.equal(await stands('event_administrators', child), false);
  });
});

describe('what a DELETE takes', () => {
  it('If-Match: a record that changed since is 412 and stays', async () => {
    const first = await stage.upsert('events', { as: 'tagged' });
    const second = await stage.upsert('events', { as: 'tagged', json: { event_name: 'B' } });
    const ifMatch = ({ headers }: Answer) => ({
      headers: { 'If-Match': `${headers.get('etag')}` },
    });
    const late = await remove('events', first.body, ifMatch(first));
    refused(late, 412, 'record_changed');
    assert.equal((await remove('events', first.body, ifMatch(second))).status, 200);
  });

  it('no other query and no body', async () => {
    const event = await made('events', 'strict');
    const cases = [
      ['?cascade=maybe', 'cascade', 'type_invalid'],
      ['?cascade=', 'cascade', 'value_invalid'],
      ['?cascade=true&cascade=true', 'cascade', 'parameter_repeated'],
    ] as const;
    for (const [query, param, code] of cases) {
      const answer = await remove('events', event, { query });
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), [[param, code]]);
    }
    refused(await remove('events', event, { ...TYPED, body: '{}' }), 400, 'body_unexpected');
    assert.ok(await stands('events', event));
  });
});

it('a DELETE that says what its body would be, and has none, is as good', async () => {
  const event = await made('events', 'typed');
  assert.equal((await remove('events', event, TYPED)).status, 200);
});

describe('keys', () => {
  it('of single resources remove nothing of others: cascade=true needs the permission for all that may go', async () => {
    const event = await made('events', 'limited');
    const child = await made('event_administrators', 'limited', under(event));
    const { secret: key } = await stage.service.newKey({ resources: ['events'] });
    const cascade = { key, query: '?cascade=true' };
    refused(await remove('events', event, cascade), 403, 'permission_denied');
    assert.ok(await stands('event_administrators', child));
    const alone = await made('events', 'limited and alone');
    assert.equal((await remove('events', alone, { key })).status, 200);
    const all = ['events', 'event_administrators', 'event_check_in_records'];
    const { secret: wide } = await stage.service.newKey({ resources: all });
    const answer = await remove('events', event, { ...cascade, key: wide });
    assert.equal(answer.status, 200, answer.text);
  });

  it('of a location remove no location, their own neither: they could not make it again', async () => {
    const { service } = stage;
    const own = await made('locations', 'own');
    const { secret: key } = await service.newKey({ anchors: [own.unique_identifier] });
    const other = await made('locations', 'not its own');
    for (const location of [own, other, { unique_identifier: 'nothing' }]) {
      const answer = await remove('locations', location, { key });
      refused(answer, 403, 'whole_account_needed');
    }
    assert.ok(await stands('locations', own));
  });
});

it('a removal and upserts under it at once: nothing is left without its parent', async () => {
  const event = await made('events', 'at once');
  await made('event_administrators', 'at once', under(event));
  const [removed, ...answers] = await Promise.all([
    remove('events', event, { query: '?cascade=true' }),
    ...Array.from({ length: 40 }, (_, index) =>
      stage.upsert('event_administrators', { as: `at once ${index}`, json: under(event) }),
    ),
  ]);
  assert.equal(removed?.status, 200);
  for (const { status, body } of answers) {
    assert.ok(status === 200 || status === 404, JSON.stringify(body));
    if (status === 200) assert.equal(await stands('event_administrators', body), false);
  }
});
