/** Fills the store of `dev`: a test account with a location, realistic records, and a key that is saved next to the store. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { App } from '../../app/app.ts';
import { findKey, issueKey } from '../../records/auth/issue-key.ts';
import { rights } from '../../records/auth/principal.ts';
import { CARDS_PATH, SAMPLE_HOME, sampleRows } from '../../services/sample/records.ts';
import type { Store } from '../../store/promises/store.ts';
import { Mistake } from '../mistake.ts';

export type Sample = Awaited<ReturnType<typeof makeSample>>;

/** Fills an empty store. The key is saved, and can be shown again, only next to a store that is a file. */
export async function makeSample(app: App) {
  const { accounts, keys, file } = app.store;
  const account = await accounts.create({ name: 'Example Funeral Group', livemode: false });
  const { secret } = await issueKey(keys, account.livemode, {
    name: 'Trial key',
    accounts: [account.unique_identifier],
    // It may do all that the manual shows.
    // Programs are tried with it, and those are sources: what they send is no correction.
    allow: Object.keys(rights).filter((right) => right !== 'pin'),
  });
  const name = 'Main Street Chapel';
  const answer = await send(app, secret, 'locations/upsert', {
    account_unique_identifier: account.unique_identifier,
    external_identifier: 'main-street',
    location_name: name,
  });
  const { unique_identifier } = answer.json<{ unique_identifier: string }>();
  if (file !== undefined) writeFileSync(keyFile(file), `${secret}\n`, { mode: 0o600 });
  return { account, secret, isSaved: file !== undefined, location: { unique_identifier, name } };
}

/** Sends rows the way that a caller does, so that there is one way in which records come about. */
async function send(app: App, secret: string, path: string, rows: object) {
  const answer = await app.inject({
    method: 'POST',
    url: `/v1/${path}`,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    payload: JSON.stringify(rows),
  });
  if (answer.statusCode === 200) return answer;
  throw new Error(`The sample's ${path} was answered ${answer.statusCode}: ${answer.body}`);
}

/** Writes realistic records with that key; where they are there, they are brought up to today. */
export async function fillSample(
  app: App,
  address: string,
  { account: { unique_identifier: account }, secret }: Awaited<ReturnType<typeof foundSample>>,
): Promise<void> {
  const settings = { unique_identifier: account, account, ...SAMPLE_HOME };
  await app.store.locationSettings.change([settings]);
  for (const { path, rows } of sampleRows(account, Date.now(), address + CARDS_PATH))
    await send(app, secret, `${path}/upsert_many?atomic=true`, rows);
}

/** The test account that `dev` made, and its key; a `Mistake` where they are gone. */
export async function foundSample(app: App) {
  const secret = await savedKey(app.store);
  const answer =
    secret === undefined
      ? undefined
      : await app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${secret}` } });
  const { accounts, livemode } = answer?.json<{ accounts: string[]; livemode: boolean }>() ?? {};
  const [unique_identifier] = accounts ?? [];
  if (secret !== undefined && unique_identifier !== undefined && livemode === false)
    return { account: { unique_identifier }, secret };
  throw new Mistake(
    'There is no test account to put sample records into. "--sample" needs an empty store, or one that still has the test key that "dev" created. Use another store, such as --database-url sqlite:/tmp/trial.db.',
  );
}

/** The key, if it is saved and still works. */
export async function savedKey({ file, keys }: Store): Promise<string | undefined> {
  if (file === undefined) return undefined;
  let secret: string;
  try {
    secret = readFileSync(keyFile(file), 'utf8').trim();
  } catch {
    return undefined;
  }
  return (await findKey(keys, secret)) === undefined ? undefined : secret;
}

const keyFile = (file: string): string => `${file}.dev-key`;
