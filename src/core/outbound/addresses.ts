/** Looks names up, and rejects addresses that may not be reached. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { includedIn, readAddress } from '../network/networks.ts';
import { checkAddress, type Destination, isAddress } from './destination.ts';
import { createNameLookups, type LookUp } from './lookups.ts';
import { OutboundError } from './outbound-error.ts';

export interface LookUpOptions {
  readonly group: string;
  readonly signal: AbortSignal;
}

export type Addresses = ReturnType<typeof createAddresses>;

/** `allowed` are networks that the operator lets requests go to. */
export function createAddresses(allowed: readonly string[], lookUp?: LookUp) {
  const isAllowed = includedIn(allowed);
  const find = createNameLookups(lookUp);

  const checkOne = (destination: Destination, text: string): void => {
    const address = readAddress(text);
    checkAddress(destination, {
      isPublic: isPublic(text),
      isAllowed: address !== undefined && !text.includes('%') && isAllowed(address),
    });
  };

  const checked = async (
    destination: Destination,
    { group, signal }: LookUpOptions,
  ): Promise<readonly LookupAddress[]> => {
    const found = await find(destination.host, group, signal);
    if (found.length === 0)
      throw new OutboundError('name_unknown', 'The host name has no address.');
    for (const { address } of found) checkOne(destination, address);
    return found;
  };

  /** Throws `OutboundError` where the host is an address that may not be reached. */
  const checkHost = (destination: Destination): void => {
    if (isAddress(destination)) checkOne(destination, destination.host);
  };

  return {
    checkHost,
    /** Throws `OutboundError` where the host, or one of the addresses of its name, may not be reached. */
    async check(destination: Destination, asking: LookUpOptions): Promise<void> {
      checkHost(destination);
      if (!isAddress(destination)) await checked(destination, asking);
    },
    /** The look-up of a socket: it connects to what was checked, even if the name changes afterwards. */
    lookupFor:
      (destination: Destination, asking: LookUpOptions): LookupFunction =>
      (_, options, done) => {
        checked(destination, asking).then(
          (found) => {
            const [first] = found as readonly [LookupAddress];
            if (options.all === true) done(null, [...found]);
            else done(null, first.address, first.family);
          },
          (error) => done(error, ''),
        );
      },
  };
}

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
