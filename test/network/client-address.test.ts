/** A request's address is that of its connection, or what trusted proxies say: never what a client wrote itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClientAddress } from '../../src/core/network/client-address.ts';

const PROXY = '10.0.0.1';
const CLIENT = '203.0.113.7';
const FORGED = '198.51.100.66';
const clientAddressOf = createClientAddress(['10.0.0.0/24', '2001:db8:1::/48']);

function from(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  return clientAddressOf({ socket: { remoteAddress }, headers });
}
const listed = (list: string) => from(PROXY, { 'x-forwarded-for': list });
const forwarded = (list: string) => from(PROXY, { forwarded: list });

describe('where a request comes from', () => {
  it('is its connection where no proxy is trusted, whatever it says', () => {
    const untrusting = createClientAddress([]);
    const headers = { 'x-forwarded-for': FORGED, forwarded: `for=${FORGED}` };
    assert.equal(untrusting({ socket: { remoteAddress: PROXY }, headers }), PROXY);
    assert.equal(untrusting({ socket: { remoteAddress: `::ffff:${PROXY}` }, headers }), PROXY);
    assert.equal(untrusting({ socket: {}, headers }), undefined);
  });

  it('is its connection where that is no trusted proxy, whatever it says', () => {
    assert.equal(from(CLIENT, { 'x-forwarded-for': FORGED }), CLIENT);
    assert.equal(from(CLIENT, { forwarded: `for=${FORGED}` }), CLIENT);
    assert.equal(from(undefined, { 'x-forwarded-for': FORGED }), undefined);
  });

  it('is the proxy where that says nothing', () => {
    assert.equal(from(PROXY), PROXY);
    assert.equal(listed(''), PROXY);
    assert.equal(listed(' , '), PROXY);
  });

  it('is the first from the right that is no proxy', () => {
    for (const list of [
      CLIENT,
      `${FORGED}, ${CLIENT}`,
      `${FORGED},${CLIENT},10.0.0.9`,
      `${FORGED}, ${CLIENT} , 10.0.0.9 , 2001:db8:1::9`,
      `garbage", ${CLIENT}`,
      `10.0.0.3, ${CLIENT}`,
      `${FORGED}, ::ffff:${CLIENT}, ::ffff:10.0.0.9`,
      `${FORGED}, ${CLIENT}:4711`,
    ]) {
      assert.equal(listed(list), CLIENT, list);
    }
    for (const list of ['2001:DB8::7', '[2001:db8::7]', '[2001:db8:0::7]:4711']) {
      assert.equal(listed(`${FORGED}, ${list}`), '2001:db8::7', list);
    }
  });

  it('is the leftmost where all are proxies', () => {
    assert.equal(listed('10.0.0.3, 10.0.0.9'), '10.0.0.3');
  });

  it('is read from Forwarded as from X-Forwarded-For', () => {
    for (const list of [
      `for=${CLIENT}`,
      `for=${FORGED}, for=${CLIENT}`,
      `for=${FORGED},For="${CLIENT}:4711";proto=https;by=10.0.0.1`,
      `for=${FORGED}, for=${CLIENT};proto=http, for=10.0.0.9`,
      // A quote that the client left open.
      `for="${FORGED}, for=${CLIENT}`,
      `for=${FORGED};host="a, for=${CLIENT}`,
    ]) {
      assert.equal(forwarded(list), CLIENT, list);
    }
    assert.equal(forwarded(`for=${FORGED}, for="[2001:db8::7]:4711"`), '2001:db8::7');
  });

  it('is unknown if a proxy names no address', () => {
    for (const list of ['unknown', `${FORGED}, unknown`, `${FORGED}, unknown, 10.0.0.9`, 'x:y'])
      assert.equal(listed(list), undefined, list);
    for (const list of [
      ...['for=unknown', 'for=_hidden', 'proto=https', `for=${CLIENT};for=${FORGED}`, 'for='],
      ...[`for=${FORGED}, proto=https`, `for=${FORGED}, for="${CLIENT}`, `x="a, for=${CLIENT}"`],
    ]) {
      assert.equal(forwarded(list), undefined, list);
    }
  });

  it('is unknown if both headers differ: a proxy writes one, and a client may have written the other', () => {
    const both = (list: string, other: string) =>
      from(PROXY, { 'x-forwarded-for': list, forwarded: other });
    assert.equal(both(CLIENT, `for=${FORGED}`), undefined);
    assert.equal(both(FORGED, `for=${CLIENT}`), undefined);
    assert.equal(both(CLIENT, 'garbage'), undefined);
    assert.equal(both('garbage', `for=${CLIENT}`), undefined);
    assert.equal(both(`${FORGED}, ${CLIENT}`, `for=${CLIENT}`), CLIENT);
  });

  it('is found fast, however long the list is', () => {
    const start = performance.now();
    for (let time = 0; time < 100; time++) {
      listed(`${','.repeat(16_000)}`);
      forwarded(`for=${'10.0.0.9,for='.repeat(1200)}10.0.0.9`);
    }
    assert.ok(performance.now() - start < 5_000);
  });
});
