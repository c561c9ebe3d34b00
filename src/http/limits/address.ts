/** The part of an address that tells one caller from another. */

/** The groups of an IPv6 address that name a network: one caller has all of its addresses. */
const GROUPS = 4;

/** The address itself, or of an IPv6 address its /64, as `2001:db8:1:2::/64`; `unknown` for none. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, GROUPS);
  return `${groups.join(':').replace(/(?::0)+$/, '')}::/64`;
}
