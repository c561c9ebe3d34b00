/** `dev --sample`: realistic records, so that the first look shows something. */
import type { App } from '../../app/app.ts';
import { CARDS_PATH } from '../../services/sample/cards.ts';
import { SAMPLE_HOME, sampleRows } from '../../services/sample/records.ts';
import { Mistake } from '../mistake.ts';
import { keptDevKey } from './dev-key.ts';

/** Writes them with that key, the way that a caller goes; where they are there, they are brought up to today. */
export async function fillSample(
  app: App,
  address: string,
  { account, secret }: { readonly account: string; readonly secret: string },
): Promise<void> {
  await app.store.locationSettings.change([
    { unique_identifier: account, account, ...SAMPLE_HOME },
  ]);
  for (const { path, rows } of sampleRows(account, Date.now(), address + CARDS_PATH)) {
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/${path}/upsert_many?atomic=true`,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      payload: JSON.stringify(rows),
    });
    if (answer.statusCode !== 200)
      throw new Error(`The sample's ${path} were answered ${answer.statusCode}: ${answer.body}`);
  }
}

/** The test account that `dev` made, and its key; a `Mistake` where they are gone. */
export async function foundSample(app: App): Promise<{ account: string; secret: string }> {
  const secret = await keptDevKey(app.store);
  const answer =
    secret === undefined
      ? undefined
      : await app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${secret}` } });
  const { accounts, livemode } = answer?.json<{ accounts: string[]; livemode: boolean }>() ?? {};
  const [account] = accounts ?? [];
  if (secret === undefined || account === undefined || livemode !== false) {
    throw new Mistake(
      'There is no test account to put sample records into. "--sample" needs an empty store, or one that still has the test key that "dev" created. Use another store, such as --database-url sqlite:/tmp/trial.db.',
    );
  }
  return { account, secret };
}
