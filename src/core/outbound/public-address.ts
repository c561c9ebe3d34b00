/** Which addresses are public: those of the internet, and none of the operator's network or of its machines. */
import { includedIn, readAddress } from '../network/networks.ts';

/** IPv6 hands out addresses from here alone: all others lead to this machine, this network, or to IPv4 by another name. */
const GLOBAL = '2000::/3';

/** https://www.iana.org/assignments/iana-ipv4-special-registry and its IPv6 counterpart. */
const NOT_PUBLIC = [
  // This network and this machine.
  ...['0.0.0.0/8', '127.0.0.0/8'],
  // Private, shared with a carrier's customers, and link-local, where clouds keep their metadata.
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
  // Protocol assignments, documentation, benchmarks, and the relays of 6to4.
  ...['192.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '198.18.0.0/15'],
  '192.88.99.0/24',
  // Multicast, reserved and broadcast.
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Public by number, and the metadata of Azure's machines.
  '168.63.129.16',
  // Teredo and other protocols, documentation, 6to4, and segment routing.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
];

const isGlobal = includedIn([GLOBAL]);
const isSpecial = includedIn(NOT_PUBLIC);

/** Whether an address, in any spelling, is one of the internet. */
export function isPublic(text: string): boolean {
  const address = readAddress(text);
  if (address === undefined || text.includes('%') || isSpecial(address)) return false;
  return !address.includes(':') || isGlobal(address);
}
