/** The part of an address that distinguishes callers. */

/** The bits of an IPv6 address that name a network, all of whose addresses one caller usually has. */
const NETWORK_BITS = 64;
/** The bits of the prefix that a site commonly has: 65,536 such networks. */
const SITE_BITS = 48;
/** The bits of the prefix that a provider has: 65,536 such sites. */
const PROVIDER_BITS = 32;
const GROUP_BITS = 16;

/** Returns the address, or the /64 of an IPv6 address, such as `2001:db8:1:2::/64`; `unknown` for none. */
export function networkOf(address: string | undefined, bits = NETWORK_BITS): string {
  if (address === undefined) return 'unknown';
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, bits / GROUP_BITS);
  return `${groups.join(':').replace(/(?::0)+$/, '')}::/${bits}`;
}

/** Returns `networkOf` and the wider networks: the /48 and /32 of an IPv6 address, the /16 of an IPv4 address. */
export function networksOf(address: string | undefined): {
  readonly network: string;
  readonly wider: string;
  readonly around: string;
} {
  const [, ofProvider] = /^(\d+\.\d+)\.\d+\.\d+$/.exec(address ?? '') ?? [];
  return {
    network: networkOf(address),
    wider: networkOf(address, SITE_BITS),
    around: ofProvider ?? networkOf(address, PROVIDER_BITS),
  };
}
