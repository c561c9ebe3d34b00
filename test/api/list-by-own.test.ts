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
    const here = await stage.made(path, 'own');
    const other = await stage.made(path, 'other');
    const there = await (parent === 'account'
      ? stage.made(path, 'x')
      : stage.made(path, 'own', elsewhere));
    for (const named of ways(parent)) {
      const all = foundIn(await list(path, named));
      assert.ok(all.includes(here.unique_identifier) && all.includes(other.unique_identifier));
      assert.equal(all.includes(there.unique_identifier), parent === 'account');
      const one = await list(path, { ...named, external_identifier: 'own' });
      assert.deepEqual(foundIn(one), [here.unique_identifier]);
      const headers = { Accept: 'application/x-ndjson' };
      const rows = await list(path, { ...named, external_identifier: 'own' }, { headers });
      assert.equal(JSON.parse(rows.text)._unique_identifier, here.unique_identifier);
      assert.deepEqual(foundIn(await list(path, { ...named, external_identifier: 'none' })), []);
    }
  });
}

describe('A name that leads nowhere', () => {
  const refusals = (): (readonly [Record<string, string>, number, string, string])[] => {
    const { account, location } = stage.parents;
    const chapel = { location_external_identifier: 'chapel', account_unique_identifier: account };
    const alone = { location_external_identifier: 'chapel' };
    const of = { account_unique_identifier: account };
    const both = { ...chapel, location_unique_identifier: location };
    const service = { event_external_identifier: 'service' };
    const EVENT = 'event_external_identifier';
    const [CALLED, LOCATION] = ['location_external_identifier', 'location_unique_identifier'];
    const ACCOUNT = 'account_unique_identifier';
    return [
      [{ ...chapel, [EVENT]: 'none' }, 404, EVENT, 'resource_missing'],
      [{ ...chapel, [CALLED]: 'none' }, 404, CALLED, 'resource_missing'],
      [{ ...chapel, [ACCOUNT]: 'none' }, 404, ACCOUNT, 'resource_missing'],
      [{ ...service, [LOCATION]: 'none' }, 404, LOCATION, 'resource_missing'],
      [service, 400, LOCATION, 'parameter_missing'],
      [alone, 400, ACCOUNT, 'parameter_missing'],
      [of, 400, ACCOUNT, 'parameter_unknown'],
      [both, 400, CALLED, 'parameters_conflict'],
      [{ ...chapel, [EVENT]: '' }, 400, EVENT, 'value_invalid'],
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
