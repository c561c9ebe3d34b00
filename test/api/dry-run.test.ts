/** `dry_run=true`: every write tells what it would do, and does nothing. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { outcomeOf, world } from '../support/world.ts';

/** How far the service's clock is ahead. */
let aheadMs = 0;
const stage = world({ now: () => Date.now() + aheadMs });
const DRY = '?dry_run=true';

const at = (path: string, { unique_identifier }: Body, query: string) =>
  `/v1/${path}/${unique_identifier}${query}`;
const patch = (path: string, one: Body, query: string, body: Body = {}, sent: Sent = {}) =>
  stage.service.patch(at(path, one, query), body, sent);
const remove = (path: string, one: Body, query: string, sent: Sent = {}) =>
  stage.service.send('DELETE', at(path, one, query), sent);

function assertRehearsed(answer: Answer, outcome: string): void {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('ledgerstone-dry-run'), 'true');
  assert.equal(outcomeOf(answer), outcome);
  assert.equal(answer.headers.get('etag'), null);
}

for (const { path, full, prefix, answered } of examples) {
  const { external_identifier: _, ...json } = full;

  describe(path, () => {
    it('an upsert that would create answers the object, whose unique_identifier is of nothing', async () => {
      const told = await stage.upsert(path, { as: 'new', json, query: DRY });
      assertRehearsed(told, 'created');
      assert.partialDeepStrictEqual(told.body, answered);
      assert.match(told.body.unique_identifier, new RegExp(`^${prefix}[0-9A-Za-z]{22}$`));
      assert.equal((await patch(path, told.body, '')).status, 404);
      const really = await stage.upsert(path, { as: 'new', json });
      assert.equal(outcomeOf(really), 'created');
      assert.notEqual(really.body.unique_identifier, told.body.unique_identifier);
      assert.deepEqual(Object.keys(really.body), Object.keys(told.body));
    });

    it('one that would update answers the object as it would be, and leaves it as it is', async () => {
      const before = await stage.upsert(path, { as: 'known' });
      aheadMs += 60_000;
      const told = await stage.upsert(path, { as: 'known', json, query: DRY });
      assertRehearsed(told, 'updated');
      assert.ok(told.body.updated_at > before.body.updated_at);
      const after = await stage.upsert(path, { as: 'known', query: DRY });
      assertRehearsed(after, 'unchanged');
      assert.equal(after.text, before.text);
      assert.equal((await stage.upsert(path, { as: 'known' })).headers.get('etag'), '"1"');
    });

    it('a PATCH and a DELETE change nothing either', async () => {
      const before = await stage.upsert(path, { as: 'stays' });
      const patched = await patch(path, before.body, DRY, json);
      assertRehearsed(patched, 'updated');
      const removed = await remove(path, before.body, DRY);
      assertRehearsed(removed, 'deleted');
      assert.equal(removed.body.deleted, true);
      const after = await stage.upsert(path, { as: 'stays' });
      assert.equal(outcomeOf(after), 'unchanged');
      assert.equal(after.text, before.text);
    });
  });
}

describe('what would be refused is refused', () => {
  it('for every fault of the body, and a parent that is not there', async () => {
    const answer = await stage.upsert('events', { json: { event_name: '', x: 1 }, query: DRY });
    assert.equal(answer.status, 400);
    assert.equal(faultsOf(answer).length, 2);
    const json = { location_unique_identifier: 'nothing' };
    const orphan = await stage.upsert('events', { json, query: DRY });
    assert.deepEqual(faultsOf(orphan), [['location_unique_identifier', 'resource_missing']]);
  });

  it('for a parent that was removed, though it was used a moment ago', async () => {
    const event = await stage.upsert('events', { as: 'removed' });
    const json = { event_unique_identifier: event.body.unique_identifier };
    await stage.upsert('event_administrators', { as: 'child', json });
    await remove('events', event.body, '?cascade=true');
    const answer = await stage.upsert('event_administrators', { as: 'child', json, query: DRY });
    assert.deepEqual(faultsOf(answer), [['event_unique_identifier', 'resource_missing']]);
  });

  it('for what the merge would give', async () => {
    const large = (name: string, query = '') => {
      const json = { additional_event_metadata: { [name]: 'x'.repeat(9_000) } };
      return stage.upsert('events', { as: 'large', json, query });
    };
    await large('a');
    const answer = await large('b', DRY);
    assert.deepEqual(faultsOf(answer), [['additional_event_metadata', 'value_too_large']]);
  });

  it('for Ledgerstone-Mode and If-Match', async () => {
    const { body } = await stage.upsert('events', { as: 'conditions' });
    const upsert = (mode: string, as: string) =>
      stage.upsert('events', { as, query: DRY, headers: { 'Ledgerstone-Mode': mode } });
    assert.equal((await upsert('create_only', 'conditions')).status, 409);
    assert.equal((await upsert('update_only', 'nobody')).status, 404);
    const stale = { headers: { 'If-Match': '"9"' } };
    assert.equal((await patch('events', body, DRY, {}, stale)).status, 412);
    assert.equal((await remove('events', body, DRY, stale)).status, 412);
  });

  it('for a location that a key is not limited to', async () => {
    const { secret: key } = await stage.service.newKey({ anchors: [stage.parents.location] });
    const answer = await stage.upsert('locations', { as: 'foreign', query: DRY, key });
    assert.equal(answer.status, 403);
  });

  it('for children, unless they would go with it', async () => {
    const event = await stage.upsert('events', { as: 'parent' });
    const json = { event_unique_identifier: event.body.unique_identifier };
    const child = await stage.upsert('event_administrators', { as: 'of parent', json });
    assert.equal((await remove('events', event.body, DRY)).status, 409);
    const cascade = await remove('events', event.body, `${DRY}&cascade=true`);
    assertRehearsed(cascade, 'deleted');
    assert.equal((await patch('event_administrators', child.body, '')).status, 200);
  });
});

describe('the parameter', () => {
  it('is a boolean of the query: 1 is true, false and 0 carry the request out', async () => {
    assertRehearsed(await stage.upsert('events', { as: 'one', query: '?dry_run=1' }), 'created');
    for (const query of ['?dry_run=false', '?dry_run=0']) {
      const answer = await stage.upsert('events', { as: query, query });
      assert.equal(answer.headers.get('ledgerstone-dry-run'), null);
      assert.equal((await stage.upsert('events', { as: query })).headers.get('etag'), '"1"');
      assert.equal(outcomeOf(await stage.upsert('events', { as: query })), 'unchanged');
    }
    const wrong = await stage.upsert('events', { query: '?dry_run=perhaps' });
    assert.deepEqual(faultsOf(wrong), [['dry_run', 'type_invalid']]);
    const inBody = await stage.upsert('events', { json: { dry_run: true } });
    assert.deepEqual(faultsOf(inBody), [['dry_run', 'parameter_unknown']]);
  });
});
