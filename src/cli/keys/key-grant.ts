/** The scope and permissions of a new key, from its options. */

import { pathNames } from '../../core/registry.ts';
import {
  type GrantParams,
  type ReportFault,
  readGrant,
  readResources,
} from '../../records/auth/key-grant.ts';
import { authoritativeFor } from '../../records/auth/rights.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { Mistake } from '../mistake.ts';
import { checkName, checkSourceName } from '../name.ts';
import { readMoment } from '../time.ts';
import { type LimitOptions, readAccounts, readLimit, words } from './key-scope.ts';

export interface KeyOptions extends LimitOptions {
  readonly account?: readonly string[];
  readonly permission?: readonly string[];
  readonly resource?: readonly string[];
  readonly allow?: readonly string[];
  readonly authoritative?: readonly string[];
  readonly from?: readonly string[];
  readonly requestsASecond?: string;
  readonly requestsAtOnce?: string;
  readonly expires?: string;
  readonly name?: string;
  readonly source?: string;
}

const OPTIONS: Readonly<Record<keyof GrantParams, string>> = {
  name: '--name',
  permissions: '--permission',
  resources: '--resource',
  allow: '--allow',
  from: '--from',
  requests_a_second: '--requests-a-second',
  requests_at_once: '--requests-at-once',
  expires_at: '--expires',
};

/** Throws a `Mistake` that names the option. */
export const wrongOption: ReportFault = (field, says) => {
  throw new Mistake(`${OPTIONS[field]} ${says}`);
};

/** Checks that need no store. Throws a `Mistake` for the first that is wrong; `faults` gets all instead. */
export function grantIn(options: KeyOptions, now: number, faults?: string[]) {
  const { name, source, expires, resource, allow, authoritative } = options;
  const found = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (faults === undefined || !(error instanceof Mistake)) throw error;
      faults.push(error.message);
      return undefined;
    }
  };
  if (name !== undefined) found(() => checkName(name));
  if (source !== undefined) found(() => checkSourceName(source));
  const resources = words(resource);
  const decides = found(() =>
    readResources(words(authoritative), pathNames, (_, says) => {
      throw new Mistake(`--authoritative ${says}`);
    }),
  );
  const sent: GrantParams = {
    name,
    permissions: options.permission && words(options.permission),
    resources: resources.length === 0 ? undefined : resources,
    allow: [...words(allow), ...(decides ?? []).map(authoritativeFor)],
    from: options.from && words(options.from),
    requests_a_second: options.requestsASecond,
    requests_at_once: options.requestsAtOnce,
  };
  const grant = {
    ...readGrant(sent, { paths: pathNames, now }, (...fault) => found(() => wrongOption(...fault))),
    ...(source === undefined ? {} : { source: { name: source } }),
  };
  if (expires === undefined) return grant;
  return { ...grant, expires_at: found(() => readMoment(expires, '--expires', now)) ?? null };
}

/** The accounts, and the locations or the region, that a key is for, found among those that there are. */
export async function readScope(
  store: Store,
  all: readonly Account[],
  { account, ...limit }: LimitOptions & Pick<KeyOptions, 'account'>,
) {
  const accounts = readAccounts(store, all, account);
  return {
    livemode: accounts[0].livemode,
    grant: {
      accounts: accounts.map(({ unique_identifier }) => unique_identifier),
      ...(await readLimit(store, limit, accounts)),
    },
  };
}
