/** What most tests of the command line begin with: an account, a key, a location. */
import { type AccountJson, type KeyJson, programIn, type Start } from './cli-program.ts';
import { call } from './cli-service.ts';

/** A test account in the folder's store, or in that which the environment names, and a key of it. */
export async function makeAccount(
  cwd: string,
  env: Start['env'] = {},
): Promise<{ account: string; secret: string; key: string }> {
  const { json } = programIn(cwd, env);
  const { unique_identifier: account } = await json<AccountJson>(
    ...['accounts', 'create', '--name', 'Example Funeral Group', '--test'],
  );
  const made = await json<KeyJson>('keys', 'create', '--account', account);
  return { account, secret: made.secret, key: made.unique_identifier };
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
