/** Parents by the caller's own names: a record is put under its parent without asking for a unique_identifier first. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { describedBy, operationsOf } from '../support/openapi.ts';
import { pluck } from '../support/pluck.ts';
import { answersIn, inShort, sendLines } from '../support/rows.ts';
import { faultsOf, waysTo } from '../support/scenario.ts';
import { type Answer, type Body, startService } from '../support/service.ts';
import { leastOf, world } from '../support/world.ts';

const stage = world();

/** Upserts what names its parent by these parameters alone. */
function upsert(path: string, named: Body, as: string, key?: string): Promise<Answer> {
  const body = { ...named, external_identifier: as, ...leastOf(path) };
  return stage.service.json(`/v1/${path}/upsert`, body, key === undefined ? {} : { key });
}

for (const { path, parent } of examples) {
  it(`${path}: every way to name the parent leads to the same record`, async () => {
    const answers = await Promise.all(
      waysTo(stage, parent).map((named) => upsert(path, named, 'same')),
    );
    for (const { status, body, text } of answers) {
      assert.equal(status, 200, text);
      assert.equal(body.unique_identifier, answers[0]?.body.unique_identifier);
    }
    const outcomes = answers.map(({ headers }) => headers.get('ledgerstone-outcome')).sort();
    assert.deepEqual(outcomes, ['created', ...Array(answers.length - 1).fill('unchanged')]);
  });
}

it('by form the names are the same', async () => {
  const form = {
    ...{ event_external_identifier: 'service', location_external_identifier: 'chapel' },
    ...{ account_unique_identifier: stage.account, external_identifier: 'by form' },
    ...leastOf('event_check_in_records'),
  };
  const answer = await stage.service.form('/v1/event_check_in_records/upsert', form);
  assert.equal(answer.status, 200, answer.text);
});

describe('what does not say which parent is meant is 400', () => {
  const [EVENTS, BELOW] = ['events', 'event_administrators'];
  const [LOCATION, ACCOUNT] = ['location_unique_identifier', 'account_unique_identifier'];
  const NAME = 'location_external_identifier';
  const [MISSING, CONFLICT] = ['parameter_missing', 'parameters_conflict'];
  const account = { [ACCOUNT]: 'acct_x' };
  const location = { [LOCATION]: 'loc_x' };
  const chapel = { [NAME]: 'chapel' };
  const service = { event_external_identifier: 'service' };
  const twice = { ...service, ...location, ...chapel, ...account };
  type Fault = [param: string, code: string];
  const cases: readonly [says: string, path: string, named: Body, ...faults: Fault[]][] = [
    ['none at all', EVENTS, {}, [LOCATION, MISSING]],
    ['a location without its account', EVENTS, chapel, [ACCOUNT, MISSING]],
    ['an account without the name of the location', EVENTS, account, [NAME, MISSING]],
    ['an event without its location', BELOW, service, [LOCATION, MISSING]],
    ['a location alone', BELOW, location, ['event_external_identifier', MISSING]],
    ['both ways at once', EVENTS, { ...location, ...chapel }, [NAME, CONFLICT]],
    ['one way and a half', EVENTS, { ...location, ...account }, [ACCOUNT, CONFLICT]],
    ['both ways to name the location of an event', BELOW, twice, [NAME, CONFLICT]],
    [
      'an event named in full, and its location',
      ...([BELOW, { event_unique_identifier: 'evt_x', ...location }] as const),
      [LOCATION, CONFLICT],
    ],
    ['a name that is empty', EVENTS, { ...account, [NAME]: '' }, [NAME, MISSING]],
    ['a name that is no text', EVENTS, { ...account, [NAME]: 7 }, [NAME, 'type_invalid']],
    [
      'a name of an account: it has none',
      ...(['locations', { account_external_identifier: 'group' }] as const),
      [ACCOUNT, MISSING],
      ['account_external_identifier', 'parameter_unknown'],
    ],
  ];
  for (const [says, path, named, ...faults] of cases) {
    it(says, async () => {
      const answer = await upsert(path, named, 'faulty');
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
    });
  }

  it('the OpenAPI document says the same of every case, and of every way', async () => {
    const { body: document } = await stage.service.get('/openapi.json', { key: null });
    const accepts = describedBy(document);
    const check = (path: string, named: Body): void => {
      const operation = operationsOf(document).find((one) => one.path === `/v1/${path}/upsert`);
      const body = { ...named, external_identifier: 'x', ...leastOf(path) };
      accepts(operation?.requestSchema ?? {}, body);
    };
    for (const { path, parent } of examples)
      for (const named of waysTo(stage, parent)) check(path, named);
    for (const [says, path, named] of cases) {
      if (says !== 'a name that is empty') assert.throws(() => check(path, named), says);
    }
  });

  it('the message says what else to send', async () => {
    const { body } = await upsert('event_administrators', { event_external_identifier: 'x' }, 'x');
    assert.match(body.error.message, /location_unique_identifier/);
    assert.match(body.error.message, /location_external_identifier with account_unique_identifier/);
  });
});

