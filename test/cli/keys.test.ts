/** Keys are made, limited, rotated and revoked on the command line, and the running service follows at once. */
// needs: program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { type AccountJson, type KeyJson, ownFolder, programIn } from '../support/cli-program.ts';
import { call, refusedWithinASecond, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount, withAccount } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';
import { eventBody } from '../support/sent.ts';
import { shared } from '../support/shared.ts';

describe('keys', () => {
  const served = shared(async () => {
    const folder = ownFolder();
    return { folder, service: await serveHere({ cwd: folder }) };
  });

  /** An account in a store that is served, and the command line beside it. */
  async function setUp() {
    const { folder, service } = await served();
    const { url } = service;
    const { account, secret } = await makeAccount(folder);
    const statusOf = async (key: string) => (await call(url, key, '/v1/accounts')).status;
    return { ...programIn(folder), account, secret, url, statusOf };
  }

  it('create prints one JSON document with the secret; list has no secret, and the last use', async () => {
    const { json, newKey, account, statusOf, ok } = await setUp();
    const key = await newKey(
      ...[account, '--name', 'Lobby tablet', '--permission', 'write', '--expires', '90d'],
      ...['--resource', 'events,locations', '--from', '127.0.0.0/8', '2001:DB8::/32'],
      ...['--requests-a-second', '6000/m', '--requests-at-once', '20'],
    );
    const { unique_identifier, secret, expires_at, inserted_at, ...rest } = key;
    assert.match(unique_identifier, /^key_[0-9A-Za-z]{22}$/);
    assert.match(secret, /^sk_test_[0-9A-Za-z]{38}$/);
    assert.match(String(inserted_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const days = (Date.parse(expires_at ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 89.9 && days <= 90, `${days} days`);
    assert.deepEqual(rest, {
      ...{ name: 'Lobby tablet', ending: secret.slice(-4), livemode: false, accounts: [account] },
      ...{ locations: null, region: null, permissions: ['write'], allow: [] },
      ...{ resources: ['events', 'locations'], from: ['127.0.0.0/8', '2001:db8::/32'] },
      ...{ requests_a_second: 100, requests_at_once: 20, object: 'api_key', status: 'active' },
      ...{ last_used_at: null, suspended_at: null, revoked_at: null, used_by: [] },
    });
    assert.equal(await statusOf(secret), 403, 'it works at once, within its limits');

    const listed = await json<KeyJson[]>('keys', 'list');
    assert.equal(listed[0]?.unique_identifier, unique_identifier, 'the newest first');
    for (const never of ['suspended_at', 'revoked_at'])
      assert.equal(listed[0]?.[never], null, never);
    // The service notes a use now and then.
    assert.match(String(listed[0]?.last_used_at), /^(null|\d{4}-.*Z)$/);
    const stdout = await ok('keys', 'list');
    assert.match(stdout, /^KEY +SECRET +STATUS +MAY +LAST USED +NAME\n/);
    assert.match(
      stdout,
      /^key_\w{22} +test…\w{4} +to \d{4}-\d\d-\d\d +write +(never|\d{4}-\d\d-\d\d) +Lobby tablet$/m,
    );
    assert.match(stdout, /^key_\w{22} +test…\w{4} +active +all +(never|\d{4}-\d\d-\d\d) +-$/m);
    const long = stdout.split('\n').filter((line) => line.length > 86);
    assert.deepEqual(long, [], 'a terminal shows it');
    assert.ok(!stdout.includes('sk_'), 'no secret');

    const shown = {
      ...(await json<KeyJson>('keys', 'show', unique_identifier)),
      last_used_at: null,
    };
    assert.deepEqual(shown, { ...listed[0], last_used_at: null }, 'as it is listed');
    const text = await ok('keys', 'show', unique_identifier);
    assert.match(
      text,
      /^Status +active\nName +Lobby tablet\nEnding +\w{4}\nLivemode +false\nAccounts +acct_\w+\nPermissions +write\nResources +events\n +locations\nFrom +127\.0\.0\.0\/8\n +2001:db8::\/32\nRequests a second +100\nRequests at once +20\nCreated +2.*\nExpires +2/m,
    );
    assert.ok(!text.includes('sk_'), 'no secret');
  });

  it('a key may do what --permission says, in a list, repeated or by the short form; everything where nothing is said', async () => {
    const { account, newKey } = await withAccount();
    for (const [words, permissions] of [
      [[], 'read write delete'],
      [['--permission', 'read-write'], 'read write'],
      [['--permission', 'delete,read'], 'read delete'],
      [['--permission', 'write', 'delete'], 'write delete'],
      [['--permission', 'write', '--permission', 'write, read'], 'read write'],
    ] as const) {
      const key = await newKey(account, ...words);
      assert.deepEqual(key.permissions, permissions.split(' '), words.join(' '));
    }
  });

  it('create makes a source that pins do not hold back, of resources that there are', async () => {
    const { json, newKey, account, fails } = await setUp();
    const key = await newKey(account, '--authoritative', 'events,locations');
    assert.deepEqual(key.allow, ['authoritative:events', 'authoritative:locations']);
    const wrong = await fails('keys', 'create', '--account', account, '--authoritative', 'evnts');
    assert.match(wrong, /--authoritative "evnts" is not known; did you mean events\?/);
    const words = [key.unique_identifier, '--disallow', 'authoritative:events'];
    const changed = await json<KeyJson>('keys', 'change', ...words);
    assert.deepEqual(changed.allow, ['authoritative:locations']);
  });

  it('a suspended key is refused within a second, and works again when it is resumed', async () => {
    const { newKey, ok, fails, account, statusOf } = await setUp();
    const { secret, unique_identifier } = await newKey(account);
    assert.equal(await statusOf(secret), 200);
    const stdout = await ok('keys', 'suspend', unique_identifier);
    assert.match(stdout, /^Suspended key_\w+: it is refused everywhere within a second\.\n$/);
    await refusedWithinASecond(() => statusOf(secret));
    const isSuspended = new RegExp(`${unique_identifier} +test…\\w{4} +suspended`);
    assert.match(await ok('keys', 'list'), isSuspended);
    const shown = await ok('keys', 'show', unique_identifier);
    assert.match(shown, /^Status +suspended\n(?:.*\n)*Suspended +\d{4}-/m);
    assert.match(
      await fails('keys', 'rotate', unique_identifier),
      /^ledgerstone: key_\w+ is suspended, and only an active key can be rotated\. Resume it first\.\n$/,
    );
    assert.match(await ok('keys', 'resume', unique_identifier), /^Resumed key_\w+: it works/);
    assert.equal(await statusOf(secret), 200);

    assert.match(await ok('keys', 'revoke', unique_identifier), /^Revoked key_/);
    for (const change of ['suspend', 'resume']) {
      const stderr = await fails('keys', change, unique_identifier);
      assert.match(stderr, /^ledgerstone: key_\w+ is revoked, which cannot be undone\. /);
    }
  });

  it('a key made while the service runs works at once, and its last use is seen when it stops', async () => {
    const { account, service, json, newKey } = await servedAccount();
    const key = await newKey(account);
    assert.equal((await call(service.url, key.secret, '/v1/accounts')).status, 200);
    await service.stop();
    const listed = await json<KeyJson[]>('keys', 'list');
    const found = listed.find((one) => one.unique_identifier === key.unique_identifier);
    assert.match(String(found?.last_used_at), /^\d{4}-/);
  });

  it('rotate gives a key like the old one, which works on for the overlap', async () => {
    const { json, newKey, account, statusOf } = await setUp();
    const old = await newKey(
      ...[account, '--name', 'Website', '--permission', 'read', '--resource', 'accounts'],
      ...['--from', '127.0.0.1', '::1', '--expires', '30d'],
      ...['--requests-a-second', '100/m', '--requests-at-once', '3'],
    );
    const next = await json<KeyJson & { replaces: { expires_at: string } }>(
      ...['keys', 'rotate', old.unique_identifier, '--overlap', '24h'],
    );
    assert.notEqual(next.secret, old.secret);
    const own = ['unique_identifier', 'secret', 'inserted_at', 'ending'];
    const kept = Object.entries(old).filter(([member]) => !own.includes(member));
    assert.ok(kept.length > 9);
    for (const [member, value] of kept) assert.deepEqual(next[member], value, member);
    const hours = (Date.parse(next.replaces.expires_at) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`);
    assert.deepEqual([await statusOf(old.secret), await statusOf(next.secret)], [200, 200]);

    const last = await json<KeyJson>('keys', 'rotate', next.unique_identifier, '--overlap', '0');
    await refusedWithinASecond(() => statusOf(next.secret));
    assert.equal(await statusOf(last.secret), 200);
  });

  it('a key of locations sees and writes those alone', async () => {
    const { json, run, newKey, account, secret, url, fails } = await setUp();
    const mine = await makeLocation(url, secret, account, 'mine');
    const other = await makeLocation(url, secret, account, 'other');
    const limited = await newKey(account, '--location', mine);
    assert.deepEqual(limited.locations, [mine]);
    const { text } = await call(url, limited.secret, '/v1/locations');
    const seen = (JSON.parse(text) as { data: { unique_identifier: string }[] }).data;
    assert.deepEqual(pluck(seen, 'unique_identifier'), [mine]);
    const upsert = (location: string) =>
      call(url, limited.secret, '/v1/events/upsert', eventBody(location, 'service-1'));
    assert.equal((await upsert(mine)).status, 200);
    assert.equal((await upsert(other)).status, 404);

    const both = await newKey(account, '--location', `${mine}, ${other}`);
    assert.deepEqual(both.locations, [mine, other]);
    const create = ['keys', 'create', '--account', account];
    const unknown = await fails(...create, '--location', 'loc_x');
    assert.match(
      unknown,
      /^ledgerstone: There is no location "loc_x" in this account: .* Send it first, with POST \/v1\/locations\/upsert/,
    );
    const second = await json<AccountJson>('accounts', 'create', '--name', 'B', '--test');
    const spread = await run(...create, second.unique_identifier, '--location', mine);
    assert.equal(
      spread.stderr,
      `ledgerstone: None of these locations is in ${second.unique_identifier}. Leave that account out, or name one of its locations.\n`,
    );
  });

  it('mistakes are one line on standard error, and make no key', async () => {
    const { account, fails, json, mistakes } = await withAccount();
    const [live, closed] = await Promise.all(
      ['Live', 'C'].map((name) => json<AccountJson>('accounts', 'create', '--name', name)),
    ).then((made) => pluck(made, 'unique_identifier'));
    await json('accounts', 'close', closed ?? '');
    const secret = `sk_test_${'x'.repeat(38)}`;
    await mistakes('keys create', [
      [[], /--account is required\./],
      ['--account acct_x', /There is no account "acct_x" in .*ledgerstone\.db/],
      [`--account ${account} ${live}`, /must be all live or all test: a key cannot be for both/],
      [`--account ${closed}`, /is closed/],
    ]);
    await mistakes(`keys create --account ${account}`, [
      [
        '--permission read,all',
        /--permission must be read, write, delete or read-write, or several of them, not "all"\./,
      ],
      [['--permission', ' '], /--permission must be .* not ""\./],
      [
        '--allow backups',
        new RegExp(
          `--allow "backups" is not known; known: ${Object.keys(rights).join(', ')}, authoritative:RESOURCE\\.`,
        ),
      ],
      [
        '--from 10.0.0.1 office',
        /--from "office" is neither an address, such as 203\.0\.113\.7, nor a network/,
      ],
      [
        '--from 203.0.113.7/24',
        /write 203\.0\.113\.0\/24 for the network, or 203\.0\.113\.7 for the address alone/,
      ],
      ['--from ,', /--from must name an address or a network/],
      [
        '--requests-a-second 100/h',
        /--requests-a-second must be a number of requests a second or a minute, such as 100\/s or 6000\/m, .* not "100\/h"\./,
      ],
      ['--requests-a-second 0', /--requests-a-second must be/],
      ['--requests-at-once 0', /--requests-at-once must be a whole number from 1 to/],
      ['--resource event', /"event" is not known; did you mean events\?/],
      ['--expires soon', /--expires must be a time such as/],
      ['--expires 2001-01-31', /--expires must be in the future/],
      ['--expires 2999-01-31T12:00:00', /--expires must be a time such as/],
    ]);
    const unknown = /There is no key "key_x" in/;
    await mistakes('keys', [
      ...['revoke', 'suspend', 'resume', 'show'].map((what) => [`${what} key_x`, unknown] as const),
      ['rotate key_x --overlap long', /--overlap must be a duration such as/],
      ['rotate key_x --overlap 91d', /--overlap must be at most 90d\./],
    ]);
    const stderr = await fails('keys', 'revoke', secret);
    assert.match(
      stderr,
      /^ledgerstone: That is the secret of a key\. Name the key by its identifier/,
    );
    assert.ok(!stderr.includes(secret), 'a secret is not repeated');
    assert.equal((await json<KeyJson[]>('keys', 'list')).length, 1, 'the one that was there');
  });
});
