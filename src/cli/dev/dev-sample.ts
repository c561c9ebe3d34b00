/** Fills an empty store with something to try: a test account, a key and a location. */
import type { App } from '../../app/app.ts';
import { issueKey } from '../../records/auth/issue-key.ts';
import { rights } from '../../records/auth/rights.ts';
import type { Account } from '../../store/promises/store.ts';
import { keepDevKey } from './dev-key.ts';

export interface Sample {
  readonly account: Account;
  readonly secret: string;
  /** Whether the key can be shown again. */
  readonly kept: boolean;
  readonly location: { readonly unique_identifier: string; readonly name: string };
}

export async function makeSample(app: App): Promise<Sample> {
  const { accounts, keys } = app.store;
  const account = await accounts.create({ name: 'Example Funeral Group', livemode: false });
  const { secret } = await issueKey(keys, account.livemode, {
    name: 'Trial key',
    accounts: [account.unique_identifier],
    // It may do all that the manual shows.
    // Programs are tried with it, and those are sources: what they send is no correction.
    allow: Object.keys(rights).filter((right) => right !== 'pin'),
  });
  const name = 'Main Street Chapel';
  // The same way that a caller goes, so that there is one way in which records come about.
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/locations/upsert',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    payload: JSON.stringify({
      account_unique_identifier: account.unique_identifier,
      external_identifier: 'main-street',
      location_name: name,
    }),
  });
  if (answer.statusCode !== 200)
    throw new Error(`The first location was answered ${answer.statusCode}.`);
  const { unique_identifier } = answer.json<{ unique_identifier: string }>();
  const kept = keepDevKey(app.store, secret);
  return { account, secret, kept, location: { unique_identifier, name } };
}
