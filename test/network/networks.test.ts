/** Networks mean what network engineers mean by them, however they are spelled. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { includedIn, readAddress, readNetwork } from '../../src/core/network/networks.ts';

const networkOf = (text: string): string => {
  const found = readNetwork(text);
  return 'network' in found ? found.network : found.complaint;
};

describe('a network', () => {
  it('has one spelling', () => {
    for (const [text, network] of [
      ['203.0.113.7', '203.0.113.7'],
      ['203.0.113.7/32', '203.0.113.7'],
      ['203.0.113.0/24', '203.0.113.0/24'],
      ['203.0.112.0/23', '203.0.112.0/23'],
      ['0.0.0.0/0', '0.0.0.0/0'],
      ['2001:DB8:0:0::/32', '2001:db8::/32'],
      ['2001:db8::7', '2001:db8::7'],
      ['2001:db8::7/128', '2001:db8::7'],
      ['2001:db8:0:0:1::/80', '2001:db8:0:0:1::/80'],
      ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
      ['::/0', '::/0'],
      ['::1', '::1'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::ffff:cb00:7107', '203.0.113.7'],
      ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
      ['::ffff:0:0/96', '0.0.0.0/0'],
    ] as const) {
      assert.equal(networkOf(text), network, text);
    }
  });

  it('is refused with what to write instead where its address has more than its prefix', () => {
    for (const [text, network, address] of [
      ['203.0.113.7/24', '203.0.113.0/24', '203.0.113.7'],
      ['255.255.255.255/1', '128.0.0.0/1', '255.255.255.255'],
      ['203.0.113.1/31', '203.0.113.0/31', '203.0.113.1'],
      ['2001:db8::1/32', '2001:db8::/32', '2001:db8::1'],
      ['::ffff:203.0.113.7/120', '203.0.113.0/24', '203.0.113.7'],
    ] as const) {
      assert.equal(
        networkOf(text),
        `is an address within a network: write ${network} for the network, or ${address} for the address alone`,
      );
    }
  });

  it('is nothing else', () => {
    for (const text of [
      ...['', 'office', '203.0.113', '203.0.113.256', '0203.0.113.7', '203.0.113.0/', '/24'],
      ...['203.0.113.0/24/24', '203.0.113.0-9', 'fe80::1%eth0', '[::1]', '::1:80:', '1.2.3.4:80'],
    ]) {
      assert.match(networkOf(text), /^is neither an address/, text);
    }
    for (const [text, from, to] of [
      ['203.0.113.0/33', 0, 32],
      ['2001:db8::/129', 0, 128],
      ['::ffff:203.0.113.0/95', 96, 128],
    ] as const) {
      assert.equal(networkOf(text), `has a prefix that is not from ${from} to ${to}`);
    }
  });

  it('includes its addresses and no others', () => {
    const includes = includedIn(['203.0.113.0/24', '198.51.100.7', '2001:db8::/33', '::1']);
    for (const address of [
      ...['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8::', '2001:db8:7fff::1', '::1'],
    ])
      assert.ok(includes(address), address);
    for (const address of [
      ...['203.0.112.255', '203.0.114.0', '198.51.100.6', '2001:db8:8000::', '::2', '127.0.0.1'],
    ])
      assert.ok(!includes(address), address);
  });

  it('of one kind includes nothing of the other', () => {
    assert.ok(!includedIn(['::/0'])('203.0.113.7'));
    assert.ok(!includedIn(['0.0.0.0/0'])('2001:db8::7'));
    assert.ok(includedIn(['0.0.0.0/0'])('203.0.113.7'));
    assert.ok(includedIn(['::/0'])('2001:db8::7'));
    assert.ok(!includedIn([])('203.0.113.7'));
  });

  it('includes every address that it was made of', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), (text, nat) => {
        const address = readAddress(text);
        assert.ok(address !== undefined);
        assert.equal(readAddress(address), address);
        const most = address.includes(':') ? 128 : 32;
        const told = networkOf(`${address}/${nat % (most + 1)}`);
        const [, network = told] = /: write (\S+) for the network/.exec(told) ?? [];
        assert.equal(networkOf(network), network);
        assert.ok(includedIn([network])(address), `${network} ${address}`);
      }),
    );
  });
});

it('an address has one spelling, and no zone', () => {
  for (const [text, address] of [
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['FE80::1%eth0', 'fe80::1'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    ['::203.0.113.7', '::cb00:7107'],
    ['localhost', undefined],
    ['1.2.3.4/32', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(readAddress(text), address, text);
  }
});
