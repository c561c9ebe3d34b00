/** `Ledgerstone-Mode`: an upsert that may only create, or only update. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import { outcomeOf, refused, world } from '../support/world.ts';

const stage = world();
const CREATE = { 'Ledgerstone-Mode': 'create_only' };
const UPDATE = { 'Ledgerstone-Mode': 'update_only' };

for (const { path, full } of examples) {
  const { external_identifier: _, ...json } = full;

  describe(`${path}: create_only`, () => {
    it('creates', async () => {
      const answer = await stage.upsert(path, { as: 'new', headers: CREATE });
      assert.equal(outcomeOf(answer), 'created', answer.text);
    });

    it('is 409 where the record is there, and leaves it as it is', async () => {
      const before = await stage.upsert(path, { as: 'there', json });
      const answer = await stage.upsert(path, { as: 'there', headers: CREATE });
      assert.equal(answer.status, 409);
      assert.deepEqual(faultsOf(answer), [[undefined, 'record_exists']]);
      const after = await stage.upsert(path, { as: 'there', json });
      assert.equal(outcomeOf(after), 'unchanged');
      assert.equal(after.text, before.text);
    });

    it('lets one of many at once create', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => stage.upsert(path, { as: 'at once', headers: CREATE })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
    });
  });

  describe(`${path}: update_only`, () => {
    it('merges into the record that is there', async () => {
      await stage.upsert(path, { as: 'known' });
      const same = await stage.upsert(path, { as: 'known', headers: UPDATE });
      assert.equal(outcomeOf(same), 'unchanged', same.text);
      const changed = await stage.upsert(path, { as: 'known', json, headers: UPDATE });
      assert.equal(outcomeOf(changed), 'updated', changed.text);
    });

    it('is 404 where there is none, and makes none', async () => {
      const answer = await stage.upsert(path, { as: 'nobody', headers: UPDATE });
      assert.equal(answer.status, 404);
      assert.deepEqual(faultsOf(answer), [[undefined, 'resource_missing']]);
      assert.equal(outcomeOf(await stage.upsert(path, { as: 'nobody' })), 'created');
    });
  });
}

describe('If-None-Match: *', () => {
  const ANY = { 'If-None-Match': '*' };
  it('only creates: 412 where the record is there, which it names and leaves as it is', async () => {
    const made = await stage.upsert('events', { as: 'http', headers: ANY });
    assert.equal(outcomeOf(made), 'created', made.text);
    const json = { event_name: 'Overwritten' };
    const again = await stage.upsert('events', { as: 'http', json, headers: ANY });
    assert.equal(again.status, 412, again.text);
    assert.deepEqual(faultsOf(again), [[undefined, 'record_present']]);
    assert.ok(again.body.error.message.includes(made.body.unique_identifier));
    const both = await stage.upsert('events', { as: 'http', headers: { ...ANY, ...CREATE } });
    assert.equal(both.status, 412);
    assert.equal((await stage.upsert('events', { as: 'http' })).text, made.text);
  });

  it('with another value, with update_only, or on another write is 400', async () => {
    const made = await stage.upsert('events', { as: 'tagged' });
    const at = `/v1/events/${made.body.unique_identifier}`;
    const answers = [
      await stage.upsert('events', { as: 'x', headers: { 'If-None-Match': '"1"' } }),
      await stage.upsert('events', { as: 'x', headers: { 'If-None-Match': '' } }),
      await stage.upsert('events', { as: 'x', headers: { ...ANY, ...UPDATE } }),
      await stage.service.patch(at, {}, { headers: ANY }),
      await stage.service.send('DELETE', at, { headers: ANY }),
    ];
    for (const answer of answers) refused(answer, 400, 'header_invalid');
    assert.equal((await stage.service.get(at)).status, 200);
  });

  it('holds for each row of many', async () => {
    const rows = `[${stage.text('events', {}, 'tagged')},${stage.text('events', {}, 'row')}]`;
    const { body } = await stage.service.json('/v1/events/upsert_many', rows, { headers: ANY });
    const [there, made] = body.data;
    assert.equal(there.error.code, 'record_exists');
    assert.equal(made.outcome, 'created');
  });
});

describe('the header', () => {
  it('is read without regard to case, and by forms as well', async () => {
    const headers = { 'Ledgerstone-Mode': ' Update_Only ' };
    assert.equal((await stage.upsert('events', { as: 'case', headers })).status, 404);
    assert.equal((await stage.upsert('events', { as: 'case', form: '', headers })).status, 404);
  });

  it('with any other value is 400, and names those that are taken', async () => {
    for (const mode of ['create', '', 'create_only, update_only']) {
      const answer = await stage.upsert('events', { headers: { 'Ledgerstone-Mode': mode } });
      refused(answer, 400, 'header_invalid');
      assert.match(answer.body.error.message, /create_only.*update_only/);
    }
  });

  it('comes after the faults of the body and after the parent', async () => {
    await stage.upsert('events', { as: 'order' });
    const faulty = { as: 'order', headers: CREATE, json: { event_name: '' } };
    refused(await stage.upsert('events', faulty), 400);
    const json = { location_unique_identifier: 'nothing' };
    const orphan = await stage.upsert('events', { headers: UPDATE, json });
    assert.deepEqual(faultsOf(orphan), [['location_unique_identifier', 'resource_missing']]);
  });
});
