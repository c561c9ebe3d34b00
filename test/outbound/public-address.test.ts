/** No spelling of an address makes one of the operator's network look like one of the internet. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { destinationOf } from '../../src/core/outbound/destination.ts';
import { isPublic } from '../../src/core/outbound/outbound.ts';

const PRIVATE = [
  ...['0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1'],
  ...['172.31.255.255', '192.168.1.1', '100.64.0.1', '100.100.100.200', '169.254.169.254'],
  ...['192.0.0.192', '192.0.2.1', '198.51.100.7', '203.0.113.7', '198.18.0.1', '198.19.255.255'],
  ...['192.88.99.1', '168.63.129.16', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  '255.255.255.255',
];

/** The same IPv4 address, as IPv6 knows it: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
function disguises(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const tail = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
  const flipped = bytes.map((byte) => (byte ^ 255).toString(16).padStart(2, '0'));
  return [
    ...[`::ffff:${address}`, `::ffff:${tail}`, `0:0:0:0:0:ffff:${tail}`, `::${address}`],
    ...[`::ffff:0:${address}`, `64:ff9b::${address}`, `64:ff9b:1::${tail}`, `2002:${tail}::1`],
    `2001:0:4136:e378:8000:63bf:${flipped[0]}${flipped[1]}:${flipped[2]}${flipped[3]}`,
    `fe80::5efe:${address}`,
  ];
}

describe('an address', () => {
  it('of the operator’s network, of this machine or of its cloud is not public, in any spelling', () => {
    for (const address of PRIVATE) {
      assert.equal(isPublic(address), false, address);
      for (const text of disguises(address)) assert.equal(isPublic(text), false, text);
    }
    for (const text of [
      ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1'],
      ...['2001:db8::1', '2001::1', '2001:10::1', '2001:20::1', '3fff::1', '100::1', '5f00::1'],
      ...['4000::1', '8000::1', 'ffff::1', '2606:4700::1%1', 'not an address', ''],
    ])
      assert.equal(isPublic(text), false, text);
  });

  it('of the internet is public', () => {
    for (const text of [
      ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
      ...['172.15.255.255', '172.32.0.0', '192.167.255.255', '223.255.255.255', '::ffff:8.8.8.8'],
      ...['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2001:4860:4860::8888'],
    ])
      assert.equal(isPublic(text), true, text);
  });

  it('means the same however a URL spells it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PRIVATE), fc.nat(5), (address, spelling) => {
        const bytes = address.split('.').map(Number) as [number, number, number, number];
        const number = bytes.reduce((value, byte) => value * 256 + byte, 0);
        const last = number % 65_536;
        const spelled = [
          String(number),
          `0x${number.toString(16)}`,
          bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
          bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
          `${bytes[0]}.${bytes[1]}.${last}`,
          `${address.replaceAll('.', '。').replaceAll('1', '１')}`,
        ][spelling];
        const { host } = destinationOf(`https://${spelled}/hook`, 'webhook');
        assert.equal(host, address);
        assert.equal(isPublic(host), false);
      }),
    );
  });
});
