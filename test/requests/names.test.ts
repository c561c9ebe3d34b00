/** What is told of a request holds declared names and identifiers of ours: a caller's own names are `*`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { paramMaskOf } from '../../src/edge/operations/records.ts';
import { maskRecordPath, pathMask } from '../../src/services/requests/names.ts';
import { createFaultSummary } from '../../src/services/requests/row-summary.ts';

const named = (name: string) => {
  const found = resources.find((resource) => resource.name === name);
  assert.ok(found !== undefined, name);
  return found;
};

describe('a parameter is told as far as it is declared', () => {
  const cases: readonly [resource: string, param: string, told: string][] = [
    ['event', 'event_name', 'event_name'],
    ['event', 'location_external_identifier', 'location_external_identifier'],
    ['event', 'Wilhelmina Quackenbush', '*'],
    ['event', 'event_name.Wilhelmina', 'event_name.*'],
    ['direct_mail_reply', 'image_urls.0', 'image_urls.0'],
    ['direct_mail_reply', 'image_urls.4155550199', 'image_urls.*'],
    ['direct_mail_reply', 'image_urls.0.Wilhelmina', 'image_urls.0.*'],
    ['event', '14155550199', '*'],
    ['event', '', '*'],
    [
      'online_arrangement',
      'additional_cart_metadata.cart_currency',
      'additional_cart_metadata.cart_currency',
    ],
    ['event', 'constructor', '*'],
    ['event', '__proto__.event_name', '*'],
    ['event', 'dry_run', 'dry_run'],
    ['event', 'atomic', 'atomic'],
    ['event', 'cascade', 'cascade'],
    ['event', 'starting_after', 'starting_after'],
    ['event', 'updated_at.gte', 'updated_at.gte'],
    ['event', 'updated_at.Wilhelmina', 'updated_at.*'],
    ['event', 'expand.1', 'expand.1'],
    ['event', 'visitor_full_name', '*'],
    ['event_check_in_record', 'visitor_full_name', 'visitor_full_name'],
    ['online_arrangement', 'additional_data.Wilhelmina.phone', 'additional_data.*'],
  ];
  for (const [resource, param, told] of cases)
    it(`${param} of ${resource}: ${told}`, () =>
      assert.equal(paramMaskOf(named(resource))(param), told));

  it('whatever is in free-form content', () => {
    for (const resource of resources.filter(({ parent }) => parent !== undefined)) {
      const tell = paramMaskOf(resource);
      for (const name of Object.keys(resource.upsert))
        assert.match(tell(`${name}.Wilhelmina.${name}`), new RegExp(`^${name}\\.\\*$`));
    }
  });
});

describe('a path', () => {
  const tell = pathMask(['/v1/events/upsert', '/v1/events/:unique_identifier']);
  it('that is none of ours keeps the segments that stand in one', () => {
    assert.equal(tell('/v1/event/upsert'), '/v1/*/upsert');
    assert.equal(tell('/v1/events/'), '/v1/events/');
    assert.equal(tell('/Wilhelmina/Quackenbush'), '/*/*');
    assert.equal(tell(`/${'a/'.repeat(1_000)}`), '/*/*/*/*/*/*/*');
  });
  it('of one record keeps an identifier of ours alone', () => {
    const event = named('event');
    const route = '/v1/events/:unique_identifier';
    const identifier = 'evt_0350hLTg4Qw7ghih1EWE8L';
    assert.equal(maskRecordPath(route, identifier, event), `/v1/events/${identifier}`);
    for (const other of ['Wilhelmina', 'loc_0350hLTg4Qw7ghih1EWE8L', `${identifier}x`, 'evt_'])
      assert.equal(maskRecordPath(route, other, event), '/v1/events/*');
  });
});

describe('the faults of many rows', () => {
  it('are told by code and parameter with the first rows of each, the most frequent first, in bounded room', () => {
    const faults = createFaultSummary((param) => param);
    for (let row = 0; row < 1_000; row++) faults.add({ code: 'type_invalid', param: 'a' }, row);
    for (let row = 0; row < 2_000; row++)
      faults.add({ code: 'parameter_missing', param: 'b' }, row);
    for (let index = 0; index < 1_000; index++)
      faults.add({ code: 'parameter_unknown', param: `c${index}` }, 7);
    const told = faults.list();
    assert.equal(told.length, 20);
    const [first, second, third] = told;
    assert.deepEqual([first?.code, first?.param, first?.count], ['parameter_missing', 'b', 2_000]);
    const found = second?.rows;
    assert.deepEqual(
      found,
      Array.from({ length: 20 }, (_, row) => row),
    );
    assert.deepEqual(third, { code: 'parameter_unknown', param: 'c0', count: 1, rows: [7] });
  });

  it('name a row once, even with several faults of one kind', () => {
    const faults = createFaultSummary(() => '*');
    faults.add({ code: 'parameter_unknown', param: 'x' }, 3);
    faults.add({ code: 'parameter_unknown', param: 'y' }, 3);
    assert.deepEqual(faults.list(), [
      { code: 'parameter_unknown', param: '*', count: 2, rows: [3] },
    ]);
  });
});
