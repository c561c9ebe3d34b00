/** Webhook endpoints: who may have them, what they take, and what is wrong with what they do not. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { pluck } from '../support/pluck.ts';
import { faultsOf } from '../support/scenario.ts';
import { keyed } from '../support/secret-key.ts';
import { type Answer, type Body, startService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { refused, served } from '../support/world.ts';

const settings = keyed();
const PATH = '/v1/webhook_endpoints';
const URL = 'https://example.com/hook';
let key: string;

const service = served({ settings }, async () => {
  key = (await service.newKey({ allow: ['webhooks'] })).secret;
});

const create = (body: Body, by = key): Promise<Answer> => service.json(PATH, body, { key: by });
const patch = (id: string, body: Body, by = key): Promise<Answer> =>
  service.patch(`${PATH}/${id}`, body, { key: by });
const drop = (id: string): Promise<Answer> => service.send('DELETE', `${PATH}/${id}`, { key });

describe('A webhook endpoint', () => {
  it('is made, shown without its secret, changed and deleted', async () => {
    const location = await service.location();
    const asked = {
      ...{ notifications: ['event.created', '*.deleted'], locations: [location], payload: 'full' },
    };
    const made = await create({ url: URL, description: 'Front desk', ...asked });
    assert.equal(made.status, 200, made.text);
    const { secret, ...shown } = made.body;
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.partialDeepStrictEqual(shown, {
      ...{ object: 'webhook_endpoint', account: service.account.unique_identifier, ...asked },
      ...{ status: 'enabled', failing_since: null },
    });
    const at = `${PATH}/${shown.unique_identifier}`;
    assert.deepEqual((await service.get(at, { key })).body, shown);
    const { body: list } = await service.get(PATH, { key });
    assert.deepEqual(list, { object: 'list', url: PATH, has_more: false, data: [shown] });
    const change = {
      ...{ notifications: ['event.*'], locations: null, description: null, status: 'paused' },
    };
    const changed = await patch(shown.unique_identifier, change);
    const still = { url: URL, payload: 'full', disabled_reason: 'paused' };
    assert.partialDeepStrictEqual(changed.body, { ...change, ...still });
    const enabled = await patch(shown.unique_identifier, { status: 'enabled' });
    assert.partialDeepStrictEqual(enabled.body, { status: 'enabled', disabled_reason: null });
    // What the store has is of no use to whoever reads it.
    const stored = await service.app.store.webhooks.find(shown.unique_identifier);
    assert.ok(!JSON.stringify(stored).includes(secret.slice(6, 20)));
    const { unique_identifier } = shown;
    assert.deepEqual((await drop(unique_identifier)).body, {
      ...{ object: 'webhook_endpoint', unique_identifier, deleted: true },
    });
    assert.equal((await service.get(at, { key })).status, 404);
    assert.equal((await drop(unique_identifier)).status, 404);
  });

  it('is refused with every fault named', async () => {
    for (const [body, faults] of [
      [
        { url: 7, notifications: ['events.created', 'event.made', 'event'] },
        [
          ['url', 'type_invalid'],
          ...[0, 1, 2].map((at) => [`notifications.${at}`, 'value_invalid']),
        ],
      ],
      [{ url: URL, locations: ['loc_0'] }, [['locations.0', 'resource_missing']]],
      ...[
        ...['http://example.com/', 'https://10.1.2.3/', 'https://[::1]/', 'https://2852039166/'],
        ...['https://user@example.com/', 'ftp://example.com/', 'https://example.com:25/', 'x'],
      ].map((url) => [{ url }, [['url', 'webhook_url_refused']]] as const),
    ] as const) {
      const answer = await create(body);
      assert.deepEqual(faultsOf(answer), faults, answer.text);
    }
    const { body } = await create({});
    assert.doesNotMatch(body.error.message, /upsert/);
    const { body: near } = await create({ url: URL, notifications: ['events.created'] });
    assert.match(near.error.message, /Did you mean event\.created\?$/);
  });

  it('is seen by keys with limits if it is their own', async () => {
    const { body: whole } = await create({ url: URL });
    const location = await service.location('of its own');
    const { secret: limited } = await service.newKey({ allow: ['webhooks'], anchors: [location] });
    const { body: own } = await create({ url: URL }, limited);
    const seen = async (by: string) =>
      pluck((await service.get(PATH, { key: by })).body.data, 'unique_identifier');
    assert.deepEqual(await seen(limited), [own.unique_identifier]);
    assert.deepEqual(await seen(key), [own.unique_identifier, whole.unique_identifier]);
    assert.equal((await patch(whole.unique_identifier, { url: URL }, limited)).status, 404);
    const other = await service.location('of others');
    assert.deepEqual(faultsOf(await create({ url: URL, locations: [other] }, limited)), [
      ['locations.0', 'resource_missing'],
    ]);
    for (const one of [whole, own]) await drop(one.unique_identifier);
  });

  it('is one of twenty of its account', async () => {
    const made: string[] = [];
    for (let at = 0; at < 20; at++) made.push((await create({ url: URL })).body.unique_identifier);
    refused(await create({ url: URL }), 409, 'webhook_endpoints_too_many');
    for (const one of made) await drop(one);
  });

  it('is tested at once, and signed with both secrets while one takes over from the other', async () => {
    const receiver = await startReceiver();
    const { body } = await create({ url: receiver.url });
    const { unique_identifier } = body;
    const test = async (): Promise<Body> =>
      (await service.send('POST', `${PATH}/${unique_identifier}/test`, { key })).body;
    assert.partialDeepStrictEqual(await test(), { delivered: true, status_code: 200, error: null });
    const rotate = async (expires_in: number): Promise<string> =>
      (await service.json(`${PATH}/${unique_identifier}/rotate_secret`, { expires_in }, { key }))
        .body.secret;
    const second = await rotate(60);
    await test();
    const third = await rotate(0);
    receiver.answer = () => 503;
    assert.partialDeepStrictEqual(await test(), {
      ...{ delivered: false, status_code: 503, error: 'The endpoint answered 503.' },
    });
    const opens = (at: number, secret: string): boolean => {
      const { text, headers } = receiver.received[at] as (typeof receiver.received)[number];
      try {
        new Webhook(secret).verify(text, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    const secrets = [body.secret, second, third];
    assert.deepEqual(
      [0, 1, 2].map((at) => secrets.map((secret) => opens(at, secret))),
      [
        [true, false, false],
        [true, true, false],
        [false, false, true],
      ],
    );
    assert.equal(receiver.received[0]?.body.type, 'webhook_endpoint.test');
    await drop(unique_identifier);
  });

  it('is replayed from a place or a time of its own account, and not from both', async () => {
    const { body } = await create({ url: URL, notifications: ['*.wiped'] });
    const replay = (sent: Body): Promise<Answer> =>
      service.json(`${PATH}/${body.unique_identifier}/replay`, sent, { key });
    const { body: feed } = await service.get('/v1/changes?limit=2', { key });
    const [first] = feed.data;
    const { unique_identifier: at } = first;
    assert.equal((await replay({ starting_after: at })).body.position, at);
    assert.equal((await replay({ since: '2020-01-01T00:00:00Z' })).body.position, null);
    assert.equal((await replay({ since: '2100-01-01T00:00:00Z' })).status, 200);
    assert.equal((await replay({})).body.error.code, 'parameter_missing');
    const both = await replay({ starting_after: at, since: '2020-01-01T00:00:00Z' });
    assert.equal(both.body.error.code, 'parameters_conflict');
    assert.equal((await replay({ starting_after: 'chg_0' })).body.error.code, 'position_unknown');
    await drop(body.unique_identifier);
  });
});

describe('A service without SECRET_KEY_FILE', () => {
  it('says that it has no webhooks', async () => {
    const plain = await startService();
    const { secret } = await plain.newKey({ allow: ['webhooks'] });
    refused(await plain.json(PATH, { url: URL }, { key: secret }), 403, 'webhooks_unavailable');
  });
});
