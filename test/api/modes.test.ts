/** `Ledgerstone-Mode`: an upsert that may only create, or only update. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, scene } from '../support/scenario.ts';
import type { Answer } from '../support/service.ts';

const stage = scene();
const CREATE = { 'Ledgerstone-Mode': 'create_only' };
const UPDATE = { 'Ledgerstone-Mode': 'update_only' };

const outcomeOf = ({ headers }: Answer): string | null => headers.get('ledgerstone-outcome');

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

describe('the header', () => {
  it('is read without regard to case, and by forms as well', async () => {
    const headers = { 'Ledgerstone-Mode': ' Update_Only ' };
    assert.equal((await stage.upsert('events', { as: 'case', headers })).status, 404);
    assert.equal((await stage.upsert('events', { as: 'case', form: '', headers })).status, 404);
  });

  it('with any other value is 400, and names those that are taken', async () => {
    for (const mode of ['create', '', 'create_only, update_only']) {
      const answer = await stage.upsert('events', { headers: { 'Ledgerstone-Mode': mode } });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, 'header_invalid');
      assert.match(answer.body.error.message, /create_only.*update_only/);
    }
  });

  it('comes after the faults of the body and after the parent', async () => {
    await stage.upsert('events', { as: 'order' });
    const faulty = await stage.upsert('events', {
      as: 'order',
      headers: CREATE,
      json: { event_name: '' },
    });
    assert.equal(faulty.status, 400);
    const orphan = await stage.upsert('events', {
      headers: UPDATE,
      json: { location_unique_identifier: 'nothing' },
    });
    assert.deepEqual(faultsOf(orphan), [['location_unique_identifier', 'resource_missing']]);
  });
});
