/** Looks names up, and rejects addresses that may not be reached. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { includedIn, readAddress } from '../network/networks.ts';
import { checkAddress, type Destination, isAddress } from './destination.ts';
import { type LookUp, NameLookups } from './lookups.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublic } from './public-address.ts';

/** Who wants to reach a host, and until when. */
export interface LookUpOptions {
  /** The account that the request is for. */
  readonly group: string;
  readonly signal: AbortSignal;
}

export type Addresses = ReturnType<typeof createAddresses>;

/** `allowed` are networks that the operator lets requests go to. */
export function createAddresses(allowed: readonly string[], lookUp?: LookUp) {
  const isAllowed = includedIn(allowed);
  const lookups = new NameLookups(lookUp);

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
    const found = await lookups.find(destination.host, group, signal);
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