describe('a name that leads to nothing is 404', () => {
  it('with the parameter that did not lead on', async () => {
    const { account, location } = stage.parents;
    const ofEvent = { location_external_identifier: 'chapel', account_unique_identifier: account };
    const below = { event_external_identifier: 'service', location_unique_identifier: location };
    for (const [path, named] of Object.entries({ events: ofEvent, event_administrators: below }))
      for (const param of Object.keys(named)) {
        const answer = await upsert(path, { ...named, [param]: 'nothing' }, 'orphan');
        assert.equal(answer.status, 404, answer.text);
        assert.deepEqual(faultsOf(answer), [[param, 'resource_missing']]);
      }
  });

  it('and the same for what the key may not see, though another key has just used it', async () => {
    const { service, account: account_unique_identifier } = stage;
    const other = await service.location('other');
    const { secret: key } = await service.newKey({ anchors: [other] });
    const named = (name: string) => ({
      ...{ location_external_identifier: name, account_unique_identifier },
    });
    assert.equal((await upsert('events', named('chapel'), 'seen')).status, 200);
    const hidden = await upsert('events', named('chapel'), 'seen', key);
    const nothing = await upsert('events', named('nothing'), 'seen', key);
    assert.equal(hidden.status, 404);
    assert.deepEqual(hidden.body.error.errors, nothing.body.error.errors);
    assert.equal((await upsert('events', named('other'), 'seen', key)).status, 200);
  });
});

describe('a name that is given to another record', () => {
  it('leads to that one at once, though the first was used a moment ago', async () => {
    const { service, account: account_unique_identifier } = stage;
    const named = { location_external_identifier: 'moved', account_unique_identifier };
    const first = await service.location('moved');
    const before = await upsert('events', named, 'under a name');
    assert.equal(before.body.location_unique_identifier, first);
    await service.send('DELETE', `/v1/locations/${first}?cascade=true`);
    const gone = await upsert('events', named, 'under a name');
    assert.deepEqual(faultsOf(gone), [['location_external_identifier', 'resource_missing']]);
    const second = await service.location('moved');
    const after = await upsert('events', named, 'under a name');
    assert.equal(after.body.location_unique_identifier, second);
    assert.equal(after.headers.get('ledgerstone-outcome'), 'created');
    assert.notEqual(after.body.unique_identifier, before.body.unique_identifier);
  });

  it('also where it was removed and made again without a request in between', async () => {
    const { service, location } = stage;
    const named = { event_external_identifier: 'renewed', location_unique_identifier: location };
    const first = await service.event(location, 'renewed');
    assert.equal((await upsert('event_administrators', named, 'child')).status, 200);
    await service.send('DELETE', `/v1/events/${first}?cascade=true`);
    await service.event(location, 'renewed');
    const answer = await upsert('event_administrators', named, 'child');
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('ledgerstone-outcome'), 'created');
  });

  it('also for the lines of a stream, whose order stays', async () => {
    const { service, location } = stage;
    const on = 'event_check_in_records';
    const named = { event_external_identifier: 'streamed', location_unique_identifier: location };
    for (let round = 0; round < 5; round += 1) {
      const first = await service.event(location, 'streamed');
      assert.equal((await upsert(on, named, 'the same')).status, 200);
      await service.send('DELETE', `/v1/events/${first}?cascade=true`);
      await service.event(location, 'streamed');
      const lines = Array.from({ length: 2000 }, (_, index) =>
        JSON.stringify({ ...leastOf(on), ...named, external_identifier: `line ${index}` }),
      );
      const { rows } = answersIn((await sendLines(stage, on, lines.join('\n'))).text);
      assert.deepEqual(inShort(rows), Array(2000).fill('created'));
      const { body } = await service.get(`/v1/${on}?limit=3`);
      const newest = pluck(body.data, 'external_identifier');
      assert.deepEqual(newest, ['line 1999', 'line 1998', 'line 1997'], 'as they were sent');
      const second = await service.event(location, 'streamed');
      await service.send('DELETE', `/v1/events/${second}?cascade=true`);
    }
  });
});

it('of a closed account nothing is found by name', async () => {
  const service = await startService();
  await service.location('chapel');
  const { unique_identifier: account_unique_identifier } = service.account;
  const named = { location_external_identifier: 'chapel', account_unique_identifier };
  const body = { ...named, external_identifier: 'x', ...leastOf('events') };
  const open = (await service.another()).account.unique_identifier;
  const { secret: key } = await service.newKey({ accounts: [account_unique_identifier, open] });
  assert.equal((await service.json('/v1/events/upsert', body, { key })).status, 200);
  await service.app.store.accounts.close(account_unique_identifier);
  assert.equal((await service.json('/v1/events/upsert', body, { key })).status, 404);
});
