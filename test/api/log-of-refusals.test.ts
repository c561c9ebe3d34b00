/** The log's line of a refused request tells the operator what was wrong, and nothing that was sent. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSecret } from '../../src/records/auth/issue-key.ts';
import { keptLog } from '../support/kept-log.ts';
import { eventBody } from '../support/sent.ts';
import { type Answer, type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

async function setUp() {
  const { log, lines } = keptLog();
  const service = await startService({ log });
  const location = await service.location();
  /** The line of a request, which is written when its answer was sent. */
  const lineOf = async ({ headers }: Answer) => {
    const found = () => lines.find((one) => one.request_id === headers.get('request-id'));
    await until(() => found() !== undefined);
    return found() ?? assert.fail();
  };
  return { service, location, lineOf };
}

describe('the line of a refused request', () => {
  it('names the declared parameters at fault, and * for every other', async () => {
    const { service, location, lineOf } = await setUp();
    const wrong = { event_name: 7, event_datetime: 'soon', Wilhelmina: 1 };
    const sent = eventBody(location, 'one', wrong);
    const { code, params, status } = await lineOf(await service.json('/v1/events/upsert', sent));
    assert.equal(status, 400);
    assert.equal(code, 'type_invalid');
    assert.deepEqual(params, ['event_name', 'event_datetime', '*']);
    const done = await service.json('/v1/events/upsert', eventBody(location, 'one'));
    assert.ok(!('params' in (await lineOf(done))), 'nothing was wrong');
  });

  it('counts the rows of many by outcome and by code', async () => {
    const { service, location, lineOf } = await setUp();
    const rows = [
      eventBody(location, 'a'),
      eventBody(location, 'b', { event_name: '' }),
      eventBody(location, 'c'),
      eventBody('loc_nothing', 'd'),
    ];
    const wanted = { created: 2, parameter_missing: 1, resource_missing: 1 };
    const array = await lineOf(await service.json('/v1/events/upsert_many', rows));
    assert.deepEqual(array.rows, wanted);
    assert.deepEqual(array.params, ['event_name', 'location_unique_identifier']);

    const lines = rows.map((one) => JSON.stringify(one)).join('\n');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const sent = await service.send('POST', '/v1/events/upsert_many', { headers, body: lines });
    const { created, ...refused } = wanted;
    assert.deepEqual((await lineOf(sent)).rows, { unchanged: created, ...refused });

    const atomic = await lineOf(await service.json('/v1/events/upsert_many?atomic=true', rows));
    assert.equal(atomic.code, 'batch_refused');
    assert.deepEqual(atomic.params, ['event_name', 'location_unique_identifier']);
    assert.equal(atomic.rows, undefined, 'nothing became of them');
    const [first] = rows;
    const dry = await service.json('/v1/events/upsert_many?dry_run=true', [first]);
    assert.deepEqual((await lineOf(dry)).rows, { rehearsed: 1 });
  });

  it('says why a key was not taken, and which it was, and tells the caller by the code of the error', async () => {
    const { service, lineOf } = await setUp();
    const { keys, accounts } = service.app.store;
    const codes: Readonly<Record<string, string>> = {
      absent: 'api_key_missing',
      malformed: 'api_key_missing',
      address_not_permitted: 'api_key_address',
      account_closed: 'authentication_failed',
    };
    const wants = async (why: string, sent: string | null, key?: string): Promise<void> => {
      const answer = await service.get('/v1/accounts', { key: sent });
      assert.equal(answer.status, 401);
      if (!sent?.endsWith('_'))
        assert.equal(answer.body.error.code, codes[why] ?? `api_key_${why}`);
      const line = await lineOf(answer);
      assert.deepEqual([line.authentication, line.key], [why, key]);
    };
    const made = async (limits: Parameters<Service['newKey']>[0] = {}) => {
      const { secret, key } = await service.newKey(limits);
      return [secret, key.unique_identifier] as const;
    };
    await wants('absent', null);
    const [secret, revoked] = await made();
    await wants('malformed', 'sk_test_short');
    await wants('malformed', `${secret.slice(0, -1)}_`);
    await wants('unknown', createSecret(false));
    await keys.revoke(revoked);
    await wants('revoked', secret, revoked);
    await wants('expired', ...(await made({ expires_at: 1 })));
    const [paused, suspended] = await made();
    await keys.suspend(suspended);
    await wants('suspended', paused, suspended);
    await wants('address_not_permitted', ...(await made({ from: ['203.0.113.7'] })));
    const last_one = await made();
    await accounts.close(service.account.unique_identifier);
    await wants('account_closed', ...last_one);
  });
});
