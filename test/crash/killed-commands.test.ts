/** `kill -9` after every statement of a command that removes an account or a person: the same command again goes on, and nothing is left. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { readSettings } from '../../src/core/config.ts';
import { issueKey } from '../../src/records/auth/issue-key.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { programIn } from '../support/cli-program.ts';
import { type KillGround, killedAtEachStep } from '../support/killed-steps.ts';
import { tablesHolding } from '../support/tables-holding.ts';
import { until } from '../support/until.ts';

const GUESTS = 30;
/** These say who removed what, and which requests there were, some seconds later: identifiers alone. */
const STAYS = ['audit_entry', 'refused_request', 'request_activity'];

let count = 0;

async function inStore<Result>(
  { env }: KillGround,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStoreAlone(readSettings({}, env), { create: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Somebody with a password, a passkey and a session. */
async function member(store: Store, account: string, email: string) {
  const hash = `invitation of ${email}`;
  const { unique_identifier } = await store.staff.invite({
    ...{ email, name: 'Ida', role: 'viewer', accounts: [account], anchors: null, region: null },
    ...{ allow: [], hash, expires_at: Date.now() + 3_600_000 },
  });
  const session = { hash: `session of ${email}`, method: 'password', address: null } as const;
  const proof = { password: `password of ${email}`, name: null };
  await store.staff.redeem(hash, unique_identifier, proof, { ...session, browser: null });
  await store.staff.addPasskey(unique_identifier, {
    ...{ credential: `credential of ${email}`, public_key: 'a2V5', counter: 0 },
    ...{ transports: [], name: null },
  });
  return unique_identifier;
}

/** Ends what a killed command has begun; gives whether anything was left to do. */
async function again({ cwd, env }: KillGround, words: readonly string[]): Promise<boolean> {
  const { code, stderr } = await programIn(cwd, env).run(...words);
  if (code !== 0) assert.match(stderr, /There is no (account|person)/);
  return code === 0;
}

async function wantNothingOf({ env }: KillGround, texts: readonly string[]): Promise<void> {
  const left = async () =>
    (await tablesHolding(env.DATABASE_URL, texts)).filter((one) => !STAYS.includes(one));
  // The index of search follows.
  await until(async () => (await left()).length === 0).catch(async () =>
    assert.deepEqual(await left(), []),
  );
}

/** An account with a location, a service and its guests. */
async function filled(ground: KillGround) {
  const { send } = ground;
  count += 1;
  const mark = `Rosenkranz ${count}.`;
  const email = `rosenkranz-${count}@example.com`;
  const { account, secret, both } = await inStore(ground, async (store) => {
    const { unique_identifier } = await store.accounts.create({ name: mark, livemode: false });
    const keyOf = async (...accounts: [string, ...string[]]) =>
      (await issueKey(store.keys, false, { accounts })).secret;
    await member(store, unique_identifier, email);
    return {
      account: unique_identifier,
      secret: await keyOf(unique_identifier),
      both: await keyOf(ground.account, unique_identifier),
    };
  });
  const post = async (path: string, body: object) => {
    const answer = await send(path, body, { as: secret });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.unique_identifier;
  };
  const location_unique_identifier = await post('/v1/locations/upsert', {
    ...{ account_unique_identifier: account, external_identifier: mark, location_name: mark },
  });
  const event_unique_identifier = await post('/v1/events/upsert', {
    ...{ location_unique_identifier, external_identifier: mark, event_name: mark },
    event_datetime: '2027-03-20T14:30:00Z',
  });
  const guest = (at: number) => ({
    ...{ event_unique_identifier, external_identifier: `${mark} ${at}`, visitor_full_name: mark },
    visitor_phone_number: '+12175550153',
  });
  const guests = Array.from({ length: GUESTS }, (_, at) => guest(at));
  await post('/v1/event_check_in_records/upsert_many', guests);
  const event = event_unique_identifier;
  return { account, secret, both, mark, email, location: location_unique_identifier, event };
}

await killedAtEachStep('accounts delete', [], async (ground) => {
  const { send, ok } = ground;
  const { account, secret, both, mark, email, location, event } = await filled(ground);
  await inStore(ground, ({ accounts }) => accounts.close(account));
  const words = ['accounts', 'delete', account, '--yes'];

  return {
    command: words,
    async check() {
      const statusOf = async (as: string) =>
        (await send(`/v1/events/${event}`, undefined, { as })).status;
      await until(async () => (await statusOf(secret)) === 401);
      assert.equal(await statusOf(both), 404);
      const found = await inStore(ground, ({ accounts }) => accounts.list());
      const isThere = found.some((one) => one.unique_identifier === account);
      assert.equal(await again(ground, words), isThere);
      await wantNothingOf(ground, [mark, account, email, location]);
      await ok(`/v1/locations/${ground.location}`, undefined, both);
    },
  };
});

await killedAtEachStep('accounts wipe', [], async (ground) => {
  const { account, secret, mark } = await filled(ground);

  return {
    command: ['accounts', 'wipe', account, '--yes'],
    async check() {
      // Nobody runs it again: the service goes on.
      const isOpen = async () =>
        (await inStore(ground, ({ accounts }) => accounts.list())).some(
          (one) => one.unique_identifier === account && one.closed_at === null,
        );
      await until(isOpen);
      const { data } = await ground.ok('/v1/event_check_in_records?limit=100', undefined, secret);
      assert.ok([0, GUESTS].includes(data.length), `${data.length}`);
      // It was killed before it had begun.
      if (data.length === GUESTS) return;
      await wantNothingOf(ground, [`${mark} `]);
    },
  };
});

await killedAtEachStep('staff delete', [], async (ground) => {
  count += 1;
  const email = `ida-${count}@example.com`;
  const id = await inStore(ground, (store) => member(store, ground.account, email));
  const words = ['staff', 'delete', email];

  return {
    command: words,
    async check() {
      const [found, passkeys] = await inStore(ground, ({ staff }) =>
        Promise.all([staff.find(id), staff.passkeys(id)]),
      );
      // All of the person is there, or nothing.
      assert.deepEqual([found?.passkeys, passkeys.length], found ? [1, 1] : [undefined, 0]);
      assert.equal(await again(ground, words), found !== undefined);
      await wantNothingOf(ground, [email]);
    },
  };
});
