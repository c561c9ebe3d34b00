/** The client makes webhook endpoints, trusts what they are sent where it may, and follows changes for ever. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ledgerstone, verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { type Received, startReceiver } from '../support/webhook-receiver.ts';
import { served } from '../support/world.ts';

const settings = keyed();
let api: Ledgerstone;
let location: string;

const service = served({ settings }, async () => {
  const { secret } = await service.newKey({ allow: ['webhooks'] });
  api = new Ledgerstone({ key: secret, url: service.url });
  location = await service.location();
});

describe('api.webhook_endpoints', () => {
  it('does with endpoints what the service does', async () => {
    const receiver = await startReceiver();
    const made = await api.webhook_endpoints.create({ url: receiver.url, payload: 'full' });
    const { unique_identifier: id, secret } = made;
    const { secret: _, ...shown } = made;
    assert.deepEqual(await api.webhook_endpoints.retrieve(id), shown);
    assert.deepEqual(await api.webhook_endpoints.list(), [shown]);
    assert.equal((await api.webhook_endpoints.test(id)).delivered, true);
    const event = await service.event(location);
    const [, received] = (await receiver.count(2)) as [Received, Received];
    const { type, data } = await verifyWebhook(received.headers, received.text, secret);
    assert.ok(type === 'event.created' && data.object === 'change');
    const now: { readonly event_name: string } | null | undefined = data.record_now;
    assert.deepEqual([data.record, now?.event_name], [event, 'Celebration of life']);
    await until(async () => (await api.webhook_endpoints.deliveries(id).page()).data.length === 1);
    const changes: string[] = [];
    for await (const delivery of api.webhook_endpoints.deliveries(id))
      changes.push(delivery.change);
    assert.deepEqual(changes, [received.id]);
    assert.equal((await api.webhook_endpoints.resend(id, received.id)).status, 'pending');
    await receiver.count(3);
    const rotated = await api.webhook_endpoints.rotateSecret(id, { expires_in: 60 });
    assert.notEqual(rotated.secret, secret);
    assert.equal((await api.webhook_endpoints.patch(id, { status: 'paused' })).status, 'paused');
    await api.webhook_endpoints.replay(id, { since: '2026-01-01T00:00:00Z' });
    await api.webhook_endpoints.remove(id);
    assert.deepEqual(await api.webhook_endpoints.list(), []);
  });
});

describe('verifyWebhook', () => {
  it('trusts what was signed with the secret, is whole and is not old, however its headers come', async () => {
    const receiver = await startReceiver();
    const { unique_identifier, secret } = await api.webhook_endpoints.create({ url: receiver.url });
    await api.webhook_endpoints.test(unique_identifier);
    const [{ headers, text }] = (await receiver.count(1)) as [Received];
    const plain = headers as Record<string, string>;
    for (const given of [plain, new Headers(plain)]) {
      assert.equal((await verifyWebhook(given, text, secret)).type, 'webhook_endpoint.test');
      await verifyWebhook(given, new TextEncoder().encode(text), secret);
    }
    const refused = (work: Promise<unknown>) => assert.rejects(work, WebhookVerificationError);
    await refused(verifyWebhook(plain, `${text} `, secret));
    await refused(verifyWebhook(plain, text, `whsec_${'A'.repeat(43)}=`));
    await refused(verifyWebhook({ ...plain, 'webhook-id': 'other' }, text, secret));
    await refused(verifyWebhook({ ...plain, 'webhook-signature': 'v1,%%% v2,x' }, text, secret));
    await refused(verifyWebhook({}, text, secret));
    // A program whose secret was not set says so, and trusts nobody.
    for (const none of ['', 'whsec_', 'whsec_%%%', undefined as unknown as string])
      await assert.rejects(verifyWebhook(plain, text, none), {
        name: 'WebhookVerificationError',
        message: /^The secret is empty or no secret of an endpoint: those begin with whsec_/,
      });
    const later = () => Date.now() + 301_000;
    await refused(verifyWebhook(plain, text, secret, { now: later }));
    await verifyWebhook(plain, text, secret, { now: later, tolerance: 600 });
    await api.webhook_endpoints.remove(unique_identifier);
  });
});

describe('api.changes.follow', () => {
  it('gives what changes from now on, through a service that is away for a while, until it is told to end', async () => {
    await service.event(location, 'before');
    const gone = new AbortController();
    let down = false;
    let answered = 0;
    let failed = 0;
    const flaky: typeof fetch = async (input, init) => {
      if (down) {
        failed += 1;
        throw new TypeError('fetch failed');
      }
      const answer = await fetch(input, init);
      answered += 1;
      return answer;
    };
    const own = new Ledgerstone({ key: service.key, url: service.url, fetch: flaky, tries: 1 });
    const seen: string[] = [];
    const following = (async () => {
      for await (const { data } of own.changes.follow({}, { signal: gone.signal })) {
        seen.push(...data.map(({ record }) => record));
      }
    })();
    // What "now" was is known.
    await until(() => answered > 0);
    const one = await service.event(location, 'one');
    await until(() => seen.length === 1);
    down = true;
    const two = await service.event(location, 'two');
    const three = await service.event(location, 'three');
    await until(() => failed > 0);
    down = false;
    await until(() => seen.length === 3);
    assert.deepEqual(seen, [one, two, three]);
    gone.abort(new Error('enough'));
    await assert.rejects(following, /enough/);
  });

  it('ends where the key does', async () => {
    const { secret, key } = await service.newKey();
    let answered = 0;
    const counted: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      answered += 1;
      return answer;
    };
    const own = new Ledgerstone({ key: secret, url: service.url, fetch: counted });
    const following = (async () => {
      for await (const _ of own.changes.follow());
    })();
    await until(() => answered > 0);
    await service.app.store.keys.revoke(key.unique_identifier);
    await assert.rejects(following, { code: 'api_key_revoked' });
  });
});

describe('api.self_tests', () => {
  it('opens one with the key of a test account, and reads it', async () => {
    const opened = await api.self_tests.create();
    assert.equal(opened.status, 'open');
    assert.equal(opened.checks.length, 12);
    assert.deepEqual(await api.self_tests.retrieve(opened.unique_identifier), opened);
    assert.deepEqual(await api.self_tests.list(), [opened]);
  });
});
