/** What most tests of the command line begin with: an account, a key, a location. */
import { join } from 'node:path';
import { readSettings } from '../../src/core/config.ts';
import { issueKey } from '../../src/records/auth/issue-key.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ownFolder, programIn, type Start } from './cli-program.ts';
import { call, serveHere } from './cli-service.ts';

/**
 * A test account in the folder's store, or in that which the environment names, and a key of it: what
 * `accounts create` and `keys create` make, without a start of the program for each.
 */
export async function makeAccount(
  cwd: string,
  env: Start['env'] = {},
): Promise<{ account: string; secret: string; key: string }> {
  const own = { DATABASE_URL: `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`, ...env };
  const store = await openStoreAlone(readSettings({}, own), { create: true });
  try {
    const named = { name: 'Example Funeral Group', livemode: false };
    const { unique_identifier: account } = await store.accounts.create(named);
    const { secret, key } = await issueKey(store.keys, false, { accounts: [account] });
    return { account, secret, key: key.unique_identifier };
  } finally {
    await store.close();
  }
}

/** A test account and a key of it in a store of the test's own, and the command line beside it. */
export async function withAccount(env: Start['env'] = {}) {
  const cwd = ownFolder();
  return { cwd, ...(await makeAccount(cwd, env)), ...programIn(cwd, env) };
}

/** The same in a store that is served. */
export async function servedAccount(env: Start['env'] = {}) {
  const made = await withAccount(env);
  const service = await serveHere({ cwd: made.cwd, env });
  return { ...made, service, url: service.url };
}

/** A location of the account, by its unique identifier. */
export async function makeLocation(
  url: string,
  secret: string,
  account: string,
  external_identifier = 'main-street',
): Promise<string> {
  const { text } = await call(url, secret, '/v1/locations/upsert', {
    account_unique_identifier: account,
    external_identifier,
    location_name: 'Main Street Chapel',
  });
  return (JSON.parse(text) as { unique_identifier: string }).unique_identifier;
}
