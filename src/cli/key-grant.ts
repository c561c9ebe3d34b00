/** What a new key is for and may do, from the options that say so. */
import type { Account, Store } from '../store/store.ts';
import {
  readConcurrent,
  readFrom,
  readKeyRate,
  readPermissions,
  readRights,
} from './key-limits.ts';
import { readAccounts, readLocations, readResources, words } from './key-scope.ts';
import { Mistake } from './mistake.ts';
import { checkName } from './name.ts';
import { readMoment } from './time.ts';

export interface KeyOptions {
  readonly account?: readonly string[];
  readonly location?: readonly string[];
  readonly permission?: readonly string[];
  readonly resource?: readonly string[];
  readonly allow?: readonly string[];
  readonly from?: readonly string[];
  readonly rate?: string;
  readonly concurrent?: string;
  readonly expires?: string;
  readonly name?: string;
}

/** What can be told without a look at the store. Throws a `Mistake` for the first that is wrong; `faults` gets all instead. */
export function readGrant(options: KeyOptions, now: number, faults?: string[]) {
  const { name = null, expires } = options;
  const read = <T>(work: () => T): T | null => attempt(work, faults);
  if (name !== null) read(() => checkName(name));
  return {
    name,
    permissions: read(() => readPermissions(options.permission)) ?? [],
    resources: read(() => readResources(words(options.resource))),
    allow: read(() => readRights(options.allow)) ?? [],
    from: read(() => readFrom(options.from)),
    rate: read(() => readKeyRate(options.rate)),
    concurrent: read(() => readConcurrent(options.concurrent)),
    expires_at: expires === undefined ? null : read(() => readMoment(expires, '--expires', now)),
  };
}

/** The accounts and locations that a key is for, found among those that there are. */
export async function readScope(
  store: Store,
  all: readonly Account[],
  { account, location }: Pick<KeyOptions, 'account' | 'location'>,
) {
  const accounts = readAccounts(store, all, account);
  const [first] = accounts;
  if (first === undefined) {
    throw new Mistake('--account must name an account; "ledgerstone accounts list" shows them.');
  }
  return {
    livemode: first.livemode,
    grant: {
      accounts: accounts.map(({ unique_identifier }) => unique_identifier),
      anchors: await readLocations(store, location, accounts),
    },
  };
}

/** What `work` gives; where it throws a `Mistake`, that goes to the faults, if there are any to go to. */
function attempt<T>(work: () => T, faults: string[] | undefined): T | null {
  try {
    return work();
  } catch (error) {
    if (faults === undefined || !(error instanceof Mistake)) throw error;
    faults.push(error.message);
    return null;
  }
}
