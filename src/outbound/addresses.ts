/** Looks names up, and lets nobody have an address that may not be reached. */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { FairSemaphore } from '../fair/semaphore.ts';
import { includedIn, readAddress } from '../network/networks.ts';
import { checkAddress, type Destination, isAddress } from './destination.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublic } from './public-address.ts';

/** All addresses of a name. */
export type LookUp = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * The system looks names up in threads of which a process has four, and a name's
 * server may take its time: half of them are left for everybody else.
 */
const LOOKUPS_AT_ONCE = 2;

export interface Addresses {
  /** Throws `OutboundError` where the host, or one of the addresses of its name, may not be reached. */
  check(destination: Destination): Promise<void>;
  /** Throws `OutboundError` where the host is an address that may not be reached. */
  checkHost(destination: Destination): void;
  /** What a socket looks a name up with: it connects to what was checked, whatever the name leads to afterwards. */
  lookupFor(destination: Destination): LookupFunction;
}

/** `allowed` are networks that the operator lets requests go to. */
export function createAddresses(allowed: readonly string[], lookUp: LookUp = system): Addresses {
  const isAllowed = includedIn(allowed);
  const lookups = new FairSemaphore(LOOKUPS_AT_ONCE);

  const checkOne = (destination: Destination, text: string): void => {
    const address = readAddress(text);
    checkAddress(destination, {
      isPublic: isPublic(text),
      isAllowed: address !== undefined && !text.includes('%') && isAllowed(address),
    });
  };

  const checked = async (destination: Destination): Promise<readonly LookupAddress[]> => {
    const { host } = destination;
    const found = await lookups.run(host, () => lookUp(host));
    if (found.length === 0)
      throw new OutboundError('name_unknown', 'The host name has no address.');
    for (const { address } of found) checkOne(destination, address);
    return found;
  };

  const checkHost = (destination: Destination): void => {
    if (isAddress(destination)) checkOne(destination, destination.host);
  };

  return {
    checkHost,
    async check(destination) {
      checkHost(destination);
      if (!isAddress(destination)) await checked(destination);
    },
    lookupFor: (destination) => (_, options, done) => {
      checked(destination).then(
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

function system(name: string): Promise<readonly LookupAddress[]> {
  return systemLookup(name, { all: true });
}
