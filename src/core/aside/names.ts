/**
 * Names of hosts, looked up by a process of its own, as `/etc/hosts` and the system's other sources have them: what the
 * process of the service looks up itself takes one of the four threads in which it checks passwords, and keeps it from
 * ending, for as long as the name's server takes.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { AsideGone, createAside } from './aside.ts';
import type { Names } from './names-child.ts';

/** Longer than any request waits for a name; the system gives up sooner where two of its servers are gone. */
const GIVEN_UP_S = 15;
/** How often a process is begun for a name. */
const MOST_TRIES = 3;

/** A part of the program that is loaded when it is needed, and again after that: where it is gone, so are the others. */
export const laterPart = new URL('./names-child.ts', import.meta.url);

/** Looks names up in a process of its own, two at once: Node leaves the other two of its four threads to quicker work. */
export function createNames(seconds = GIVEN_UP_S) {
  const names = createAside<Names>(laterPart).methods(['lookUp'], seconds);
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();

  const found = async (name: string): Promise<readonly LookupAddress[]> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await names.lookUp(name);
      } catch (error) {
        // It went because of another name, or could not be begun.
        if (!(error instanceof AsideGone)) throw error;
        await error.over;
        if (tries < MOST_TRIES) continue;
        // Only where none can be begun: what has others hang is not looked up here.
        if (error.code === 'ETIMEDOUT') throw error;
        return systemLookup(name, { all: true });
      }
    }
  };

  /** All addresses of a name, which is looked up once for all who wait for it. Throws the system's error. */
  return (name: string): Promise<readonly LookupAddress[]> =>
    underWay.getOrInsertComputed(name, () => found(name).finally(() => underWay.delete(name)));
}

/** Names that callers have sent, of which some are there to hang. */
export const lookUpName = createNames();

/** The look-up of a socket, by such a function. */
export const lookupBy =
  (find: (name: string) => Promise<readonly LookupAddress[]>): LookupFunction =>
  (name, { all, family }, done) => {
    find(name).then(
      (addresses) => {
        const wanted = addresses.filter((one) => !family || familyOf(family) === one.family);
        const [first] = wanted;
        if (all === true) done(null, wanted);
        else if (first !== undefined) done(null, first.address, first.family);
        else
          done(Object.assign(new Error(`${name} has no such address`), { code: 'ENOTFOUND' }), '');
      },
      (error) => done(error, ''),
    );
  };

const familyOf = (family: number | 'IPv4' | 'IPv6'): number => Number(String(family).at(-1));

/** The look-up of a socket that connects to what a setting names: no name of a caller is in its way. */
export const lookUpAside = lookupBy(createNames());
