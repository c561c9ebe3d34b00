/** Finds what people name: accounts, locations, and who did something. Both a store and a service elsewhere have it. */
import { anchorShape } from '../core/registry.ts';
import { findActor } from '../services/staff/actors.ts';
import type { Account, Store } from '../store/promises/store.ts';
import { Mistake } from './mistake.ts';

export interface AccountsAt {
  /** The store, or the address of the service, for people. */
  readonly place: string;
  readonly accounts: Pick<Store['accounts'], 'list' | 'find'>;
}

export interface Directory extends AccountsAt {
  /** The locations with that unique identifier, or with that external identifier in one of the accounts. */
  readonly locations: (
    called: string,
    accounts: readonly Account[],
  ) => Promise<readonly FoundLocation[]>;
  readonly who: Who;
}

export interface FoundLocation {
  readonly unique_identifier: string;
  readonly account: string;
}

/** The name, or else the identifier, of who made a change; of a key its source, too. */
export type Who = (by: string) => Promise<string>;

export function directoryOf(store: Store): Directory {
  return {
    place: store.place,
    accounts: store.accounts,
    who: createWho(store),
    async locations(called, accounts) {
      const ids = accounts.map((account) => account.unique_identifier);
      const scope = { accounts: new Set(ids), anchors: undefined };
      const found = called.startsWith(anchorShape.prefix)
        ? await store.find(anchorShape, called, scope)
        : undefined;
      if (found !== undefined) return [found];
      const pairs = ids.map((account) => ({
        account,
        parent: account,
        external_identifier: called,
      }));
      const all = await Promise.all(pairs.map((pair) => store.findPair(anchorShape, pair)));
      return all.filter((one) => one !== undefined);
    },
  };
}

/** The one location that is called so in these accounts. Throws a `Mistake` where several are. */
export async function locationCalled(
  { locations }: Pick<Directory, 'locations'>,
  called: string,
  accounts: readonly Account[],
): Promise<FoundLocation | undefined> {
  const [one, ...others] = await locations(called, accounts);
  if (others.length === 0) return one;
  throw new Mistake(
    `${others.length + 1} of these accounts have a ${anchorShape.resource} ${JSON.stringify(called)}. Put its unique identifier in its place.`,
  );
}

/** Looks each up once. */
export function createWho(store: Store): Who {
  const known = new Map<string, string>();
  return async (by) => {
    let called = known.get(by);
    if (called === undefined) {
      const actor = await findActor(store, by);
      const name = actor?.name ?? by;
      called = actor?.source ? `${name} (${actor.source})` : name;
      known.set(by, called);
    }
    return called;
  };
}
