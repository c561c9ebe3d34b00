/** Requests without a valid key are slowed by the address they come from, and valid keys are not. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CountedService, startCounted } from '../support/counted-service.ts';
import { heldElapsed } from '../support/own-elapsed.ts';
import { pluck } from '../support/pluck.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { exchange, rawRequest } from '../support/wire.ts';

/** As many as are answered at once. */
const FREE = 20;
/** As many more as wait four seconds. */
const AHEAD = 20;
const UNKNOWN = `sk_test_${'x'.repeat(38)}`;
const WRONG = { Authorization: `Bearer ${UNKNOWN}`, Connection: 'keep-alive' };
const ACCOUNTS = '/v1/accounts';

// An address may fail five times more each second. Here no time passes but for those who wait: it stays used up.
heldElapsed();

/** Fails at once as often as is answered, and so often that whoever fails next waits for more than four seconds. */
async function useUp(service: CountedService, headers: Record<string, string> = {}): Promise<void> {
  const before = await failures(service);
  for (let count = 0; count < FREE + AHEAD; count++)
    // The service may end before them.
    service.get(ACCOUNTS, { key: UNKNOWN, headers }).catch(() => {});
  await until(async () => (await failures(service)) === before + FREE + AHEAD);
}

async function failures(service: CountedService): Promise<number> {
  return (await service.scrape()).value('ledgerstone_authentication_failures_total') ?? 0;
}

/** A failure that waits for some seconds, and tells whether it still does. */
function oneMore(service: Service): { waits: () => boolean } {
  let waits = true;
  const ended = (): void => {
    waits = false;
  };
  service.get(ACCOUNTS, { key: UNKNOWN }).then(ended, ended);
  return { waits: () => waits };
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const began = Date.now();
  const result = await work();
  return { ms: Date.now() - began, result };
}

describe('failed authentications', { concurrency: 3 }, () => {
  it('wait longer and longer, up to seconds; a valid key at the same address does not', async () => {
    const service = await startCounted();
    const { secret: fresh } = await service.newKey();
    await useUp(service);
    // The last one was not seen before.
    const keys = [...Array(10).fill(service.key), fresh];
    let waiting = 0;
    // A busy machine answers late: once in time is enough.
    for (let tries = 0; waiting <= 5 && tries < 5; tries += 1) {
      const before = await failures(service);
      waiting = 30;
      const failing = Array.from({ length: waiting }, async () => {
        const one = await timed(() => service.get(ACCOUNTS, { key: UNKNOWN }));
        waiting -= 1;
        return one.ms;
      });
      await until(async () => (await failures(service)) === before + failing.length);
      const valid = await Promise.all(keys.map((key) => service.get(ACCOUNTS, { key })));
      assert.deepEqual(new Set(pluck(valid, 'status')), new Set([200]));
      const stillWaiting = waiting;
      const longest = Math.max(...(await Promise.all(failing)));
      assert.ok(longest > 2_000, `the last after ${longest} ms`);
      waiting = stillWaiting;
    }
    assert.ok(waiting > 5, `${waiting} failures still wait while valid keys were answered`);
  });

  it('let a valid key pass that comes after them on the same connection', async () => {
    const service = await startCounted();
    await useUp(service);
    const wrong = rawRequest(service, 'GET /v1/accounts', WRONG);
    const right = rawRequest(service, 'GET /v1/accounts');
    let waited = true;
    // A busy machine answers late: once in time is enough.
    for (let tries = 0; waited && tries < 5; tries += 1) {
      const { waits } = oneMore(service);
      const result = await exchange(service.url, wrong + right);
      assert.deepEqual(pluck(result, 'status'), [401, 200]);
      waited = !waits();
    }
    assert.ok(!waited, 'the failure before the key waited like any other');
  });

  it('are slowed alike, whatever is wrong with the key; its code says what', async () => {
    const service = await startCounted();
    const revoked = await service.newKey();
    await service.app.store.keys.revoke(revoked.key.unique_identifier);
    const suspended = await service.newKey();
    await service.app.store.keys.suspend(suspended.key.unique_identifier);
    const expired = await service.newKey({ expires_at: Date.now() - 1_000 });
    const elsewhere = await service.newKey({ from: ['203.0.113.7'] });
    const keys: readonly (readonly [string, string | null])[] = [
      ['api_key_unknown', UNKNOWN],
      ['api_key_revoked', revoked.secret],
      ['api_key_suspended', suspended.secret],
      ['api_key_expired', expired.secret],
      ['api_key_address', elsewhere.secret],
      // Many clients send a key only when they are asked for it.
      ['api_key_missing', null],
    ];
    await useUp(service);
    const answers = await Promise.all(
      keys.map(async ([code, key]) => {
        const { ms, result } = await timed(() => service.get(ACCOUNTS, { key }));
        if (key !== null) assert.ok(ms > 500, `held for ${ms.toFixed(0)} ms`);
        assert.equal(result.body.error.code, code);
        return [result.status, result.headers.get('WWW-Authenticate'), result.body.error.type];
      }),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.[0], 401);
  });

  it('are slowed for the address that a trusted proxy names, and for no other', async () => {
    const service = await startCounted({ trust_proxy: '127.0.0.1' });
    await useUp(service, { 'X-Forwarded-For': '203.0.113.7' });
    const from = (address: string) => {
      const headers = { 'X-Forwarded-For': address };
      return timed(() => service.get(ACCOUNTS, { key: UNKNOWN, headers }));
    };
    // On a machine that is busy the other may take as long once, and never each time.
    let isFirst = false;
    for (let count = 0; count < 5 && !isFirst; count++) {
      const slowed = from('203.0.113.7');
      const other = from('203.0.113.8');
      isFirst = (await Promise.race([slowed, other])) === (await other);
      assert.ok((await slowed).ms > 500);
    }
    assert.ok(isFirst);
  });

  it('are counted, and logged with their address and nothing of the key', async () => {
    const service = await startCounted();
    const { lines } = service;
    for (let count = 0; count < 3; count++) await service.get(ACCOUNTS, { key: UNKNOWN });
    const isTold = () => lines.some(({ msg }) => msg === 'authentications failed');
    assert.equal(isTold(), false);
    const held = async () =>
      (await service.scrape()).value('ledgerstone_authentication_failures_held') ?? 0;
    const failing = useUp(service);
    await until(async () => (await held()) > 0);
    await failing;
    assert.equal(await failures(service), 3 + FREE + AHEAD);
    const told = lines.filter(({ msg }) => msg === 'authentications failed');
    assert.deepEqual(pluck(told, 'level', 'address'), [[40, '127.0.0.1']]);
    assert.ok(Number(told[0]?.failures) > FREE);
    assert.doesNotMatch(JSON.stringify(lines), /sk_test/);
  });

  it('sent without reading the answers cost the connection, and no memory', async () => {
    const service = await startCounted();
    await useUp(service);
    const wrong = rawRequest(service, 'GET /v1/accounts', WRONG);
    let waited = true;
    // A busy machine answers late: once in time is enough.
    for (let tries = 0; waited && tries < 5; tries += 1) {
      const { waits } = oneMore(service);
      const result = await exchange(service.url, wrong.repeat(1_000));
      waited = !waits();
      assert.ok(result.length < 20, `${result.length} answers`);
      assert.ok(result.every(({ status }) => status === 401));
    }
    assert.ok(!waited, 'the connection was there for as long as a failure waits');
  });
});
