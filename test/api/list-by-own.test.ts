/** GET /v1/<resource>?…_external_identifier=…: lists take what records belong to by its caller's own identifiers, as upserts do. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, waysTo } from '../support/scenario.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

const list = (path: string, query: Record<string, string>, sent: Sent = {}): Promise<Answer> =>
  stage.service.get(`/v1/${path}?${new URLSearchParams(query)}`, sent);

const foundIn = ({ status, body, text }: Answer): readonly string[] => {
  assert.equal(status, 200, text);
  assert.equal(body.object, 'list');
  return body.data.map((one: Body) => one.unique_identifier);
};

/** The same for lists, which also take whatever is above the parent. */
function ways(parent: string): Record<string, string>[] {
  if (parent !== 'event') return waysTo(stage, parent);
  const ofLocation = waysTo(stage, 'location');
  const { event } = stage.parents;
  const both = ofLocation.map((names) => ({ event_unique_identifier: event, ...names }));
  return [...waysTo(stage, parent), ...ofLocation, ...both];
}

for (const { path, parent } of examples) {
  it(`${path}: the same records, whichever way their parent is named, and one by its own identifier`, async () => {
    const away = await stage.service.location(`away from ${path}`);
    const event = parent === 'event' ? await stage.service.event(away) : away;
    const elsewhere = { [`${parent}_unique_identifier`]: event };
    const { body: here } = await stage.upsert(path, { as: 'own' });
    const { body: other } = await stage.upsert(path, { as: 'other' });
    const sent = parent === 'account' ? {} : { json: elsewhere };
    const { body: there } = await stage.upsert(path, {
      as: parent === 'account' ? 'x' : 'own',
      ...sent,
    });
    for (const named of ways(parent)) {
      const all = foundIn(await list(path, named));
      assert.ok(all.includes(here.unique_identifier) && all.includes(other.unique_identifier));
      assert.equal(all.includes(there.unique_identifier), parent === 'account');
      const one = await list(path, { ...named, external_identifier: 'own' });
      assert.deepEqual(foundIn(one), [here.unique_identifier]);
      const rows = await list(
        path,
        { ...named, external_identifier: 'own' },
        {
          headers: { Accept: 'application/x-ndjson' },
        },
      );
      assert.equal(JSON.parse(rows.text)._unique_identifier, here.unique_identifier);
      assert.deepEqual(foundIn(await list(path, { ...named, external_identifier: 'none' })), []);
    }
  });
}

describe('A name that leads nowhere', () => {
  const refusals = (): (readonly [Record<string, string>, number, string, string])[] => {
    const { account, location } = stage.parents;
    const chapel = { location_external_identifier: 'chapel', account_unique_identifier: account };
    return [
      [
        { ...chapel, event_external_identifier: 'none' },
        404,
        'event_external_identifier',
        'resource_missing',
      ],
      [
        { ...chapel, location_external_identifier: 'none' },
        404,
        'location_external_identifier',
        'resource_missing',
      ],
      [
        { ...chapel, account_unique_identifier: 'none' },
        404,
        'account_unique_identifier',
        'resource_missing',
      ],
      [
        { event_external_identifier: 'service', location_unique_identifier: 'none' },
        404,
        'location_unique_identifier',
        'resource_missing',
      ],
      [
        { event_external_identifier: 'service' },
        400,
        'location_unique_identifier',
        'parameter_missing',
      ],
      [
        { location_external_identifier: 'chapel' },
        400,
        'account_unique_identifier',
        'parameter_missing',
      ],
      [
        { account_unique_identifier: account },
        400,
        'account_unique_identifier',
        'parameter_unknown',
      ],
      [
        { ...chapel, location_unique_identifier: location },
        400,
        'location_external_identifier',
        'parameters_conflict',
      ],
      [
        { ...chapel, event_external_identifier: '' },
        400,
        'event_external_identifier',
        'value_invalid',
      ],
    ];
  };

  it('is named, in lists and in rows', async () => {
    for (const [query, status, param, code] of refusals()) {
      for (const Accept of ['application/json', 'text/csv']) {
        const answer = await list('event_check_in_records', query, { headers: { Accept } });
        assert.equal(answer.status, status, answer.text);
        assert.deepEqual(faultsOf(answer), [[param, code]], answer.text);
      }
    }
  });

  it('is the same for a key that may not see the record as where there is none', async () => {
    const { service, parents } = stage;
    const { secret: key } = await service.newKey({ anchors: [await service.location('sight')] });
    const ask = (location_external_identifier: string) => {
      const account_unique_identifier = parents.account;
      return list('events', { location_external_identifier, account_unique_identifier }, { key });
    };
    assert.deepEqual(foundIn(await ask('sight')), []);
    const hidden = await ask('chapel');
    const none = await ask('nowhere');
    assert.equal(hidden.status, 404, hidden.text);
    assert.deepEqual(hidden.body.error.errors, none.body.error.errors);
  });
});
