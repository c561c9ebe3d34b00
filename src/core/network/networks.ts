/** Networks as people write them, `203.0.113.0/24` or one address, and whether an address is in one of them. */
import { BlockList, isIP } from 'node:net';

export type Network =
  | { readonly network: string; readonly complaint?: never }
  | { readonly complaint: string; readonly network?: never };

/**
 * The network in its one spelling, an address standing for itself; else a complaint that ends "X …". An IPv4 address
 * that is written as an IPv6 one (`::ffff:203.0.113.7`) means the IPv4 address.
 */
export function readNetwork(text: string): Network {
  const [, written = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const mapped = isIP(written) === 6;
  const address = readAddress(written);
  if (address === undefined) {
    return {
      complaint:
        'is neither an address, such as 203.0.113.7, nor a network, such as 203.0.113.0/24 or 2001:db8::/32',
    };
  }
  const most = bitsOf(address);
  const offset = mapped && most === 32 ? 96 : 0;
  const prefix = length === undefined ? most : Number(length) - offset;
  if (prefix < 0 || prefix > most)
    return { complaint: `has a prefix that is not from ${offset} to ${most + offset}` };
  const start = startOf(address, prefix);
  if (start !== address) {
    return {
      complaint: `is an address within a network: write ${start}/${prefix} for the network, or ${address} for the address alone`,
    };
  }
  return { network: prefix === most ? address : `${address}/${prefix}` };
}

/** An address in its one spelling, without the zone that it may have; `undefined` when the text is none. */
export function readAddress(text: string): string | undefined {
  const [plain = ''] = text.split('%', 1);
  if (isIP(plain) === 4) return plain;
  if (isIP(plain) === 0) return undefined;
  const value = numberOf(plain);
  return value >> 32n === 0xffffn ? textOf(value & 0xffff_ffffn, 32) : textOf(value, 128);
}

/** Whether an address is in one of the networks; both in their one spelling. */
export type Includes = (address: string) => boolean;

export function includedIn(networks: readonly string[]): Includes {
  // Two lists: in one, `::/0` would include every IPv4 address, too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    lists[family].addSubnet(address, Number(prefix ?? bitsOf(address)), family);
  }
  return (address) => lists[familyOf(address)].check(address, familyOf(address));
}

/** The first address of the network of that prefix around an address in its one spelling. */
function startOf(address: string, prefix: number): string {
  const most = bitsOf(address);
  const rest = BigInt(most - prefix);
  return textOf((numberOf(address) >> rest) << rest, most);
}

/**
 * The part of an address that distinguishes callers: the address, or the /64 of an IPv6 address, all of which one caller
 * usually has, such as `2001:db8:1:2::/64`; `unknown` for none.
 */
export function networkOf(address: string | undefined, bits = 64): string {
  return address?.includes(':') ? `${startOf(address, bits)}/${bits}` : (address ?? 'unknown');
}

/**
 * Returns `networkOf` and the wider networks, in each of which are 65,536 of those before: the /48 that a site commonly
 * has and the /32 of a provider for an IPv6 address, the /16 of an IPv4 address.
 */
export function networksOf(address: string | undefined) {
  const [, ofProvider] = /^(\d+\.\d+)\.\d+\.\d+$/.exec(address ?? '') ?? [];
  return {
    network: networkOf(address),
    wider: networkOf(address, 48),
    around: ofProvider ?? networkOf(address, 32),
  };
}

function bitsOf(address: string): number {
  return address.includes(':') ? 128 : 32;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

function numberOf(address: string): bigint {
  if (!address.includes(':'))
    return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
  // The URL parser knows all spellings, and leaves eight groups and `::` of them.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = before.split(':').filter((group) => group !== '');
  const right = (after ?? '').split(':').filter((group) => group !== '');
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function textOf(value: bigint, bits: number): string {
  const size = bits === 32 ? 8n : 16n;
  const parts: string[] = [];
  for (let shift = BigInt(bits) - size; shift >= 0n; shift -= size) {
    const part = (value >> shift) & ((1n << size) - 1n);
    parts.push(part.toString(bits === 32 ? 10 : 16));
  }
  if (bits === 32) return parts.join('.');
  return new URL(`http://[${parts.join(':')}]`).hostname.slice(1, -1);
}

/** Whether only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether it means all addresses of this machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
